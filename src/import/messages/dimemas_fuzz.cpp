// Any text as a trace of Dimemas: no crash, every error says what is wrong; what is accepted is a sound
// program that can be written and read.

#include <cstdint>
#include <string_view>

#include "core/ensure.h"
#include "import/messages/message_readers.h"
#include "import/messages/message_writers.h"
#include "program/collectives/collectives.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    auto const program = messages_from_dimemas({reinterpret_cast<char const*>(data), size}, "fuzz");
    if (!program) {
        ensure(!program.error().message.empty(), "an error says what is wrong");
        return 0;
    }
    ensure(check(*program).has_value(), "what is accepted keeps the invariants");
    if (auto const messages = lowered(*program))
        ensure(check(messages->program).has_value(), "and so do its collective operations as messages");
    auto const written = to_dimemas(*program);
    ensure(written.has_value(), "a trace can be written as one");
    // Tasks that disagree about a collective operation may leave one without a root.
    auto const again = messages_from_dimemas(written->bytes, "fuzz");
    ensure(again.has_value() || !lowered(*program).has_value(), "and be read");
    return 0;
}
