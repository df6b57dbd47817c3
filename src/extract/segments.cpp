#include "extract/segments.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "extract/divided_work.h"

namespace parcast::extract {

namespace {

// The work of one thread, on its way from events to operations.
class WorkAccount {
public:
    explicit WorkAccount(RecordingPrices const& prices) : prices_(prices) {}

    // `waking_ns`: of it, or of what is inside it.
    void add(Event const& event, std::int64_t waking_ns) {
        bool const works = works_inside(event) || (waking_ns > 0 && event.kind == EventKind::barrier_wait);
        pending_ns_ += event.cpu_ns + (works ? event.cpu_inside_ns : 0);
        balance_.dropped_ns += works ? 0 : event.cpu_inside_ns;
        pending_ns_ -= waking_ns;
        balance_.waking_ns += waking_ns;
        // Rounded in total, not for each event, so that a million events err by less than one ns.
        cost_ns_ += recorders_part(event, works);
        auto const total = static_cast<std::int64_t>(std::llround(cost_ns_));
        pending_ns_ -= total - std::exchange(balance_.recorder_ns, total);
    }

    // What it cost to divide a piece of work among functions.
    void subtract(double divided_ns) { cost_ns_ += divided_ns; }

    // What the next operation's segment gets; a deficit stays, and `left_ns` for the one after.
    std::int64_t take(std::int64_t left_ns) {
        std::int64_t const work = std::max<std::int64_t>(0, pending_ns_ - left_ns);
        pending_ns_ -= work;
        return work;
    }

    CpuBalance close() {
        balance_.overdrawn_ns = -pending_ns_;
        return balance_;
    }

private:
    // Within what counts as work. The part inside a call whose CPU time is dropped is dropped with it.
    double recorders_part(Event const& event, bool works) const {
        EventCost const cost = recording_cost(event, prices_);
        return cost.outside_ns + (works ? cost.inside_ns : 0);
    }

    RecordingPrices const& prices_;
    double cost_ns_ = 0;
    std::int64_t pending_ns_ = 0;
    CpuBalance balance_;
};

void append(OperationList& list, Step const& step, std::int64_t work, SiteId site) {
    bool const releases = step.released_mutex != no_object;
    if (releases) {
        list.push_back(
            make_operation(OperationKind::unlock, std::exchange(work, 0), step.released_mutex, 0, site));
    }
    if (step.locked_mutex != no_object) {
        list.push_back(
            make_operation(OperationKind::lock, std::exchange(work, 0), step.locked_mutex, 0, site));
    }
    list.push_back(make_operation(step.kind, work, step.object, step.value, site));
    if (releases)
        list.push_back(make_operation(OperationKind::lock, 0, step.released_mutex, 0, site));
}

// The locks that a list takes and does not give back, in the order in which they were taken.
std::vector<Operation> locks_held_after(OperationList const& list) {
    std::vector<Operation> held;
    for (Operation const& operation : list) {
        Role const role = traits_of(operation.kind()).role;
        if (role == Role::takes_lock)
            held.push_back(operation);
        if (role != Role::releases_lock)
            continue;
        auto const lock = std::find_if(
            held.begin(), held.end(), [&](Operation const& each) { return each.object == operation.object; });
        if (lock != held.end())
            held.erase(lock);
    }
    return held;
}

class ListWriter {
public:
    // All of it is the caller's, as long as it writes. The events are freed while they are read.
    ListWriter(EventList& events, StepList& steps, std::span<Adoption const> adoptions,
               std::span<std::uint32_t const> cuts, std::span<Waking const> wakings,
               std::span<AddedOperation const> added, DividedWork& division, RecordingPrices const& prices)
        : events_(events),
          steps_(steps),
          adoptions_(adoptions),
          cuts_(cuts),
          wakings_(wakings),
          added_(added),
          account_(prices),
          division_(division) {}

    OperationList write() {
        reserve_list();
        for (std::size_t i = 0; i < events_.size(); ++i) {
            if (i % step_between_releases == 0)
                release_before(i);
            write_event(i);
        }
        create_until(adoptions_.empty() ? 0 : adoptions_.back().wall_ns);
        give_up_locks();
        list_.push_back(make_operation(OperationKind::end, take_work(), no_object, 0,
                                       events_.empty() ? SiteId::none() : events_.back().site));
        return std::move(list_);
    }

