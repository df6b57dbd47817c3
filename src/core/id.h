// Dense typed indices. An Id<Tag> is a position in the array that its Tag names; ids of different tags
// do not convert into each other. "None" is std::optional<Id>, or the `none` value where a column of
// millions of ids is stored and an optional would double its size.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace parcast {

template <class Tag>
struct Id {
    std::uint32_t value = 0;

    constexpr Id() = default;
    constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}

    constexpr std::size_t index() const { return value; }
    constexpr bool is_none() const { return value == std::numeric_limits<std::uint32_t>::max(); }
    static constexpr Id none() { return Id(std::numeric_limits<std::uint32_t>::max()); }

    friend constexpr auto operator<=>(Id, Id) = default;
};

using ThreadId = Id<struct ThreadTag>;  // a thread of the recorded or described program
using ObjectId = Id<struct ObjectTag>;  // a mutex, condition, semaphore, barrier, descriptor, ...
using SiteId = Id<struct SiteTag>;      // a place in the program's source that makes a call
using StackId = Id<struct StackTag>;    // a function, and how it came to be called
using CpuId = Id<struct CpuTag>;        // a processor of the target machine

}  // namespace parcast
