// Any text as a file of costs of operations on blocks: no crash, every error has a place, and what is
// accepted is sound and is read again as it was.

#include <cstdint>
#include <string_view>

#include "core/ensure.h"
#include "machine/block_costs_toml.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const costs = block_costs_from_toml(text, "costs.toml");
    if (!costs) {
        ensure(costs.error().place && costs.error().place->line, "an error has a line");
        return 0;
    }
    ensure(check(*costs).has_value(), "what is accepted is within its limits");
    auto const again = block_costs_from_toml(to_toml(*costs), "costs.toml");
    ensure(again && *again == *costs, "what is written is read as it was");
    return 0;
}
