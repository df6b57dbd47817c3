#include "analysis/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace parcast::analysis {
namespace {

using testing::HasSubstr;
using testing::Not;

Event event(EventKind kind, std::int64_t wall, std::int64_t cpu) {
    Event result;
    result.kind = kind;
    result.wall_ns = wall;
    result.cpu_ns = cpu;
    return result;
}

// A recording of which there is nothing to say: 2 ms of work in one thread, an unlock in the middle.
Timeline sound() {
    Timeline timeline;
    timeline.catalogue.threads.resize(1);
    timeline.catalogue.threads[0].function = "main";
    timeline.events.push_back({event(EventKind::thread_begin, 0, 0),
                               event(EventKind::yield, 1'000'000, 1'000'000),
                               event(EventKind::thread_end, 2'000'000, 1'000'000)});
    timeline.length = Duration{2'000'000};
    timeline.provenance.ended_regularly = true;
    timeline.provenance.cpu_ns = 2'000'000;
    timeline.provenance.rusage_cpu_ns = 2'000'000;
    return timeline;
}

Finding const* find(std::vector<Finding> const& all, FindingKind kind) {
    auto const found =
        std::find_if(all.begin(), all.end(), [&](Finding const& each) { return each.kind == kind; });
    return found == all.end() ? nullptr : &*found;
}

TEST(Findings, ASoundRecordingHasNone) {
    EXPECT_TRUE(findings(sound()).empty());
}

TEST(Findings, ARecordingWithoutCallsIsOnePieceOfWork) {
    Timeline timeline = sound();
    timeline.events[0] = {timeline.events[0].front(), timeline.events[0].back()};
    EXPECT_NE(find(findings(timeline), FindingKind::no_events), nullptr);
}

// A sandboxed program and an OpenMP program of one thread were told about Go beside the true cause.
TEST(Findings, WhereTheCauseOfNoCallsIsKnownGoIsNotBlamed) {
    Timeline timeline = sound();
    timeline.events[0] = {timeline.events[0].front(), timeline.events[0].back()};
    timeline.provenance.modules = {{"/usr/lib/libgomp.so.1", "", 0}};
    auto const all = findings(timeline);
    ASSERT_NE(find(all, FindingKind::no_events), nullptr);
    EXPECT_THAT(find(all, FindingKind::no_events)->message, Not(HasSubstr("Go")));
    timeline.provenance.cut = Cut{CutReason::ticks_forbidden, 8'000'000};
    EXPECT_EQ(find(findings(timeline), FindingKind::no_events), nullptr);
}

// The warning said that 0.9 % of the run were recorded, and the conclusion that the program does not scale.
TEST(Findings, OfARunThatIsMostlyMissingNothingIsConcluded) {
    Timeline timeline = sound();
    timeline.provenance.wall_ns = 2'000'000;
    timeline.provenance.cut = Cut{CutReason::sandbox, 222'000'000};
    EXPECT_TRUE(withholds_conclusions(findings(timeline)));
    timeline.provenance.cut->run_ns = 2'500'000;
    EXPECT_FALSE(withholds_conclusions(findings(timeline))) << "80 % of the run";
    timeline.provenance.cut = Cut{CutReason::time_limit, 222'000'000};
    EXPECT_FALSE(withholds_conclusions(findings(timeline))) << "nothing of the run is missing";
}

// Python that was killed before it made its threads did not scale.
TEST(Findings, OfAProgramThatWasKilledBeforeItMadeAThreadNothingIsConcluded) {
    Timeline timeline = sound();
    timeline.provenance.ended_regularly = false;
    timeline.provenance.death_signal = 9;
    EXPECT_TRUE(withholds_conclusions(findings(timeline)));
    timeline.catalogue.threads.resize(2);
    EXPECT_FALSE(withholds_conclusions(findings(timeline)));
}

// pigz whose output exists left 128 us of work, and the conclusion that no CPU helps it.
TEST(Findings, AnExitStatusThatMeansFailureIsSaid) {
    Timeline timeline = sound();
    timeline.provenance.exit_status = 0;
    EXPECT_TRUE(findings(timeline).empty());
    timeline.provenance.exit_status = 2;
    auto const all = findings(timeline);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].kind, FindingKind::exit_status);
    EXPECT_THAT(all[0].message, HasSubstr("ended with exit status 2"));
    EXPECT_TRUE(withholds_conclusions(all)) << "it made no thread";
    timeline.catalogue.threads.resize(2);
    auto const threads = findings(timeline);
    EXPECT_EQ(threads[0].severity, Severity::note);
    EXPECT_FALSE(withholds_conclusions(threads));
}

