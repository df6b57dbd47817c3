// The threads of a raw recording with their events in a first form: times and CPU times are final, but
// objects, threads and names are still what the recorder knows, addresses and numbers of its own. Which
// object an address was, or which thread a pthread_t, depends on when it was used by any thread, so that is
// resolved (raw_names.h) when all streams are read.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/catalogue.h"
#include "core/result.h"
#include "timeline/event_list.h"
#include "trace/raw/raw_layout.h"
#include "trace/raw/tick_scale.h"

namespace parcast::trace {

struct ObjectKey {
    std::uint64_t address = 0;
    ObjectKind kind = ObjectKind::mutex;
    friend bool operator==(ObjectKey const&, ObjectKey const&) = default;
};

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

struct HashAddress {
    std::size_t operator()(std::uint64_t address) const { return address * 0x9e3779b97f4a7c15 >> 7; }
    std::size_t operator()(ObjectKey const& key) const {
        return (*this)(key.address + static_cast<std::uint64_t>(key.kind));
    }
};

struct RawThread {
    std::uint32_t number = 0;  // the recorder's
    std::uint64_t handle = 0;  // pthread_t
    std::uint64_t kernel_id = 0;
    std::uint64_t start_routine = 0;
    std::vector<std::uint64_t> start_words;  // of a std::thread state object
    EventList events;
};

struct RawName {
    std::int64_t wall_ns = 0;
    std::uint64_t handle = 0;
    std::string name;
};

// In the events: `object` and the `related` of condition waits number `objects`, the `related` of joins,
// detaches, affinity and priority numbers `handles`, the `related` of creations is the child's number.
struct RawThreads {
    std::vector<RawThread> threads;  // by number, each number once
    Numbering<ObjectKey, HashAddress> objects;
    Numbering<std::uint64_t, HashAddress> sites;
    Numbering<std::uint64_t, HashAddress> handles;
    std::vector<RawName> names;
    std::int64_t strays = 0;       // events outside any thread
    std::int64_t definitions = 0;  // of objects and sites
};

// Threads that had not ended when the recording did get a thread_end at `end_ns`, with the outcome cut_off
// unless they themselves ended the process.
// Errors: malformed, with the byte offset of the word. Cost: one pass.
Result<RawThreads> decode_threads(RawLayout const& layout, TickScale const& scale, std::int64_t end_ns);

}  // namespace parcast::trace
