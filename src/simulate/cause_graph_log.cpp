#include "simulate/cause_graph_log.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace parcast::simulate {

using semantics::Progress;
using semantics::Release;

namespace {

constexpr bool concerns_nobody(OperationKind kind) {
    auto const role = traits_of(kind).role;
    return role == Role::none || role == Role::schedules;
}

constexpr bool is_shared_release(OperationKind kind) {
    return kind == OperationKind::read_write_unlock;
}

// The mutex that a wait gives up and takes again.
ObjectId mutex_of(ThreadProgram const& program, Operation const& operation) {
    if (operation.kind() == OperationKind::condition_wait)
        return decode_wait(operation.value).mutex;
    if (operation.kind() == OperationKind::condition_barrier)
        return program.barriers[static_cast<std::size_t>(operation.value)].mutex;
    return ObjectId::none();
}

constexpr std::int64_t before_all = -1;  // instant of the units that are there from the start

bool gives_units(OperationKind kind) {
    return kind == OperationKind::semaphore_post || kind == OperationKind::condition_signal;
}

bool takes_units(OperationKind kind) {
    return kind == OperationKind::semaphore_wait || kind == OperationKind::condition_wait;
}

bool is_barrier(OperationKind kind) {
    return kind == OperationKind::barrier_wait || kind == OperationKind::condition_barrier;
}

}  // namespace

CauseGraphLog::CauseGraphLog(ThreadProgram const& program)
    : program_(program), threads_(program.lists.size()), objects_(program.objects.size()) {
    for (std::size_t object = 0; object < objects_.size(); ++object)
        if (auto const count = program.objects[object].initial_count; count > 0)
            objects_[object].units.push_back({{before_all, ThreadId::none(), 0, none}, count});
    goes_on(ThreadId(0), 0, 0);
    for (std::size_t thread = 1; thread < threads_.size(); ++thread) {
        if (!program.parameters[thread].at_start)
            continue;
        causes_.push_back(0);
        goes_on(ThreadId(thread), 0, 0);
    }
}

EventNumber CauseGraphLog::add(ThreadId thread, std::uint32_t number, std::int64_t now, What what) {
    auto const running = static_cast<std::int8_t>(what == What::goes_on ? 1 : 0);
    auto const event = graph_.add({{now}, thread, number, running, what}, causes_);
    causes_.clear();
    return threads_[thread.index()].latest = event;
}

bool CauseGraphLog::holds_nobody_up(ThreadId thread, Operation const& operation, Progress progress,
                                    std::span<Release const> releases, std::int64_t now) {
    auto const kind = operation.kind();
    auto const role = traits_of(kind).role;
    if (progress != Progress::proceeds)
        return false;
    if (kind == OperationKind::condition_signal)
        return std::ranges::all_of(
            releases, [](Release const& release) { return release.what == Release::What::requeues; });
    if (!releases.empty())
        return false;
    if (role == Role::releases_lock || kind == OperationKind::semaphore_post)
        return true;
    // What the thread itself gave back at this instant comes before it anyway.
    auto const waits_for = [&](Mark const& mark) { return mark.when == now && mark.thread != thread; };
    if (takes_units(kind)) {
        auto const& units = log_of(operation).units;
        return units.empty() || !waits_for(units.front().by);
    }
    return role == Role::takes_lock && std::ranges::none_of(log_of(operation).released, waits_for);
}

void CauseGraphLog::defer(ThreadId thread, std::uint32_t number, Operation const& operation,
                          std::span<Release const> releases, std::int64_t now) {
    auto& log = threads_[thread.index()];
    if (log.deferred_at != now) {
        log.deferred.clear();
        log.added = 0;
    }
    log.deferred_at = now;
    log.deferred.push_back({now, thread, number, none});
    auto const kind = operation.kind();
    if (traits_of(kind).role == Role::releases_lock)
        releases_lock(operation.object_id(), log.deferred.back(), is_shared_release(kind));
    if (gives_units(kind))
        gives(log.deferred.back(), operation, releases);
    if (takes_units(kind))
        take_oldest(log_of(operation).units);
    for (auto const& release : releases)
        threads_[release.thread.index()].requeued = log.deferred.back();
}

// REQUIRES: it is of this instant.
EventNumber CauseGraphLog::event_of(Mark const& mark) {
    if (mark.event != none)
        return mark.event;
    add_deferred(mark.thread, mark.when);
    auto const latest_first = std::views::reverse(threads_[mark.thread.index()].deferred);
    return std::ranges::find(latest_first, mark.operation, &Mark::operation)->event;
}

// There is no work between those of one instant: they are one event, that of the last.
void CauseGraphLog::add_deferred(ThreadId thread, std::int64_t now) {
    auto& log = threads_[thread.index()];
    if (log.deferred_at != now || log.added == log.deferred.size())
        return;
    std::array const own{log.latest};
    auto const last = log.deferred.back().operation;
    are_deferred(thread, now, graph_.add({{now}, thread, last, 0, What::work_ends}, own));
}

// The event is that of all that is deferred.
void CauseGraphLog::are_deferred(ThreadId thread, std::int64_t now, EventNumber event) {
    auto& log = threads_[thread.index()];
    log.latest = event;
    if (log.deferred_at != now)
        return;
    for (; log.added < log.deferred.size(); ++log.added)
        log.deferred[log.added].event = event;
}

void CauseGraphLog::goes_on(ThreadId thread, std::uint32_t number, std::int64_t now) {
    add(thread, number, now, What::goes_on);
}

// An event of an earlier instant holds nobody up now.
void CauseGraphLog::cause(EventNumber event, std::int64_t now) {
    if (event != none && graph_.when(event).ns == now)
        causes_.push_back(event);
}

