// Runs a program with a processor for every thread, no costs and no locks: what is left of its time is work,
// delays, and waiting for what other threads give. Waits take the tokens that they took in the recording.
//
// Operations take their turns in the order of (time, thread), each at the end of the work before it. What
// they mean the observer knows:
//
//     static bool takes_turn(OperationKind)   others are passed as soon as a thread comes to them, and not
//                                             told. REQUIRES: true for what concerns_others
//     Place comes_to(thread, position, now_ns)  where in its list a thread that has come to `position` goes
//     on,
//                                             or stops until it is resumed
//     void executed(Executed const&)          after each turn, before anybody goes on
//
// An observer may resume a thread earlier than others have come. Even then no thread goes on before the end
// that it joined, the token that it took, or whoever released it.

#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/tournament.h"
#include "program/sleeps.h"
#include "program/thread_program.h"
#include "semantics/operations.h"

namespace parcast::extract {

// What is known about the signal that handed out a token.
template <class Value>
class Grants {
public:
    explicit Grants(ThreadProgram const& program) : program_(program) {}

    void add(Operation const& signal, Value value) {
        auto const grant = decode_grant(signal.value);
        for (std::uint32_t i = 0; i < grant.tokens; ++i)
            values_.emplace(std::pair(signal.object, grant.first + i), value);
    }

    // None for a token that was there from the start, or when the thread came for it. REQUIRES: the wait
    // could take its token.
    std::optional<Value> find(Operation const& wait) const {
        auto const [mutex, token, at_once] = decode_wait(wait.value);
        if (!token || at_once || *token < program_.objects[wait.object].initial_count)
            return std::nullopt;
        return values_.at({wait.object, *token});
    }

private:
    ThreadProgram const& program_;                                     // the caller's
    std::map<std::pair<std::uint32_t, std::uint32_t>, Value> values_;  // by condition and token
};

// Where a thread is in its list.
struct Place {
    std::uint32_t position = 0;
    bool stops = false;
};

// What a thread did in its turn.
struct Executed {
    ThreadId thread;
    Operation operation;
    bool proceeds;  // else it waits, or has ended
    std::span<semantics::Release const> releases;
    ThreadId joined;  // in a join that proceeds
    std::int64_t now_ns;
};

template <class Observer>
class UnboundedRun {
public:
    // Both are the caller's, for the life of the run. REQUIRES: check(program) holds.
    UnboundedRun(ThreadProgram const& program, Observer& observer)
        : program_(program),
          observer_(observer),
          operations_(program, semantics::Locking::ignored, semantics::Pairing::conditions),
          threads_(program.lists.size()),
          due_(program.lists.size()),
          granted_ns_(program) {}

    // The threads that are there from the start begin.
    void begin() {
        for (ThreadId const thread : initial_threads(program_)) {
            ++live_;
            advance(thread);
        }
    }

    // The next turn; false if nobody has one.
    bool step() {
        auto const due = due_.first();
        if (due.is_never())
            return false;
        execute(ThreadId(due.thread));
        return true;
    }

    // The thread that was stopped goes on.
    void resume(ThreadId thread, std::int64_t now_ns) {
        threads_[thread.index()].now_ns = now_ns;
        advance(thread);
    }

    // Threads that have begun and not ended.
    std::size_t live() const { return live_; }

private:
    struct Stand {
        std::uint32_t position = 0;
        std::int64_t now_ns = 0;
        Sleeps sleeps;
    };
    struct Due {
        std::int64_t time_ns = std::numeric_limits<std::int64_t>::max();
        std::uint32_t thread = std::numeric_limits<std::uint32_t>::max();

        bool is_never() const { return time_ns == std::numeric_limits<std::int64_t>::max(); }
        friend bool operator<(Due a, Due b) {
            return (a.time_ns < b.time_ns) | ((a.time_ns == b.time_ns) & (a.thread < b.thread));
        }
    };

    // On to the thread's next turn, unless it is stopped before.
    void advance(ThreadId thread) {
        auto& self = threads_[thread.index()];
        auto const& list = program_.lists[thread.index()];
        for (;;) {
            auto const place = observer_.comes_to(thread, self.position, self.now_ns);
            self.position = place.position;
            if (place.stops)
                return due_.clear(thread.index());
            auto const operation = list[self.position];
            self.now_ns += operation.work_ns;
            if (Observer::takes_turn(operation.kind()))
                return due_.set(thread.index(), {self.now_ns, thread.value});
            pass(self, operation);
        }
    }

    static void pass(Stand& self, Operation const& operation) {
        ++self.position;
        if (is_delay(operation.kind()))
            self.now_ns = self.sleeps.end_of(operation, self.now_ns);
    }

    void execute(ThreadId thread) {
        auto& self = threads_[thread.index()];
        auto const operation = program_.lists[thread.index()][self.position];
        auto const now_ns = self.now_ns;
        auto const progress = concerns_others(operation.kind())
                                  ? operations_.execute(thread, operation, self.position)
                                  : semantics::Progress::proceeds;
        bool const proceeds = progress == semantics::Progress::proceeds;
        if (operation.kind() == OperationKind::condition_signal)
            granted_ns_.add(operation, now_ns);
        observer_.executed(
            {thread, operation, proceeds, operations_.releases(), operations_.joined(), now_ns});
        for (auto const& release : operations_.releases())
            let_go(release, now_ns);
        operations_.releases().clear();
        if (progress == semantics::Progress::ends)
            --live_;
        if (!proceeds)
            return due_.clear(thread.index());
        self.now_ns = std::max(now_ns, given_ns(operation));
        pass(self, operation);
        advance(thread);
    }

    void let_go(semantics::Release const& release, std::int64_t now_ns) {
        auto& other = threads_[release.thread.index()];
        other.now_ns = std::max(other.now_ns, now_ns);
        if (release.what == semantics::Release::What::begins) {
            ++live_;
            other.sleeps.begin(now_ns);
        } else {
            ++other.position;
        }
        advance(release.thread);
    }

    // When there was what the operation took. REQUIRES: it proceeds, and is the last one that was executed.
    std::int64_t given_ns(Operation const& operation) const {
        switch (operation.kind()) {
            case OperationKind::join:
            case OperationKind::join_any: return threads_[operations_.joined().index()].now_ns;
            case OperationKind::condition_wait: return granted_ns_.find(operation).value_or(0);
            default: return 0;
        }
    }

    ThreadProgram const& program_;
    Observer& observer_;
    semantics::Operations operations_;
    std::vector<Stand> threads_;
    Tournament<Due> due_;
    Grants<std::int64_t> granted_ns_;
    std::size_t live_ = 0;
};

}  // namespace parcast::extract
