#include "simulate/linux.h"

#include "simulate/linux_replay.h"

namespace parcast::simulate {

LinuxReplay::LinuxReplay(ThreadProgram const& program, Machine const& machine, Options const& options)
    : replay_(program, machine.cpus, machine.lock_policy, Ledger::Sharing::exclusive, options),
      scheduler_(std::get<LinuxScheduler>(machine.scheduler)),
      costs_(machine.costs),
      processors_(machine.cpus),
      tasks_(program.lists.size()),
      events_(machine.cpus),
      idle_(machine.cpus) {
    for (std::uint32_t number = 0; number < machine.cpus; ++number)
        idle_.insert(number);
    for (std::size_t thread = 0; thread < tasks_.size(); ++thread) {
        auto const& parameters = program.parameters[thread];
        tasks_[thread].affinity = usable_affinity(parameters.affinity, machine.cpus);
        tasks_[thread].priority = parameters.priority;
        tasks_[thread].weight = weight(parameters.priority.level);
    }
}

Run LinuxReplay::run() {
    ThreadId const initial(0);
    replay_.begin(initial, 0, ThreadId::none());
    // The program is running when the recording begins: its first thread needs no switch.
    processors_[choose_processor(task(initial))].last = initial;
    make_ready(initial, std::nullopt, 0);
    while (!replay_.is_over()) {
        auto const event = events_.first();
        auto const timer = replay_.timers().first();
        if (timer.is_never() && event.is_never())
            break;
        if (timer.time <= event.time) {
            replay_.timers().pop();
            on_timer(timer);
        } else {
            on_processor(event.slot(), event.time);
        }
    }
    return replay_.finish();
}

void LinuxReplay::on_timer(EventKey timer) {
    if (static_cast<TimerKind>(timer.order >> 32) == TimerKind::balance)
        return balance(timer.time);
    ThreadId const thread(timer.slot());
    replay_.resume_after_delay(thread, timer.time);
    make_ready(thread, std::nullopt, timer.time);
}

void LinuxReplay::on_processor(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    switch (processor.phase) {
        case Phase::idle: break;
        case Phase::waking: return dispatch(number, now);
        case Phase::switching:
            return processor.must_reschedule ? preempt(number, now) : run_current(number, now);
        case Phase::running:
            return now >= processor.phase_ends ? execute(number, now) : slice_is_over(number, now);
    }
}

// The running thread has done the work before its next operation. Executes it, and the operations after it
// that come before every other event.
void LinuxReplay::execute(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto const thread = processor.current;
    auto others = events_.first_but(number);
    for (;;) {
        if (begins_creation(number, now))
            return;
        auto const& operation = replay_.operation(thread);
        processor.executing = true;
        auto const progress = replay_.execute(thread, now);
        // Released threads are placed while the releaser still has its processor, as on Linux.
        for (auto const released : replay_.released())
            make_ready(released, number, now);
        processor.executing = false;
        if (!keeps_processor(number, progress, operation, now))
            return;
        if (!replay_.released().empty())
            others = events_.first_but(number);

        auto const next = processor.phase_ends;
        bool const within_slice = !has_slice(processor) || next <= processor.slice_ends;
        bool const comes_first = EventKey{next, number} < others && next < replay_.timers().first().time;
        if (!within_slice || !comes_first)
            return arm(number, now);
        now = next;
    }
}

// The cost of creating a thread comes before the thread.
bool LinuxReplay::begins_creation(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto const thread = processor.current;
    if (costs_.create_thread.ns == 0 || replay_.operation(thread).kind() != OperationKind::create)
        return false;
    if (std::exchange(task(thread).paid_creation, true)) {
        task(thread).paid_creation = false;
        return false;
    }
    charge(processor, now);
    task(thread).remaining_ns = 0;
    set_phase(number, Phase::switching);
    processor.phase_ends = now + costs_.create_thread.ns;
    replay_.ledger().switches(thread, now, CpuId(number));
    arm(number, now);
    return true;
}

// Whether the thread goes on here; if not, the processor has found something else to do.
bool LinuxReplay::keeps_processor(std::uint32_t number, Progress progress, Operation const& operation,
                                  std::int64_t now) {
    auto& processor = processors_[number];
    bool const leaves =
        progress == Progress::blocks || progress == Progress::delays || progress == Progress::ends;
    if (leaves) {
        charge(processor, now);
        dispatch(number, now);
        return false;
    }
    processor.phase_ends = now + replay_.work_ns(processor.current);
    if (progress == Progress::reschedules && !reschedules(number, operation, now))
        return false;
    if (progress == Progress::yields && !yields(number, now))
        return false;
    if (!processor.must_reschedule)
        return true;
    preempt(number, now);
    return false;
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
    if (!yielding.is_real_time()) {
        yielding.virtual_ns = std::max(yielding.virtual_ns, processor.fair.highest_rank());
    }
    yielding.remaining_ns = processor.phase_ends - now;
    replay_.ledger().is_ready(thread, now);
    enqueue(number, thread);
    dispatch(number, now);
    return false;
}

bool LinuxReplay::reschedules(std::uint32_t number, Operation const& operation, std::int64_t now) {
    auto& processor = processors_[number];
    auto const thread = processor.current;
    auto& changed = task(thread);
    charge(processor, now);
    if (operation.kind() == OperationKind::set_priority) {
        changed.priority = decode_priority(operation.value);
        changed.weight = weight(changed.priority.level);
        changed.virtual_ns = std::max(changed.virtual_ns, processor.minimum);
        bool const overtaken =
            !processor.real_time.empty() && is_more_urgent(task(processor.real_time.first()), processor);
        processor.must_reschedule = processor.must_reschedule || overtaken;
        return true;
    }
    changed.affinity = usable_affinity(static_cast<std::uint64_t>(operation.value), processor_count());
    if (allows(changed.affinity, number))
        return true;
    changed.remaining_ns = processor.phase_ends - now;
    replay_.ledger().is_ready(thread, now);
    make_ready(thread, number, now);
    dispatch(number, now);
    return false;
}

void LinuxReplay::slice_is_over(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    charge(processor, now);
    bool const others_have_had_no_more =
        has_slice(processor) && processor.fair.first_rank() <= task(processor.current).virtual_ns;
    if (others_have_had_no_more)
        return preempt(number, now);
    processor.slice_ends = now + scheduler_.slice.ns;
    arm(number, now);
}

// Takes the running thread, if there still is one, off the processor.
void LinuxReplay::preempt(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto const thread = processor.current;
    auto& preempted = task(thread);
    if (processor.phase == Phase::running) {
        charge(processor, now);
        preempted.remaining_ns = processor.phase_ends - now;
    }
    replay_.ledger().is_ready(thread, now);
    if (preempted.is_real_time()) {
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
        set_phase(number, Phase::idle);
        events_.clear(number);
        return;
    }
    auto& chosen = task(*next);
    processor.current = *next;
    if (chosen.ran_on && *chosen.ran_on != number)
        replay_.ledger().counts_migration();
    chosen.ran_on = number;
    bool const changes_threads = std::exchange(processor.last, *next) != *next;
    if (changes_threads)
        replay_.ledger().counts_switch();
    auto const cost = changes_threads ? costs_.context_switch.ns : 0;
    processor.slice_ends = now + cost + scheduler_.slice.ns;
    if (cost == 0)
        return run_current(number, now);
    set_phase(number, Phase::switching);
    processor.phase_ends = now + cost;
    replay_.ledger().switches(*next, now, CpuId(number));
    arm(number, now);
}

void LinuxReplay::run_current(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    set_phase(number, Phase::running);
    processor.charged_until = now;
    processor.phase_ends = now + task(processor.current).remaining_ns;
    replay_.ledger().runs(processor.current, now, CpuId(number));
    arm(number, now);
}

// Brings the virtual run time of the running thread, and the processor's clock, up to now.
void LinuxReplay::charge(Processor& processor, std::int64_t now) {
    auto& running = task(processor.current);
    if (running.is_real_time())
        return;
    running.virtual_ns += virtual_run_time(now - processor.charged_until, running.weight);
    processor.charged_until = now;
    auto const least = processor.fair.empty() ? running.virtual_ns
                                              : std::min(running.virtual_ns, processor.fair.first_rank());
    processor.minimum = std::max(processor.minimum, least);
}

bool LinuxReplay::has_slice(Processor const& processor) const {
    return !processor.fair.empty() && !task(processor.current).is_real_time();
}

void LinuxReplay::arm(std::uint32_t number, std::int64_t now) {
    auto const& processor = processors_[number];
    auto when = processor.phase_ends;
    if (processor.phase == Phase::running && has_slice(processor)) {
        when = std::min(when, std::max(processor.slice_ends, now));
    }
    events_.set(number, {when, number});
}

void LinuxReplay::set_phase(std::uint32_t number, Phase phase) {
    auto const before = std::exchange(processors_[number].phase, phase);
    if (before == phase)
        return;
    if (phase == Phase::idle)
        idle_.insert(number);
    if (before == Phase::idle)
        idle_.erase(number);
}

Run run_linux(ThreadProgram const& program, Machine const& machine, Options const& options) {
    return LinuxReplay(program, machine, options).run();
}

}  // namespace parcast::simulate