void CauseGraphLog::causes(std::span<EventNumber const> events, std::int64_t now) {
    for (auto const event : events)
        cause(event, now);
}

void CauseGraphLog::causes(std::span<Mark const> marks, std::int64_t now) {
    for (auto const& mark : marks)
        if (mark.when == now)
            causes_.push_back(event_of(mark));
}

void CauseGraphLog::take_oldest(std::deque<Given>& units) {
    if (!units.empty() && --units.front().left == 0)
        units.pop_front();
}

void CauseGraphLog::takes(ObjectLog& object, std::int64_t now) {
    if (object.units.empty())
        return;
    causes(std::span(&object.units.front().by, 1), now);
    take_oldest(object.units);
}

void CauseGraphLog::takes_without_waiting(ThreadId joined, Operation const& operation,
                                          std::span<Release const> releases, std::int64_t now) {
    switch (operation.kind()) {
        case OperationKind::lock:
        case OperationKind::read_lock:
        case OperationKind::write_lock: return causes(log_of(operation).released, now);
        case OperationKind::condition_wait:
        case OperationKind::semaphore_wait: return takes(log_of(operation), now);
        case OperationKind::join:
        case OperationKind::join_any: return cause(threads_[joined.index()].latest, now);
        case OperationKind::activate:
        case OperationKind::accept:
            for (auto const& release : releases)
                cause(threads_[release.thread.index()].latest, now);
            return;
        default: return;
    }
}

void CauseGraphLog::releases_lock(ObjectId lock, Mark const& mark, bool is_shared) {
    auto& released = objects_[lock.index()].released;
    bool const is_another = is_shared && !released.empty() && released.back().when == mark.when;
    if (!is_another)
        released.clear();
    released.push_back(mark);
}

// What is left for those who come later.
void CauseGraphLog::gives(Mark const& mark, Operation const& operation, std::span<Release const> releases) {
    auto const left =
        std::int64_t{decode_grant(operation.value).tokens} - static_cast<std::int64_t>(releases.size());
    if (left > 0)
        log_of(operation).units.push_back({mark, left});
}

void CauseGraphLog::executed(ThreadId thread, std::uint32_t number, Operation const& operation,
                             Progress progress, std::span<Release const> releases, ThreadId joined,
                             std::int64_t now) {
    auto const kind = operation.kind();
    if (concerns_nobody(kind))
        return;
    if (holds_nobody_up(thread, operation, progress, releases, now))
        return defer(thread, number, operation, releases, now);
    causes_.push_back(threads_[thread.index()].latest);
    auto const event = add(thread, number, now, What::work_ends);
    are_deferred(thread, now, event);
    givers_.assign(1, event);
    bool const goes_on_now = progress == Progress::proceeds || progress == Progress::goes_on;
    auto const mutex = mutex_of(program_, operation);
    threads_[thread.index()].operation = number;
    threads_[thread.index()].mutex = mutex;
    if (!goes_on_now)
        graph_.stops(event);

    if (is_barrier(kind)) {
        auto& arrived = log_of(operation).arrived;
        arrived.push_back(event);
        if (goes_on_now)
            givers_.swap(arrived);
        if (goes_on_now)
            arrived.clear();
    }
    if (traits_of(kind).role == Role::releases_lock)
        releases_lock(operation.object_id(), {now, thread, number, event}, is_shared_release(kind));
    if (!mutex.is_none() && !goes_on_now)
        releases_lock(mutex, {now, thread, number, event}, false);
    if (gives_units(kind))
        gives({now, thread, number, event}, operation, releases);
    if (progress == Progress::ends)
        ended_.push_back(event);

    if (goes_on_now) {
        if (is_barrier(kind))
            causes(std::span(givers_).first(givers_.size() - 1), now);
        else
            takes_without_waiting(joined, operation, releases, now);
        if (!causes_.empty()) {
            graph_.stops(event);
            causes_.push_back(event);
            goes_on(thread, number, now);
        }
    }
    for (auto const& release : releases)
        let_go(release, now);
}

// It got its token and its mutex at one instant, maybe from two threads.
void CauseGraphLog::add_requeueing(ThreadId thread, std::int64_t now) {
    auto& log = threads_[thread.index()];
    if (log.requeued.when != now)
        return;
    auto const by = event_of(log.requeued);
    cause(log.latest, now);
    causes_.push_back(by);
    log.requeued = {};
    add(thread, log.operation, now, What::waits_on);
}

void CauseGraphLog::let_go(Release const& release, std::int64_t now) {
    auto& thread = threads_[release.thread.index()];
    add_requeueing(release.thread, now);
    cause(thread.latest, now);
    causes(givers_, now);
    if (release.what == Release::What::begins)
        return goes_on(release.thread, 0, now);
    if (release.what == Release::What::requeues) {
        add(release.thread, thread.operation, now, What::waits_on);
        return;
    }
    if (!thread.mutex.is_none())
        causes(objects_[thread.mutex.index()].released, now);
    goes_on(release.thread, thread.operation, now);
}

void CauseGraphLog::resumes(ThreadId thread, std::uint32_t number, std::int64_t now) {
    auto& log = threads_[thread.index()];
    auto const kind = program_.lists[thread.index()][number].kind();
    // A sleep until a point in time does not end earlier for the work before it.
    bool const has_work_before = kind != OperationKind::sleep_until || log.slept == none;
    causes_.push_back(has_work_before ? log.latest : log.slept);
    goes_on(thread, number, now);
    if (traits_of(kind).cause == WaitCause::sleep)
        log.slept = log.latest;
}

CauseGraph CauseGraphLog::finish(std::int64_t completion) {
    causes(ended_, completion);
    graph_.add({{completion}, ThreadId::none()}, causes_);
    return std::move(graph_);
}

}  // namespace parcast::simulate
