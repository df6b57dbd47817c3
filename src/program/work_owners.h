// Whose work is what in a program of threads. A piece of work is the CPU time before an operation. It belongs
// to the function that makes the call, to the place of the call, to its thread, and to each lock that the
// thread holds meanwhile.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.h"
#include "program/thread_program.h"

namespace parcast {

enum class OwnerKind : std::uint8_t { function, lock, thread, place, group };
inline constexpr auto owner_kinds =
    std::to_array<std::string_view>({"function", "lock", "thread", "place", "group"});

// All owners of a program of threads have numbers: its functions, its objects, its threads, its places.
class WorkOwners {
public:
    // The program is the caller's, for the life of this.
    explicit WorkOwners(ThreadProgram const& program);

    std::size_t count() const { return first_place_ + places_.size(); }
    OwnerKind kind(std::size_t owner) const;
    // "count_in_shared", "mutex shared_mutex (count_in_shared, histogram.c:34)", "thread 3 (count_share)",
    // "histogram.c:34".
    std::string name(std::size_t owner) const;
    // Where a function or a lock is: a site of it. None: unknown.
    SiteId site(std::size_t owner) const;
    // Of a lock; none for others.
    ObjectId object(std::size_t owner) const {
        return kind(owner) == OwnerKind::lock ? ObjectId(owner - first_lock_) : ObjectId::none();
    }

    // Whom somebody means who types this name: all that have it. A lock is also called by the place of its
    // first use, a thread by its function or its number, a place by the end of its path. The kind in front of
    // a lock's name may be left out.
    std::vector<std::size_t> called(OwnerKind kind, std::string_view name) const;

    // Calls visit(number of the operation, operation, owners) for each operation of the thread in its order.
    template <class Visit>
    void for_each_piece(ThreadId thread, Visit visit) const;

private:
    struct Held {
        ObjectId lock;
        std::uint32_t depth;
    };

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
};

template <class Visit>
void WorkOwners::for_each_piece(ThreadId thread, Visit visit) const {
    std::vector<Held> held;
    std::vector<std::size_t> owners;
    auto const& list = program_.lists[thread.index()];
    for (std::uint32_t number = 0; number < list.size(); ++number) {
        auto const& operation = list[number];
        owners = {function_of(thread, operation), first_thread_ + thread.index()};
        if (auto const site = operation.site(); !site.is_none())
            owners.push_back(first_place_ + place_at_[site.index()]);
        for (auto const& each : held)
            owners.push_back(first_lock_ + each.lock.index());
        visit(number, operation, std::span<std::size_t const>(owners));
        executed(operation, held);
    }
}

}  // namespace parcast
