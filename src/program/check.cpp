// The invariants of a thread program, checked once before it is used: the simulator indexes by its ids
// without looking again.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/checked_program.h"

namespace parcast {

namespace {

using Complaint = std::optional<std::string>;

Complaint complain_unless(bool holds, char const* what) {
    if (holds)
        return std::nullopt;
    return what;
}

bool is_fair_or_real_time(std::int64_t value) {
    auto const in_range = [](std::int64_t level, std::int64_t low, std::int64_t high) {
        return low <= level && level <= high;
    };
    auto const is_level_of = [&](Priority lowest) {
        auto const low = encode_priority(lowest);
        return in_range(value, low, low + 98);
    };
    return in_range(value, -20, 19) || is_level_of({SchedulingClass::real_time, 1}) ||
           is_level_of({SchedulingClass::real_time, 1, true});
}

bool is_for_kernel(OperationKind kind) {
    return kind == OperationKind::read_lock || kind == OperationKind::write_lock ||
           kind == OperationKind::read_write_unlock;
}

class Checker {
public:
    explicit Checker(ThreadProgram const& program) : program_(program), created_(program.lists.size()) {}

    Duration work() const { return {work_ns_}; }
    Duration waiting() const { return {waiting_ns_}; }

    Result<void> run() {
        if (program_.lists.size() > most_threads)
            return fail(ErrorCode::out_of_range, "program: too large: it has over 16 million threads");
        if (auto complaint = check_sizes())
            return fail(ErrorCode::inconsistent, "program: " + *complaint);
        if (auto complaint = check_initial_states())
            return fail(ErrorCode::inconsistent, "program: " + *complaint);
        for (std::size_t thread = 0; thread < program_.lists.size(); ++thread)
            if (auto checked = check_list(thread); !checked)
                return checked;
        return {};
    }

private:
    Complaint check_sizes() const {
        auto const threads = program_.catalogue.threads.size();
        if (threads == 0)
            return "it has no thread; at least the initial one is needed";
        if (program_.lists.size() != threads)
            return "the number of lists is not the number of threads";
        if (program_.parameters.size() != threads)
            return "scheduling parameters are not one per thread";
        return complain_unless(program_.objects.size() == program_.catalogue.objects.size(),
                               "object parameters are not one per object");
    }

    Complaint check_initial_states() const {
        if (program_.refill < Duration{0})
            return "the price of a turn is negative";
        for (auto const& object : program_.objects) {
            if (object.initial_count < 0)
                return "an object has a negative initial count";
            if (object.waking < Duration{0})
                return "waking at a barrier takes a negative time";
            for (Turn const turn : object.turns)
                if (turn.thread.index() >= program_.lists.size())
                    return "the turn of a thread that is out of range";
        }
        for (std::size_t object = 0; object < program_.objects.size(); ++object)
            if (is_of_kernel(object) &&
                program_.catalogue.objects[object].kind != ObjectKind::reader_writer_lock)
                return "a lock of the kernel's is no reader-writer lock";
        for (auto const& barrier : program_.barriers) {
            if (barrier.participants == 0)
                return "a condition barrier has no participants";
            if (!is_object(barrier.condition.value))
                return "a condition barrier has no condition";
            if (!barrier.mutex.is_none() && !is_object(barrier.mutex.value))
                return "the mutex of a condition barrier is out of range";
            if (is_of_kernel(barrier.condition.index()) ||
                (!barrier.mutex.is_none() && is_of_kernel(barrier.mutex.index())))
                return "a condition barrier is made of a lock of the kernel's";
        }
        for (auto const& parameters : program_.parameters)
            if (!is_fair_or_real_time(encode_priority(parameters.priority)))
                return "a thread's priority is neither nice -20..19 nor real-time 1..99";
        return std::nullopt;
    }

    Result<void> check_list(std::size_t thread) {
        auto const& list = program_.lists[thread];
        auto const thread_name = "program: thread " + std::to_string(thread);
        if (list.empty() || list.back().kind() != OperationKind::end)
            return fail(ErrorCode::inconsistent, thread_name + " does not end with the operation `end`");
        for (std::size_t position = 0; position < list.size(); ++position) {
            auto const operation = list[position];
            auto complaint = check_operation(thread, operation);
            if (!complaint && operation.kind() == OperationKind::end && position + 1 < list.size())
                complaint = "ends before its list does";
            if (complaint) {
                return fail(ErrorCode::inconsistent,
                            thread_name + ", operation " + std::to_string(position) + ": " + *complaint);
            }
            if (auto counted = count_times(operation); !counted)
                return counted;
        }
        return {};
    }

    Complaint check_operation(std::size_t thread, Operation const& operation) {
        if (operation.site_and_kind >> 24 >= operation_kind_count)
            return "its kind is unknown";
        if (operation.work_ns < 0)
            return "its work is negative";
        if (waiting_ns(operation) < 0)
            return "its waiting time is negative";
        if (auto complaint = check_object(operation))
            return complaint;
        if (operation.kind() == OperationKind::create)
            return check_creation(thread, operation);
        return check_value(operation);
    }

