// Any text as a program of steps: no crash, every error says what is wrong; what is accepted is a sound
// program that survives being written and read.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ensure.h"
#include "import/steps_json.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const program = steps_from_json(std::string(text), "fuzz");
    if (!program) {
        ensure(!program.error().message.empty(), "an error says what is wrong");
        return 0;
    }
    ensure(check(*program).has_value(), "what is accepted keeps the invariants");
    auto const again = steps_from_json(to_steps_json(*program), "fuzz");
    ensure(again.has_value(), "a program that was just written can be read");
    ensure(again->compute_ns == program->compute_ns && again->messages == program->messages,
           "and is the same");
    return 0;
}
