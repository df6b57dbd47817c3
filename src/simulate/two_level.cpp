#include "simulate/two_level_replay.h"

#include <bit>
#include <utility>

namespace parcast::simulate {

TwoLevelReplay::TwoLevelReplay(TwoLevelScheduler const& scheduler, ThreadProgram const& program,
                               Machine const& machine, ReplayOptions const& options)
    : replay_(program, machine, Ledger::Sharing::exclusive, options),
      scheduler_(scheduler),
      costs_(machine.costs),
      bound_creation_ns_(surcharge_ns(scheduler.create, scheduler.bound_create_percent)),
      bound_synchronisation_ns_(surcharge_ns(scheduler.synchronise, scheduler.bound_synchronise_percent)),
      most_in_pool_(program.lists.size()),
      processors_(machine.cpus),
      threads_(program.lists.size()),
      lwps_(most_in_pool_ + threads_.size()),
      queues_(machine.cpus),
      events_(machine.cpus),
      idle_(machine.cpus) {
    for (std::uint32_t number = 0; number < machine.cpus; ++number)
        idle_.insert(number);
    pool_ = pool_size_at_first();
    for (std::size_t lwp = pool_; lwp-- > 0;)
        parked_.emplace_back(lwp);
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
        auto& task = threads_[thread];
        task.allowed = replay_.allowed_at_first(ThreadId(thread), machine.cpus);
        task.priority = replay_.priority_at_first(ThreadId(thread));
        task.lwp = program.parameters[thread].lwp;
        if (!options.plan.empty())
            task.lwp = options.plan[thread].lwp.value_or(task.lwp);
        bind(ThreadId(thread));
    }
}

Run TwoLevelReplay::run() {
    for (ThreadId const initial : replay_.begin())
        becomes_ready(initial, {}, 0);
    has_begun_ = true;
    while (!replay_.is_over()) {
        auto const event = events_.first();
        auto const timer = replay_.timers().first();
        if (event.is_never() && timer.is_never())
            break;
        if (timer.time <= event.time)
            on_timer(timer);
        else
            on_processor(event.slot(), event.time);
    }
    return replay_.finish();
}

// Whether the thread has an LWP of its own from now on, and which processors and levels that has.
void TwoLevelReplay::bind(ThreadId thread) {
    auto& task = state(thread);
    auto const allowed = static_cast<std::size_t>(std::popcount(task.allowed.mask));
    bool const is_restricted = allowed == 1 || (allowed > 0 && allowed < processors_.size());
    task.own = LwpId::none();
    if (!is_restricted && task.lwp == LwpClass::pool && !task.is_real_time())
        return;
    task.own = LwpId(most_in_pool_ + thread.index());
    auto& own = state(task.own);
    own.thread = thread;
    own.allowed = task.allowed;
    own.real_time_level = task.is_real_time() ? task.priority.level : 0;
    own.nice = task.is_real_time() ? 0 : task.priority.level;
    own.boost = task.lwp == LwpClass::interactive ? interactive_boost : 0;
}

void TwoLevelReplay::becomes_ready(ThreadId thread, std::optional<std::uint32_t> releaser, std::int64_t now) {
    state(thread).left_ns = replay_.work_ns(thread);
    find_lwp(thread, releaser, now);
}

// Its own, a parked one of the pool, or, later, one that another thread leaves.
void TwoLevelReplay::find_lwp(ThreadId thread, std::optional<std::uint32_t> releaser, std::int64_t now) {
    auto const& task = state(thread);
    if (task.is_bound())
        return wakes(task.own, releaser, now);
    if (parked_.empty()) {
        replay_.ledger().lacks_carrier(thread);
        return user_.push_back(task.user_level(), thread, last_order_++);
    }
    auto const lwp = parked_.back();
    parked_.pop_back();
    state(lwp).thread = thread;
    wakes(lwp, releaser, now);
}

// The LWP has no thread any more: it takes another one, or parks. Whether it has one.
bool TwoLevelReplay::takes_next(LwpId lwp, std::int64_t now) {
    bool const is_own = lwp.index() >= most_in_pool_;
    auto const next = is_own ? std::nullopt : first_user_thread();
    if (next) {
        auto const thread = user_.take(*next);
        state(lwp).thread = thread;
        replay_.ledger().is_ready(thread, now);
        return true;
    }
    state(lwp).quantum_left_ns = 0;
    if (!is_own) {
        state(lwp).thread = ThreadId::none();
        parked_.push_back(lwp);
    }
    return false;
}

void TwoLevelReplay::on_timer(EventKey timer) {
    replay_.timers().pop();
    if (timer.order >> 32 == static_cast<std::uint64_t>(TimerKind::balance))
        return boost(timer.time);
    ThreadId const thread(timer.slot());
    replay_.resume_after_delay(thread, timer.time);
    becomes_ready(thread, {}, timer.time);
}

void TwoLevelReplay::on_processor(std::uint32_t number, std::int64_t now) {
    switch (processors_[number].phase) {
        case Phase::idle: break;
        case Phase::waking: return begin(number, now);
        case Phase::switching: state(thread_on(number)).owed_ns = 0; return go_on(number, now);
        case Phase::running: return advance(number, now);
    }
}