    // REQUIRES: its times are not negative.
    Result<void> count_times(Operation const& operation) {
        for (auto const work_ns : {operation.work_ns, waking_ns(operation)}) {
            if (work_ns > most_work_ns - work_ns_)
                return fail(ErrorCode::out_of_range, "program: too large: its work is over 2^50 ns, 13 days");
            work_ns_ += work_ns;
        }
        if (waiting_ns(operation) > most_waiting_ns - waiting_ns_)
            return fail(ErrorCode::out_of_range, "program: too large: it waits for over 2^60 ns, 36 years");
        waiting_ns_ += waiting_ns(operation);
        return {};
    }

    // Each arrival at a barrier is woken once at most.
    std::int64_t waking_ns(Operation const& operation) const {
        auto const object = is_arrival(operation.kind()) ? object_of(program_, operation) : ObjectId::none();
        return object.is_none() ? 0 : program_.objects[object.index()].waking.ns;
    }

    // For a device, or asleep.
    static std::int64_t waiting_ns(Operation const& operation) {
        return is_delay(operation.kind()) ? operation.value : 0;
    }

    Complaint check_object(Operation const& operation) const {
        switch (traits_of(operation.kind()).subject) {
            case Subject::thread:
                return complain_unless(operation.object < program_.lists.size(),
                                       "its thread is out of range");
            case Subject::object:
                if (!is_object(operation.object))
                    return "its object is out of range";
                return complain_unless(!is_of_kernel(operation.object) || is_for_kernel(operation.kind()),
                                       "the kernel's lock is only read, written and given back");
            case Subject::object_or_none:
                return complain_unless(operation.object_id().is_none() || is_object(operation.object),
                                       "its object is out of range");
            case Subject::none:
            case Subject::barrier: break;
        }
        return std::nullopt;
    }

    Complaint check_creation(std::size_t thread, Operation const& operation) {
        if (operation.object == 0)
            return "creates the initial thread, which exists from the start";
        if (program_.parameters[operation.object].at_start)
            return "creates a thread that is there from the start";
        if (operation.object == thread)
            return "creates its own thread";
        if (std::exchange(created_[operation.object], std::uint8_t{1}) != 0)
            return "creates a thread for the second time";
        return std::nullopt;
    }

    Complaint check_value(Operation const& operation) const {
        auto const value = operation.value;
        switch (operation.kind()) {
            case OperationKind::condition_wait: return check_wait(decode_wait(value));
            case OperationKind::condition_signal: return check_grant(decode_grant(value));
            case OperationKind::condition_barrier:
                return complain_unless(0 <= value && std::cmp_less(value, program_.barriers.size()),
                                       "its condition barrier is out of range");
            case OperationKind::join_any:
                return complain_unless(
                    operation.object_id().is_none() || operation.object < program_.lists.size(),
                    "its thread is out of range");
            case OperationKind::barrier_wait:
                return complain_unless(value >= 1, "a barrier needs at least one participant");
            case OperationKind::semaphore_post:
                return complain_unless(value >= 0, "it hands out a negative number");
            case OperationKind::semaphore_wait:
            case OperationKind::activate:
            case OperationKind::accept:
                return complain_unless(value >= 0 && static_cast<std::uint64_t>(value) <= operations_,
                                       "its number in the recording is beyond the number of operations");
            case OperationKind::set_priority:
                return complain_unless(is_fair_or_real_time(value),
                                       "its priority is neither nice -20..19 nor real-time 1..99");
            case OperationKind::set_concurrency:
                return complain_unless(value >= 0, "it asks for less than no LWP");
            default: return std::nullopt;
        }
    }

    Complaint check_wait(TokenWait wait) const {
        if (!wait.mutex.is_none() && !is_object(wait.mutex.value))
            return "its mutex is out of range";
        if (!wait.mutex.is_none() && is_of_kernel(wait.mutex.index()))
            return "its mutex is a lock of the kernel's";
        return complain_unless(!wait.token || *wait.token < operations_,
                               "it waits for a token beyond the number of operations");
    }

    // Every token is there for a wait, so there are never more than operations.
    Complaint check_grant(TokenGrant grant) const {
        auto const last = std::uint64_t{grant.first} + grant.tokens;
        return complain_unless(last <= operations_, "it hands out more tokens than there are operations");
    }

    bool is_of_kernel(std::size_t object) const {
        return program_.objects[object].kernel_lock != KernelLock::none;
    }

    bool is_object(std::int64_t index) const {
        return 0 <= index && std::cmp_less(index, program_.catalogue.objects.size());
    }

    ThreadProgram const& program_;
    std::vector<std::uint8_t> created_;  // by thread, 0 or 1
    std::uint64_t operations_ = static_cast<std::uint64_t>(operation_count(program_));
    std::int64_t work_ns_ = 0;
    std::int64_t waiting_ns_ = 0;
};

}  // namespace

Result<void> check(ThreadProgram const& program) {
    return Checker(program).run();
}

Result<CheckedProgram> CheckedProgram::of(ThreadProgram const& program) {
    Checker checker(program);
    if (auto checked = checker.run(); !checked)
        return pass_on(checked);
    return CheckedProgram(program, checker.work(), checker.waiting());
}

}  // namespace parcast