// The main process of a pool of processes got advice on its input, as if it did the work.
TEST(Findings, ProcessesThatShareTheWorkAreANote) {
    Timeline timeline = sound();
    auto const add = [&](EventKind kind, std::int64_t value, Outcome outcome) {
        Event each = event(kind, 1'500'000, 0);
        each.value = value;
        each.outcome = outcome;
        timeline.events[0].push_back(each);
    };
    add(EventKind::fork, 0, Outcome::failed);
    add(EventKind::wait_child, 0, Outcome::failed);
    EXPECT_EQ(find(findings(timeline), FindingKind::further_processes), nullptr) << "there is none";
    add(EventKind::wait_child, 0, Outcome::done);
    auto const unknown = findings(timeline);
    ASSERT_NE(find(unknown, FindingKind::further_processes), nullptr);
    EXPECT_THAT(find(unknown, FindingKind::further_processes)->message,
                HasSubstr("started further processes"))
        << "vfork leaves no event";
    add(EventKind::fork, 4711, Outcome::done);
    add(EventKind::spawn, 0, Outcome::done);
    auto const all = findings(timeline);
    ASSERT_NE(find(all, FindingKind::further_processes), nullptr);
    EXPECT_THAT(find(all, FindingKind::further_processes)->message, HasSubstr("started 2 further processes"));
}

// Ranks, pools of processes and `make -j4` were predicted 1.00 times as fast, without a mark. A shell that
// asks for the date once stays as it was.
TEST(Findings, ProcessesThatDoTheWorkOfAJobTakeTheConclusionAway) {
    Timeline timeline = sound();
    std::int64_t const own_ns = survey(timeline).cpu().ns;
    auto const with_others = [&](std::int64_t others_ns) {
        timeline.provenance.others_cpu_ns = others_ns;
        return findings(timeline);
    };
    auto const loud = with_others(19 * own_ns + 20'000'000);
    ASSERT_EQ(loud.size(), 1U);
    EXPECT_EQ(loud[0].kind, FindingKind::further_processes);
    EXPECT_EQ(loud[0].severity, Severity::warning);
    EXPECT_TRUE(withholds_conclusions(loud));
    EXPECT_TRUE(with_others(2'000'000).empty()) << "date";
    EXPECT_TRUE(with_others(0).empty());
    timeline.events[0].edit_last()->cpu_ns += 10'000'000'000;
    timeline.provenance.cpu_ns += 10'000'000'000;
    EXPECT_TRUE(with_others(200'000'000).empty()) << "2 % of all";
}

// A script that starts a PostgreSQL server as another user, and asks it: 1.00 on two CPUs, 0.98 - 1.02, and
// measured 1.46 to 1.70.
TEST(Findings, AProcessThatWaitsForChildrenHasNoPredictionOfTheirs) {
    Timeline timeline = sound();
    Event waits = event(EventKind::wait_child, 1'500'000, 0);
    waits.span_ns = 90'000'000;
    waits.blocked = true;
    timeline.events[0].push_back(waits);
    timeline.provenance.wall_ns = 100'000'000;
    auto const all = findings(timeline);
    ASSERT_NE(find(all, FindingKind::further_processes), nullptr);
    EXPECT_THAT(find(all, FindingKind::further_processes)->message,
                HasSubstr("waited 90.0 ms for its children, 90 %"));
    EXPECT_TRUE(withholds_conclusions(all));
    timeline.provenance.cpu_ns = 99'000'000;
    EXPECT_FALSE(withholds_conclusions(findings(timeline))) << "another thread worked meanwhile";
    timeline.provenance.cpu_ns = 0;
    timeline.provenance.wall_ns = 10'000'000'000;
    EXPECT_FALSE(withholds_conclusions(findings(timeline)));
}

