#include "extract/passes/passes.h"

#include <algorithm>
#include <optional>

#include "extract/processor_use.h"
#include "timeline/run_delay.h"

namespace parcast::extract {

namespace {

constexpr KindSet waits{EventKind::input, EventKind::output,     EventKind::poll,  EventKind::open_close,
                        EventKind::sync,  EventKind::wait_child, EventKind::sleep, EventKind::yield};

// sigwait and its like name no descriptor, as polling does. A thread that takes signals waits for nearly as
// long as the program runs, until another thread sends it the last one.
bool waits_for_signal(Event const& event) {
    return event.kind == EventKind::poll && event.object.is_none();
}

// Made at the first call that waited for a device: it lists every wait of the recording, of which there may
// be millions in a program that does no I/O.
class UseWhenNeeded {
public:
    explicit UseWhenNeeded(Timeline const& recorded) : recorded_(recorded) {}
    std::int64_t device_wait(Event const& event) {
        if (!use_)
            use_.emplace(recorded_);
        return use_->device_wait(event);
    }

private:
    Timeline const& recorded_;  // the caller's, as long as it plans
    std::optional<ProcessorUse> use_;
};

// Less is what the kernel did for the call, counted by another clock.
constexpr std::int64_t least_wait_ns = 10'000;

// How long the call waited for what is outside, at most `most`: what it neither worked nor was ready for, if
// that was recorded; else as far as the other threads' use of the CPU tells.
std::int64_t outside_wait(Event const& event, std::int64_t most, UseWhenNeeded& use, Doubts& doubts) {
    if (!event.blocked)
        return 0;
    if (auto const delay = run_delay_ns(event)) {
        std::int64_t const wait = most - std::min(most, *delay);
        return wait < least_wait_ns ? 0 : wait;
    }
    std::int64_t const wait = std::clamp<std::int64_t>(use.device_wait(event), 0, most);
    doubts.estimated_waits += wait < most ? 1 : 0;
    return wait;
}

Step outside_step(Timeline const& recorded, EventReference reference, UseWhenNeeded& use, Doubts& doubts) {
    Event const& event = recorded.events[reference.thread.index()][reference.index];
    if (event.outcome == Outcome::cut_off)
        return interrupted_step(recorded, reference);
    if (waits_for_signal(event) && event.outcome == Outcome::done) {
        doubts.signal_waits += event.blocked ? 1 : 0;
        return {};
    }
    std::int64_t const most = std::max<std::int64_t>(0, event.span_ns - event.cpu_inside_ns);
    std::int64_t const wait = outside_wait(event, most, use, doubts);
    if (wait == 0)
        return {};
    bool const has_descriptor = !event.object.is_none() && event.kind != EventKind::wait_child;
    return has_descriptor ? operation(OperationKind::input_output, event.object.value, wait)
                          : operation(OperationKind::delay, no_object, wait);
}

Step sleep_step(Timeline const& recorded, EventReference reference, Event const& event) {
    if (event.outcome == Outcome::cut_off)
        return interrupted_step(recorded, reference);
    std::int64_t const slept =
        event.outcome == Outcome::failed ? std::min(event.value, event.span_ns) : event.value;
    return operation(OperationKind::delay, no_object, std::max<std::int64_t>(0, slept));
}

// The thread's last event at which it does what a napping thread waits for (polling/polling.h).
std::size_t last_cause(Plan const& plan, std::size_t thread) {
    std::size_t last = 0;
    for (AddedOperation const& each : plan.added)
        if (each.event.thread.index() == thread && each.kind == OperationKind::semaphore_post)
            last = std::max<std::size_t>(last, each.event.index);
    return last;
}

bool helps_others(Step const& step) {
    if (step.form != Step::Form::operation)
        return false;
    Role const role = traits_of(step.kind).role;
    return role == Role::releases || role == Role::meets;
}

// The thread's first event after the last one at which it helps another thread.
std::size_t first_in_background(Plan const& plan, std::size_t thread) {
    auto const& steps = plan.steps[thread];
    std::size_t first = steps.size();
    for (std::size_t const cause = last_cause(plan, thread);
         first > cause && !helps_others(steps[first - 1]);)
        --first;
    return first;
}

// From this event on it works for a hundredth of the time of its input and output at most.
bool does_next_to_nothing(EventList const& events, StepList const& steps, std::size_t first) {
    constexpr std::int64_t waits_over_work = 100;
    std::int64_t cpu_ns = 0;
    std::int64_t waited_ns = 0;
    for (std::size_t i = first; i < events.size(); ++i) {
        Event const event = events[i];
        Step const step = steps[i];
        cpu_ns += event.cpu_ns + event.cpu_inside_ns;
        if (step.form == Step::Form::operation && step.kind == OperationKind::input_output)
            waited_ns += step.value;
    }
    return cpu_ns <= waited_ns / waits_over_work;
}

}  // namespace

void plan_waits(Timeline const& recorded, Plan& plan) {
    UseWhenNeeded use(recorded);
    auto const& planned = plan.channel_events;
    for_each_event(recorded, plan.kinds, waits, [&](EventReference reference, Event const& event) {
        if (std::binary_search(planned.begin(), planned.end(), reference))
            return;
        if (event.kind == EventKind::sleep)
            plan.at(reference) = sleep_step(recorded, reference, event);
        else if (event.kind != EventKind::yield)
            plan.at(reference) = outside_step(recorded, reference, use, plan.doubts);
        else if (plan.step(reference).form == Step::Form::boundary)
            plan.at(reference) = operation(OperationKind::yield);  // unless it is an arrival at a barrier
    });
}

void drop_background_sleeps(Timeline const& recorded, Plan& plan) {
    for (std::size_t thread = 1; thread < recorded.events.size(); ++thread) {
        auto const& events = recorded.events[thread];
        if (events.back().outcome != Outcome::cut_off)
            continue;
        auto& steps = plan.steps[thread];
        std::size_t const first = first_in_background(plan, thread);
        bool const only_waits = does_next_to_nothing(events, steps, first);
        for (std::size_t i = steps.size(); i-- > first;) {
            Step const step = steps[i];
            bool const is_left_out =
                step.kind == OperationKind::delay || (only_waits && step.kind == OperationKind::input_output);
            if (step.form == Step::Form::operation && is_left_out) {
                // Whoever sleeps in a wait on a condition has given up the mutex.
                Step let_others_in = step;
                let_others_in.value = 0;
                steps[i] = step.released_mutex == no_object ? Step{} : let_others_in;
                ++plan.doubts.dropped_sleeps;
            }
        }
    }
}

}  // namespace parcast::extract
