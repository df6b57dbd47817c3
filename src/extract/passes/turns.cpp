#include "extract/passes/turns.h"

#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "core/tournament.h"

namespace parcast::extract {

namespace {

struct Take {
    std::int64_t when_ns = std::numeric_limits<std::int64_t>::max();
    std::uint32_t thread = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t object = no_object;

    bool is_none() const { return object == no_object; }
    friend bool operator<(Take const& a, Take const& b) {
        return a.when_ns < b.when_ns || (a.when_ns == b.when_ns && a.thread < b.thread);
    }
};

// What the thread takes as the operation ends; no_object if it takes nothing.
std::uint32_t object_taken(Step const& step, Plan const& plan) {
    if (step.form != Step::Form::operation)
        return no_object;
    if (step.locked_mutex != no_object)
        return step.locked_mutex;
    if (step.released_mutex != no_object)
        return step.released_mutex;
    switch (step.kind) {
        case OperationKind::lock:
        case OperationKind::read_lock:
        case OperationKind::write_lock:
        case OperationKind::semaphore_wait:
        case OperationKind::barrier_wait: return step.object;
        case OperationKind::condition_wait: return decode_wait(step.value).mutex.value;
        case OperationKind::condition_barrier:
            return plan.barriers[static_cast<std::size_t>(step.value)].mutex.value;
        default: return no_object;
    }
}

// The takes of one thread, one after the other.
class TakesOfThread {
public:
    TakesOfThread(ThreadId thread, EventList const& events, StepList const& steps, Plan const& plan)
        : thread_(thread), events_(&events), steps_(&steps), plan_(&plan) {}

    // None after the last.
    Take next() {
        for (; index_ < events_->size(); ++index_) {
            Step const step = (*steps_)[index_];
            if (step.form == Step::Form::last)
                break;
            std::uint32_t const object = object_taken(step, *plan_);
            if (object == no_object)
                continue;
            Event const event = (*events_)[index_++];
            bool const arrives = step.kind == OperationKind::barrier_wait;
            return {arrives ? event.wall_ns : return_ns(event), thread_.value, object};
        }
        index_ = events_->size();
        return {};
    }

private:
    ThreadId thread_;
    EventList const* events_;
    StepList const* steps_;
    Plan const* plan_;
    std::size_t index_ = 0;
};

void add_take(Take const& take, Plan& plan) {
    auto& turns = plan.objects[take.object].turns;
    if (turns.empty() || turns.back().thread.value != take.thread)
        turns.push_back({ThreadId(take.thread), 0});
    ++turns.back().takes;
}

// Rule 3.
bool order_matters(ObjectParameters const& object, std::int64_t participants) {
    std::set<ThreadId> threads;
    for (Turn const turn : object.turns)
        threads.insert(turn.thread);
    auto const needed = static_cast<std::size_t>(participants);
    return threads.size() > std::max<std::size_t>(needed, 1);
}

std::vector<std::int64_t> participants_of_barriers(Timeline const& recorded, Plan const& plan) {
    std::vector<std::int64_t> participants(plan.objects.size());
    for_each_event(recorded, plan.kinds, {EventKind::barrier_wait},
                   [&](EventReference reference, Event const&) {
                       Step const step = plan.step(reference);
                       if (step.form == Step::Form::operation && step.kind == OperationKind::barrier_wait)
                           participants[step.object] = step.value;
                   });
    return participants;
}

}  // namespace

void plan_turns(Timeline const& recorded, Plan& plan) {
    std::size_t const threads = recorded.events.size();
    if (threads < 2)
        return;
    std::vector<TakesOfThread> takes;
    Tournament<Take> next(threads);
    for (std::size_t thread = 0; thread < threads; ++thread) {
        takes.emplace_back(ThreadId(thread), recorded.events[thread], plan.steps[thread], plan);
        next.set(thread, takes.back().next());
    }
    for (Take take = next.first(); !take.is_none(); take = next.first()) {
        // On one CPU a thread mostly takes several things before another one has its turn.
        std::size_t const thread = take.thread;
        Take const others = next.first_but(thread);
        for (; !take.is_none() && take < others; take = takes[thread].next())
            add_take(take, plan);
        next.set(thread, take);
    }
    auto const participants = participants_of_barriers(recorded, plan);
    for (std::size_t object = 0; object < plan.objects.size(); ++object) {
        ObjectParameters& parameters = plan.objects[object];
        if (parameters.kernel_lock != KernelLock::memory_areas &&
            order_matters(parameters, participants[object]))
            parameters.turns.shrink_to_fit();
        else
            parameters.turns = {};
    }
}

}  // namespace parcast::extract
