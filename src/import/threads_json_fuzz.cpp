// Any text as a program of threads: no crash, every error says what is wrong; what is accepted is a sound
// program that survives being written and read.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ensure.h"
#include "import/threads_json.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const program = threads_from_json(std::string(text), "fuzz");
    if (!program) {
        ensure(!program.error().message.empty(), "an error says what is wrong");
        return 0;
    }
    ensure(check(*program).has_value(), "what is accepted keeps the invariants");
    auto const written = to_threads_json(*program);
    ensure(written.has_value(), "a program that was read can be written");
    auto const again = threads_from_json(*written, "fuzz");
    ensure(again.has_value(), "a program that was just written can be read");
    ensure(again->parameters == program->parameters && again->objects == program->objects, "and is the same");
    ensure(operation_count(*again) == operation_count(*program) && work_ns(*again) == work_ns(*program),
           "with the same operations");
    ensure(again->other.has_value() == program->other.has_value(), "and those of the recording");
    return 0;
}
