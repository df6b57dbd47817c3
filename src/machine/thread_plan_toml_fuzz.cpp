// Any text as a plan for threads: no crash, every error has a place, and what is accepted is read again as it
// was.

#include <cstdint>
#include <string_view>

#include "core/ensure.h"
#include "machine/thread_plan_toml.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const plan = thread_plan_from_toml(text, "plan.toml");
    if (!plan) {
        ensure(plan.error().place && plan.error().place->line, "an error has a line");
        return 0;
    }
    auto const again = thread_plan_from_toml(to_toml(*plan), "plan.toml");
    ensure(again && *again == *plan, "what is written is read as it was");
    return 0;
}
