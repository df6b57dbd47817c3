// Any text as a file of what processors share: no crash, every error has a place, and what is accepted is
// sound.

#include <cstdint>
#include <string_view>

#include "core/ensure.h"
#include "machine/memory_toml.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const resources = shared_resources_from_toml(text, "memory.toml");
    if (!resources) {
        ensure(resources.error().place && resources.error().place->line, "an error has a line");
        return 0;
    }
    ensure(check(*resources).has_value(), "what is accepted is within its limits");
    return 0;
}
