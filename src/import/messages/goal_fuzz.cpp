// Any text as a schedule in GOAL: no crash, every error says what is wrong; what is accepted is a sound
// program that is the same after it was written, as text and in the binary form.

#include <cstdint>
#include <string_view>

#include "core/ensure.h"
#include "import/messages/message_readers.h"
#include "import/messages/message_writers.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const program = messages_from_goal(text, "fuzz");
    if (!program) {
        ensure(!program.error().message.empty(), "an error says what is wrong");
        return 0;
    }
    ensure(check(*program).has_value(), "what is accepted keeps the invariants");
    auto const written = to_goal(*program);
    ensure(written.has_value() && messages_from_goal(written->bytes, "fuzz") == *program,
           "what was written is the same");
    auto const binary = to_goal_binary(*program);
    ensure(binary.has_value() && messages_from_goal_binary(binary->bytes, "fuzz").has_value(),
           "and can be read in the binary form");
    return 0;
}
