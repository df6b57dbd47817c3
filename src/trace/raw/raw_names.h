// Resolves the numbers that the recorder used (addresses of objects, pthread_t, thread numbers) to ids of
// a timeline. An address or a pthread_t can mean several things one after the other, so both are looked up
// by time. What an address meant: object_lives.h. A pthread_t means the thread that was last created with it;
// that of a join which did not wait, who had ended.
//
// Thread ids are the recorder's numbers without those that never began to run (failed creations, children
// that had not run when the process died); thread 0 is always there.

#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/catalogue.h"
#include "trace/raw/raw_threads.h"

namespace parcast::trace {

// Who was created with a pthread_t (or ran under a kernel thread id), and since when it means that thread.
class HandleOwners {
public:
    void add(std::uint64_t handle, std::int64_t since_ns, std::uint32_t thread) {
        owners_[handle].emplace_back(since_ns, thread);
    }
    void sort();
    // None: all ones.
    std::uint32_t owner_at(std::uint64_t handle, std::int64_t wall_ns) const;
    // Among the last few owners until then, the last one for which `is_it` holds.
    template <class Predicate>
    std::uint32_t last_owner_until(std::uint64_t handle, std::int64_t wall_ns, Predicate&& is_it) const;

private:
    std::unordered_map<std::uint64_t, std::vector<std::pair<std::int64_t, std::uint32_t>>, HashAddress>
        owners_;
};

class RawNames {
public:
    // Numbers the objects of `raw`.
    explicit RawNames(RawThreads& raw);

    // The names themselves; the caller takes them.
    Catalogue& catalogue() { return catalogue_; }

    // Puts ids into an event of a thread. `raw` is that of the constructor.
    void resolve(RawThreads const& raw, std::uint32_t thread, Event& event) const;

private:
    std::vector<std::int64_t> resolve_creations(RawThreads const& raw);
    void resolve_handles(RawThreads& raw, std::vector<std::int64_t> const& since);
    void add_start_sites(RawThreads const& raw);
    void add_stacks(RawThreads const& raw);
    std::uint32_t known_child(std::uint32_t creator, std::uint32_t number) const;
    std::uint32_t joined_at_once(RawThreads const& raw, std::uint32_t joiner, Event const& join) const;

    Catalogue catalogue_;
    std::unordered_map<std::uint32_t, std::uint32_t> ids_;  // by number of the thread
    std::vector<ThreadId> parents_;
    HandleOwners owners_;
};

}  // namespace parcast::trace
