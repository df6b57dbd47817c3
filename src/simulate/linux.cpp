#include <algorithm>
#include <bit>

#include "simulate/linux_replay.h"

namespace parcast::simulate {

namespace {

constexpr std::int64_t with_periods = 2;  // of LinuxScheduler::eevdf

// Linux's times for one CPU, grown for more, up to eight (get_update_sysctl_factor, logarithmic scaling).
LinuxScheduler grown_with_processors(LinuxScheduler scheduler, std::uint32_t processors) {
    if (scheduler.eevdf != with_periods)
        return scheduler;
    auto const factor = static_cast<std::int64_t>(std::bit_width(std::min<std::uint32_t>(processors, 8)));
    scheduler.slice.ns *= factor;
    scheduler.wake_up_granularity.ns *= factor;
    return scheduler;
}

}  // namespace

LinuxReplay::LinuxReplay(ThreadProgram const& program, Machine const& machine, ReplayOptions const& options)
    : replay_(program, machine, Ledger::Sharing::exclusive, options),
      scheduler_(grown_with_processors(std::get<LinuxScheduler>(machine.scheduler), machine.cpus)),
      costs_(machine.costs),
      waiting_policy_(machine.waiting),
      refill_ns_(std::min(program.refill.ns, scheduler_.slice.ns / 2)),
      eevdf_(scheduler_.eevdf == 1),
      has_periods_(scheduler_.eevdf == with_periods),
      processors_(machine.cpus, Processor(scheduler_.idle_pull_percent)),
      tasks_(program.lists.size()),
      events_(machine.cpus),
      work_clock_(machine.cpus, machine.rates),
      rates_vary_(!work_clock_.is_flat()),
      loads_matter_(program.lists.size() > machine.cpus),
      half_life_ns_(ticks_a_half_life * scheduler_.balance_interval.ns),
      completions_(rates_vary_ ? machine.cpus : 0),
      work_ends_(rates_vary_ ? machine.cpus : 0),
      idle_(machine.cpus),
      lock_lines_(program.objects.size(), machine.cpus, costs_.hot_handover.ns),
      idle_search_(machine.cpus, scheduler_.idle_search_percent, scheduler_.balance_interval.ns) {
    for (std::uint32_t number = 0; number < machine.cpus; ++number)
        idle_.insert(number);
    space_out_balancing();
    if (options.variation != nullptr && options.variation->seed != 0)
        begins_at_another_moment(options.variation->seed);
    for (std::size_t thread = 0; thread < tasks_.size(); ++thread) {
        auto& task = tasks_[thread];
        task.affinity = replay_.allowed_at_first(ThreadId(thread), machine.cpus);
        task.priority = replay_.priority_at_first(ThreadId(thread));
        task.weight = weight(task.priority.level);
        task.turn_left_ns = scheduler_.real_time_slice.ns;
    }
}

// The running thread has so much work before its next operation.
template <bool rates_vary>
void LinuxReplay::plan_work(std::uint32_t number, std::int64_t work_ns, std::int64_t now) {
    if constexpr (rates_vary)
        work_ends_[number] = work_clock_.after(now, work_ns);
    else
        processors_[number].phase_ends = now + work_ns;
}

// The same for a thread that goes on as its work ends: from the exact end, which may lie a part of a
// nanosecond before `now`. Millions of operations of some nanoseconds would else be rounded up one by one.
template <bool rates_vary>
void LinuxReplay::plan_further_work(std::uint32_t number, std::int64_t work_ns, std::int64_t now) {
    if constexpr (rates_vary)
        work_ends_[number] += VirtualClock::span(work_ns);
    else
        processors_[number].phase_ends = now + work_ns;
}

// At the present rate.
template <bool rates_vary>
std::int64_t LinuxReplay::work_ends(std::uint32_t number) const {
    if constexpr (rates_vary)
        return work_clock_.real(work_ends_[number]);
    else
        return processors_[number].phase_ends;
}

Run LinuxReplay::run() {
    for (ThreadId const initial : replay_.begin()) {
        // The program is running when the recording begins: its first threads need no switch.
        auto& processor = processors_[choose_processor(task(initial), std::nullopt, 0)];
        if (processor.phase == Phase::idle)
            processor.last = initial;
        make_ready(initial, std::nullopt, 0);
    }
    if (rates_vary_)
        run_events<true>();
    else
        run_events<false>();
    return replay_.finish();
}

template <bool rates_vary>
void LinuxReplay::run_events() {
    while (!replay_.is_over()) {
        auto const event = events_.first();
        auto const timer = replay_.timers().first();
        auto const completion = rates_vary ? completions_.first() : EventKey{};
        auto const completes =
            completion.is_never() ? completion.time : work_clock_.real(VirtualClock::time(completion));
        if (timer.is_never() && event.is_never() && completion.is_never())
            break;
        if (timer.time <= std::min(event.time, completes)) {
            replay_.timers().pop();
            on_timer(timer);
        } else if (rates_vary && completes <= event.time) {
            execute<rates_vary>(completion.slot(), completes);
        } else {
            on_processor<rates_vary>(event.slot(), event.time);
        }
    }
}

void LinuxReplay::on_timer(EventKey timer) {
    if (static_cast<TimerKind>(timer.order >> 32) == TimerKind::balance)
        return balance(timer.time);
    ThreadId const thread(timer.slot());
    replay_.resume_after_delay(thread, timer.time);
    make_ready(thread, std::nullopt, timer.time);
}

template <bool rates_vary>
void LinuxReplay::on_processor(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    switch (processor.phase) {
        case Phase::idle: break;
        case Phase::waking: return dispatch(number, now);
        case Phase::switching:
            return processor.must_reschedule ? preempt(number, now) : run_current(number, now);
        case Phase::running:
            return now >= work_ends<rates_vary>(number) ? execute<rates_vary>(number, now)
                                                        : slice_is_over(number, now);
        case Phase::spinning:
            return now >= processor.phase_ends ? falls_asleep(number, now) : slice_is_over(number, now);
    }
}

// The running thread has done the work before its next operation. Executes it, and the operations after it
// that come before every other event.
template <bool rates_vary>
void LinuxReplay::execute(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto const thread = processor.current;
    auto lead = lead_over_others<rates_vary>(number);
    for (;;) {
        if (costs_.create_thread.ns != 0 && processors_.size() > 1 && begins_creation(number, now))
            return;
        if (lock_lines_.cost_something() && waits_for_line(number, now))
            return;
        auto const operation = replay_.operation(thread);
        processor.executing = true;
        auto const progress = replay_.execute(thread, now);
        // Released threads are placed while the releaser still has its processor, as on Linux.
        recorded_waking_ns_ = 0;
        for (auto const released : replay_.released())
            make_ready(released, number, now);
        processor.executing = false;
        if (!keeps_processor<rates_vary>(number, progress, operation, now))
            return;
        if (!replay_.released().empty())
            lead = lead_over_others<rates_vary>(number);

        if (!comes_first<rates_vary>(number, lead))
            return arm(number, now);
        now = work_ends<rates_vary>(number);
    }
}

// Over the events of the other processors that `comes_first` compares with.
template <bool rates_vary>
Lead<EventKey> LinuxReplay::lead_over_others(std::uint32_t number) const {
    return {rates_vary ? completions_ : events_, number};
}

// Whether the end of the running thread's work is the next event of all.
template <bool rates_vary>
bool LinuxReplay::comes_first(std::uint32_t number, Lead<EventKey>& lead) const {
    auto const& processor = processors_[number];
    auto const next = work_ends<rates_vary>(number);
    bool const within_slice = !has_slice(processor) || next <= slice_end(processor);
    if (!within_slice || next >= replay_.timers().first().time)
        return false;
    if constexpr (!rates_vary)
        return lead.reaches({next, number});
    return lead.reaches(VirtualClock::key(work_ends_[number], number)) &&
           next < events_.first_but(number).time;
}

// The cost of creating a thread comes before the thread.
bool LinuxReplay::begins_creation(std::uint32_t number, std::int64_t now) {
    auto const thread = processors_[number].current;
    if (replay_.operation(thread).kind() != OperationKind::create)
        return false;
    if (std::exchange(task(thread).paid_creation, true)) {
        task(thread).paid_creation = false;
        return false;
    }
    spend_before_operation(number, costs_.create_thread.ns, now);
    replay_.ledger().switches(thread, now, CpuId(number));
    return true;
}

// A lock that another processor has just used: its line has to come first.
bool LinuxReplay::waits_for_line(std::uint32_t number, std::int64_t now) {
    auto const thread = processors_[number].current;
    auto const lock = replay_.lock_word(thread);
    if (lock.is_none())
        return false;
    auto& user = task(thread);
    user.at_hot_lock = std::exchange(user.has_line, false);
    if (user.at_hot_lock)
        return false;
    auto const wait_ns = lock_lines_.wait_ns(lock, number, now);
    if (wait_ns == 0)
        return false;
    user.has_line = true;
    spend_before_operation(number, wait_ns, now);
    replay_.ledger().spins(thread, now, CpuId(number), lock, replay_.operation(thread).site());
    return true;
}

// The work before the thread's next operation is done, and the operation costs something before it happens.
// The caller books it.
void LinuxReplay::spend_before_operation(std::uint32_t number, std::int64_t cost_ns, std::int64_t now) {
    auto& processor = processors_[number];
    charge(processor, now);
    task(processor.current).remaining_ns = 0;
    set_phase(number, Phase::switching, now);
    processor.phase_ends = now + cost_ns;
    arm(number, now);
}

// Whether the thread goes on here; if not, the processor has found something else to do.
template <bool rates_vary>
bool LinuxReplay::keeps_processor(std::uint32_t number, Progress progress, Operation const& operation,
                                  std::int64_t now) {
    auto& processor = processors_[number];
    bool const leaves =
        progress == Progress::blocks || progress == Progress::delays || progress == Progress::ends;
    if (leaves) {
        charge(processor, now);
        if (progress != Progress::blocks || !begins_spinning(number, operation, now)) {
            goes_to_sleep(processor.current, number, now);
            dispatch(number, now);
        }
        return false;
    }
    auto const saved_ns = processor.owed_overhead_ns < 0 ? saved_on_wake_ups(number) : 0;
    plan_further_work<rates_vary>(number, replay_.work_ns(processor.current) - saved_ns, now);
    if (progress == Progress::reschedules && !reschedules(number, operation, now))
        return false;
    if (progress == Progress::yields && !yields(number, now))
        return false;
    if (processor.must_reschedule) {
        preempt(number, now);
        return false;
    }
    if (processor.owed_overhead_ns > 0) {
        pay_for_wake_ups(number, now);
        return false;
    }
    return true;
}

// Waking others took longer where it was recorded, and that is in the releaser's next work.
std::int64_t LinuxReplay::saved_on_wake_ups(std::uint32_t number) {
    auto& processor = processors_[number];
    auto const saved_ns =
        std::min(-std::exchange(processor.owed_overhead_ns, 0), replay_.work_ns(processor.current));
    replay_.saves(processor.current, saved_ns);
    return saved_ns;
}

// The releaser goes on when it has woken those that it released.
void LinuxReplay::pay_for_wake_ups(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    charge(processor, now);
    task(processor.current).remaining_ns = work_left_ns(number, now);
    set_phase(number, Phase::switching, now);
    processor.phase_ends = now + std::exchange(processor.owed_overhead_ns, 0);
    replay_.ledger().switches(processor.current, now, CpuId(number));
    arm(number, now);
}

// sched_yield: behind the other threads of its processor, of its own class or above.
bool LinuxReplay::yields(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto const thread = processor.current;
    auto& yielding = task(thread);
    auto const& queue = yielding.is_real_time() ? processor.real_time : processor.fair;
    if (queue.empty())
        return true;
    charge(processor, now);
    if (!yielding.is_real_time())
        (eevdf_ ? yielding.deadline_ns : yielding.virtual_ns) =
            std::max(fair_rank(yielding), processor.fair.highest_rank());
    yielding.remaining_ns = work_left_ns(number, now);
    replay_.ledger().is_ready(thread, now);
    enqueue(number, thread);
    dispatch(number, now);
    return false;
}

bool LinuxReplay::reschedules(std::uint32_t number, Operation const& operation, std::int64_t now) {
    auto& processor = processors_[number];
    auto const thread = processor.current;
    if (replay_.is_planned_otherwise(thread, operation))
        return true;
    auto& changed = task(thread);
    charge(processor, now);
    if (operation.kind() == OperationKind::set_priority) {
        changed.priority = decode_priority(operation.value);
        changed.weight = weight(changed.priority.level);
        changes_weight(changed, processor);
        bool const overtaken =
            !processor.real_time.empty() && is_more_urgent(task(processor.real_time.first()), processor);
        processor.must_reschedule = processor.must_reschedule || overtaken;
        return true;
    }
    changed.affinity = usable_affinity(static_cast<std::uint64_t>(operation.value), processor_count());
    if (changed.affinity.contain(number))
        return true;
    changed.remaining_ns = work_left_ns(number, now);
    leaves_fair_clock(changed, processor);
    replay_.ledger().is_ready(thread, now);
    make_ready(thread, number, now);
    dispatch(number, now);
    return false;
}

void LinuxReplay::slice_is_over(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    charge(processor, now);
    asks_again_if_served(processor, now);
    if (has_slice(processor) && is_overtaken(processor)) {
        lose_turn(number);
        return preempt(number, now);
    }
    processor.slice_ends = now + slice_left(task(processor.current));
    arm(number, now);
}

// A thread that only spins has nothing in the caches to lose.
void LinuxReplay::lose_turn(std::uint32_t number) {
    auto const thread = processors_[number].current;
    if (task(thread).spins)
        return;
    task(thread).lost_turn = true;
    replay_.ledger().counts_turn(thread);
}

// Work of its own, within its slice: a turn that is paid for gets less done, and there are as many of them.
void LinuxReplay::refill_caches(ThreadId thread) {
    task(thread).remaining_ns += refill_ns_;
    replay_.ledger().worked(thread, refill_ns_);
}

// Takes the running thread, if there still is one, off the processor.
void LinuxReplay::preempt(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto const thread = processor.current;
    auto& preempted = task(thread);
    if (processor.has_thread_on_it())
        charge(processor, now);
    average_load(processor, now);
    if (processor.phase == Phase::running)
        preempted.remaining_ns = work_left_ns(number, now);
    if (processor.phase == Phase::spinning)
        preempted.spin_left_ns = processor.phase_ends - now;
    if (preempted.spins)
        replay_.waits_off_processor(thread, now);
    else
        replay_.ledger().is_ready(thread, now);
    if (preempted.is_real_time() && preempted.turn_left_ns > 0) {
        preempted.processor = number;
        processor.real_time.push_first(thread, real_time_rank(preempted));
        ++waiting_;
        ++waiting_real_time_;
    } else {
        enqueue(number, thread);
    }
    dispatch(number, now);
    arm_balancing(now);
}

// Gives the processor to the most urgent thread that waits for it, or pulls one from another processor.
void LinuxReplay::dispatch(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    processor.current = ThreadId::none();
    processor.must_reschedule = false;
    if (waiting_real_time_ > 0)
        pull_real_time(number, now);
    if (processor.waiting() == 0 && waiting_ > 0)
        pull_fair(number, now);
    auto const next = pick(number);
    if (!next) {
        processor.owed_overhead_ns = 0;  // nobody waits for it to be over
        set_phase(number, Phase::idle, now);
        events_.clear(number);
        return;
    }
    auto& chosen = task(*next);
    average_load(processor, now);
    average_load(chosen, 1, 0, now);
    processor.current = *next;
    if (chosen.ran_on && *chosen.ran_on != number)
        replay_.ledger().counts_migration();
    chosen.ran_on = number;
    bool const changes_threads = std::exchange(processor.last, *next) != *next;
    if (changes_threads)
        replay_.ledger().counts_switch();
    if (std::exchange(chosen.lost_turn, false) && changes_threads)
        refill_caches(*next);
    auto cost = changes_threads ? costs_.context_switch.ns : 0;
    cost += std::max<std::int64_t>(0, std::exchange(processor.owed_overhead_ns, 0));
    if (std::exchange(chosen.queued_to_wake, false))
        cost += costs_.wake_up_same_cpu.ns;
    chosen.asks_again = false;
    if (chosen.turn_left_ns == 0)
        chosen.turn_left_ns = scheduler_.real_time_slice.ns;
    processor.slice_ends = now + cost + slice_left(chosen);
    processor.picked = now + cost;
    if (cost == 0)
        return run_current(number, now);
    set_phase(number, Phase::switching, now);
    processor.phase_ends = now + cost;
    replay_.ledger().switches(*next, now, CpuId(number));
    arm(number, now);
}

void LinuxReplay::run_current(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    processor.charged_until = now;
    if (task(processor.current).spins)
        return spin_current(number, now);
    set_phase(number, Phase::running, now);
    auto const work_ns = task(processor.current).remaining_ns;
    rates_vary_ ? plan_work<true>(number, work_ns, now) : plan_work<false>(number, work_ns, now);
    replay_.ledger().runs(processor.current, now, CpuId(number));
    arm(number, now);
}

// Brings the virtual run time of the running thread, and the processor's clock, up to now.
void LinuxReplay::charge(Processor& processor, std::int64_t now) {
    auto& running = task(processor.current);
    running.ran_until = now;
    average_load(processor, now);
    average_load(running, 1, 1, now);
    auto const ran_ns = now - std::exchange(processor.charged_until, now);
    if (running.is_real_time()) {
        // Turns followed each other while nobody waited.
        running.turn_left_ns -= ran_ns;
        if (running.turn_left_ns < 0)
            running.turn_left_ns =
                scheduler_.real_time_slice.ns + running.turn_left_ns % scheduler_.real_time_slice.ns;
        return;
    }
    running.virtual_ns += virtual_run_time(ran_ns, running.weight);
    if (eevdf_) {
        processor.minimum = fair_clock(processor);
        return;
    }
    auto const least = processor.fair.empty() ? running.virtual_ns
                                              : std::min(running.virtual_ns, processor.fair.first_rank());
    processor.minimum = std::max(processor.minimum, least);
}

void LinuxReplay::arm(std::uint32_t number, std::int64_t now) {
    auto const& processor = processors_[number];
    auto const is_timed_by_work = rates_vary_ && processor.phase == Phase::running;
    auto when = is_timed_by_work ? EventKey{}.time : processor.phase_ends;
    if (processor.has_thread_on_it() && has_slice(processor))
        when = std::min(when, std::max(slice_end(processor), now));
    events_.set(number, when == EventKey{}.time ? EventKey{} : EventKey{when, number});
    if (is_timed_by_work)
        completions_.set(number, VirtualClock::key(work_ends_[number], number));
}

std::int64_t LinuxReplay::work_left_ns(std::uint32_t number, std::int64_t now) const {
    return rates_vary_ ? VirtualClock::whole_ns(work_ends_[number] - work_clock_.at(now))
                       : processors_[number].phase_ends - now;
}

void LinuxReplay::set_phase(std::uint32_t number, Phase phase, std::int64_t now) {
    auto const before = std::exchange(processors_[number].phase, phase);
    if (before == phase)
        return;
    if (phase == Phase::idle) {
        processors_[number].idle_since_ns = now;
        idle_.insert(number);
        idle_search_.processor_stops(now);
    }
    if (before == Phase::idle) {
        idle_.erase(number);
        idle_search_.processor_starts(now);
    }
    if (!rates_vary_)
        return;
    if (before == Phase::running)
        completions_.clear(number);
    auto const is_busy = [](Phase some) { return some != Phase::idle && some != Phase::waking; };
    auto const busy = work_clock_.running() + (is_busy(phase) ? 1U : 0U) - (is_busy(before) ? 1U : 0U);
    if (busy != work_clock_.running())
        work_clock_.set_running(busy, now);
}

template <>
Run run_under(LinuxScheduler const& /*scheduler*/, ThreadProgram const& program, Machine const& machine,
              ReplayOptions const& options) {
    return LinuxReplay(program, machine, options).run();
}

}  // namespace parcast::simulate
