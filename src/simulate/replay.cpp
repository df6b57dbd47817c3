#include "simulate/replay.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "program/tried_lock.h"

namespace parcast::simulate {

namespace {

// The object whose account counts the operation; none if it has no object or is not counted.
ObjectId counted_object(ThreadProgram const& program, Operation const& operation) {
    return traits_of(operation.kind()).counted ? object_of(program, operation) : ObjectId::none();
}

semantics::Locking locking_of(LockPolicy policy) {
    return policy == LockPolicy::hand_off ? semantics::Locking::hand_off : semantics::Locking::barging;
}

Ledger::Speed speed_of(Machine const& machine) {
    return is_flat(machine.rates, machine.cpus) ? Ledger::Speed::full : Ledger::Speed::varying;
}

// Client-server: an operation that was not executed yet; those behind it may have been.
constexpr Instant not_yet{-1};

Awaited awaited_by(OperationKind kind) {
    if (traits_of(kind).cause == WaitCause::thread)
        return names_thread(kind) ? Awaited::thread : Awaited::any_thread;
    return kind == OperationKind::condition_wait ? Awaited::token : Awaited::object;
}

}  // namespace

Replay::Replay(ThreadProgram const& program, Machine const& machine, Ledger::Sharing sharing,
               ReplayOptions const& options)
    : program_(program),
      plan_(options.plan),
      variation_(options.variation),
      operations_(program, locking_of(machine.lock_policy), options.pairing),
      teams_(program, machine),
      ledger_(program, machine.cpus, sharing, speed_of(machine), options),
      event_delay_ns_(machine.costs.event_delay.ns),
      servers_(static_cast<std::size_t>(machine.devices.at_once)),
      threads_(program.lists.size()),
      waking_is_work_(
          std::ranges::any_of(program.objects, [](auto const& object) { return object.waking.ns > 0; })),
      counts_work_(sharing == Ledger::Sharing::shared || speed_of(machine) == Ledger::Speed::varying),
      logs_arrivals_(options.with_timeline && options.with_arrivals),
      logs_order_(options.with_order),
      takes_notes_(counts_work_ || logs_arrivals_ || logs_order_) {
    if (options.with_causes)
        cause_graph_.emplace(program);
    if (event_delay_ns_ > 0) {
        places_.resize(threads_.size(), CpuId::none());
        told_by_.resize(threads_.size(), ThreadId::none());
        past_events_.emplace(program);
    }
    for (std::size_t thread = 0; thread < threads_.size(); ++thread)
        go_to(ThreadId(thread), 0);
    if (options.with_timeline)
        causes_.emplace(threads_.size());
    if (logs_arrivals_)
        arrivals_.resize(threads_.size());
}

AllowedProcessors Replay::allowed_at_first(ThreadId thread, std::uint32_t processors) const {
    if (!plan_.empty() && plan_[thread.index()].cpu)
        return only_processor(*plan_[thread.index()].cpu);
    auto const& parameters = program_.parameters[thread.index()];
    return usable_affinity(parameters.affinity, processors, parameters.affinity_word);
}

Priority Replay::priority_at_first(ThreadId thread) const {
    auto const planned = plan_.empty() ? PlannedThread() : plan_[thread.index()];
    if (planned.real_time)
        return {SchedulingClass::real_time, *planned.real_time};
    if (planned.nice)
        return {SchedulingClass::fair, *planned.nice};
    return program_.parameters[thread.index()].priority;
}

bool Replay::is_planned_otherwise(ThreadId thread, Operation const& change) const {
    if (plan_.empty())
        return false;
    auto const& planned = plan_[thread.index()];
    return change.kind() == OperationKind::set_affinity ? planned.cpu.has_value()
                                                        : planned.nice || planned.real_time;
}

std::vector<ThreadId> Replay::begin() {
    auto initial = initial_threads(program_);
    for (ThreadId const thread : initial)
        begin(thread, 0, ThreadId::none());
    return initial;
}

void Replay::begin(ThreadId thread, std::int64_t now, ThreadId creator) {
    if (!creator.is_none())
        takes_path_of(thread, creator, now);
    threads_[thread.index()].sleeps.begin(now);
    teams_.begins(thread);
    ledger_.begins(thread, now);
}

Progress Replay::execute(ThreadId thread, std::int64_t now) {
    auto const next = operation(thread);
    if (event_delay_ns_ > 0)
        places_[thread.index()] = ledger_.processor_of(thread);
    bool const is_new = !operations_.retries(thread);
    if (is_new)
        arrive(thread, next, now);
    auto progress = operations_.execute(thread, next, number_of(thread));
    if (progress == Progress::delays && !sleeps(thread, next, now))
        progress = Progress::proceeds;
    if (cause_graph_)
        cause_graph_->executed(thread, number_of(thread), next, progress, operations_.releases(),
                               operations_.joined(), now);

    auto const event = past_events_ ? past_events_->executed(thread, next, progress, operations_, now,
                                                             places_[thread.index()])
                                    : std::nullopt;
    released_.clear();
    if (waking_is_work_)
        has_to_wake(thread, next, progress);
    for (auto const& release : operations_.releases())
        book(release, thread, now);
    operations_.releases().clear();

    switch (progress) {
        case Progress::proceeds:
            if (event && event->place != places_[thread.index()] && now < event->when + event_delay_ns_) {
                hears_of(*event, thread, next, now);
                return Progress::delays;
            }
            go_on(thread);
            break;
        case Progress::yields:
        case Progress::reschedules: go_on(thread); break;
        case Progress::blocks:
            if (auto const object = counted_object(program_, next); is_new && !object.is_none())
                ledger_.counts_blocked(object);
            [[fallthrough]];
        case Progress::delays: book_waiting(thread, next, progress, now); break;
        case Progress::goes_on:
            go_on_elsewhere(thread);
            go_on(thread);
            return Progress::proceeds;
        case Progress::ends:
            last_path_ns_ = threads_[thread.index()].path_ns;
            last_ended_ = thread;
            teams_.ends(thread);
            ledger_.ends(thread, now);
            break;
    }
    return progress;
}

// Client-server: the thread is at the wait behind which it goes on.
void Replay::go_on_elsewhere(ThreadId thread) {
    if (auto const place = operations_.take_place(thread))
        go_to(thread, *place);
}

// Who waits for the others may let somebody have the mutex. Who is the last at a barrier of a mutex and a
// condition may have to wait for its turn to take the mutex again.
bool Replay::is_last_to_arrive(ThreadId thread, Operation const& operation, Progress progress) const {
    if (progress == Progress::proceeds)
        return true;
    return operation.kind() == OperationKind::condition_barrier && progress == Progress::blocks &&
           waits_for(thread) != object_of(program_, operation);
}

// Who arrives last wakes the others that sleep. That work comes before the thread's next operation.
void Replay::has_to_wake(ThreadId thread, Operation const& operation, Progress progress) {
    waking_ns_ = 0;
    if (!is_arrival(operation.kind()) || !is_last_to_arrive(thread, operation, progress))
        return;
    auto const& barrier = program_.objects[object_of(program_, operation).index()];
    if (barrier.team && teams_.are_awake())
        return;
    waking_ns_ = variation_ == nullptr ? barrier.waking.ns : variation_->waking_ns(barrier.waking.ns);
    for (auto const& release : operations_.releases()) {
        // Else the mutex went to somebody whose turn it was.
        bool const waited_here = progress == Progress::proceeds || release.what == Release::What::requeues;
        if (waited_here && !threads_[release.thread.index()].spins)
            threads_[thread.index()].waking_ns += waking_ns_;
    }
}

void Replay::arrive(ThreadId thread, Operation const& operation, std::int64_t now) {
    ++executed_;
    threads_[thread.index()].path_ns += work_ns(thread);
    if (takes_notes_)
        note_arrival(thread, now);
    threads_[thread.index()].waking_ns = 0;  // it is done
    if (auto const object = counted_object(program_, operation); !object.is_none())
        ledger_.counts_operation(object);
}

void Replay::note_arrival(ThreadId thread, std::int64_t now) {
    if (counts_work_)
        ledger_.worked(thread, work_ns(thread));
    if (logs_order_)
        order_.push_back(thread);
    if (!logs_arrivals_)
        return;
    auto& arrivals = arrivals_[thread.index()];
    if (!operations_.jumps())
        return arrivals.push_back({now});
    arrivals.resize(program_.lists[thread.index()].size(), not_yet);
    arrivals[number_of(thread)] = {now};
}

void Replay::takes_path_of(ThreadId thread, ThreadId releaser, std::int64_t now) {
    threads_[thread.index()].path_ns = threads_[releaser.index()].path_ns;
    if (causes_)
        causes_->goes_on(thread, releaser, now);
}

void Replay::book_waiting(ThreadId thread, Operation const& operation, Progress progress, std::int64_t now) {
    if (progress == Progress::blocks) {
        threads_[thread.index()].spins = false;
        ledger_.waits(thread, ThreadState::blocked, now, operations_.waits_for(thread), operation.site());
        if (operation.kind() == OperationKind::activate || operation.kind() == OperationKind::accept)
            ledger_.waits_to_meet(thread);
        return;
    }
    bool const sleeps = traits_of(operation.kind()).cause == WaitCause::sleep;
    auto const state = sleeps ? ThreadState::sleeping : ThreadState::input_output;
    ledger_.waits(thread, state, now, operation.object_id(), operation.site());
    resume_at(thread, sleeps ? threads_[thread.index()].sleeps.until_ns() : served_at(operation, now));
}

// Whether a thread that comes to a delay has to wait.
bool Replay::sleeps(ThreadId thread, Operation const& operation, std::int64_t now) {
    return threads_[thread.index()].sleeps.end_of(operation, now) > now;
}

// First come, first served, by as many as there are (Broberg 2002, paper II: by one).
std::int64_t Replay::served_at(Operation const& operation, std::int64_t now) {
    if (servers_.empty())
        return now + operation.value;
    std::ranges::pop_heap(servers_, std::greater<>());
    auto& server = servers_.back();
    server = std::max(server, now) + operation.value;
    auto const served = server;
    std::ranges::push_heap(servers_, std::greater<>());
    return served;
}

void Replay::resume_at(ThreadId thread, std::int64_t when) {
    timers_.push({when, static_cast<std::uint64_t>(TimerKind::thread_resumes) << 32 | thread.value});
}

// What one processor does reaches another so much later.
bool Replay::hears_late(ThreadId thread, ThreadId releaser) const {
    return event_delay_ns_ > 0 && places_[thread.index()] != places_[releaser.index()];
}

// What it takes has happened, and did not reach its processor yet: it waits for the rest of the delay.
void Replay::hears_of(PastEvents::Event const& event, ThreadId thread, Operation const& operation,
                      std::int64_t now) {
    ledger_.waits(thread, ThreadState::blocked, now, counted_object(program_, operation), operation.site());
    told_by_[thread.index()] = event.by;
    resume_at(thread, event.when + event_delay_ns_);
    go_on(thread);
}

void Replay::becomes_ready(ThreadId thread, ThreadId releaser, std::int64_t now) {
    if (hears_late(thread, releaser)) {
        told_by_[thread.index()] = releaser;
        return resume_at(thread, now + event_delay_ns_);
    }
    released_.push_back(thread);
    ledger_.is_ready(thread, now, releaser);
}

void Replay::book(Release const& release, ThreadId releaser, std::int64_t now) {
    auto const thread = release.thread;
    if (release.what == Release::What::requeues) {
        ledger_.waits_on(thread, now, operations_.waits_for(thread), releaser);
        return;
    }
    if (release.what == Release::What::begins) {
        released_.push_back(thread);
        return begin(thread, now, releaser);
    }
    takes_path_of(thread, releaser, now);
    if (operations_.jumps())
        go_on_elsewhere(thread);
    if (release.what == Release::What::resumes)
        go_on(thread);
    becomes_ready(thread, releaser, now);
}

void Replay::saves(ThreadId thread, std::int64_t work_ns) {
    threads_[thread.index()].path_ns -= work_ns;
    if (counts_work_)
        ledger_.worked(thread, -work_ns);
}

void Replay::resume_after_delay(ThreadId thread, std::int64_t now) {
    if (event_delay_ns_ > 0 && !told_by_[thread.index()].is_none())
        return ledger_.is_ready(thread, now, std::exchange(told_by_[thread.index()], ThreadId::none()));
    if (cause_graph_)
        cause_graph_->resumes(thread, number_of(thread), now);
    go_on(thread);
    ledger_.is_ready(thread, now);
}

Run Replay::finish() {
    Run run;
    auto const completion = ledger_.last_change();
    if (!is_over())
        run.deadlock = deadlock(completion);
    ledger_.executed(executed_);
    run.accounts = ledger_.close(completion);
    run.accounts.path_busy = {last_path_ns_};
    if (cause_graph_ && !run.deadlock)
        run.causes = cause_graph_->finish(completion);
    run.order = std::move(order_);
    run.crossings = operations_.crossings();
    run.crossed_lock = operations_.crossed_lock();
    if (auto intervals = ledger_.intervals()) {
        run.timeline = timeline(run.accounts);
        run.timeline->intervals = std::move(*intervals);
        if (!run.deadlock)
            run.timeline->critical_path = causes_->path(last_ended_, {completion});
    }
    return run;
}

// All of it but the intervals and the path.
Timeline Replay::timeline(Accounts const& accounts) {
    Timeline timeline;
    timeline.origin = Origin::predicted;
    timeline.catalogue = program_.catalogue;
    timeline.cpus = accounts.cpus;
    timeline.length = accounts.completion;
    timeline.arrivals = std::move(arrivals_);
    // Parts of lists that a deadlock left over.
    for (auto& arrivals : timeline.arrivals)
        for (Instant& arrival : arrivals)
            if (arrival == not_yet)
                arrival = {accounts.completion.ns};
    return timeline;
}

Deadlock Replay::deadlock(std::int64_t when) const {
    Deadlock found{.when = {when}, .threads = {}};
    for (std::size_t index = 0; index < threads_.size(); ++index) {
        ThreadId const thread(index);
        if (!ledger_.is_live(thread))
            continue;
        auto const next = operations_.wait_of(thread, operation(thread));
        StuckThread stuck{.thread = thread, .object = operations_.waits_for(thread), .site = next.site()};
        stuck.awaited = awaited_by(next.kind());
        if (stuck.awaited == Awaited::thread)
            stuck.awaited_thread = next.thread_id();
        // Who only tries does not wait for the holder: the program would go on.
        if (!stuck.object.is_none() && !is_try(next))
            stuck.holder = operations_.holder(stuck.object);
        found.threads.push_back(stuck);
    }
    return found;
}

}  // namespace parcast::simulate
