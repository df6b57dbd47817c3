// Any bytes as a binary schedule in GOAL: no crash, every error has a place; what is accepted is a sound
// program that is the same after it was written.

#include <cstdint>
#include <string_view>

#include "core/ensure.h"
#include "import/messages/message_readers.h"
#include "import/messages/message_writers.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    std::string_view const bytes(reinterpret_cast<char const*>(data), size);
    auto const program = messages_from_goal_binary(bytes, "fuzz");
    if (!program) {
        ensure(!program.error().message.empty() && program.error().place.has_value(), "an error has a place");
        return 0;
    }
    ensure(check(*program).has_value(), "what is accepted keeps the invariants");
    auto const written = to_goal_binary(*program);
    ensure(written.has_value(), "it can be written");
    auto const again = messages_from_goal_binary(written->bytes, "fuzz");
    ensure(again.has_value() && again->kind == program->kind && again->amount == program->amount,
           "and is the same");
    return 0;
}
