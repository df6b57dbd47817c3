// What is recorded of I/O, sleeping, scheduling calls and processes, call by call.

#include <algorithm>
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../recorder/recorded_run.h"

namespace parcast::tests {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

// "input 5", "input failed", "poll timed out": kind, and what came of it.
std::vector<std::string> calls(Timeline const& timeline) {
    std::vector<std::string> lines;
    for (Event const& event : timeline.events.at(0)) {
        if (event.kind == EventKind::object_init)  // which ends of a channel belong together
            continue;
        std::string line = name_of(event.kind);
        switch (event.outcome) {
            case Outcome::failed: line += " failed"; break;
            case Outcome::timed_out: line += " timed out"; break;
            default: break;
        }
        bool const is_transfer = event.kind == EventKind::input || event.kind == EventKind::output ||
                                 event.kind == EventKind::set_affinity ||
                                 event.kind == EventKind::set_priority ||
                                 event.kind == EventKind::set_concurrency;
        if (is_transfer && event.outcome == Outcome::done)
            line += " " + std::to_string(event.value);
        lines.push_back(line);
    }
    return lines;
}

std::string begin() {
    return name_of(EventKind::thread_begin);
}
std::string end() {
    return name_of(EventKind::process_exit);
}
std::string name(EventKind kind) {
    return name_of(kind);
}

TEST(RecordedCalls, of_descriptors_tell_bytes_and_failures) {
    auto const run = record("calls", {"descriptors"});
    EXPECT_THAT(calls(run.only()),
                ElementsAre(begin(), name(EventKind::output) + " 5", name(EventKind::input) + " 5",
                            name(EventKind::input) + " failed", name(EventKind::open_close), end()));
}

TEST(RecordedCalls, of_sockets_tell_bytes_and_timeouts) {
    auto const run = record("calls", {"sockets"});
    EXPECT_THAT(calls(run.only()),
                ElementsAre(begin(), name(EventKind::output) + " 1", name(EventKind::poll),
                            name(EventKind::input) + " 1", name(EventKind::poll) + " timed out", end()));
}

TEST(RecordedCalls, of_stdio_are_those_that_leave_the_buffer) {
    auto const path = std::filesystem::temp_directory_path() / "parcast-standard-io-test";
    auto const run = record("calls", {"standard_io", path.string()});
    std::filesystem::remove(path);
    auto const& events = run.only().events.at(0);
    auto const inputs = std::count_if(events.begin(), events.end(),
                                      [](Event const& event) { return event.kind == EventKind::input; });
    EXPECT_EQ(inputs, 2) << "ten lines from one buffer, then the end of the file";
    auto const openings = std::count_if(
        events.begin(), events.end(), [](Event const& event) { return event.kind == EventKind::open_close; });
    EXPECT_EQ(openings, 4);
}

TEST(RecordedCalls, of_sleeping_wait_at_least_as_long_as_asked) {
    auto const run = record("calls", {"sleeping"});
    EXPECT_THAT(calls(run.only()), ElementsAre(begin(), name(EventKind::sleep), name(EventKind::sleep),
                                               name(EventKind::yield), end()));
    Event const& slept = run.only().events.at(0)[1];
    EXPECT_EQ(slept.value, 2'000'000);
    EXPECT_GE(slept.span_ns, 1'990'000) << "2 ms, less the error of two clocks";
    EXPECT_LT(slept.cpu_inside_ns, slept.span_ns / 2) << "sleeping takes no CPU time";
}

TEST(RecordedCalls, of_yielding_hold_the_switch_that_they_make) {
    auto const run = record("calls", {"yielding"});
    std::int64_t yields = 0;
    std::int64_t between_ns = 0;
    std::int64_t inside_ns = 0;
    for (Event const& event : run.only().events.at(1)) {
        if (event.kind != EventKind::yield)
            continue;
        EXPECT_FALSE(event.blocked);
        ++yields;
        between_ns += event.cpu_ns;
        inside_ns += event.cpu_inside_ns;
    }
    EXPECT_EQ(yields, 5000);
    EXPECT_GT(inside_ns, 3 * between_ns) << "an empty loop takes nothing, and a switch takes its time";
}

TEST(RecordedCalls, that_wait_for_a_signal_end_when_its_handler_calls) {
    auto const run = record("calls", {"waiting_for_signals"});
    EXPECT_EQ(run.exit_status(), 0);
    std::string const wait = name(EventKind::poll);
    std::string const handled = name(EventKind::output) + " 1";
    EXPECT_THAT(calls(run.only()),
                ElementsAre(begin(), wait, handled, wait, handled, wait, wait + " timed out", wait, end()));
    std::vector<std::int64_t> waited_ns;
    for (Event const& event : run.only().events.at(0))
        if (event.kind == EventKind::poll && event.outcome == Outcome::done)
            waited_ns.push_back(event.span_ns);
    EXPECT_THAT(waited_ns, testing::AllOf(testing::SizeIs(4), testing::Each(testing::Ge(1'000'000))));
    EXPECT_EQ(run.headers.at(0).lost_events, 0u);
}

TEST(RecordedCalls, that_a_handler_interrupts_go_on_when_the_handlers_own_calls_return) {
    auto const run = record("calls", {"interrupted_wait"});
    auto const& events = run.only().events.at(0);
    auto const join = std::find_if(events.begin(), events.end(),
                                   [](Event const& event) { return event.kind == EventKind::thread_join; });
    ASSERT_NE(join, events.end());
    EXPECT_GE(join->span_ns, 15'000'000) << "the handler ran after 5 ms of 20";
    EXPECT_EQ(run.headers.at(0).lost_events, 1u) << "its call";
}

TEST(RecordedCalls, that_lock_a_file_wait_for_its_descriptor) {
    auto const path =
        std::filesystem::temp_directory_path() / ("parcast-file-locks-" + std::to_string(getpid()));
    auto const run = record("calls", {"file_locks", path.string()});
    std::filesystem::remove(path);
    EXPECT_EQ(run.exit_status(), 0);
    ASSERT_THAT(run.timelines, SizeIs(2));
    auto const parent = run.headers[0].process == run.headers[1].parent_process ? 0u : 1u;
    auto const waits = [](Timeline const& timeline) {
        std::vector<Event> found;
        for (Event const& event : timeline.events.at(0))
            if (event.kind == EventKind::poll)
                found.push_back(event);
        return found;
    };
    EXPECT_THAT(waits(run.timelines[parent]), SizeIs(3)) << "flock, lockf, fcntl; not unlocking or trying";
    auto const in_child = waits(run.timelines[1 - parent]);
    ASSERT_THAT(in_child, SizeIs(1));
    EXPECT_GE(in_child[0].span_ns, 10'000'000) << "the parent holds the lock for 20 ms";
}

TEST(RecordedCalls, of_scheduling_are_recorded_but_keep_the_program_on_its_cpu) {
    auto const run = record("calls", {"scheduling"});
    EXPECT_EQ(run.exit_status(), 0) << "the host reads back what it set";
    std::string const affinity = name(EventKind::set_affinity);
    auto const lines = calls(run.only());
    ASSERT_THAT(lines, SizeIs(8));
    EXPECT_EQ(lines[1], affinity + " 1");
    EXPECT_EQ(lines[2], affinity + " failed") << "an empty mask";
    EXPECT_EQ(lines[4], name(EventKind::set_priority) + " 3");
    EXPECT_EQ(lines[5], name(EventKind::set_concurrency) + " 4");
    EXPECT_EQ(lines[6], name(EventKind::set_concurrency) + " failed") << "fewer than none";
}

TEST(RecordedProcesses, have_a_recording_each) {
    auto const run = record("calls", {"processes"});
    ASSERT_THAT(run.timelines, SizeIs(3)) << "the program, its fork, and what it spawned";
    std::vector<int> statuses;
    for (auto const& header : run.headers)
        statuses.push_back(static_cast<int>(header.exit_status));
    EXPECT_THAT(statuses, testing::UnorderedElementsAre(0, 3, 4));
}

TEST(RecordedProcesses, that_replace_their_program_leave_a_recording_of_each) {
    auto const run = record("calls", {"exec"});
    ASSERT_THAT(run.timelines, SizeIs(2));
    EXPECT_EQ(run.exit_status(), 4);
    EXPECT_EQ(run.headers.at(0).ending, wire::Ending::exec);
    EXPECT_TRUE(run.timelines.at(0).provenance.replaced_by.has_value());
    EXPECT_EQ(run.headers.at(1).ending, wire::Ending::exit);
}

TEST(RecordedProcesses, go_on_after_an_exec_that_failed) {
    auto const run = record("calls", {"failed_exec"});
    EXPECT_EQ(run.only().provenance.replaced_by, std::nullopt);
    EXPECT_EQ(run.headers.at(0).ending, wire::Ending::exit);
    EXPECT_THAT(calls(run.only()), ElementsAre(begin(), name(EventKind::exec) + " failed", end()));
}

struct Exit {
    char const* way;
    wire::Ending ending;
    int status;
};

void PrintTo(Exit const& value, std::ostream* out) {
    *out << value.way;
}

class WaysOut : public testing::TestWithParam<Exit> {};

TEST_P(WaysOut, end_the_recording_with_the_status) {
    auto const run = record("calls", {GetParam().way});
    EXPECT_EQ(run.exit_status(), GetParam().status);
    EXPECT_EQ(run.headers.at(0).ending, GetParam().ending);
    EXPECT_EQ(static_cast<int>(run.headers.at(0).exit_status), GetParam().status);
}

INSTANTIATE_TEST_SUITE_P(Processes, WaysOut,
                         testing::Values(Exit{"return", wire::Ending::exit, 4},
                                         Exit{"exit", wire::Ending::exit, 5},
                                         Exit{"_exit", wire::Ending::immediate_exit, 6},
                                         Exit{"quick_exit", wire::Ending::immediate_exit, 7}));

TEST(RecordedProcesses, that_abort_leave_a_recording_without_an_end) {
    auto const run = record("calls", {"abort"});
    ASSERT_TRUE(WIFSIGNALED(run.wait_status));
    EXPECT_EQ(WTERMSIG(run.wait_status), SIGABRT);
    EXPECT_EQ(run.headers.at(0).ending, wire::Ending::none);
}

TEST(PretendedCpus, are_the_same_in_every_call_and_file) {
    for (char const* const cpus : {"2", "12"})
        EXPECT_EQ(
            std::to_string(record("calls", {"processors"}, {{"PARCAST_PRETEND_CPUS", cpus}}).exit_status()),
            cpus);
}

}  // namespace
}  // namespace parcast::tests
