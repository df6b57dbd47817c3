// The threads of a raw recording: what is said about each of them, where its events are, and what only all
// of its events together show. Times and CPU times are final, but objects, threads and names are still what
// the recorder knows, addresses and numbers of its own. Which object an address was, or which thread a
// pthread_t, depends on when it was used by any thread, so that is resolved (raw_names.h) when all streams
// have been read once.

#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/result.h"
#include "timeline/event.h"
#include "trace/file_bytes.h"
#include "trace/raw/object_lives.h"
#include "trace/raw/raw_layout.h"
#include "trace/raw/tick_scale.h"

namespace parcast::trace {

// Adds times that are not negative. A sum out of range stays at its end: the check of events rejects it.
std::int64_t sum_up_to_all(std::int64_t a, std::int64_t b);

// A wait for a condition gives its mutex back meanwhile.
bool relates_to_mutex(EventKind kind);

// Dense numbers for values in the order of their first appearance.
template <class Value, class Hash>
class Numbering {
public:
    std::uint32_t number_of(Value const& value) {
        auto const [position, is_new] =
            numbers_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
        if (is_new)
            values_.push_back(value);
        return position->second;
    }
    std::vector<Value> const& values() const { return values_; }

private:
    std::unordered_map<Value, std::uint32_t, Hash> numbers_;
    std::vector<Value> values_;
};

// A function of the recorder's, and the one of RawNumbers::stacks that called it.
struct RawStack {
    std::uint32_t caller = 0xffffffff;
    std::uint64_t function = 0;
    friend bool operator==(RawStack const&, RawStack const&) = default;
};

struct HashAddress {
    std::size_t operator()(RawStack const& stack) const {
        return (*this)(stack.function + stack.caller * std::uint64_t{0x100000001b3});
    }
    std::size_t operator()(std::uint64_t address) const { return address * 0x9e3779b97f4a7c15 >> 7; }
    std::size_t operator()(ObjectKey const& key) const {
        return (*this)(key.address + static_cast<std::uint64_t>(key.kind));
    }
};

// In the events of raw threads: `object` and the `related` of condition waits number `objects`, the `related`
// of joins, detaches, affinity and priority numbers `handles`, the `related` of creations is the child's
// number.
struct RawNumbers {
    Numbering<ObjectKey, HashAddress> objects;
    Numbering<std::uint64_t, HashAddress> sites;
    Numbering<std::uint64_t, HashAddress> handles;
    Numbering<RawStack, HashAddress> stacks;  // of the shares of work
};

struct RawThread {
    std::uint32_t number = 0;  // the recorder's
    std::uint64_t handle = 0;  // pthread_t
    std::uint64_t kernel_id = 0;
    std::uint64_t start_routine = 0;
    std::vector<std::uint64_t> start_words;  // of a std::thread state object
    std::int64_t debt_ns = 0;                // what the end takes back of the CPU time of its last events
    // Over all its events:
    std::int64_t events = 0;
    std::int64_t cpu_ns = 0;
    std::int64_t begin_ns = 0;  // wall time
    Event last;
};

struct RawName {
    std::int64_t wall_ns = 0;
    std::uint64_t handle = 0;
    std::string name;
};

// What a stream says beside the events of its threads.
struct RawRemarks {
    std::vector<RawName> names;
    std::int64_t strays = 0;       // events outside any thread
    std::int64_t definitions = 0;  // of objects and sites
    std::int64_t unmeasured = 0;   // events
};

struct RawCreation {
    std::uint32_t creator = 0;  // numbers of threads
    std::uint32_t child = 0;
    std::int64_t wall_ns = 0;
    SiteId site = SiteId::none();
};

struct RawFork {
    std::uint32_t thread = 0;
    std::int64_t process = 0;
};

struct RawThreads {
    std::vector<RawThread> threads;  // by number, each number once
    std::vector<std::vector<std::uint32_t>>
        streams;              // streams[i]: numbers of its threads, one after the other
    bool has_initial = true;  // no: the process died before its first event, and thread 0 is made up
    RawNumbers numbers;
    RawRemarks remarks;
    ObjectLives lives;
    std::vector<RawCreation> creations;  // in the order of threads, each thread's in its own
    std::vector<RawFork> forks;          // likewise, those that succeeded
    bool has_children = false;           // forked, spawned or waited for
};

// The events of a made-up initial thread.
inline std::vector<Event> events_of_made_up_thread(std::int64_t end_ns) {
    Event end;
    end.kind = EventKind::thread_end;
    end.wall_ns = end_ns;
    end.outcome = Outcome::cut_off;
    return {Event{}, end};
}

// Threads that had not ended when the recording did get a thread_end at `end_ns`, with the outcome cut_off
// unless they themselves ended the process. Cuts the chunks of `layout` to what was read of them, so that
// reading them again finds the same, although a process that still runs may add to them.
// Errors: malformed, with the byte offset of the word. Cost: one pass, rarely two (object_lives.h).
Result<RawThreads> survey_threads(FileBytes& file, RawLayout& layout, TickScale const& scale,
                                  std::int64_t end_ns);

}  // namespace parcast::trace
