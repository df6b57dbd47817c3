// Whose work is what in a program of threads. A piece of work is the CPU time before an operation. It belongs
// to the place of the call, to its thread, and to each lock that the thread holds meanwhile. It is divided
// among functions, if the recording knows how (ThreadProgram::shares); else it belongs to the one that makes
// the call. "function+" is a function together with all that it calls. Each of many locks may decide little:
// those of one symbol (an array), or without a name and first taken at one place, are a lock together, too.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.h"
#include "program/thread_program.h"

namespace parcast {

enum class OwnerKind : std::uint8_t {
    function,
    lock,
    thread,
    place,
    group,
    function_and_callees,
    // of message programs
    rank,
    tag,
    collective,
    network,
};
inline constexpr auto owner_kinds = std::to_array<std::string_view>(
    {"function", "lock", "thread", "place", "group", "function+", "rank", "tag", "collective", "network"});

// What of a piece belongs to one of its owners.
struct OwnedShare {
    std::size_t owner = 0;
    double share = 1;
    std::int64_t calls = 1;  // of a function, if they were recorded; else the piece itself
};

// All owners of a program of threads have numbers: its functions, its objects, its threads, its places, if it
// has shares its functions once more, with all that they call, and its groups of locks.
class WorkOwners {
public:
    // The program is the caller's, for the life of this.
    explicit WorkOwners(ThreadProgram const& program);

    std::size_t count() const { return first_group_ + groups_.size(); }
    bool has_shares() const { return !program_.shares.empty(); }
    // The function together with all that it calls. REQUIRES: has_shares().
    std::size_t with_callees(std::size_t function) const { return first_with_callees_ + function; }
    OwnerKind kind(std::size_t owner) const;
    // "count_in_shared", with all that it calls "count_in_shared+", "mutex shared_mutex (count_in_shared,
    // histogram.c:34)", "60 locks of table.c:20", "thread 3 (count_share)", "histogram.c:34".
    std::string name(std::size_t owner) const;
    // Where a function or a lock is: a site of it. None: unknown.
    SiteId site(std::size_t owner) const;
    // A lock, or those of a group; none for others.
    std::vector<ObjectId> locks(std::size_t owner) const;

    // None for others than threads.
    ThreadId thread(std::size_t owner) const {
        return kind(owner) == OwnerKind::thread ? ThreadId(owner - first_thread_) : ThreadId::none();
    }

    // Whom somebody means who types this name: all that have it. A lock is also called by the place of its
    // first use, a thread by its function or its number, a place by the end of its path. The kind in front of
    // a lock's name may be left out.
    std::vector<std::size_t> called(OwnerKind kind, std::string_view name) const;

    // Calls visit(number of the operation, operation, owned shares) for each operation of the thread in its
    // order.
    template <class Visit>
    void for_each_piece(ThreadId thread, Visit visit) const;

    // For a share of the work before the operation: its function, then all its callers, each with callees.
    // REQUIRES: has_shares().
    std::span<std::uint32_t const> owners_of(WorkShare const& share, ThreadId thread,
                                             Operation const& operation) const;

private:
    struct Held {
        ObjectId lock;
        std::uint32_t depth;
    };

    struct GroupOfLocks {
        std::string name;
        std::vector<ObjectId> locks;
    };

    void number_stacks();
    void group_locks();
    void add_groups(std::vector<Held> const& held, std::vector<OwnedShare>& owned) const;
    void add_functions(ThreadId thread, Operation const& operation, std::span<WorkShare const> shares,
                       std::vector<OwnedShare>& owned) const;
    std::size_t function_of(ThreadId thread, Operation const& operation) const;
    void executed(Operation const& operation, std::vector<Held>& held) const;

    ThreadProgram const& program_;
    std::vector<std::string> functions_;
    std::vector<std::string> places_;
    std::vector<std::uint32_t> function_at_;  // by site
    std::vector<std::uint32_t> place_at_;
    std::vector<std::uint32_t> function_of_thread_;
    std::vector<SiteId> site_of_function_;  // by function: one of its places
    std::size_t first_lock_ = 0;
    std::size_t first_thread_ = 0;
    std::size_t first_place_ = 0;
    std::size_t first_with_callees_ = 0;
    std::size_t first_group_ = 0;
    std::vector<std::vector<std::uint32_t>> owners_of_stack_;   // as owners_of() returns them
    std::vector<std::array<std::uint32_t, 2>> owners_of_call_;  // of a function, without a stack
    std::vector<GroupOfLocks> groups_;
    std::vector<std::optional<std::uint32_t>> group_of_lock_;
};

// The shares of the work before an operation, of those of its list that follow `from`, which goes on behind
// them.
std::span<WorkShare const> next_shares(std::span<WorkShare const> shares, std::size_t& from,
                                       std::uint32_t operation);

template <class Visit>
void WorkOwners::for_each_piece(ThreadId thread, Visit visit) const {
    std::vector<Held> held;
    std::vector<OwnedShare> owned;
    auto const& list = program_.lists[thread.index()];
    auto const shares = has_shares() ? std::span<WorkShare const>(program_.shares[thread.index()])
                                     : std::span<WorkShare const>();
    std::size_t next_share = 0;
    for (std::uint32_t number = 0; number < list.size(); ++number) {
        auto const operation = list[number];
        owned.clear();
        add_functions(thread, operation, next_shares(shares, next_share, number), owned);
        owned.push_back({first_thread_ + thread.index()});
        if (auto const site = operation.site(); !site.is_none())
            owned.push_back({first_place_ + place_at_[site.index()]});
        for (auto const& each : held)
            owned.push_back({first_lock_ + each.lock.index()});
        add_groups(held, owned);
        visit(number, operation, std::span<OwnedShare const>(owned));
        executed(operation, held);
    }
}

}  // namespace parcast
