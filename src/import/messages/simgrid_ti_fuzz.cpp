// Any text as a time-independent trace: no crash, every error says what is wrong; what is accepted is a sound
// program, and is the same after it was written.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ensure.h"
#include "import/messages/message_readers.h"
#include "import/messages/message_writers.h"
#include "program/collectives/collectives.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    NamedText const text{"fuzz", std::string_view(reinterpret_cast<char const*>(data), size)};
    auto const program = messages_from_simgrid_ti({&text, 1});
    if (!program) {
        ensure(!program.error().message.empty(), "an error says what is wrong");
        return 0;
    }
    ensure(check(*program).has_value(), "what is accepted keeps the invariants");
    if (auto const messages = lowered(*program))
        ensure(check(messages->program).has_value(), "and so do its collective operations as messages");
    auto const written = to_simgrid_ti(*program);
    ensure(written.has_value() && written->left_out.empty(), "a trace can be written as one");
    NamedText const again{"fuzz", written->bytes};
    auto const read = messages_from_simgrid_ti({&again, 1});
    ensure(read.has_value() && read->kind == program->kind && read->peer == program->peer, "and is the same");
    return 0;
}
