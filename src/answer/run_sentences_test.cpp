// The sentences about a run, for the page and for `parcast predict`.

#include "answer/run_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answer/finding.h"

namespace parcast {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr Duration second{1'000'000'000};

// On 4 CPUs half of the processor time is busy, half goes to one cause; 3 threads.
struct Case {
    explicit Case(Cause cause, ObjectId object = ObjectId::none(), double share = 0.5)
        : limits{{Cause::busy, ObjectId::none(), second, 1 - share}, {cause, object, second, share}} {
        accounts.completion = second;
        accounts.threads.resize(3);
        accounts.threads[1][ThreadState::ready] = second;
        accounts.threads[2][ThreadState::sleeping] = second;
        busiest = BusiestThread{ThreadId(1), 0.6};
    }

    RunFacts facts() const {
        RunFacts run{.cpus = cpus,
                     .accounts = accounts,
                     .limits = limits,
                     .threads = threads,
                     .busiest = busiest,
                     .speed_up = speed_up};
        run.concurrency = concurrency;
        run.main_site = main_site;
        return run;
    }
    RunSentences said(std::int64_t shown_cpus = 1) const {
        return run_sentences(facts(), {.shown_cpus = shown_cpus});
    }

    std::uint32_t cpus = 4;
    std::size_t threads = 3;
    Accounts accounts;
    std::vector<Limit> limits;
    std::optional<BusiestThread> busiest;
    double speed_up = 2;
    std::optional<Concurrency> concurrency;
    std::optional<MainSite> main_site;
};

// Messages have sentences of their own: message_sentences.h.
TEST(RunSentences, EveryLossButWorkHasASentenceAPlaceAndAnAdvice) {
    for (std::size_t cause = 1; cause < causes.size(); ++cause) {
        if (static_cast<Cause>(cause) == Cause::communicating || static_cast<Cause>(cause) == Cause::message)
            continue;
        auto const said = Case(static_cast<Cause>(cause)).said();
        EXPECT_THAT(said.limits.text, StartsWith("On 4 CPUs 50 % of the processor time "));
        EXPECT_THAT(said.where.text, testing::Not(testing::IsEmpty())) << causes[cause].name;
        EXPECT_THAT(said.attempt.text, testing::Not(testing::IsEmpty())) << causes[cause].name;
    }
}

TEST(RunSentences, ALockThatStandsOutIsNamedAndWhereItIsWaitedFor) {
    Case run(Cause::lock, ObjectId(5));
    run.main_site = MainSite{SiteId(7), 0.75};
    auto const said = run.said();
    EXPECT_EQ(said.limits.text, "On 4 CPUs 50 % of the processor time is lost to waiting for {object 5}.");
    EXPECT_EQ(said.where.text, "75 % of the waiting for {object 5} begins at {site 7}.");
    EXPECT_THAT(said.attempt.text, StartsWith("Try: hold it for less time"));
    EXPECT_EQ(said.attempt.table, PageTable::objects);
}

// "14 % is lost to waiting for condition #2" was said of pigz, where it was 11 % and 3 % for others.
TEST(RunSentences, OneObjectHasItsOwnShareAndNotThatOfItsKind) {
    Case run(Cause::condition, ObjectId(2), 0.11);
    run.limits.push_back({Cause::condition, ObjectId(3), Duration{second.ns / 4}, 0.03});
    EXPECT_EQ(run.said().limits.text,
              "On 4 CPUs 14 % of the processor time is lost to waiting for conditions, semaphores and "
              "barriers, 11 % for {object 2}.");
    EXPECT_THAT(run.said().where.text, HasSubstr("{object 2}"));
}

// A program that spins serially was told that its predictions are wrong, and then that it scales.
TEST(RunSentences, NothingIsConcludedWhereAFindingMakesPredictionsWorthless) {
    auto const said = run_sentences(Case(Cause::lock, ObjectId(5)).facts(), {.is_worthless = true});
    EXPECT_EQ(said.limits.text, withheld_conclusion);
    EXPECT_EQ(said.where, Sentence{});
    EXPECT_EQ(said.attempt, Sentence{});
}

// `parcast record --pretend-cpus 16 -- pigz -p 8` was advised, which makes eight threads again.
TEST(RunSentences, AProgramThatIsToldItsThreadsIsToldMore) {
    Case run(Cause::no_thread);
    auto const told = run_sentences(run.facts(), {.shown_cpus = 16, .is_told_its_threads = true});
    EXPECT_EQ(told.attempt.text, "If {argument} in its command is the number of its threads, raise it:");
    EXPECT_EQ(told.attempt.command, "parcast record -- {command 4}");
    auto const files = run_sentences(run.facts(), {.is_told_its_threads = true, .has_files = true});
    EXPECT_THAT(files.attempt.text, EndsWith("raise it (remove first what it wrote):"));
    Case idle(Cause::ready, ObjectId::none(), 0.03);
    idle.busiest->share = 0.95;
    auto const next = run_sentences(idle.facts(), {.is_told_its_threads = true});
    EXPECT_THAT(next.attempt.text, StartsWith("More CPUs need more threads"));
    EXPECT_EQ(next.attempt.command, "parcast record -- {command 8}");
}

// The main process of a pool was to spread its input over more threads.
TEST(RunSentences, WhereOtherProcessesDoTheWorkThreadsAreNoAdvice) {
    for (Cause const cause : {Cause::no_thread, Cause::input_output}) {
        auto const said = run_sentences(Case(cause).facts(), {.starts_others = true});
        EXPECT_THAT(said.attempt.text, HasSubstr("ther processes"));
        EXPECT_THAT(said.attempt.text, testing::Not(HasSubstr("more threads")));
        EXPECT_EQ(said.attempt.command, "");
    }
}

TEST(RunSentences, ACycleOfLocksIsTheProgramsOwnAndALockThatIsOnlyHeldIsNot) {
    Deadlock deadlock{Instant{5}, {}};
    deadlock.threads.push_back({.thread = ThreadId(0), .object = ObjectId(7), .holder = ThreadId(1)});
    deadlock.threads.push_back({.thread = ThreadId(1), .object = ObjectId(8), .holder = ThreadId(2)});
    EXPECT_EQ(lock_cycle_text(deadlock), "");
    deadlock.threads.push_back({.thread = ThreadId(2), .object = ObjectId(9), .holder = ThreadId(1)});
    EXPECT_EQ(lock_cycle_text(deadlock),
              "{thread 1} holds {object 9} and wants {object 8}, {thread 2} holds {object 8} and wants "
              "{object 9}: the program itself can hang like this, unless it takes one of these locks on a "
              "condition (as the first of several readers does).");
}

// Two sentences were all that was said where nothing is lost.
TEST(RunSentences, WhereNothingIsLostTheThirdOneIsTheNextStep) {
    struct Row {
        std::uint32_t cpus;
        double share;  // of the time that the busiest thread runs
        std::int64_t shown_cpus;
        char const* limits;
        char const* attempt;
        char const* command;
    };
    for (auto const& row : {
             Row{1, 1, 1, "On 1 CPU nothing is lost", "choose more CPUs", ""},
             Row{2, 0.6, 1, "On 2 CPUs hardly anything is lost", "choose more CPUs",
                 "parcast scale --measure -- {scaled}"},
             Row{2, 0.95, 1, "On 2 CPUs", "show it more:", "parcast record --pretend-cpus 4 -- {command}"},
             Row{2, 0.95, 4, "On 2 CPUs", "more threads, with less to do", ""},
         }) {
        Case run(Cause::ready, ObjectId::none(), 0.03);
        run.cpus = row.cpus;
        run.busiest->share = row.share;
        auto const said = run.said(row.shown_cpus);
        EXPECT_THAT(said.limits.text, StartsWith(row.limits));
        EXPECT_THAT(said.where.text, HasSubstr("runs"));
        EXPECT_THAT(said.attempt.text, HasSubstr(row.attempt));
        EXPECT_EQ(said.attempt.command, row.command);
    }
}

TEST(RunSentences, TooFewThreadsSuggestToPretendMoreCpusButNotOnceTheyWereSeen) {
    Case const run(Cause::no_thread);
    EXPECT_EQ(run.said().attempt.command, "parcast record --pretend-cpus 4 -- {command}");
    EXPECT_EQ(run.said(4).attempt.text, "Try: record the program with more threads.");
}

TEST(RunSentences, MoreThreadsAreNoAdviceWhereOneDoesAllTheWork) {
    Case run(Cause::no_thread);
    run.busiest = BusiestThread{ThreadId(1), 0.98};
    run.speed_up = 1.02;
    EXPECT_EQ(run.said().where.text,
              "There {thread 1} runs 98 % of the time: no number of CPUs makes the program faster than it.");
    EXPECT_EQ(run.said().attempt.text, "What each thread does:");
}

// "It makes 9 threads, but they are not all there at the same time" was said of lu on 8 CPUs, whose 9 threads
// are.
TEST(RunSentences, ThreadsAreSaidNotToBeThereAtOnceOnlyWhereTheyAreNot) {
    Case run(Cause::no_thread);
    run.cpus = 2;
    EXPECT_THAT(run.said().attempt.text, HasSubstr("they do not all run at once"));
    run.concurrency = Concurrency{.most = 1, .share_below_cpus = 1, .longest_alone = Alone{ThreadId(0), 1}};
    EXPECT_THAT(run.said().attempt.text, HasSubstr("but at most 1 thread at a time can run"));
    run.concurrency =
        Concurrency{.most = 3, .share_below_cpus = 0.3, .longest_alone = Alone{ThreadId(0), 0.3}};
    EXPECT_EQ(run.said().where.text, "{thread 0} runs alone for 30 % of the time.");
    EXPECT_EQ(run.said().attempt.text,
              "Try: split what {thread 0} does alone: no number of CPUs shortens that 30 % of the time.");
    run.concurrency =
        Concurrency{.most = 3, .share_below_cpus = 0.1, .longest_alone = Alone{ThreadId(0), 0.1}};
    EXPECT_EQ(run.said().attempt.text, "For 10 % of the time fewer than 2 CPUs have a thread to run. When:");
    EXPECT_EQ(run.said().attempt.table, PageTable::parallelism);
}

TEST(RunSentences, ADeadlockSaysWhoWaitsForWhatAndWhom) {
    Deadlock const deadlock{
        Instant{2'000'000},
        {{.thread = ThreadId(0), .object = ObjectId(1), .holder = ThreadId(2), .site = SiteId(3)},
         {.thread = ThreadId(1), .awaited_thread = ThreadId(0)},
         {.thread = ThreadId(2)}}};
    Case const run(Cause::lock);
    auto facts = run.facts();
    facts.deadlock = &deadlock;
    auto const said = run_sentences(facts, {.model = "strict"});
    EXPECT_EQ(said.limits.text,
              "On 4 CPUs the strict model deadlocks after 2.00 ms; 3 threads cannot go on.");
    ASSERT_EQ(said.stuck.size(), 3U);
    EXPECT_EQ(said.stuck[0].text, "{thread 0} waits for {object 1}, held by {thread 2}, at {site 3}");
    EXPECT_EQ(said.stuck[1].text, "{thread 1} waits for {thread 0}");
    EXPECT_THAT(said.stuck[2].text, EndsWith("waits for any thread to end"));
}

TEST(RunSentences, ReferencesAreFilledInOnce) {
    auto const name = [](std::string_view kind, std::uint32_t id) {
        return kind == "thread" ? "{object " + std::to_string(id) + "}" : std::string(kind);
    };
    EXPECT_EQ(with_names("{thread 3} runs: {command}", name), "{object 3} runs: command");
    EXPECT_EQ(with_names("no reference", name), "no reference");
    EXPECT_EQ(with_names("one that {does not end", name), "one that ");
}

}  // namespace
}  // namespace parcast