// "7 threads had not ended ... join them": libgomp's own, which nobody can join.
TEST(Findings, TheWorkersOfOpenMPAreNotToBeJoined) {
    Timeline timeline = sound();
    timeline.catalogue.threads.resize(2);
    timeline.catalogue.threads[1].function = "libgomp.so.1+0x1cc40";
    timeline.events.push_back({event(EventKind::thread_begin, 0, 0), event(EventKind::thread_end, 10, 0)});
    timeline.events[1].edit_last()->outcome = Outcome::cut_off;
    EXPECT_EQ(find(findings(timeline), FindingKind::threads_alive), nullptr);
    timeline.catalogue.threads[1].function = "work";
    EXPECT_NE(find(findings(timeline), FindingKind::threads_alive), nullptr);
}

TEST(Findings, LostEventsAreCountedAndComeAsAShare) {
    Timeline timeline = sound();
    timeline.provenance.lost_events = 1;
    auto const all = findings(timeline);
    Finding const* const found = find(all, FindingKind::lost_events);
    ASSERT_NE(found, nullptr);
    EXPECT_THAT(found->message, HasSubstr("1 event was lost, 25 % of all"));
}

TEST(Findings, ARecordingThatWasFullSaysWhichPartOfTheRunItCovers) {
    Timeline timeline = sound();
    timeline.provenance.wall_ns = 2'000'000;
    timeline.provenance.cut = Cut{CutReason::size_limit, 8'000'000};
    timeline.provenance.lost_events = 7;
    timeline.events[0].edit_last()->outcome = Outcome::cut_off;
    auto const all = findings(timeline);
    ASSERT_EQ(all.size(), 1u) << "lost events and threads left alive are part of it";
    EXPECT_EQ(all[0].kind, FindingKind::cut_short);
    EXPECT_EQ(all[0].severity, Severity::warning);
    EXPECT_THAT(all[0].message, HasSubstr("first 25 % of the run, and 7 events are missing"));
    EXPECT_THAT(all[0].message, HasSubstr("--max-size"));
}

// A program that had changed its root folder was told that a disk was full.
TEST(Findings, ARecordingThatCouldNotGrowNamesBothCauses) {
    Timeline timeline = sound();
    timeline.provenance.wall_ns = 2'000'000;
    timeline.provenance.cut = Cut{CutReason::no_space, 8'000'000};
    auto const all = findings(timeline);
    ASSERT_NE(find(all, FindingKind::cut_short), nullptr);
    std::string const& message = find(all, FindingKind::cut_short)->message;
    EXPECT_THAT(message, HasSubstr("TMPDIR"));
    EXPECT_THAT(message, HasSubstr("chroot"));
}

TEST(Findings, ARecordingThatSteppedAsideSaysWhyAndWhatToDo) {
    struct Case {
        CutReason reason;
        char const* why;
        char const* advice;
    };
    Case const cases[] = {
        {CutReason::sandbox, "restricted its own system calls (seccomp)", "switch its sandbox off"},
        {CutReason::ticks_forbidden, "PR_SET_TSC", "let the program keep it"},
        {CutReason::shared_thread, "shares the variables of one of its threads", "make a thread or fork"},
        {CutReason::clock_failed, "stopped giving the CPU time", "clock_gettime"},
    };
    for (Case const& item : cases) {
        Timeline timeline = sound();
        timeline.provenance.wall_ns = 2'000'000;
        timeline.provenance.cut = Cut{item.reason, 8'000'000};
        auto const all = findings(timeline);
        ASSERT_NE(find(all, FindingKind::cut_short), nullptr);
        std::string const& message = find(all, FindingKind::cut_short)->message;
        EXPECT_THAT(message, HasSubstr(item.why));
        EXPECT_THAT(message, HasSubstr("ended, after 2.00 ms of 8.00 ms"));
        EXPECT_THAT(message, HasSubstr("first 25 % of the run"));
        EXPECT_THAT(message, HasSubstr(item.advice));
    }
}

