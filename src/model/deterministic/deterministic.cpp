#include "model/deterministic/deterministic.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "core/ensure.h"
#include "core/time.h"
#include "model/deterministic/allocation.h"
#include "model/deterministic/clock.h"
#include "model/deterministic/dispatch.h"
#include "model/deterministic/execution_parts.h"
#include "model/queueing/machine_law.h"

namespace parcast::model {

namespace {

// Which groups become ready when a task is done.
class Precedences {
public:
    explicit Precedences(TaskGraph const& graph) : graph_(graph), waiting_for_(predecessor_groups(graph)) {
        if (graph.groups() == graph.tasks())
            return;
        group_of_ = group_of_each_task(graph);
        left_.reserve(graph.groups());
        for (std::size_t group = 0; group < graph.groups(); ++group)
            left_.push_back(static_cast<std::uint32_t>(graph.size_of(TaskGroupId(group))));
    }

    TaskGroupId group_of(std::uint32_t task) const {
        return group_of_.empty() ? TaskGroupId(std::size_t{task}) : group_of_[task];
    }

    TaskRange tasks_of(TaskGroupId group) const {
        if (group_of_.empty())
            return {group.value, group.value + 1};
        return {graph_.first_task[group.index()], graph_.first_task[group.index() + 1]};
    }

    // Most of the time is waiting for memory, unless what a task needs is on its way long before its turn:
    // when it becomes ready where its successors are, when it starts which they are.
    void prefetch_for_start(TaskGroupId group) const {
        __builtin_prefetch(graph_.cpu_ns.data() + tasks_of(group).first);
        __builtin_prefetch(graph_.first_successor.data() + group.index());
    }
    void prefetch_for_finish(std::uint32_t task) const {
        __builtin_prefetch(graph_.successors.data() + graph_.first_successor[group_of(task).index()]);
    }

    // Calls enter(group) for every group that waits for nothing.
    template <class Enter>
    void start(Enter const& enter) const {
        for (std::size_t group = 0; group < graph_.groups(); ++group)
            if (waiting_for_[group] == 0)
                enter(TaskGroupId(group));
    }

    // Calls enter(group) for every group that waited for this task alone.
    template <class Enter>
    void finish(std::uint32_t task, Enter const& enter) {
        auto const group = group_of(task);
        if (!left_.empty() && --left_[group.index()] > 0)
            return;
        for (auto const successor : graph_.successors_of(group))
            if (--waiting_for_[successor.index()] == 0)
                enter(successor);
    }

private:
    TaskGraph const& graph_;
    std::vector<std::uint32_t> waiting_for_;  // by group: groups before it that are not done
    std::vector<TaskGroupId> group_of_;       // by task; empty: each is a group of its own
    std::vector<std::uint32_t> left_;         // by group: tasks that are not done; empty as above
};

// What of the machine and the question an execution goes by.
struct Setting {
    std::uint32_t processors;
    ReadyTasks const& tasks;
    ContentionLaw const* contention;
    bool keeps_schedule;
};

// The algorithm of figures 4.1 and 4.2 for one policy and one clock.
template <class Dispatch, class Clock>
class Executor {
public:
    Executor(TaskGraph const& graph, Dispatch& dispatch, Clock clock, Setting const& setting)
        : graph_(graph),
          setting_(setting),
          precedences_(graph),
          dispatch_(dispatch),
          clock_(std::move(clock)),
          ready_ns_(setting.keeps_schedule ? graph.groups() : 0) {}

    Result<GraphExecution> run(std::uint32_t processes) {
        for (std::uint32_t process = 0; process < processes; ++process)
            dispatch_.free(process);
        precedences_.start([&](TaskGroupId group) { enter(group); });
        give_out();
        while (clock_.is_running() && !clock_.failure()) {
            retire(next());
            while (setting_.tasks.retire == Retire::all && clock_.has_another_now())
                retire(next());
            enter_ready();
            give_out();
        }
        if (clock_.failure())
            return tl::unexpected<Error>(*clock_.failure());
        ensure(done_ == graph_.tasks(), "every task of a graph without a cycle is executed");
        return result();
    }

private:
    void enter(TaskGroupId group) {
        precedences_.prefetch_for_start(group);
        auto const tasks = precedences_.tasks_of(group);
        waiting_ += tasks.end - tasks.first;
        if (setting_.keeps_schedule)
            ready_ns_[group.index()] = clock_.now();
        dispatch_.ready(tasks, group.value);
    }

