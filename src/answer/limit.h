// What keeps an execution from using its processors: one table of the causes, and the loss that each has.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/id.h"
#include "core/time.h"
#include "timeline/accounts.h"

namespace parcast {

enum class Cause : std::uint8_t {
    busy,       // not lost: the program's work
    slowed,     // work took longer because other processors were busy: the machine's rates
    spinning,   // a thread waited on its processor
    overhead,   // context switches, wake-ups, creation of threads
    ready,      // a thread was ready, but not (yet) on a processor
    lock,       // waiting for a mutex, spin or reader-writer lock
    condition,  // waiting for a condition, semaphore, barrier or futex
    input_output,
    sleeping,
    joining,        // waiting for another thread to end
    no_thread,      // fewer threads than processors: too few runnable threads
    communicating,  // processors send and receive messages
    message,        // ranks wait for messages, or to get theirs away
    carrier,        // a thread was ready, but no LWP was free to run it
};

struct CauseRow {
    Cause cause;
    char const* name;    // in JSON
    char const* alone;   // all of it, in a table
    char const* beside;  // what is left beside objects that have names
    bool has_objects;    // threads wait for one: Limit::object
    Duration (*total)(Accounts const&);
};

// By Cause.
inline constexpr std::array<CauseRow, 14> causes{{
    {Cause::busy, "busy", "busy", "busy", false, [](Accounts const& accounts) { return accounts.busy; }},
    {Cause::slowed, "slowed", "CPUs slowing each other", "busy CPUs slowing each other", false,
     [](Accounts const& accounts) { return accounts.slowed; }},
    {Cause::spinning, "spinning", "spinning", "other spinning", true,
     [](Accounts const& accounts) { return accounts.spinning; }},
    {Cause::overhead, "overhead", "switching", "switching and waking threads", false,
     [](Accounts const& accounts) { return accounts.overhead; }},
    {Cause::ready, "ready", "ready", "ready, not yet on a CPU", false,
     [](Accounts const& accounts) { return accounts.idle.ready; }},
    {Cause::lock, "lock", "locks", "other locks", true,
     [](Accounts const& accounts) { return accounts.idle.locks; }},
    {Cause::condition, "condition", "conditions", "other conditions", true,
     [](Accounts const& accounts) { return accounts.idle.conditions; }},
    {Cause::input_output, "input_output", "I/O", "other I/O", true,
     [](Accounts const& accounts) { return accounts.idle.input_output; }},
    {Cause::sleeping, "sleeping", "sleeping", "sleeping", false,
     [](Accounts const& accounts) { return accounts.idle.sleeping; }},
    {Cause::joining, "joining", "joining", "waiting for threads to end", false,
     [](Accounts const& accounts) { return accounts.idle.joining; }},
    {Cause::no_thread, "no_thread", "no thread", "no thread to run", false,
     [](Accounts const& accounts) { return accounts.idle.no_thread; }},
    {Cause::communicating, "communicating", "sending and receiving", "sending and receiving messages", false,
     [](Accounts const& accounts) { return accounts.communicating; }},
    {Cause::message, "message", "waiting for messages", "other waiting for messages", true,
     [](Accounts const& accounts) { return accounts.idle.message; }},
    {Cause::carrier, "carrier", "no LWP", "no LWP free for a ready thread", false,
     [](Accounts const& accounts) { return accounts.idle.carrier; }},
}};

constexpr CauseRow const& row_of(Cause cause) {
    return causes[static_cast<std::size_t>(cause)];
}
constexpr char const* name_of(Cause cause) {
    return row_of(cause).name;
}
static_assert([] {
    for (std::size_t i = 0; i < causes.size(); ++i)
        if (causes[i].cause != static_cast<Cause>(i))
            return false;
    return true;
}());

struct Limit {
    Cause cause = Cause::busy;
    // Of a cause that has them: which; none: all others together.
    ObjectId object = ObjectId::none();
    Duration processor_time;
    double share = 0;  // of cpus * completion
};

// What a cause loses, all its objects together.
struct Loss {
    Cause cause = Cause::busy;
    Duration processor_time{0};
    double share = 0;  // of cpus * completion
    // The object that alone has at least half of it, and what that loses; none: many have a part.
    std::optional<Limit> main_object = std::nullopt;
};

// Most first.
std::vector<Loss> losses(std::span<Limit const> limits);

// The first of them, if it is more than `least_share`.
std::optional<Loss> largest_loss(std::span<Limit const> limits, double least_share = 0.01);

struct BusiestThread {
    ThreadId thread;
    double share = 0;  // of the completion time that it runs
};

}  // namespace parcast