TEST(Findings, AProgramThatWasNotRecordedIsNotSaidToBeInARecordingOfItsOwn) {
    Timeline timeline = sound();
    timeline.provenance.replaced_by = "sh";
    EXPECT_NE(find(findings(timeline), FindingKind::replaced), nullptr);
    timeline.provenance.cut = Cut{CutReason::unrecorded_program, timeline.provenance.wall_ns * 4};
    auto const all = findings(timeline);
    EXPECT_EQ(find(all, FindingKind::replaced), nullptr);
    ASSERT_NE(find(all, FindingKind::cut_short), nullptr);
    EXPECT_THAT(find(all, FindingKind::cut_short)->message,
                HasSubstr("went on as sh (exec), of which there is no recording, after"));
}

TEST(Findings, AProgramEndedAtItsTimeLimitIsNotSaidToHaveBeenKilled) {
    Timeline timeline = sound();
    timeline.provenance.wall_ns = 2'000'000;
    timeline.provenance.ended_regularly = false;
    timeline.provenance.death_signal = 15;
    timeline.provenance.cut = Cut{CutReason::time_limit, 2'000'000};
    auto const all = findings(timeline);
    EXPECT_EQ(find(all, FindingKind::killed), nullptr);
    ASSERT_NE(find(all, FindingKind::cut_short), nullptr);
    EXPECT_THAT(find(all, FindingKind::cut_short)->message, HasSubstr("time limit after 2.00 ms"));
}