    // Until the first finish, nobody begins or ends: processors that are idle now are so beside these tasks.
    Finish next() {
        auto const busy = clock_.busy();
        if (waiting_ == 0 || busy >= setting_.processors)
            return clock_.next();
        auto const from = whole_ns(clock_.now());
        auto const finish = clock_.next();
        auto const idle = std::min<std::uint64_t>(setting_.processors - busy, waiting_);
        idle_beside_ready_ns_ += idle * static_cast<std::uint64_t>(whole_ns(clock_.now()) - from);
        return finish;
    }

    void retire(Finish const& finish) {
        ++done_;
        if (setting_.keeps_schedule) {
            auto const& begin = begin_of_[finish.process()];
            schedule_.push_back({TaskId(std::size_t{finish.task()}), finish.process(),
                                 ready_ns_[precedences_.group_of(finish.task()).index()], begin.taken,
                                 begin.start, finish.time});
        }
        precedences_.finish(finish.task(), [&](TaskGroupId group) { ready_.push_back(group); });
        dispatch_.free(finish.process());
    }

    void enter_ready() {
        if (setting_.tasks.retire == Retire::all)
            std::ranges::sort(ready_);
        for (auto const group : ready_)
            enter(group);
        ready_.clear();
    }

    void give_out() {
        while (auto const assignment = dispatch_.next()) {
            --waiting_;
            precedences_.prefetch_for_finish(assignment->task);
            auto const fetch = assignment->is_fetched ? fetch_ns() : 0;
            overhead_ += fetch;
            if (setting_.keeps_schedule)
                note_begin(assignment->process, {clock_.now(), clock_.now() + fetch});
            clock_.begin({assignment->task, assignment->process, class_of(assignment->task), fetch,
                          graph_.cpu_ns[assignment->task]});
        }
    }

    double fetch_ns() const {
        auto const& by_busy = setting_.tasks.fetch_ns;
        return by_busy.empty() ? 0 : by_busy[std::min(clock_.busy(), by_busy.size() - 1)];
    }

    std::uint32_t class_of(std::uint32_t task) const {
        auto const* const law = setting_.contention;
        return law == nullptr || law->class_of_group.empty()
                   ? 0
                   : law->class_of_group[precedences_.group_of(task).index()];
    }

    struct Beginning {
        double taken = 0;
        double start = 0;
    };
    void note_begin(std::uint32_t process, Beginning begin) {
        if (process >= begin_of_.size())
            begin_of_.resize(process + 1);
        begin_of_[process] = begin;
    }

    GraphExecution result() {
        GraphExecution execution;
        execution.time_ns = clock_.now();
        for (auto const cpu : graph_.cpu_ns)
            execution.work_ns += cpu;
        execution.has_approximate_delays = clock_.is_approximate();
        execution.lost = {0, clock_.latency(), clock_.contention(), overhead_};
        double const all = setting_.processors * execution.time_ns;
        double const used = execution.work_ns + clock_.latency() + clock_.contention() + overhead_;
        execution.lost.idle_ns = std::max(0.0, all - used);
        execution.mean_busy = execution.time_ns > 0 ? used / execution.time_ns : 0;
        execution.busy_for_ns = std::move(clock_).take_busy_time().take();
        execution.schedule = std::move(schedule_);
        execution.run.accounts.cpus = setting_.processors;
        execution.run.accounts.idle.ready = {static_cast<std::int64_t>(idle_beside_ready_ns_)};
        return execution;
    }

    TaskGraph const& graph_;
    Setting const& setting_;
    Precedences precedences_;
    Dispatch& dispatch_;
    Clock clock_;
    std::vector<TaskGroupId> ready_;  // since the last tasks were given out
    std::size_t waiting_ = 0;         // tasks that are ready and not given out
    std::size_t done_ = 0;
    double overhead_ = 0;
    std::uint64_t idle_beside_ready_ns_ = 0;  // wraps around only where no account holds the time of all
    std::vector<double> ready_ns_;            // by group, if the schedule is kept: when it became ready
    std::vector<Beginning> begin_of_;         // by process: of its task, likewise
    std::vector<ScheduledTask> schedule_;
};

// A graph, where it runs and how: chooses the classes of queues and clocks once a run.
class Chooser {
public:
    Chooser(TaskGraph const& graph, Setting const& setting)
        : graph_(graph), setting_(setting), processors_(setting.processors) {}

    Result<GraphExecution> operator()(ready::Fifo) const {
        return run(OneQueue(FifoQueue(), useful_processes()));
    }

    Result<GraphExecution> operator()(ready::Lpt policy) const {
        auto const time = priorities(graph_, policy);
        return run(OneQueue(PriorityQueue(time), useful_processes()));
    }

    Result<GraphExecution> operator()(ready::ListOrder policy) const {
        if (policy.first == ready::ListOrder::First::longest_path) {
            auto const way = ways_to_the_end(graph_);
            return run(OneQueue(BucketQueue(way), useful_processes()));
        }
        return run(OneQueue(IdQueue(graph_.tasks()), useful_processes()));
    }

