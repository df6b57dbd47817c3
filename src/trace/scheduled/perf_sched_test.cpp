#include "trace/scheduled/perf_sched.h"

#include <gtest/gtest.h>

#include "support/conserves_time.h"
#include "trace/scheduled/perf_sched_events.h"

namespace parcast::trace {
namespace {

constexpr std::int64_t us = 1'000;

ScheduledProgram program_in(std::string const& text, std::optional<std::uint32_t> cpus = std::nullopt) {
    auto program = scheduled_program_from_perf(text, "x.txt", {.program = "pigz", .cpus = cpus});
    EXPECT_TRUE(program) << (program ? "" : program.error().message);
    return program ? std::move(*program) : ScheduledProgram();
}

std::string switched(char const* time, int cpu, char const* from, char const* state, char const* to) {
    auto const part = [](std::string const& thread, std::string const& key) {
        auto const slash = thread.find(':');
        return key + "_comm=" + thread.substr(0, slash) + " " + key + "_pid=" + thread.substr(slash + 1) +
               " " + key + "_prio=120";
    };
    auto const name = std::string(from);
    return " " + name.substr(0, name.find(':')) + " " + name.substr(name.find(':') + 1) + " [00" +
           std::to_string(cpu) + "] " + time + ": sched:sched_switch: " + part(from, "prev") +
           " prev_state=" + state + " ==> " + part(to, "next") + "\n";
}

std::string forked(char const* time, char const* parent, char const* child) {
    return std::string(" pigz ") + parent + " [000] " + time +
           ": sched:sched_process_fork: comm=pigz pid=" + parent + " child_comm=pigz child_pid=" + child +
           "\n";
}

std::string woken(char const* time, char const* by, char const* thread) {
    return std::string(" pigz ") + by + " [001] " + time + ": sched:sched_waking: comm=pigz pid=" + thread +
           " prio=120 target_cpu=000\n";
}

// One thread makes another, waits for it, and ends: on two CPUs.
std::string two_threads() {
    return switched("1.000000", 0, "perf-exec:10", "R", "pigz:10") + forked("1.000100", "10", "11") +
           switched("1.000150", 1, "swapper/1:0", "R", "pigz:11") +
           switched("1.000200", 0, "pigz:10", "S", "swapper/0:0") + woken("1.001000", "11", "10") +
           switched("1.001020", 0, "swapper/0:0", "R", "pigz:10") +
           switched("1.001100", 1, "pigz:11", "X", "swapper/1:0") +
           switched("1.001200", 0, "pigz:10", "Z", "swapper/0:0");
}

TEST(PerfSched, TellsWhatEachThreadDoes) {
    auto const program = program_in(two_threads());
    auto const& threads = program.accounts.threads;
    ASSERT_EQ(threads.size(), 2u);
    EXPECT_EQ(threads[0][ThreadState::running].ns, (200 + 180) * us);
    EXPECT_EQ(threads[0][ThreadState::blocked].ns, 800 * us) << "until it is woken";
    EXPECT_EQ(threads[0][ThreadState::ready].ns, 20 * us) << "until it has a CPU";
    EXPECT_EQ(threads[1][ThreadState::ready].ns, 50 * us) << "from the fork on";
    EXPECT_EQ(threads[1][ThreadState::running].ns, 950 * us);
    EXPECT_EQ(threads[1].created.ns, 100 * us) << "since the program began";
    EXPECT_TRUE(program.ended);
    EXPECT_EQ(program.catalogue.threads[1].parent, ThreadId(0));
}

TEST(PerfSched, ConservesProcessorTime) {
    auto const& accounts = program_in(two_threads()).accounts;
    EXPECT_EQ(accounts.cpus, 2u);
    EXPECT_EQ(accounts.completion.ns, 1'200 * us);
    EXPECT_TRUE(conserves_time(accounts));
    EXPECT_EQ(accounts.idle.ready.ns, (50 + 20) * us);
    EXPECT_EQ(accounts.idle.conditions.ns, 800 * us);
    EXPECT_EQ(accounts.idle.no_thread.ns, (100 + 100) * us) << "before the second thread and after it";
}

TEST(PerfSched, ChargedTheTimeBetweenTwoRunsOfTheProgramToNothing) {
    auto const accounts = program_in(switched("1.0", 0, "perf-exec:10", "R", "pigz:10") +
                                         switched("1.1", 0, "pigz:10", "Z", "other:7") +
                                         switched("1.4", 0, "other:7", "S", "pigz:20") +
                                         switched("1.5", 0, "pigz:20", "Z", "swapper/0:0"),
                                     2)
                              .accounts;
    EXPECT_EQ(accounts.completion.ns, 500'000 * us);
    EXPECT_TRUE(conserves_time(accounts));
    EXPECT_EQ(accounts.idle.no_thread.ns, (500 + 300) * 1'000 * us)
        << "one CPU all the time, and both between";
}

TEST(PerfSched, HasAsManyCpusAsItIsTold) {
    auto const& accounts = program_in(two_threads(), 4).accounts;
    EXPECT_TRUE(conserves_time(accounts));
    EXPECT_EQ(accounts.cpus, 4u);
    auto const refused = scheduled_program_from_perf(two_threads(), "x.txt", {.program = "pigz", .cpus = 1});
    ASSERT_FALSE(refused) << "two threads ran at once";
    EXPECT_EQ(refused.error().code, ErrorCode::inconsistent);
}

TEST(PerfSched, NumbersTheCpusThatItUsedWithoutGaps) {
    auto const program = program_in(switched("1.0", 7, "swapper/7:0", "R", "pigz:10") +
                                    switched("1.1", 7, "pigz:10", "S", "swapper/7:0") +
                                    switched("1.2", 3, "swapper/3:0", "R", "pigz:10") +
                                    switched("1.3", 3, "pigz:10", "X", "swapper/3:0"));
    EXPECT_EQ(program.cpu_numbers, (std::vector<std::uint32_t>{3, 7}));
    ASSERT_EQ(program.intervals.size(), 3u);
    EXPECT_EQ(program.intervals.cpu[0], CpuId(1)) << "CPU 7";
    EXPECT_TRUE(program.intervals.cpu[1].is_none()) << "blocked";
    EXPECT_EQ(program.intervals.cpu[2], CpuId(0)) << "CPU 3";
}

TEST(PerfSched, BeginsWhereTheProgramTakesItsName) {
    auto const program = program_in(
        " perf-exec 10 [000] 0.5: sched:sched_migrate_task: comm=perf-exec pid=10 "
        "prio=120 orig_cpu=0 dest_cpu=1\n" +
        two_threads());
    EXPECT_EQ(program.accounts.completion.ns, 1'200 * us)
        << "what perf does before exec is not of the program";
    EXPECT_EQ(program.accounts.migrations, 0);
}

TEST(PerfSched, SaysThatThreadsGoOnBehindTheMeasurement) {
    auto const program = program_in(switched("1.0", 0, "swapper/0:0", "R", "pigz:10") +
                                    switched("1.5", 1, "x:3", "S", "swapper/1:0"));
    EXPECT_FALSE(program.ended);
    EXPECT_EQ(program.accounts.busy.ns, 500'000 * us);
}

TEST(PerfSched, TakesAPreemptedThreadForReady) {
    auto const program = program_in(
        switched("1.0", 0, "swapper/0:0", "R", "pigz:10") + switched("1.1", 0, "pigz:10", "R+", "other:7") +
        switched("1.3", 0, "other:7", "S", "pigz:10") + switched("1.4", 0, "pigz:10", "X", "swapper/0:0"));
    EXPECT_EQ(program.accounts.idle.ready.ns, 200'000 * us) << "the CPU was with another program";
}

struct LineCase {
    char const* line;
    char const* because;
};

TEST(PerfSchedLine, ComesInSeveralForms) {
    LineCase const cases[] = {
        {"a b 16 [005]  12.345678: sched:sched_switch: prev_comm=a b prev_pid=16 prev_prio=120 prev_state=S "
         "==> "
         "next_comm=c next_pid=17 next_prio=120",
         "perf 6: a name with a space"},
        {"a b 16 [005] 12.345678: sched:sched_switch: a b:16 [120] S ==> c:17 [120]", "printed by a plug-in"},
        {"a b 15/16 [005] 12.345678000: sched:sched_switch: a b:16 [120] S ==> c:17 [120]",
         "with the process, and --ns"},
        {"a b 16 [005] d.h. 12.345678: 1 sched:sched_switch: a b:16 [120] S ==> c:17 [120]",
         "with flags and a period"},
        {":-1    -1 [005]  12.345678: sched:sched_switch: prev_comm=a b prev_pid=16 prev_prio=120 "
         "prev_state=S "
         "==> next_comm=c next_pid=17 next_prio=120",
         "the last switch of a thread that ends: nine threads seemed to run at once on two CPUs"},
        {"a b 16 [005] 12.345678: sched_switch: a b:16 [120] S ==> c:17 [120]", "as trace-cmd"},
    };
    for (auto const& row : cases) {
        auto const event = sched_event_in(row.line);
        ASSERT_TRUE(event) << row.because;
        EXPECT_EQ(event->kind, SchedEventKind::switched) << row.because;
        EXPECT_EQ(event->time_ns, 12'345'678'000) << row.because;
        EXPECT_EQ(event->cpu, 5u) << row.because;
        EXPECT_EQ(event->first, 16u) << row.because;
        EXPECT_EQ(event->first_name, "a b") << row.because;
        EXPECT_EQ(event->state, 'S') << row.because;
        EXPECT_EQ(event->second, 17u) << row.because;
    }
}

TEST(PerfSchedLine, IsNoneOfOtherTexts) {
    for (auto const* const line :
         {"", "parcast", "{\"schema\": \"parcast.scale/2\"}", "a [5] b", "a 1 [x] 1.0: b:"})
        EXPECT_FALSE(sched_event_in(line)) << line;
    EXPECT_FALSE(is_perf_sched_text("hello\nworld\n"));
    EXPECT_TRUE(is_perf_sched_text("# header\n" + two_threads()));
}

TEST(PerfSched, OverflowedBySpansOfCenturies) {
    auto const text = switched("1.0", 0, "perf-exec:10", "R", "pigz:10") + forked("1.1", "10", "11") +
                      switched("1.2", 1, "swapper/1:0", "R", "pigz:11") +
                      switched("9000000000.0", 0, "pigz:10", "X", "swapper/0:0");
    auto const found = scheduled_program_from_perf(text, "x.txt", {.program = "pigz", .cpus = {}});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::out_of_range);
    auto const days = switched("1.0", 0, "perf-exec:10", "R", "pigz:10") +
                      switched("400000.0", 0, "pigz:10", "X", "swapper/0:0");
    EXPECT_TRUE(scheduled_program_from_perf(days, "x.txt", {.program = "pigz", .cpus = 64U}));
    EXPECT_FALSE(scheduled_program_from_perf(days, "x.txt", {.program = "pigz", .cpus = 65'536U}))
        << "each CPU is idle for as long";
}

TEST(PerfSched, PlacesWhatIsWrong) {
    auto const backwards = scheduled_program_from_perf(
        two_threads() + switched("0.5", 0, "pigz:10", "S", "x:1"), "x.txt", {.program = "pigz", .cpus = {}});
    ASSERT_FALSE(backwards);
    EXPECT_EQ(backwards.error().place->line, 9u);
    auto const nobody = scheduled_program_from_perf(two_threads(), "x.txt", {.program = "gzip", .cpus = {}});
    ASSERT_FALSE(nobody);
    EXPECT_EQ(nobody.error().code, ErrorCode::not_found);
    EXPECT_FALSE(scheduled_program_from_perf("nothing\n", "x.txt", {.program = "pigz", .cpus = {}}));
}

}  // namespace
}  // namespace parcast::trace
