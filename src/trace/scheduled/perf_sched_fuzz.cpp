// Any text as what perf script prints: no crash, every error says what is wrong; what is accepted keeps the
// conservation of processor time.

#include <cstdint>
#include <string_view>

#include "core/ensure.h"
#include "support/conserves_time.h"
#include "trace/scheduled/perf_sched.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    trace::is_perf_sched_text(text);
    auto const program = trace::scheduled_program_from_perf(text, "fuzz", {.program = "a", .cpus = {}});
    if (!program) {
        ensure(!program.error().message.empty(), "an error says what is wrong");
        return 0;
    }
    auto const& accounts = program->accounts;
    ensure(!accounts.threads.empty() && accounts.threads.size() == program->catalogue.threads.size(),
           "each thread has an account");
    ensure(accounts.completion >= Duration{0}, "time does not go back");
    ensure(conserves_time(accounts), "each CPU and each thread is charged for all of its time");
    auto const& intervals = program->intervals;
    for (std::size_t i = 0; i < intervals.size(); ++i)
        ensure(intervals.begin[i] < intervals.end[i], "intervals have a length");
    return 0;
}
