// Whatever the recorder is refused, the host behaves as without it. A recorder is built in which the n-th
// request to the system fails, or it and all after it; n counts up until a run makes fewer requests (SQLite
// tests so).

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "recorded_run.h"

namespace parcast::tests {
namespace {

// Fewer than the runs that a host takes if the recorder never stopped asking.
constexpr int most_requests = 2000;

struct Seen {
    int wait_status;
    std::string output;
    friend bool operator==(Seen const&, Seen const&) = default;
};

Seen bare_run(std::string const& program) {
    RecordedRun const run = record("small", {program}, {{"LD_PRELOAD", ""}});
    EXPECT_TRUE(run.timelines.empty());
    return {run.wait_status, run.output};
}

// Sets that a request failed so.
class FaultMark {
public:
    FaultMark() {
        std::string pattern = std::filesystem::temp_directory_path() / "parcast-fault-XXXXXX";
        folder_ = mkdtemp(pattern.data());
    }
    FaultMark(FaultMark const&) = delete;
    FaultMark& operator=(FaultMark const&) = delete;
    ~FaultMark() { std::filesystem::remove_all(folder_); }

    std::string path() const { return folder_ + "/met"; }
    bool take() const { return std::filesystem::remove(path()); }

private:
    std::string folder_;
};

class Faults : public testing::TestWithParam<char const*> {
protected:
    // How many requests could fail.
    int let_fail(std::string const& what, std::string const& duration, std::string const& clock = "") {
        Seen const bare = bare_run(GetParam());
        FaultMark const mark;
        for (int number = 1; number < most_requests; ++number) {
            std::string const fault = what + " " + std::to_string(number) + duration;
            RecordedRun const run = record("small", {GetParam()},
                                           {{"LD_PRELOAD", preloaded({PARCAST_FAULTY_RECORDER})},
                                            {"PARCAST_FAULT", fault},
                                            {"PARCAST_RECORD_CLOCK", clock},
                                            {"PARCAST_FAULT_MET", mark.path()}});
            EXPECT_EQ(run.output, bare.output) << fault;
            EXPECT_EQ(run.wait_status, bare.wait_status) << fault;
            if (!mark.take())
                return number - 1;
        }
        ADD_FAILURE() << "there is no end of requests";
        return most_requests;
    }
};

TEST_P(Faults, TheHostDoesNotNoticeARequestThatFails) {
    EXPECT_GT(let_fail("system", ""), 20);
}

TEST_P(Faults, TheHostDoesNotNoticeThatAllRequestsFailFromOneOn) {
    EXPECT_GT(let_fail("system", " on"), 20);
}

// The kernel leaves the page of a perf event out of the child, which once looked at it: it died.
TEST_P(Faults, AChildThatCannotBeRecordedDoesNotLookAtItsParentsPerfEvent) {
    EXPECT_GT(let_fail("system", "", "perf"), 20);
}

INSTANTIATE_TEST_SUITE_P(Hosts, Faults,
                         testing::Values("locks", "many_locks", "many_threads", "conditions", "semaphores",
                                         "files", "children", "execution", "ends", "small_stacks", "signals",
                                         "standard"),
                         [](auto const& row) { return std::string(row.param); });

class FunctionFaults : public Faults {};

TEST_P(FunctionFaults, AFunctionThatWasNotFoundAtTheStartIsFoundWhenItIsCalled) {
    EXPECT_GT(let_fail("function", ""), 100);
}

INSTANTIATE_TEST_SUITE_P(Hosts, FunctionFaults, testing::Values("locks"),
                         [](auto const& row) { return std::string(row.param); });

}  // namespace
}  // namespace parcast::tests
