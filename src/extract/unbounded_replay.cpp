#include "extract/unbounded_replay.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <queue>
#include <set>
#include <utility>

namespace parcast::extract {

namespace {

class UnboundedReplay {
public:
    UnboundedReplay(ThreadProgram const& program, std::span<Meeting const> meetings, Decide const& decide)
        : program_(program),
          decide_(decide),
          threads_(program.lists.size()),
          semaphores_(program.objects.size()),
          barriers_(program.objects.size()),
          condition_barriers_(program.barriers.size()) {
        for (std::size_t object = 0; object < program.objects.size(); ++object)
            semaphores_[object].units = program.objects[object].initial_count;
        for (Meeting const& meeting : meetings)
            add(meeting);
        for (auto& thread : threads_)
            std::ranges::sort(thread.stops, {}, [](StopOfThread const& stop) { return stop.first; });
    }

    void run() {
        advance(ThreadId(0));
        while (decides_one() || executes_one() || decides_one_without_some()) {
        }
        for (std::size_t meeting = 0; meeting < meetings_.size(); ++meeting)
            if (!meetings_[meeting].is_decided)
                decide_at_zero(meeting);
    }

private:
    struct StopOfThread {
        std::uint32_t first;
        std::uint32_t last;
        std::size_t meeting;
        std::size_t place;  // in it
    };
    struct ThreadState {
        std::uint32_t position = 0;
        std::int64_t now_ns = 0;
        bool has_ended = false;
        bool is_joined = false;
        std::vector<StopOfThread> stops;
        std::size_t next_stop = 0;
        ThreadId joiner = ThreadId::none();
    };
    struct MeetingState {
        std::vector<std::int64_t> times_ns;  // by stop
        std::vector<ThreadId> threads;
        std::size_t have_come = 0;
        bool is_decided = false;
    };
    struct Semaphore {
        std::int64_t units = 0;
        std::deque<ThreadId> waiting;
    };
    using Due = std::pair<std::int64_t, std::uint32_t>;     // when, thread
    using Token = std::pair<std::uint32_t, std::uint32_t>;  // of a condition, its number

    ThreadState& state(ThreadId thread) { return threads_[thread.index()]; }

    void add(Meeting const& meeting) {
        MeetingState added;
        for (Stop const& stop : meeting) {
            state(stop.thread)
                .stops.push_back({stop.first, stop.last, meetings_.size(), added.threads.size()});
            added.threads.push_back(stop.thread);
        }
        added.times_ns.assign(meeting.size(), never_ns);
        meetings_.push_back(std::move(added));
    }

    // On to the thread's next operation that concerns others, or to its next meeting.
    void advance(ThreadId thread) {
        auto& self = state(thread);
        auto const& list = program_.lists[thread.index()];
        while (!comes_to_meeting(self)) {
            Operation const& operation = list[self.position];
            self.now_ns += operation.work_ns;
            if (is_delay(operation.kind()))
                self.now_ns += operation.value;
            if (concerns_others(operation.kind())) {
                due_.emplace(self.now_ns, thread.value);
                return;
            }
            ++self.position;
        }
    }

    // Passes those that were decided without the thread.
    bool comes_to_meeting(ThreadState& self) {
        while (self.next_stop < self.stops.size() && self.stops[self.next_stop].first == self.position) {
            auto const& stop = self.stops[self.next_stop];
            auto& meeting = meetings_[stop.meeting];
            if (!meeting.is_decided) {
                meeting.times_ns[stop.place] = self.now_ns;
                open_.insert(stop.meeting);
                if (++meeting.have_come == meeting.threads.size())
                    complete_.push_back(stop.meeting);
                return true;
            }
            self.position = stop.last;
            ++self.next_stop;
        }
        return false;
    }

    void go_on(ThreadId thread) {
        ++state(thread).position;
        advance(thread);
    }

    void release(ThreadId thread, std::int64_t now_ns) {
        state(thread).now_ns = std::max(state(thread).now_ns, now_ns);
        go_on(thread);
    }

    void decide(std::size_t index) {
        auto& meeting = meetings_[index];
        meeting.is_decided = true;
        open_.erase(index);
        auto const came_ns = meeting.times_ns;
        decide_(index, meeting.times_ns);
        for (std::size_t place = 0; place < meeting.threads.size(); ++place) {
            if (came_ns[place] == never_ns)
                continue;
            state(meeting.threads[place]).now_ns = meeting.times_ns[place];
            advance(meeting.threads[place]);
        }
    }

    bool decides_one() {
        if (complete_.empty())
            return false;
        auto const meeting = complete_.front();
        complete_.pop_front();
        decide(meeting);
        return true;
    }

    bool decides_one_without_some() {
        if (open_.empty())
            return false;
        decide(*open_.begin());
        return true;
    }

    bool executes_one() {
        if (due_.empty())
            return false;
        ThreadId const thread(due_.top().second);
        due_.pop();
        execute(thread);
        return true;
    }

    void decide_at_zero(std::size_t index) {
        std::ranges::fill(meetings_[index].times_ns, 0);
        decide_(index, meetings_[index].times_ns);
    }