    Result<GraphExecution> operator()(ready::Batch policy) const {
        return run(QueueOfBatches(policy, processors_), processors_);
    }

    Result<GraphExecution> operator()(ready::StaticBlock policy) const {
        return run_allocated(allocate(graph_, processors_, policy), policy.start);
    }

    Result<GraphExecution> operator()(ready::StaticCyclic policy) const {
        return run_allocated(allocate(graph_, processors_, policy), policy.start);
    }

    Result<GraphExecution> operator()(ready::SplitLoops policy) const {
        auto allocation = static_allocation(graph_, processors_, policy);
        if (!allocation)
            return pass_on(allocation);
        return run_allocated(std::move(*allocation), ready::Start::when_ready);
    }

    Result<GraphExecution> operator()(ready::Explicit policy) const {
        auto allocation = allocate(graph_, processors_, policy);
        if (!allocation)
            return pass_on(allocation);
        return run_allocated(std::move(*allocation), policy.start);
    }

    Result<GraphExecution> operator()(ready::SeveralQueues policy) const {
        if (graph_.queue.empty())
            return fail(ErrorCode::inconsistent,
                        "the tasks of the graph have no queue: take the schedule 'fifo', "
                        "or give them queues");
        auto const count = std::size_t{std::ranges::max(graph_.queue)} + 1;
        if (policy.order == ready::SeveralQueues::Order::fifo)
            return run(ManyQueues(std::vector<FifoQueue>(count), graph_.queue, processors_), processors_);
        auto const value = priorities(graph_, ready::Lpt{ready::Lpt::By::estimate});
        std::vector<PriorityQueue> const queues(count, PriorityQueue(value));
        return run(ManyQueues(queues, graph_.queue, processors_), processors_);
    }

    Result<GraphExecution> operator()(ready::ProcessorSharing policy) const {
        auto const most = static_cast<std::uint32_t>(graph_.tasks());
        auto const processes = std::min(most, policy.processes.value_or(most));
        OneQueue dispatch(FifoQueue(), processes);
        return execute_with(dispatch, RateClock(setting_.contention, processors_), processes);
    }

private:
    // Processes take tasks from one queue in ascending order: no more of them than tasks ever work.
    std::uint32_t useful_processes() const {
        return static_cast<std::uint32_t>(std::min<std::size_t>(processors_, graph_.tasks()));
    }

    Result<GraphExecution> run_allocated(Allocation allocation, ready::Start start) const {
        if (start == ready::Start::in_order)
            return run(OwnLists(allocation, order_of_tasks(graph_), processors_), processors_);
        return run(OwnQueues(std::move(allocation), processors_), processors_);
    }

    template <class Dispatch>
    Result<GraphExecution> run(Dispatch dispatch) const {
        return run(std::move(dispatch), useful_processes());
    }

    template <class Dispatch>
    Result<GraphExecution> run(Dispatch dispatch, std::uint32_t processes) const {
        if (setting_.contention != nullptr)
            return execute_with(dispatch, RateClock(setting_.contention, processors_), processes);
        return execute_with(dispatch, SteadyClock(), processes);
    }

    template <class Dispatch, class Clock>
    Result<GraphExecution> execute_with(Dispatch& dispatch, Clock clock, std::uint32_t processes) const {
        return Executor<Dispatch, Clock>(graph_, dispatch, std::move(clock), setting_).run(processes);
    }

    TaskGraph const& graph_;
    Setting const& setting_;
    std::uint32_t processors_;
};

}  // namespace

Result<GraphExecution> execute(TaskGraph const& graph, Machine const& machine,
                               ExecutionOptions const& options) {
    if (machine.cpus == 0)
        return fail(ErrorCode::out_of_range, "a task graph needs at least one processor");
    std::optional<ContentionLaw> own;
    if (options.contention == nullptr) {
        auto law = machine_law(graph, machine);
        if (!law)
            return pass_on(law);
        own = std::move(*law);
    }
    Setting const setting{machine.cpus, machine.ready_tasks, own ? &*own : options.contention,
                          options.keep != Keep::totals};
    auto execution = std::visit(Chooser(graph, setting), machine.ready_tasks.policy);
    if (!execution)
        return execution;
    if (execution->time_ns * machine.cpus > longest_ns)
        return fail(ErrorCode::out_of_range, "its processors together take more than 292 years");
    fill_accounts(graph, *execution);
    if (options.keep == Keep::timeline)
        execution->run.timeline = timeline_of(graph, *execution);
    return execution;
}

}  // namespace parcast::model
