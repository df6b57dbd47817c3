#include "extract/segment_replay.h"

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace parcast::extract {

namespace {

struct HeldPart {
    NodeId node;
    std::int64_t ns = 0;
};

// A lock that its thread holds, with the work since then in each segment.
struct HeldLock {
    std::uint32_t object = 0;
    std::vector<HeldPart> parts;
};

struct ThreadState {
    std::size_t position = 0;
    std::int64_t now_ns = 0;
    NodeId last = NodeId::none();     // what the next segment comes after
    NodeId current = NodeId::none();  // the segment that runs, if it has begun
    bool has_created = false;         // since the last segment
    bool has_started = false;
    bool has_ended = false;
    bool is_joined = false;
    std::vector<HeldLock> held;
};

// Who waits at a barrier, in the order of arrival.
using Arrivals = std::vector<ThreadId>;

// What one post gave; none: what was there from the start.
struct Units {
    NodeId by = NodeId::none();
    std::int64_t left = 0;
};

struct Semaphore {
    std::deque<Units> units;  // in the order in which they were posted; left > 0
    std::deque<ThreadId> waiting;
};

struct Rendezvous {
    std::deque<ThreadId> callers;
    bool is_accepting = false;
};

// Operations in the order of (time, thread): that of an execution on as many processors as threads.
class SegmentReplay {
public:
    explicit SegmentReplay(ThreadProgram const& program)
        : program_(program),
          threads_(program.lists.size()),
          joiners_(program.lists.size(), ThreadId::none()),
          barriers_(program.objects.size()),
          condition_barriers_(program.barriers.size()),
          semaphores_(program.objects.size()),
          rendezvous_(program.lists.size()) {
        for (std::size_t object = 0; object < program.objects.size(); ++object) {
            auto const initial = program.objects[object].initial_count;
            if (initial > 0)  // of a condition they are tokens, which are looked up by number
                semaphores_[object].units.push_back({NodeId::none(), initial});
        }
    }

    Result<SegmentGraph> run() {
        start(ThreadId(0), NodeId::none(), 0);
        while (!due_.empty()) {
            auto const [time, thread] = due_.top();
            due_.pop();
            execute(ThreadId(thread));
        }
        auto const stuck = std::ranges::count_if(
            threads_, [](ThreadState const& thread) { return thread.has_started && !thread.has_ended; });
        if (stuck > 0) {
            return fail(ErrorCode::inconsistent,
                        "without its locks the program does not end: " + std::to_string(stuck) +
                            (stuck == 1 ? " thread waits" : " threads wait") +
                            " for what nobody gives, so that there is no task graph of it");
        }
        return std::move(graph_);
    }

private:
    using Due = std::pair<std::int64_t, std::uint32_t>;

    ThreadState& state(ThreadId thread) { return threads_[thread.index()]; }

    void start(ThreadId thread, NodeId creator, std::int64_t now_ns) {
        state(thread).has_started = true;
        state(thread).last = creator;
        state(thread).now_ns = now_ns;
        schedule(thread);
    }

    // The operation that it is at, at the end of the work before.
    void schedule(ThreadId thread) {
        auto& self = state(thread);
        auto const& operation = program_.lists[thread.index()][self.position];
        self.now_ns += operation.work_ns;
        if (operation.work_ns > 0) {
            auto const node = running(thread);
            graph_.nodes[node.index()].work_ns += operation.work_ns;
            note_held(self, node, operation.work_ns);
        }
        due_.emplace(self.now_ns, thread.value);
    }

    void go_on(ThreadId thread) {
        ++state(thread).position;
        schedule(thread);
    }

    // A thread that waited, released by another one now.
    void release(ThreadId thread, NodeId by, std::int64_t now_ns) {
        wait_for(thread, by);
        state(thread).now_ns = std::max(state(thread).now_ns, now_ns);
        go_on(thread);
    }

    // The segment that runs, begun if it has not.
    NodeId running(ThreadId thread) {
        auto& self = state(thread);
        if (self.current.is_none()) {
            self.current =
                graph_.add({.thread = thread, .follows_creation = std::exchange(self.has_created, false)});
            if (!self.last.is_none())
                graph_.edges.emplace_back(self.last, self.current);
        }
        return self.current;
    }

    // Ends the segment: others may wait for it. Without one, what came before it.
    NodeId end_segment(ThreadId thread) {
        auto& self = state(thread);
        if (!self.current.is_none() || self.last.is_none()) {
            self.last = running(thread);
            self.current = NodeId::none();
        }
        return self.last;
    }

    // What follows waits for `before` too. A segment without work yet still waits for more.
    void wait_for(ThreadId thread, NodeId before) {
        if (before.is_none())
            return;
        auto const& self = state(thread);
        if (!self.current.is_none() && graph_.nodes[self.current.index()].work_ns > 0)
            end_segment(thread);
        graph_.edges.emplace_back(before, running(thread));
    }

    void execute(ThreadId thread) {
        auto const& operation = program_.lists[thread.index()][state(thread).position];
        switch (operation.kind()) {
            case OperationKind::end: return end(thread);
            case OperationKind::create: {
                auto const creator = end_segment(thread);
                state(thread).has_created = true;
                start(operation.thread_id(), creator, state(thread).now_ns);
                return go_on(thread);
            }
            case OperationKind::join: mark_join(thread); return join(thread, operation.thread_id());
            case OperationKind::join_any: mark_join(thread); return join_any(thread);
            case OperationKind::lock:
            case OperationKind::read_lock:
            case OperationKind::write_lock: take_lock(thread, operation.object); break;
            case OperationKind::unlock:
            case OperationKind::read_write_unlock: drop_lock(thread, operation.object); break;
            case OperationKind::condition_wait: return condition_wait(thread, operation);
            case OperationKind::condition_signal: condition_signal(thread, operation); break;
            case OperationKind::condition_barrier: {
                auto const index = static_cast<std::size_t>(operation.value);
                return arrive(thread, condition_barriers_[index], program_.barriers[index].participants);
            }
            case OperationKind::barrier_wait:
                return arrive(thread, barriers_[operation.object],
                              static_cast<std::uint64_t>(operation.value));
            case OperationKind::semaphore_wait: return semaphore_wait(thread, semaphores_[operation.object]);
            case OperationKind::semaphore_post:
                semaphore_post(thread, semaphores_[operation.object], operation.value);
                break;
            case OperationKind::delay:
            case OperationKind::input_output:
                graph_.waiting_ns += operation.value;
                state(thread).now_ns += operation.value;
                break;
            case OperationKind::activate: return activate(thread, operation.thread_id());
            case OperationKind::accept: return accept(thread);
            case OperationKind::work_only:
            case OperationKind::yield:
            case OperationKind::set_affinity:
            case OperationKind::set_priority: break;
        }
        go_on(thread);
    }

    void end(ThreadId thread) {
        auto const last = end_segment(thread);
        state(thread).has_ended = true;
        auto const now_ns = state(thread).now_ns;
        graph_.time_ns = std::max(graph_.time_ns, now_ns);
        if (auto const joiner = joiners_[thread.index()]; !joiner.is_none()) {
            state(thread).is_joined = true;
            return release(joiner, last, now_ns);
        }
        if (!joining_any_.empty()) {
            auto const joiner = joining_any_.front();
            joining_any_.pop_front();
            state(thread).is_joined = true;
            return release(joiner, last, now_ns);
        }
        ended_.push_back(thread);
    }

    void mark_join(ThreadId thread) {
        if (auto const current = state(thread).current; !current.is_none())
            graph_.nodes[current.index()].precedes_join = true;
    }

    void join(ThreadId thread, ThreadId other) {
        if (!state(other).has_ended) {
            joiners_[other.index()] = thread;
            return;
        }
        state(other).is_joined = true;
        wait_for(thread, state(other).last);
        go_on(thread);
    }

    void join_any(ThreadId thread) {
        while (!ended_.empty() && state(ended_.front()).is_joined)
            ended_.pop_front();
        if (ended_.empty()) {
            joining_any_.push_back(thread);
            return;
        }
        auto const other = ended_.front();
        ended_.pop_front();
        join(thread, other);
    }

    static void note_held(ThreadState& self, NodeId node, std::int64_t work_ns) {
        for (auto& lock : self.held) {
            if (lock.parts.empty() || lock.parts.back().node != node)
                lock.parts.push_back({node});
            lock.parts.back().ns += work_ns;
        }
    }

    void take_lock(ThreadId thread, std::uint32_t object) { state(thread).held.push_back({object, {}}); }

    // A lock that is held from one segment to the next is taken in each for its part of the time.
    void drop_lock(ThreadId thread, std::uint32_t object) {
        auto& self = state(thread);
        auto const found = std::find_if(self.held.rbegin(), self.held.rend(),
                                        [&](HeldLock const& lock) { return lock.object == object; });
        if (found == self.held.rend())
            return;
        auto const node = self.current.is_none() ? self.last : self.current;
        if (found->parts.empty() && !node.is_none())
            found->parts.push_back({node});
        for (auto const& part : found->parts)
            graph_.locks.push_back({part.node, object, part.ns, &part == &found->parts.front()});
        self.held.erase(std::next(found).base());
    }

    void condition_wait(ThreadId thread, Operation const& operation) {
        auto const [mutex, token] = decode_wait(operation.value);
        if (!mutex.is_none()) {  // which the wait drops and takes again
            drop_lock(thread, mutex.value);
            take_lock(thread, mutex.value);
        }
        bool const is_free = !token || *token < program_.objects[operation.object].initial_count;
        if (is_free)
            return go_on(thread);
        Token const key{operation.object, *token};
        if (auto const granted = granted_.find(key); granted != granted_.end()) {
            wait_for(thread, granted->second);
            return go_on(thread);
        }
        waiting_for_token_.emplace(key, thread);
    }

    void condition_signal(ThreadId thread, Operation const& operation) {
        auto const grant = decode_grant(operation.value);
        if (grant.tokens == 0)
            return;
        auto const by = end_segment(thread);
        for (std::uint32_t token = grant.first; token < grant.first + grant.tokens; ++token) {
            Token const key{operation.object, token};
            granted_.emplace(key, by);
            auto const [first, last] = waiting_for_token_.equal_range(key);
            for (auto waiter = first; waiter != last; ++waiter)
                release(waiter->second, by, state(thread).now_ns);
            waiting_for_token_.erase(first, last);
        }
    }

    void arrive(ThreadId thread, Arrivals& arrivals, std::uint64_t participants) {
        arrivals.push_back(thread);
        if (arrivals.size() < participants)
            return;
        auto const point = graph_.add({.thread = ThreadId::none()});
        for (auto const other : arrivals) {
            graph_.edges.emplace_back(end_segment(other), point);
            state(other).last = point;
            state(other).now_ns = state(thread).now_ns;
        }
        for (auto const other : std::exchange(arrivals, {}))
            go_on(other);
    }

    void semaphore_wait(ThreadId thread, Semaphore& semaphore) {
        if (semaphore.units.empty()) {
            semaphore.waiting.push_back(thread);
            return;
        }
        wait_for(thread, semaphore.units.front().by);
        if (--semaphore.units.front().left == 0)
            semaphore.units.pop_front();
        go_on(thread);
    }

    void semaphore_post(ThreadId thread, Semaphore& semaphore, std::int64_t units) {
        auto const by = end_segment(thread);
        for (; units > 0 && !semaphore.waiting.empty(); --units) {
            auto const waiter = semaphore.waiting.front();
            semaphore.waiting.pop_front();
            release(waiter, by, state(thread).now_ns);
        }
        if (units > 0)
            semaphore.units.push_back({by, units});
    }

    void activate(ThreadId thread, ThreadId receiver) {
        if (!rendezvous_[receiver.index()].is_accepting) {
            rendezvous_[receiver.index()].callers.push_back(thread);
            return;
        }
        rendezvous_[receiver.index()].is_accepting = false;
        meet(thread, receiver, state(thread).now_ns);
    }

    void accept(ThreadId thread) {
        auto& own = rendezvous_[thread.index()];
        if (own.callers.empty()) {
            own.is_accepting = true;
            return;
        }
        auto const caller = own.callers.front();
        own.callers.pop_front();
        meet(caller, thread, state(thread).now_ns);
    }

    void meet(ThreadId caller, ThreadId receiver, std::int64_t now_ns) {
        auto const from_caller = end_segment(caller);
        auto const from_receiver = end_segment(receiver);
        release(caller, from_receiver, now_ns);
        release(receiver, from_caller, now_ns);
    }

    using Token = std::pair<std::uint32_t, std::uint32_t>;  // of a condition, its number

    ThreadProgram const& program_;
    SegmentGraph graph_;
    std::vector<ThreadState> threads_;
    std::vector<ThreadId> joiners_;  // by thread that is waited for; none
    std::deque<ThreadId> ended_;     // that nobody has joined, but for those that a join named
    std::deque<ThreadId> joining_any_;
    std::vector<Arrivals> barriers_;            // by object
    std::vector<Arrivals> condition_barriers_;  // by the value of condition_barrier
    std::vector<Semaphore> semaphores_;         // by object
    std::vector<Rendezvous> rendezvous_;        // by thread that accepts
    std::map<Token, NodeId> granted_;
    std::multimap<Token, ThreadId> waiting_for_token_;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

}  // namespace

Result<SegmentGraph> segments_of(ThreadProgram const& program) {
    return SegmentReplay(program).run();
}

}  // namespace parcast::extract