TEST(Findings, AThreadThatWasSeenSpinningIsAWarningWithItsPlace) {
    Timeline timeline = sound();
    timeline.catalogue.sites.resize(1);
    timeline.provenance.busy_waits = {{ThreadId(std::size_t{0}), SiteId(std::size_t{0}), 3'000'000'000, 0}};
    auto const all = findings(timeline);
    Finding const* const found = find(all, FindingKind::busy_waiting);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->severity, Severity::warning);
    EXPECT_EQ(found->site, SiteId(std::size_t{0}));
    EXPECT_THAT(found->message, HasSubstr("3.00 s into the recording"));
}

// By samples it is known how much it is.
TEST(Findings, SpinningThatSamplesFoundIsJudgedByItsShare) {
    auto const with = [](std::int64_t spinning_ns) {
        Timeline timeline = sound();
        timeline.catalogue.sites.resize(1);
        timeline.provenance.cpu_ns = 1'000'000'000;
        timeline.provenance.busy_waits = {{ThreadId(std::size_t{0}), SiteId(std::size_t{0}), 3, spinning_ns}};
        auto const all = findings(timeline);
        Finding const* const found = find(all, FindingKind::busy_waiting);
        return found ? std::optional(*found) : std::nullopt;
    };
    EXPECT_FALSE(with(5'000'000).has_value());
    auto const some = with(50'000'000);
    ASSERT_TRUE(some.has_value());
    EXPECT_EQ(some->severity, Severity::warning);
    EXPECT_THAT(some->message, HasSubstr("50.0 ms, 5 % of the CPU time"));
    EXPECT_FALSE(some->makes_worthless);
    auto const much = with(200'000'000);
    ASSERT_TRUE(much.has_value());
    EXPECT_TRUE(much->makes_worthless);
}

TEST(Findings, AnEndWithoutAMarkIsAnEndByForce) {
    Timeline timeline = sound();
    timeline.provenance.ended_regularly = false;
    timeline.provenance.exit_status = 0;
    auto const without_call = findings(timeline);
    ASSERT_NE(find(without_call, FindingKind::killed), nullptr);
    EXPECT_EQ(find(without_call, FindingKind::killed)->severity, Severity::note) << "qemu-aarch64 ends so";
    timeline.provenance.exit_status.reset();
    auto const all_unknown = findings(timeline);
    ASSERT_NE(find(all_unknown, FindingKind::killed), nullptr);
    EXPECT_EQ(find(all_unknown, FindingKind::killed)->severity, Severity::warning);
    timeline.provenance.death_signal = 9;
    EXPECT_THAT(find(findings(timeline), FindingKind::killed)->message, HasSubstr("signal 9"));
    timeline.provenance.death_signal.reset();
    timeline.provenance.replaced_by = "/bin/true";
    auto const all = findings(timeline);
    EXPECT_EQ(find(all, FindingKind::killed), nullptr) << "exec leaves no end mark";
    EXPECT_NE(find(all, FindingKind::replaced), nullptr);
}

TEST(Findings, ThreadsThatASignalKilledAreNotSaidToHaveBeenLeftAlive) {
    Timeline timeline = sound();
    timeline.events[0].edit_last()->outcome = Outcome::cut_off;
    EXPECT_NE(find(findings(timeline), FindingKind::threads_alive), nullptr) << "they were";
    timeline.provenance.ended_regularly = false;
    timeline.provenance.death_signal = 9;
    auto const all = findings(timeline);
    EXPECT_NE(find(all, FindingKind::killed), nullptr);
    EXPECT_EQ(find(all, FindingKind::threads_alive), nullptr) << "one sentence says it";
}

struct MismatchCase {
    std::int64_t attributed;
    std::int64_t rusage;
    bool is_found;
    char const* because;
};

class Mismatch : public testing::TestWithParam<MismatchCase> {};

TEST_P(Mismatch, IsFoundBeyondOnePercentAndTwoMilliseconds) {
    Timeline timeline = sound();
    timeline.events[0].edit(1)->cpu_ns = GetParam().attributed - timeline.events[0][2].cpu_ns;
    timeline.provenance.rusage_cpu_ns = GetParam().rusage;
    timeline.provenance.ended_regularly = false;
    EXPECT_EQ(find(findings(timeline), FindingKind::cpu_time_mismatch) != nullptr, GetParam().is_found)
        << GetParam().because << ", against rusage";
    timeline.provenance.cpu_ns = GetParam().rusage;
    timeline.provenance.ended_regularly = true;
    EXPECT_EQ(find(findings(timeline), FindingKind::cpu_time_mismatch) != nullptr, GetParam().is_found)
        << GetParam().because << ", against the process's clock";
}

INSTANTIATE_TEST_SUITE_P(CpuTime, Mismatch,
                         testing::Values(MismatchCase{1'000'000'000, 1'009'000'000, false, "0.9 %"},
                                         MismatchCase{1'000'000'000, 1'011'000'000, true, "missing 1.1 %"},
                                         MismatchCase{1'011'000'000, 1'000'000'000, true, "1.1 % too much"},
                                         MismatchCase{4'000'000, 5'900'000, false,
                                                      "much, but start-up noise"},
                                         MismatchCase{4'000'000, 6'200'000, true, "more than 2 ms"}));

TEST(Findings, WhatTheKernelTakesToFreeTheMemoryAfterTheEndIsANoteAndNoMismatch) {
    Timeline timeline = sound();
    timeline.provenance.ended_regularly = true;
    timeline.provenance.cpu_ns = cpu_time_ns(timeline, ThreadId(0));
    timeline.provenance.rusage_cpu_ns = timeline.provenance.cpu_ns + 7'000'000;
    auto const found = findings(timeline);
    Finding const* const after = find(found, FindingKind::cpu_time_mismatch);
    ASSERT_NE(after, nullptr);
    EXPECT_EQ(after->severity, Severity::note);
    EXPECT_THAT(after->message, HasSubstr("7.00 ms of CPU time after its last call"));
}

TEST(Findings, ARecordingThatTookMuchOfTheTimeIsAWarning) {
    Timeline timeline = sound();
    timeline.provenance.event_cost_ns = 0.02 * static_cast<double>(cpu_time_ns(timeline, ThreadId(0)));
    EXPECT_EQ(find(findings(timeline), FindingKind::recording_cost), nullptr) << "3 events, 6 %";
    timeline.provenance.event_cost_ns *= 10;
    auto const found = findings(timeline);
    Finding const* const cost = find(found, FindingKind::recording_cost);
    ASSERT_NE(cost, nullptr) << "60 %";
    EXPECT_THAT(cost->message, HasSubstr("Recording took 60 % \u00b1 20 % of the CPU time"));
}

// A recording that could not grow said "Recording took 2926 % ± 966 %".
TEST(Findings, ARecordingThatTookMoreThanAllOfTheTimeIsTooShort) {
    Timeline timeline = sound();
    timeline.provenance.event_cost_ns = static_cast<double>(cpu_time_ns(timeline, ThreadId(0)));
    auto const found = findings(timeline);
    Finding const* const cost = find(found, FindingKind::recording_cost);
    ASSERT_NE(cost, nullptr);
    EXPECT_THAT(cost->message, HasSubstr("too short"));
}

TEST(Findings, TheCostOfRecordingIsAsUncertainAsItsPrice) {
    Timeline timeline = sound();
    timeline.provenance.event_cost_ns = 0.2 * static_cast<double>(cpu_time_ns(timeline, ThreadId(0)));
    timeline.provenance.event_cost_uncertainty = 0.05;
    auto const found = findings(timeline);
    Finding const* const cost = find(found, FindingKind::recording_cost);
    ASSERT_NE(cost, nullptr);
    EXPECT_THAT(cost->message, HasSubstr("Recording took 60 % \u00b1 3 % of the CPU time"));
}

TEST(Findings, FutexesOfTheProgramsOwnAreNoted) {
    Timeline timeline = sound();
    EXPECT_EQ(find(findings(timeline), FindingKind::user_space_synchronisation), nullptr);
    timeline.catalogue.objects.resize(1);
    timeline.catalogue.objects[0].kind = ObjectKind::futex;
    EXPECT_NE(find(findings(timeline), FindingKind::user_space_synchronisation), nullptr);
}

TEST(Findings, BeginningAndEndingManyThreadsIsNoMismatch) {
    Timeline timeline = sound();
    timeline.catalogue.threads.resize(200);
    timeline.events.resize(200, {event(EventKind::thread_begin, 0, 0), event(EventKind::thread_end, 10, 0)});
    timeline.provenance.ended_regularly = false;
    timeline.provenance.rusage_cpu_ns = 2'000'000 + 200 * 33'000;
    EXPECT_EQ(find(findings(timeline), FindingKind::cpu_time_mismatch), nullptr);
    timeline.provenance.rusage_cpu_ns = 2'000'000 + 200 * 70'000;
    EXPECT_NE(find(findings(timeline), FindingKind::cpu_time_mismatch), nullptr);
}

TEST(Findings, RuntimesWhoseCallsAreInvisibleAreNamed) {
    Timeline timeline = sound();
    timeline.provenance.modules = {{"/usr/lib/llvm/libomp.so.5", "", 0}, {"/opt/libtbb.so.12", "", 0}};
    auto const all = findings(timeline);
    ASSERT_NE(find(all, FindingKind::openmp_runtime), nullptr);
    EXPECT_EQ(find(all, FindingKind::openmp_runtime)->severity, Severity::warning);
    EXPECT_THAT(find(all, FindingKind::openmp_runtime)->message, HasSubstr("(libomp.so.5)"));
    EXPECT_NE(find(all, FindingKind::static_locks), nullptr);
}

// gcc's transactional memory: 1.98 predicted, 0.24 measured; liburcu: 1.91 predicted, 1.11 measured.
TEST(Findings, LibrariesThatWaitByMeansOfTheirOwnAreNamed) {
    for (char const* const library :
         {"/usr/lib/libitm.so.1", "/usr/lib/liburcu.so.8", "/opt/liburcu-mb.so.8"}) {
        Timeline timeline = sound();
        timeline.provenance.modules = {{library, "", 0}};
        auto const all = findings(timeline);
        ASSERT_NE(find(all, FindingKind::static_locks), nullptr) << library;
        EXPECT_EQ(find(all, FindingKind::static_locks)->severity, Severity::warning);
    }
}

// Its parallel collector made the work of a program grow from 0.6 to 1.0 s on two CPUs, which no recording on
// one shows.
TEST(Findings, TheRuntimeOfHaskellIsKnownByItsLockAndItsThreads) {
    Timeline timeline = sound();
    timeline.catalogue.objects.emplace_back().name = "all_tasks_mutex";
    EXPECT_EQ(find(findings(timeline), FindingKind::static_locks), nullptr) << "any program may name it so";
    timeline.catalogue.threads.back().function = "workerStart";
    auto const all = findings(timeline);
    ASSERT_NE(find(all, FindingKind::static_locks), nullptr);
    EXPECT_EQ(find(all, FindingKind::static_locks)->severity, Severity::warning);
    EXPECT_THAT(find(all, FindingKind::static_locks)->message, HasSubstr("Haskell"));
    EXPECT_TRUE(find(all, FindingKind::static_locks)->may_wait_less) << "1.04 for 2.09 on two CPUs";
}

TEST(Findings, OfLibgompOnlyWhatIsNotRecordedIsNoted) {
    Timeline timeline = sound();
    timeline.provenance.modules = {{"/usr/lib/libgomp.so.1", "", 0}};
    auto const all = findings(timeline);
    ASSERT_NE(find(all, FindingKind::openmp_runtime), nullptr);
    EXPECT_EQ(find(all, FindingKind::openmp_runtime)->severity, Severity::note);
}

TEST(Findings, NamesThatOnlyContainARuntimesNameAreNotIt) {
    Timeline timeline = sound();
    timeline.provenance.modules = {{"/home/libomp.so/tool", "", 0}, {"/usr/lib/mylibgomp.so", "", 0}};
    EXPECT_TRUE(findings(timeline).empty());
}

TEST(Findings, ThreadsThatWaitByYieldingAreOneWarningWithTheirSite) {
    Timeline timeline = sound();
    timeline.catalogue.sites.resize(1);
    timeline.catalogue.threads.resize(3);
    timeline.catalogue.threads[1].function = "body";
    for (std::size_t thread = 1; thread < 3; ++thread) {
        auto& events = timeline.events.emplace_back();
        for (std::int64_t i = 0; i < 12; ++i) {
            events.push_back(event(EventKind::yield, i * 100'000, 1'000));
            events.edit_last()->site = SiteId(0U);
        }
    }
    timeline.provenance.rusage_cpu_ns = 2'024'000;
    auto const all = findings(timeline);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].kind, FindingKind::spin_waiting);
    EXPECT_EQ(all[0].severity, Severity::warning);
    EXPECT_EQ(all[0].site, SiteId(0U));
    EXPECT_THAT(all[0].message, HasSubstr("2 threads (the first is thread 1 (body)) wait by yielding"));
    EXPECT_THAT(all[0].message, HasSubstr("24 yields gave the CPU away for 2.18 ms"));
    timeline.length = Duration{2'000'000'000};
    EXPECT_EQ(findings(timeline)[0].severity, Severity::note) << "a thousandth of the time";
}

TEST(Findings, WarningsComeBeforeNotes) {
    Timeline timeline = sound();
    timeline.events[0].edit_last()->outcome = Outcome::cut_off;
    timeline.provenance.clock = ClockMethod::thread_clock;
    timeline.provenance.event_cost_ns = 1'130;
    auto const all = findings(timeline);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].kind, FindingKind::clock_fallback);
    EXPECT_THAT(all[0].message, HasSubstr("1.13 µs"));
    EXPECT_EQ(all[1].kind, FindingKind::threads_alive);
    EXPECT_EQ(all[1].severity, Severity::note);
}

}  // namespace
}  // namespace parcast::analysis