void TwoLevelReplay::advance(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto const thread = thread_on(number);
    auto& left_ns = state(thread).left_ns;
    left_ns -= now - processor.since;
    processor.since = now;
    Lead<EventKey> lead(events_, number);
    while (left_ns == 0) {
        auto const operation = replay_.operation(thread);
        if (!keeps_processor(number, operation, replay_.execute(thread, now), now))
            return;
        if (!replay_.released().empty())
            lead = {events_, number};
        auto const end = now + left_ns;
        if (end > processor.quantum_end || !lead.reaches(EventKey{end, number}) ||
            end >= replay_.timers().first().time)
            break;
        now = end;
        left_ns = 0;
        processor.since = now;
    }
    if (left_ns > 0 && now >= processor.quantum_end)
        return quantum_is_over(number, now);
    await(number);
}

// Whether the thread runs on after the operation that it executed.
bool TwoLevelReplay::keeps_processor(std::uint32_t number, Operation const& operation, Progress progress,
                                     std::int64_t now) {
    auto const lwp = processors_[number].lwp;
    auto const thread = state(lwp).thread;
    auto& task = state(thread);
    pay_for(task, operation);
    if (progress == Progress::blocks || progress == Progress::delays || progress == Progress::ends) {
        leaves(number, now);
        return false;
    }
    task.left_ns = replay_.work_ns(thread);
    for (auto const released : replay_.released())
        becomes_ready(released, number, now);
    if (operation.kind() == OperationKind::set_concurrency)
        grow_pool(operation.value, number, now);
    if (processors_[number].lwp != lwp)
        return false;
    if (progress == Progress::reschedules && !replay_.is_planned_otherwise(thread, operation) &&
        !reschedule(number, operation, now))
        return false;
    if (progress == Progress::yields && task.is_bound() && lets_lwps_run(number, now))
        return false;
    if (!user_.empty() && !task.is_bound() && lets_threads_run(number, progress == Progress::yields, now))
        return false;
    if (task.owed_ns == 0)
        return true;
    go_on(number, now);
    return false;
}

// pthread_setconcurrency, unless the machine says how many LWPs there are. The pool never shrinks: an LWP
// that has a thread would have to be waited for.
void TwoLevelReplay::grow_pool(std::int64_t wanted, std::uint32_t number, std::int64_t now) {
    if (scheduler_.lwps > 0 || scheduler_.lwps_per_cpu > 0)
        return;
    auto const most = std::min<std::int64_t>(wanted, static_cast<std::int64_t>(most_in_pool_));
    while (static_cast<std::int64_t>(pool_) < most) {
        LwpId const fresh(pool_++);
        if (takes_next(fresh, now))
            wakes(fresh, number, now);
    }
}

void TwoLevelReplay::pay_for(Task& task, Operation const& operation) {
    if (operation.kind() == OperationKind::create)
        task.owed_ns +=
            costs_.create_thread.ns + (state(operation.thread_id()).is_bound() ? bound_creation_ns_ : 0);
    else if (task.is_bound() && bound_synchronisation_ns_ != 0 && synchronises(operation.kind()))
        task.owed_ns += bound_synchronisation_ns_;
}

// Its thread waits, or has ended.
void TwoLevelReplay::leaves(std::uint32_t number, std::int64_t now) {
    auto const lwp = detach(number, now);
    for (auto const released : replay_.released())
        becomes_ready(released, number, now);
    if (takes_next(lwp, now))
        resume(number, lwp, now);
    else
        choose(number, now);
}

// The LWP changes threads: for one of a higher level, which the thread may have released; if it yields,
// for one of its own, too.
bool TwoLevelReplay::lets_threads_run(std::uint32_t number, bool yields, std::int64_t now) {
    auto const next = first_user_thread();
    auto const thread = thread_on(number);
    auto const level = state(thread).user_level();
    if (!next || next->level < level + (yields ? 0 : 1))
        return false;
    replay_.ledger().is_ready(thread, now);
    replay_.ledger().lacks_carrier(thread);
    auto const chosen = user_.take(*next);
    if (yields)
        user_.push_back(level, thread, last_order_++);
    else
        user_.push_front(level, thread, --first_order_);
    state(processors_[number].lwp).thread = chosen;
    begin(number, now);
    return true;
}

// Its priority or its processors have changed, and with them perhaps its LWP. Whether it runs on.
bool TwoLevelReplay::reschedule(std::uint32_t number, Operation const& operation, std::int64_t now) {
    auto const lwp = processors_[number].lwp;
    auto const thread = state(lwp).thread;
    auto& task = state(thread);
    bool const was_bound = task.is_bound();
    if (operation.kind() == OperationKind::set_affinity)
        task.allowed = usable_affinity(static_cast<std::uint64_t>(operation.value),
                                       static_cast<std::uint32_t>(processors_.size()));
    else
        task.priority = decode_priority(operation.value);
    bind(thread);
    if (!was_bound && !task.is_bound())
        return true;
    interrupt(number, now);
    if (was_bound && task.is_bound()) {
        resume(number, lwp, now);
    } else if (was_bound) {
        choose(number, now);
        find_lwp(thread, {}, now);
    } else if (takes_next(lwp, now)) {
        resume(number, lwp, now);
        find_lwp(thread, {}, now);
    } else {
        choose(number, now);
        find_lwp(thread, {}, now);
    }
    return false;
}

template <>
Run run_under(TwoLevelScheduler const& scheduler, ThreadProgram const& program, Machine const& machine,
              ReplayOptions const& options) {
    return TwoLevelReplay(scheduler, program, machine, options).run();
}

}  // namespace parcast::simulate
