#include "simulate/ledger.h"

#include <algorithm>

namespace parcast::simulate {

namespace {

bool ends_by_release(ThreadState state) {
    return state == ThreadState::blocked || state == ThreadState::spinning;
}

Duration whole(FixedPoint value) {
    return {static_cast<std::int64_t>(value >> fraction_bits)};
}

}  // namespace

Ledger::Ledger(ThreadProgram const& program, std::uint32_t cpus, Sharing sharing, Speed speed,
               ReplayOptions const& options)
    : program_(program),
      sharing_(sharing),
      speed_(speed),
      meter_(cpus),
      entries_(program.lists.size()),
      idle_by_object_(program.objects.size()),
      sink_(options.intervals) {
    accounts_.cpus = cpus;
    accounts_.threads.resize(program.lists.size());
    accounts_.objects.resize(program.objects.size());
    if (options.with_timeline)
        log_.emplace();
}

void Ledger::begins(ThreadId thread, std::int64_t now) {
    meter_.advance(now);
    meter_.thread_begins();
    accounts_.threads[thread.index()].created = {now};
    auto& entry = entries_[thread.index()];
    entry.live = true;
    entry.since = now;
    entry.meter_at_entry = meter_.integral();
    ++live_;
    last_change_ = now;
}

void Ledger::ends(ThreadId thread, std::int64_t now) {
    auto& entry = entries_[thread.index()];
    leave(thread, entry, now);
    meter_.thread_ends();
    accounts_.threads[thread.index()].ended = {now};
    entry.live = false;
    --live_;
}

void Ledger::spins(ThreadId thread, std::int64_t now, CpuId cpu, ObjectId object, SiteId site) {
    enter(thread, ThreadState::spinning, now, cpu);
    auto& entry = entries_[thread.index()];
    entry.object = object;
    entry.site = site;
    entry.meets = false;
}

void Ledger::is_ready(ThreadId thread, std::int64_t now, ThreadId releaser) {
    entries_[thread.index()].releaser = releaser;
    enter(thread, ThreadState::ready, now);
}

void Ledger::waits(ThreadId thread, ThreadState state, std::int64_t now, ObjectId object, SiteId site) {
    enter(thread, state, now);
    auto& entry = entries_[thread.index()];
    entry.object = object;
    entry.site = site;
}

void Ledger::waits_on(ThreadId thread, std::int64_t now, ObjectId object, ThreadId releaser) {
    auto& entry = entries_[thread.index()];
    auto const site = entry.site;
    entry.releaser = releaser;
    if (entry.state == ThreadState::spinning)
        return spins(thread, now, entry.cpu, object, site);
    if (entry.state == ThreadState::blocked)
        waits(thread, ThreadState::blocked, now, object, site);
    // Else it is about to spin again, and its processor is switching to it.
}

void Ledger::enter(ThreadId thread, ThreadState state, std::int64_t now, CpuId cpu) {
    auto& entry = entries_[thread.index()];
    leave(thread, entry, now);
    if (is_on_processor(state))
        meter_.thread_runs();
    auto const meter = state == ThreadState::running ? meter_.processor_share() : meter_.integral();
    entry = {.meter_at_entry = meter, .since = now, .cpu = cpu, .state = state, .live = true};
}

// After it the thread counts as not running; the caller says what comes next.
void Ledger::leave(ThreadId thread, Entry& entry, std::int64_t now) {
    meter_.advance(now);
    last_change_ = now;
    auto const elapsed = Duration{now - entry.since};
    auto& account = accounts_.threads[thread.index()];
    if (is_on_processor(entry.state)) {
        meter_.thread_stops();
        auto const on_processor = Duration{time_on_processor(entry, elapsed.ns)};
        account[entry.state] += on_processor;
        account[ThreadState::ready] += elapsed - on_processor;
    } else {
        account[entry.state] += elapsed;
        if (elapsed.ns > 0)
            charge_idle(entry);
    }
    if (!entry.object.is_none()) {
        auto& object = accounts_.objects[entry.object.index()];
        object.waiting += elapsed;
        if (entry.state == ThreadState::spinning)
            object.spinning += elapsed;
    }
    if ((log_ || sink_ != nullptr) && elapsed.ns > 0)
        hand_over(thread, entry, now);
}

void Ledger::hand_over(ThreadId thread, Entry const& entry, std::int64_t now) {
    Interval const interval{.begin = {entry.since},
                            .end = {now},
                            .thread = thread,
                            .cpu = entry.cpu,
                            .object = entry.object,
                            .releaser = ends_by_release(entry.state) ? entry.releaser : ThreadId::none(),
                            .site = entry.site,
                            .state = entry.state};
    if (log_)
        log_->add(interval);
    if (sink_ != nullptr)
        (*sink_)(interval);
}

// A thread that shares a processor has only its share; at full speed that is the work that it has done.
std::int64_t Ledger::time_on_processor(Entry const& entry, std::int64_t elapsed_ns) const {
    if (sharing_ == Sharing::exclusive || entry.state != ThreadState::running)
        return elapsed_ns;
    auto const used_ns =
        speed_ == Speed::full ? entry.work_ns : whole(meter_.processor_share() - entry.meter_at_entry).ns;
    return std::min(used_ns, elapsed_ns);
}

void Ledger::charge_idle(Entry const& entry) {
    auto const charge = meter_.integral() - entry.meter_at_entry;
    idle_by_cause_[static_cast<std::size_t>(cause_of(entry))] += charge;
    if (!entry.object.is_none())
        idle_by_object_[entry.object.index()] += charge;
}

Ledger::IdleCause Ledger::cause_of(Entry const& entry) const {
    switch (entry.state) {
        case ThreadState::sleeping: return IdleCause::sleeping;
        case ThreadState::input_output: return IdleCause::input_output;
        case ThreadState::blocked: break;
        default: return entry.lacks_carrier ? IdleCause::carrier : IdleCause::ready;
    }
    if (entry.object.is_none())
        return entry.meets ? IdleCause::conditions : IdleCause::joining;
    switch (program_.catalogue.objects[entry.object.index()].kind) {
        case ObjectKind::mutex:
        case ObjectKind::spin_lock:
        case ObjectKind::reader_writer_lock: return IdleCause::locks;
        default: return IdleCause::conditions;
    }
}

Accounts Ledger::close(std::int64_t completion) {
    for (std::size_t index = 0; index < entries_.size(); ++index)
        if (entries_[index].live)
            ends(ThreadId(index), completion);
    accounts_.completion = {completion};
    close_work();
    close_processors(completion);
    return std::move(accounts_);
}

void Ledger::close_work() {
    for (auto const& thread : accounts_.threads) {
        accounts_.busy += thread[ThreadState::running];
        accounts_.overhead += thread[ThreadState::switching];
        accounts_.spinning += thread[ThreadState::spinning];
    }
    if (speed_ == Speed::full)
        return;
    // Shares are rounded down: a nanosecond that an interval lacks is not a negative slow-down.
    accounts_.slowed = std::max(Duration{0}, accounts_.busy - Duration{worked_ns_});
    accounts_.busy -= accounts_.slowed;
}

void Ledger::close_processors(std::int64_t completion) {
    auto const by_cause = [&](IdleCause cause) {
        return whole(idle_by_cause_[static_cast<std::size_t>(cause)]);
    };
    auto& idle = accounts_.idle;
    idle.ready = by_cause(IdleCause::ready);
    idle.locks = by_cause(IdleCause::locks);
    idle.conditions = by_cause(IdleCause::conditions);
    idle.input_output = by_cause(IdleCause::input_output);
    idle.sleeping = by_cause(IdleCause::sleeping);
    idle.joining = by_cause(IdleCause::joining);
    idle.carrier = by_cause(IdleCause::carrier);
    idle.no_thread = {meter_.without_thread_ns()};
    for (std::size_t index = 0; index < idle_by_object_.size(); ++index)
        accounts_.objects[index].idle_processors = whole(idle_by_object_[index]);
    // What is left are fractions of nanoseconds: shares rounded down, and completions that a shared
    // processor rounds up. There it was a thread that had no processor.
    auto const capacity = Duration{completion} * accounts_.cpus;
    auto const used = accounts_.busy + accounts_.slowed + accounts_.spinning + accounts_.overhead;
    idle.ready += capacity - used - idle.total();
}

std::optional<IntervalColumns> Ledger::intervals() const {
    if (!log_)
        return std::nullopt;
    return log_->columns(program_.lists.size());
}

}  // namespace parcast::simulate