    void execute(ThreadId thread) {
        auto const& operation = program_.lists[thread.index()][state(thread).position];
        switch (operation.kind()) {
            case OperationKind::end: return end(thread);
            case OperationKind::create:
                state(operation.thread_id()).now_ns = state(thread).now_ns;
                advance(operation.thread_id());
                return go_on(thread);
            case OperationKind::join: return join(thread, operation.thread_id());
            case OperationKind::join_any: return join_any(thread);
            case OperationKind::condition_wait: return wait_for_token(thread, operation);
            case OperationKind::condition_signal: return grant_tokens(thread, operation);
            case OperationKind::condition_barrier: {
                auto const index = static_cast<std::size_t>(operation.value);
                return arrive(thread, condition_barriers_[index], program_.barriers[index].participants);
            }
            case OperationKind::barrier_wait:
                return arrive(thread, barriers_[operation.object],
                              static_cast<std::uint64_t>(operation.value));
            case OperationKind::semaphore_wait: return semaphore_wait(thread, semaphores_[operation.object]);
            case OperationKind::semaphore_post:
                return semaphore_post(thread, semaphores_[operation.object], operation.value);
            default: return go_on(thread);
        }
    }

    void end(ThreadId thread) {
        auto& self = state(thread);
        self.has_ended = true;
        if (!self.joiner.is_none()) {
            self.is_joined = true;
            return release(self.joiner, self.now_ns);
        }
        if (joining_any_.empty())
            return ended_.push_back(thread);
        auto const joiner = joining_any_.front();
        joining_any_.pop_front();
        self.is_joined = true;
        release(joiner, self.now_ns);
    }

    void join(ThreadId thread, ThreadId other) {
        auto& awaited = state(other);
        if (!awaited.has_ended) {
            awaited.joiner = thread;
            return;
        }
        awaited.is_joined = true;
        release(thread, awaited.now_ns);
    }

    void join_any(ThreadId thread) {
        while (!ended_.empty() && state(ended_.front()).is_joined)
            ended_.pop_front();
        if (ended_.empty())
            return joining_any_.push_back(thread);
        auto const other = ended_.front();
        ended_.pop_front();
        join(thread, other);
    }

    void wait_for_token(ThreadId thread, Operation const& operation) {
        auto const token = decode_wait(operation.value).token;
        if (!token || *token < program_.objects[operation.object].initial_count)
            return go_on(thread);
        Token const key{operation.object, *token};
        if (auto const granted = granted_.find(key); granted != granted_.end())
            return release(thread, granted->second);
        waiting_for_token_.emplace(key, thread);
    }

    void grant_tokens(ThreadId thread, Operation const& operation) {
        auto const now_ns = state(thread).now_ns;
        auto const grant = decode_grant(operation.value);
        for (std::uint32_t i = 0; i < grant.tokens; ++i) {
            Token const key{operation.object, grant.first + i};
            granted_.emplace(key, now_ns);
            auto const [first, last] = waiting_for_token_.equal_range(key);
            std::vector<std::pair<Token, ThreadId>> const waiters(first, last);
            waiting_for_token_.erase(first, last);
            for (auto const& [token, waiter] : waiters)
                release(waiter, now_ns);
        }
        go_on(thread);
    }

    void arrive(ThreadId thread, std::vector<ThreadId>& arrivals, std::uint64_t participants) {
        arrivals.push_back(thread);
        if (arrivals.size() < participants)
            return;
        auto const now_ns = state(thread).now_ns;
        for (auto const other : std::exchange(arrivals, {}))
            release(other, now_ns);
    }

    void semaphore_wait(ThreadId thread, Semaphore& semaphore) {
        if (semaphore.units == 0)
            return semaphore.waiting.push_back(thread);
        --semaphore.units;
        go_on(thread);
    }

    void semaphore_post(ThreadId thread, Semaphore& semaphore, std::int64_t units) {
        auto const now_ns = state(thread).now_ns;
        for (; units > 0 && !semaphore.waiting.empty(); --units) {
            auto const waiter = semaphore.waiting.front();
            semaphore.waiting.pop_front();
            release(waiter, now_ns);
        }
        semaphore.units += units;
        go_on(thread);
    }

    ThreadProgram const& program_;
    Decide const& decide_;
    std::vector<ThreadState> threads_;
    std::vector<MeetingState> meetings_;
    std::set<std::size_t> open_;                             // meetings to which some have come
    std::deque<std::size_t> complete_;                       // to which all have, not decided yet
    std::vector<Semaphore> semaphores_;                      // by object
    std::vector<std::vector<ThreadId>> barriers_;            // by object: who waits
    std::vector<std::vector<ThreadId>> condition_barriers_;  // by the value of condition_barrier
    std::deque<ThreadId> ended_;  // that nobody has joined, but for those that a join named
    std::deque<ThreadId> joining_any_;
    std::map<Token, std::int64_t> granted_;  // when
    std::multimap<Token, ThreadId> waiting_for_token_;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

}  // namespace

void replay_unbounded(ThreadProgram const& program, std::span<Meeting const> meetings, Decide const& decide) {
    UnboundedReplay(program, meetings, decide).run();
}

}  // namespace parcast::extract