    CpuBalance balance() { return account_.close(); }
    std::vector<std::uint32_t> cut_positions() { return std::move(cut_positions_); }

private:
    static constexpr std::size_t step_between_releases = std::size_t{1} << 16;
    static constexpr std::size_t usual_locks_at_once = 8;

    // REQUIRES: the operation that gets it is the next one of the list, if it is not 0.
    std::int64_t take_work(std::int64_t left_ns = 0) {
        std::int64_t const work = account_.take(left_ns);
        division_.take(static_cast<std::uint32_t>(list_.size()), work);
        return work;
    }

    std::int64_t take_waking(std::size_t i) {
        if (wakings_.empty() || wakings_.front().event.index != i)
            return 0;
        auto const ns = wakings_.front().ns;
        wakings_ = wakings_.subspan(1);
        return ns;
    }

    void release_before(std::size_t i) {
        steps_.release_before(i);
        events_.release_before(i);
    }

    // Room for all of them at once: a vector that grows holds its content twice. What is not needed is
    // never touched, so it costs address space only.
    void reserve_list() {
        std::size_t values = added_.size();
        std::size_t count = adoptions_.size() + cuts_.size() + added_.size() + 1 + usual_locks_at_once;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            Step const step = std::as_const(steps_)[i];
            bool const releases = step.released_mutex != no_object;
            bool const locks = step.locked_mutex != no_object;
            count += step.form == Step::Form::absorbed ? 0 : releases ? 3 : locks ? 2 : 1;
            values += step.value != 0 ? 1 : 0;
        }
        list_.reserve(count, values);
    }

    void write_event(std::size_t i) {
        Event const event = events_[i];
        // Nobody creates a thread while it waits.
        create_until(return_ns(event));
        auto const waking_ns = take_waking(i);
        bool const is_waking = waking_ns > 0 && event.kind == EventKind::barrier_wait;
        account_.subtract(
            division_.add(static_cast<std::uint32_t>(i), event, works_inside(event) && !is_waking));
        account_.add(event, waking_ns);
        insert(i, AddedOperation::Where::before, event.site);
        if (!cuts_.empty() && cuts_.front() == i)
            cut(event.site);
        if (event.kind != EventKind::object_init && event.kind != EventKind::object_destroy && !stopped_)
            write_step(i, event);
        insert(i, AddedOperation::Where::after, event.site);
    }

    void write_step(std::size_t i, Event const& event) {
        Step const step = std::as_const(steps_)[i];
        switch (step.form) {
            case Step::Form::absorbed: return;
            case Step::Form::last: stop(step, event.site); return;
            case Step::Form::operation: append(list_, step, take_work(), event.site); return;
            case Step::Form::boundary: break;
        }
        bool const begins_or_ends = event.kind == EventKind::thread_begin || i + 1 == events_.size();
        std::int64_t const work = begins_or_ends ? 0 : take_work();
        if (work > 0)
            list_.push_back(make_operation(OperationKind::work_only, work, no_object, 0, event.site));
    }

    void insert(std::size_t i, AddedOperation::Where where, SiteId site) {
        for (; !added_.empty() && added_.front().event.index == i && added_.front().where == where;
             added_ = added_.subspan(1)) {
            AddedOperation const& each = added_.front();
            if (!stopped_)
                list_.push_back(
                    make_operation(each.kind, take_work(each.left_ns), each.object, each.value, site));
        }
    }

    // A thread that stays in a wait for ever has given up its mutex before.
    void stop(Step const& step, SiteId site) {
        if (step.released_mutex != no_object)
            list_.push_back(make_operation(OperationKind::unlock, take_work(), step.released_mutex, 0, site));
        stopped_ = true;
    }

    void cut(SiteId site) {
        if (std::int64_t const work = take_work(); work > 0)
            list_.push_back(make_operation(OperationKind::work_only, work, no_object, 0, site));
        cut_positions_.push_back(static_cast<std::uint32_t>(list_.size()));
        cuts_ = cuts_.subspan(1);
    }

