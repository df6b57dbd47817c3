#include "extract/tasks/segment_graph.h"

#include <algorithm>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "extract/unbounded_run.h"
#include "program/sleeps.h"

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
    NodeId last = NodeId::none();     // what the next segment comes after
    NodeId current = NodeId::none();  // the segment that runs, if it has begun
    bool has_created = false;         // since the last segment
    std::vector<HeldLock> held;
    Sleeps sleeps;
};

// What one post gave; none: what was there from the start.
struct Units {
    NodeId by = NodeId::none();
    std::int64_t left = 0;
};

// Builds the graph of the segments of an unbounded run.
class SegmentObserver {
public:
    explicit SegmentObserver(ThreadProgram const& program)
        : program_(program), threads_(program.lists.size()), granted_(program) {}

    // All of them, so that segments are numbered in the order in which they begin.
    static constexpr bool takes_turn(OperationKind) { return true; }

    // Its work is of the segment that runs.
    Place comes_to(ThreadId thread, std::uint32_t position, std::int64_t) {
        auto const work_ns = program_.lists[thread.index()][position].work_ns;
        if (work_ns > 0) {
            auto const node = running(thread);
            graph_.nodes[node.index()].work_ns += work_ns;
            note_held(state(thread), node, work_ns);
        }
        return {position};
    }

    void executed(Executed const& turn) {
        auto const& [thread, operation, proceeds, releases, joined, now_ns] = turn;
        switch (operation.kind()) {
            case OperationKind::end:
                graph_.time_ns = std::max(graph_.time_ns, now_ns);
                return hand_on(end_segment(thread), releases);
            case OperationKind::create:
                state(thread).has_created = true;
                state(operation.thread_id()).last = end_segment(thread);
                state(operation.thread_id()).sleeps.begin(now_ns);
                return;
            case OperationKind::join:
            case OperationKind::join_any:
                mark_join(thread);
                if (proceeds)
                    wait_for(thread, state(joined).last);
                return;
            case OperationKind::lock:
            case OperationKind::read_lock:
            case OperationKind::write_lock: return take_lock(thread, operation.object);
            case OperationKind::unlock:
            case OperationKind::read_write_unlock: return drop_lock(thread, operation.object);
            case OperationKind::condition_wait: return take_token(thread, operation, proceeds);
            case OperationKind::condition_signal: return hand_out_tokens(thread, operation, releases);
            case OperationKind::condition_barrier:
            case OperationKind::barrier_wait:
                if (proceeds)
                    meet_at_point(thread, releases);
                return;
            case OperationKind::semaphore_wait:
                if (proceeds)
                    wait_for(thread, take_unit(operation.object));
                return;
            case OperationKind::semaphore_post: {
                auto const by = end_segment(thread);
                hand_on(by, releases);
                give_units(operation.object, {by, std::int64_t{decode_grant(operation.value).tokens} -
                                                      static_cast<std::int64_t>(releases.size())});
                return;
            }
            case OperationKind::activate:
                if (proceeds)
                    exchange(thread, releases.front().thread);
                return;
            case OperationKind::accept:
                if (proceeds)
                    exchange(releases.front().thread, thread);
                return;
            case OperationKind::delay:
            case OperationKind::sleep_until:
            case OperationKind::input_output:
                graph_.waiting_ns += state(thread).sleeps.end_of(operation, now_ns) - now_ns;
                return;
            case OperationKind::work_only:
            case OperationKind::yield:
            case OperationKind::set_affinity:
            case OperationKind::set_priority:
            case OperationKind::set_concurrency: return;
        }
    }

    SegmentGraph take_graph() && { return std::move(graph_); }

private:
    ThreadState& state(ThreadId thread) { return threads_[thread.index()]; }

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

    void mark_join(ThreadId thread) {
        if (auto const current = state(thread).current; !current.is_none())
            graph_.nodes[current.index()].precedes_join = true;
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

    // Those that the segment released wait for it.
    void hand_on(NodeId by, std::span<semantics::Release const> releases) {
        for (auto const& release : releases)
            wait_for(release.thread, by);
    }

    void take_token(ThreadId thread, Operation const& operation, bool proceeds) {
        auto const mutex = decode_wait(operation.value).mutex;
        if (!mutex.is_none()) {  // which the wait drops and takes again
            drop_lock(thread, mutex.value);
            take_lock(thread, mutex.value);
        }
        if (proceeds)
            wait_for(thread, granted_.find(operation).value_or(NodeId::none()));
    }

    void hand_out_tokens(ThreadId thread, Operation const& operation,
                         std::span<semantics::Release const> releases) {
        if (decode_grant(operation.value).tokens == 0)
            return;
        auto const by = end_segment(thread);
        granted_.add(operation, by);
        hand_on(by, releases);
    }

    // The last to come releases the others: all segments end at a point, and all go on after it.
    void meet_at_point(ThreadId last, std::span<semantics::Release const> releases) {
        auto const point = graph_.add({.thread = ThreadId::none()});
        auto const arrives = [&](ThreadId thread) {
            graph_.edges.emplace_back(end_segment(thread), point);
            state(thread).last = point;
        };
        for (auto const& release : releases)
            arrives(release.thread);
        arrives(last);
    }

    // Each waits for the other.
    void exchange(ThreadId caller, ThreadId receiver) {
        auto const from_caller = end_segment(caller);
        auto const from_receiver = end_segment(receiver);
        wait_for(caller, from_receiver);
        wait_for(receiver, from_caller);
    }

    std::deque<Units>& units_of(std::uint32_t semaphore) {
        auto const [found, is_new] = units_.try_emplace(semaphore);
        auto const initial = program_.objects[semaphore].initial_count;
        if (is_new && initial > 0)
            found->second.push_back({NodeId::none(), initial});
        return found->second;
    }

    NodeId take_unit(std::uint32_t semaphore) {
        auto& units = units_of(semaphore);
        auto const by = units.front().by;
        if (--units.front().left == 0)
            units.pop_front();
        return by;
    }

    void give_units(std::uint32_t semaphore, Units given) {
        if (given.left > 0)
            units_of(semaphore).push_back(given);
    }

    ThreadProgram const& program_;
    SegmentGraph graph_;
    std::vector<ThreadState> threads_;
    Grants<NodeId> granted_;
    std::map<std::uint32_t, std::deque<Units>>
        units_;  // by semaphore, in the order in which they were posted; left > 0
};

}  // namespace

Result<SegmentGraph> segments_of(ThreadProgram const& program) {
    SegmentObserver observer(program);
    UnboundedRun run(program, observer);
    run.begin();
    while (run.step()) {
    }
    if (auto const stuck = run.live(); stuck > 0) {
        return fail(ErrorCode::inconsistent,
                    "without its locks the program does not end: " + std::to_string(stuck) +
                        (stuck == 1 ? " thread waits" : " threads wait") +
                        " for what nobody gives, so that there is no task graph of it");
    }
    return std::move(observer).take_graph();
}

}  // namespace parcast::extract
