#include "extract/passes/passes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace parcast::extract {

namespace {

Step join_step(Timeline const& recorded, EventReference reference) {
    Event const& event = recorded.events[reference.thread.index()][reference.index];
    switch (event.outcome) {
        case Outcome::failed: return {};
        case Outcome::timed_out:
        case Outcome::cut_off: return interrupted_step(recorded, reference);
        case Outcome::done: break;
    }
    if (event.related == no_object || event.related == reference.thread.value)
        return delay_step(event);
    return operation(OperationKind::join, event.related);
}

// Whether following parents from `thread` ends: a child of such a thread can be created by it.
bool has_a_beginning(Catalogue const& catalogue, ThreadId thread) {
    for (std::size_t steps = 0; steps < catalogue.threads.size(); ++steps) {
        if (thread.is_none() || thread == ThreadId(0))
            return true;
        thread = catalogue.threads[thread.index()].parent;
    }
    return false;
}

void adopt(Timeline const& recorded, std::vector<bool> const& created, Plan& plan) {
    for (std::size_t child = 1; child < created.size(); ++child) {
        if (created[child])
            continue;
        ThreadId const parent = recorded.catalogue.threads[child].parent;
        bool const is_usable = !parent.is_none() && has_a_beginning(recorded.catalogue, parent);
        auto const& events = recorded.events[child];
        plan.adoptions.push_back(
            {is_usable ? parent : ThreadId(0), ThreadId(child), events.empty() ? 0 : events.front().wall_ns});
        ++plan.doubts.adopted_threads;
    }
    std::sort(plan.adoptions.begin(), plan.adoptions.end(), [](Adoption const& a, Adoption const& b) {
        return std::tie(a.creator, a.wall_ns, a.child) < std::tie(b.creator, b.wall_ns, b.child);
    });
}

std::optional<Priority> priority_of(std::int64_t value) {
    Priority const priority = decode_priority(value);
    bool const is_fair = priority.scheduling_class == SchedulingClass::fair;
    bool const is_valid =
        is_fair ? priority.level >= -20 && priority.level <= 19 : priority.level >= 1 && priority.level <= 99;
    return is_valid ? std::optional(priority) : std::nullopt;
}

void set_initial(ThreadParameters& parameters, Event const& event) {
    if (event.kind == EventKind::set_affinity)
        parameters.affinity = static_cast<std::uint64_t>(event.value);
    else
        parameters.priority = *priority_of(event.value);
}

}  // namespace

void plan_threads(Timeline const& recorded, Plan& plan) {
    std::vector<bool> created(recorded.catalogue.threads.size());
    KindSet const kinds{EventKind::thread_join, EventKind::thread_create};
    for_each_event(recorded, plan.kinds, kinds, [&](EventReference reference, Event const& event) {
        if (event.kind == EventKind::thread_join)
            plan.at(reference) = join_step(recorded, reference);
        if (event.kind != EventKind::thread_create || event.related == no_object)
            return;
        bool const is_new =
            event.related != 0 && event.related != reference.thread.value && !created[event.related];
        if (is_new && event.outcome == Outcome::done) {
            created[event.related] = true;
            plan.at(reference) = operation(OperationKind::create, event.related);
        }
    });
    adopt(recorded, created, plan);
    for (auto const& events : recorded.events)
        plan.doubts.threads_alive += !events.empty() && events.back().outcome == Outcome::cut_off ? 1 : 0;
}

void plan_parameters(Timeline const& recorded, Plan& plan) {
    KindSet const kinds{EventKind::set_affinity, EventKind::set_priority, EventKind::set_concurrency};
    for_each_event(recorded, plan.kinds, kinds, [&](EventReference reference, Event const& event) {
        bool const is_affinity = event.kind == EventKind::set_affinity;
        if (event.outcome != Outcome::done)
            return;
        if (event.kind == EventKind::set_concurrency) {
            plan.at(reference) = operation(OperationKind::set_concurrency, no_object, event.value);
            return;
        }
        if (!is_affinity && !priority_of(event.value))
            return;
        if (event.related == reference.thread.value) {
            plan.at(reference) =
                operation(is_affinity ? OperationKind::set_affinity : OperationKind::set_priority, no_object,
                          event.value);
            return;
        }
        if (event.related == no_object) {
            ++plan.doubts.foreign_parameters;
            return;
        }
        auto const& target = recorded.events[event.related];
        if (target.empty() || target.front().wall_ns >= event.wall_ns)
            set_initial(plan.parameters[event.related], event);
        else
            ++plan.doubts.foreign_parameters;
    });
}

}  // namespace parcast::extract