    // A thread may end with locks, and the recording before its thread does. In another order others may want
    // what it held at that moment.
    void give_up_locks() {
        std::vector<Operation> held = locks_held_after(list_);
        while (!held.empty()) {
            auto const& lock = held.back();
            auto const unlock =
                lock.kind() == OperationKind::lock ? OperationKind::unlock : OperationKind::read_write_unlock;
            list_.push_back(make_operation(unlock, take_work(), lock.object, 0,
                                           events_.empty() ? SiteId::none() : events_.back().site));
            held.pop_back();
        }
    }

    void create_until(std::int64_t wall_ns) {
        while (!adoptions_.empty() && adoptions_.front().wall_ns <= wall_ns) {
            list_.push_back(
                make_operation(OperationKind::create, take_work(), adoptions_.front().child.value));
            adoptions_ = adoptions_.subspan(1);
        }
    }

    EventList& events_;
    StepList& steps_;
    std::span<Adoption const> adoptions_;
    std::span<std::uint32_t const> cuts_;    // still to come
    std::span<Waking const> wakings_;        // likewise
    std::span<AddedOperation const> added_;  // likewise
    std::vector<std::uint32_t> cut_positions_;
    WorkAccount account_;
    DividedWork& division_;
    bool stopped_ = false;
    OperationList list_;
};

std::span<Adoption const> adoptions_of(Plan const& plan, ThreadId creator) {
    auto const [first, last] =
        std::equal_range(plan.adoptions.begin(), plan.adoptions.end(), Adoption{creator, {}, 0},
                         [](Adoption const& a, Adoption const& b) { return a.creator < b.creator; });
    return {first, last};
}

// What is at events of the thread, of all of it by event.
template <class AtEvent>
std::span<AtEvent const> at_events_of(std::vector<AtEvent> const& all, ThreadId thread) {
    auto const found =
        std::ranges::equal_range(all, thread, {}, [](AtEvent const& each) { return each.event.thread; });
    return {found.begin(), found.end()};
}

}  // namespace

bool works_inside(Event const& event) {
    switch (event.kind) {
        case EventKind::input:
        case EventKind::output:
        case EventKind::poll:
        case EventKind::open_close:
        case EventKind::sync:
        case EventKind::thread_create:
        case EventKind::fork:
        case EventKind::exec:
        case EventKind::spawn:
        case EventKind::wait_child:
        // A yield that finds nobody to run returns at once: without its time, a loop of yields costs nothing.
        case EventKind::yield: return true;
        // Who arrives last at a barrier does not wait: the call is the work of waking the others.
        case EventKind::barrier_wait: return event.value == 1;
        default: return false;
    }
}

CpuBalance write_lists(Timeline& recorded, Plan& plan, RecordingPrices const& prices, Cuts& cuts,
                       ThreadProgram& program) {
    CpuBalance total;
    auto& events = recorded.events;
    cuts.events.resize(events.size());
    program.lists.reserve(events.size());
    for (std::size_t thread = 0; thread < events.size(); ++thread) {
        auto const shares =
            thread < recorded.shares.size() ? std::move(recorded.shares[thread]) : std::vector<WorkShare>();
        DividedWork division(shares, program.catalogue, prices);
        ListWriter writer(events[thread], plan.steps[thread], adoptions_of(plan, ThreadId(thread)),
                          cuts.events[thread], at_events_of(plan.wakings, ThreadId(thread)),
                          at_events_of(plan.added, ThreadId(thread)), division, prices);
        program.lists.push_back(writer.write());
        if (!recorded.shares.empty())
            program.shares.push_back(division.shares());
        cuts.positions.push_back(writer.cut_positions());
        plan.steps[thread] = StepList();
        events[thread] = {};
        CpuBalance const balance = writer.balance();
        total.dropped_ns += balance.dropped_ns;
        total.waking_ns += balance.waking_ns;
        total.recorder_ns += balance.recorder_ns;
        total.overdrawn_ns += balance.overdrawn_ns;
    }
    return total;
}

}  // namespace parcast::extract
