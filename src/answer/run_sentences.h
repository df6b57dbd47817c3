// What a run means, in sentences: what limits it, where, what to try; and how far several of them scale.
// `parcast predict` says those of one number of CPUs (report/sentences/sentences.h), the page those of the
// number that it shows: they come with every execution (docs/formats/execution.md), also with one that was
// replayed in the page, and are written nowhere else.
//
// A name in a text is a reference, since a replay in the page knows none: "{thread 3}", "{object 0}",
// "{site 12}". "{command}" stands for what was recorded, "{command 8}" for the same that makes 8 threads, and
// "{scaled}" for the same with {cpus} in place of that number; "{argument}" for the argument that says it
// (thread_count.h).

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer/circumstances.h"
#include "answer/limit.h"
#include "answer/scaling.h"
#include "timeline/accounts.h"
#include "timeline/path_segment.h"
#include "timeline/run.h"

namespace parcast {

inline constexpr double worth_a_sentence = 0.05;       // share of the processor time
inline constexpr double nearly_always = 0.9;           // a thread that runs longer is what the rest waits for
inline constexpr std::size_t most_stuck_threads = 12;  // that are named

// Where there is more about a sentence.
enum class PageTable : std::uint8_t { none, threads, objects, parallelism };

// A text that ends with ':' announces its command or, without one, its table.
struct Sentence {
    std::string text;
    PageTable table = PageTable::none;
    std::string command = {};  // to type; empty: none

    friend bool operator==(Sentence const&, Sentence const&) = default;
};

struct RunSentences {
    Sentence limits;
    Sentence where;
    Sentence attempt;
    std::vector<Sentence> stuck;  // after a deadlock, which is all that `limits` says then: a thread each
};

// A thread that is on the critical path while no other one runs or is ready.
struct Alone {
    ThreadId thread;
    double share = 0;  // of the completion time
};

// How many threads run or are ready over time.
struct Concurrency {
    std::uint32_t most = 0;
    double share_below_cpus = 0;  // of the time in which they are fewer than the CPUs
    std::optional<Alone> longest_alone;
};

// Where most of the waiting for an object begins.
struct MainSite {
    SiteId site;
    double share = 0;  // of all waiting for the object
};

// The thread whose end or answer is waited for longest.
struct AwaitedThread {
    ThreadId thread;
    Duration time;  // summed over those that wait for it
};

// What a run was, for its sentences.
struct RunFacts {
    std::uint32_t cpus = 1;
    Accounts const& accounts;
    std::span<Limit const> limits;
    std::size_t threads = 0;
    std::optional<BusiestThread> busiest;
    double speed_up = 1;
    // Without a timeline there is none of these.
    std::optional<Concurrency> concurrency = {};
    std::optional<MainSite> main_site = {};          // of the object that loses most
    std::optional<AwaitedThread> most_awaited = {};  // if waiting for threads loses most
    std::span<PathSegment const> path = {};
    Deadlock const* deadlock = nullptr;
};

RunSentences run_sentences(RunFacts const& run, Circumstances const& circumstances);

// How far it scales. `speed_up_beyond`: on scaling.first_beyond, if there is one.
std::string extent_text(Scaling const& scaling, double speed_up_beyond);

// What a run lost most processor time to, if that is worth a sentence.
std::optional<Loss> notable_loss(std::span<Limit const> limits);

// For a run that lost too little to name a cause.
std::string nothing_lost_text(std::uint32_t cpus);

// Names the thread that runs longest, if it nearly always runs; else empty.
std::string bottleneck_text(std::optional<BusiestThread> const& busiest);

// Threads of a deadlock, a sentence each without its final stop.
std::string stuck_text(StuckThread const& stuck);

// "{thread 1} holds {object 0} and wants {object 1}, ...: the program itself can hang like this, unless
// ..."; empty if no threads hold locks that each other want.
std::string lock_cycle_text(Deadlock const& deadlock);

// A model of replays as sentences have it: "client-server".
std::string model_word(std::string_view name);

// "On 4 CPUs the direct model deadlocks after 2.00 ms"
std::string deadlock_text(std::uint32_t cpus, std::string_view model, Deadlock const& deadlock);

// "On 4 CPUs"
std::string on_cpus(std::uint32_t cpus);

std::string reference(ThreadId thread);
std::string reference(ObjectId object);
std::string reference(SiteId site);

// The text with what `name` says for each reference ("thread", 3) or, for those without a number, (word,
// none).
std::string with_names(std::string_view text,
                       std::function<std::string(std::string_view kind, std::uint32_t id)> const& name);

}  // namespace parcast
