#include "model/deterministic/deterministic.h"

#include <algorithm>
#include <utility>

#include "core/ensure.h"
#include "model/deterministic/allocation.h"
#include "model/deterministic/clock.h"
#include "model/deterministic/dispatch.h"

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

// The algorithm of figures 4.1 and 4.2 for one policy and one clock.
template <class Dispatch, class Clock>
class Executor {
public:
    Executor(TaskGraph const& graph, Dispatch& dispatch, Clock clock, Options const& options)
        : graph_(graph),
          options_(options),
          precedences_(graph),
          dispatch_(dispatch),
          clock_(std::move(clock)) {}

    Result<Execution> run(std::uint32_t processes, std::uint32_t processors) {
        for (std::uint32_t process = 0; process < processes; ++process)
            dispatch_.free(process);
        precedences_.start([&](TaskGroupId group) { enter(group); });
        give_out();
        while (clock_.is_running() && !clock_.failure()) {
            retire(clock_.next());
            while (options_.retire == Retire::all && clock_.has_another_now())
                retire(clock_.next());
            enter_ready();
            give_out();
        }
        if (clock_.failure())
            return tl::unexpected<Error>(*clock_.failure());
        ensure(done_ == graph_.tasks(), "every task of a graph without a cycle is executed");
        return result(processors);
    }

private:
    void enter(TaskGroupId group) {
        precedences_.prefetch_for_start(group);
        dispatch_.ready(precedences_.tasks_of(group), group.value);
    }

    void retire(Finish const& finish) {
        ++done_;
        if (options_.keep == Keep::schedule)
            schedule_.push_back({TaskId(std::size_t{finish.task()}), finish.process(),
                                 begin_of_[finish.process()].start, finish.time,
                                 begin_of_[finish.process()].taken});
        precedences_.finish(finish.task(), [&](TaskGroupId group) { ready_.push_back(group); });
        dispatch_.free(finish.process());
    }

    void enter_ready() {
        if (options_.retire == Retire::all)
            std::ranges::sort(ready_);
        for (auto const group : ready_)
            enter(group);
        ready_.clear();
    }

    void give_out() {
        while (auto const assignment = dispatch_.next()) {
            precedences_.prefetch_for_finish(assignment->task);
            auto const fetch = assignment->is_fetched ? fetch_ns() : 0;
            overhead_ += fetch;
            if (options_.keep == Keep::schedule)
                note_begin(assignment->process, {clock_.now(), clock_.now() + fetch});
            clock_.begin({assignment->task, assignment->process, class_of(assignment->task), fetch,
                          graph_.cpu_ns[assignment->task]});
        }
    }

    double fetch_ns() const {
        auto const& by_busy = options_.fetch_ns;
        return by_busy.empty() ? 0 : by_busy[std::min(clock_.busy(), by_busy.size() - 1)];
    }

    std::uint32_t class_of(std::uint32_t task) const {
        auto const* const law = options_.contention;
        return law == nullptr || law->class_of_group.empty()
                   ? 0
                   : law->class_of_group[precedences_.group_of(task).index()];
    }

    struct Beginning {
        double taken = 0;
        double start = 0;
    };

    void note_begin(std::uint32_t process, Beginning beginning) {
        if (process >= begin_of_.size())
            begin_of_.resize(process + 1);
        begin_of_[process] = beginning;
    }

    Execution result(std::uint32_t processors) {
        Execution execution;
        execution.processors = processors;
        execution.time_ns = clock_.now();
        execution.work_ns = work_ns(graph_);
        execution.lost = {0, clock_.latency(), clock_.contention(), overhead_};
        double const all = processors * execution.time_ns;
        double const used = execution.work_ns + clock_.latency() + clock_.contention() + overhead_;
        execution.lost.idle_ns = std::max(0.0, all - used);
        execution.mean_busy = execution.time_ns > 0 ? used / execution.time_ns : 0;
        execution.busy_for_ns = std::move(clock_).take_busy_time().take();
        execution.schedule = std::move(schedule_);
        return execution;
    }

    TaskGraph const& graph_;
    Options const& options_;
    Precedences precedences_;
    Dispatch& dispatch_;
    Clock clock_;
    std::vector<TaskGroupId> ready_;  // since the last tasks were given out
    std::size_t done_ = 0;
    double overhead_ = 0;
    std::vector<Beginning> begin_of_;  // by process: of its task, if the schedule is kept
    std::vector<ScheduledTask> schedule_;
};

// A graph, where it runs and how: chooses the classes of queues and clocks once a run.
class Chooser {
public:
    Chooser(TaskGraph const& graph, std::uint32_t processors, Options const& options)
        : graph_(graph), processors_(processors), options_(options) {}

    Result<Execution> operator()(Fifo) const { return run(OneQueue(FifoQueue(), useful_processes())); }

    Result<Execution> operator()(Lpt policy) const {
        auto const time = priorities(graph_, policy);
        return run(OneQueue(PriorityQueue(time), useful_processes()));
    }

    Result<Execution> operator()(ListOrder policy) const {
        if (policy.first == ListOrder::First::longest_path) {
            auto const way = ways_to_the_end(graph_);
            return run(OneQueue(BucketQueue(way), useful_processes()));
        }
        return run(OneQueue(IdQueue(graph_.tasks()), useful_processes()));
    }

    Result<Execution> operator()(Batch policy) const {
        return run(QueueOfBatches(policy, processors_), processors_);
    }

    Result<Execution> operator()(StaticBlock policy) const {
        return run_allocated(allocate(graph_, processors_, policy), policy.start);
    }

    Result<Execution> operator()(StaticCyclic policy) const {
        return run_allocated(allocate(graph_, processors_, policy), policy.start);
    }

    Result<Execution> operator()(SplitLoops policy) const {
        auto allocation = static_allocation(graph_, processors_, policy);
        if (!allocation)
            return pass_on(allocation);
        return run_allocated(std::move(*allocation), Start::when_ready);
    }

    Result<Execution> operator()(Explicit policy) const {
        auto allocation = allocate(graph_, processors_, policy);
        if (!allocation)
            return pass_on(allocation);
        return run_allocated(std::move(*allocation), policy.start);
    }

    Result<Execution> operator()(SeveralQueues policy) const {
        if (graph_.queue.empty())
            return fail(ErrorCode::inconsistent,
                        "the tasks of the graph have no queue: take the schedule 'fifo', "
                        "or give them queues");
        auto const count = std::size_t{std::ranges::max(graph_.queue)} + 1;
        if (policy.order == SeveralQueues::Order::fifo)
            return run(ManyQueues(std::vector<FifoQueue>(count), graph_.queue, processors_), processors_);
        auto const value = priorities(graph_, Lpt{Lpt::By::estimate});
        std::vector<PriorityQueue> const queues(count, PriorityQueue(value));
        return run(ManyQueues(queues, graph_.queue, processors_), processors_);
    }

    Result<Execution> operator()(ProcessorSharing policy) const {
        auto const most = static_cast<std::uint32_t>(graph_.tasks());
        auto const processes = std::min(most, policy.processes.value_or(most));
        OneQueue dispatch(FifoQueue(), processes);
        return execute_with(dispatch, RateClock(options_.contention, processors_), processes);
    }

private:
    // Of processes that take from one queue in ascending order, no more than there are tasks ever work.
    std::uint32_t useful_processes() const {
        return static_cast<std::uint32_t>(std::min<std::size_t>(processors_, graph_.tasks()));
    }

    Result<Execution> run_allocated(Allocation allocation, Start start) const {
        if (start == Start::in_order)
            return run(OwnLists(allocation, order_of_tasks(graph_), processors_), processors_);
        return run(OwnQueues(std::move(allocation), processors_), processors_);
    }

    template <class Dispatch>
    Result<Execution> run(Dispatch dispatch) const {
        return run(std::move(dispatch), useful_processes());
    }

    template <class Dispatch>
    Result<Execution> run(Dispatch dispatch, std::uint32_t processes) const {
        if (options_.contention != nullptr)
            return execute_with(dispatch, RateClock(options_.contention, processors_), processes);
        return execute_with(dispatch, SteadyClock(), processes);
    }

    template <class Dispatch, class Clock>
    Result<Execution> execute_with(Dispatch& dispatch, Clock clock, std::uint32_t processes) const {
        return Executor<Dispatch, Clock>(graph_, dispatch, std::move(clock), options_)
            .run(processes, processors_);
    }

    TaskGraph const& graph_;
    std::uint32_t processors_;
    Options const& options_;
};

}  // namespace

Result<Execution> execute(TaskGraph const& graph, std::uint32_t processors, Policy const& policy,
                          Options const& options) {
    if (processors == 0)
        return fail(ErrorCode::out_of_range, "a task graph needs at least one processor");
    return std::visit(Chooser(graph, processors, options), policy);
}

std::vector<BusyStep> busy_over_time(Execution const& execution) {
    std::vector<double> starts;
    std::vector<double> finishes;
    for (auto const& task : execution.schedule) {
        if (task.finish_ns > task.start_ns) {
            starts.push_back(task.start_ns);
            finishes.push_back(task.finish_ns);
        }
    }
    std::ranges::sort(starts);
    std::ranges::sort(finishes);
    std::vector<BusyStep> steps;
    std::uint32_t busy = 0;
    for (std::size_t started = 0, finished = 0; finished < finishes.size();) {
        bool const is_start = started < starts.size() && starts[started] < finishes[finished];
        double const now = is_start ? starts[started] : finishes[finished];
        for (; finished < finishes.size() && finishes[finished] == now; ++finished)
            --busy;
        for (; started < starts.size() && starts[started] == now; ++started)
            ++busy;
        if (steps.empty() || steps.back().busy != busy)
            steps.push_back({now, busy});
    }
    return steps;
}

}  // namespace parcast::model
