#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/json_text.h"
#include "import/threads_json.h"
#include "import/threads_steps.h"
#include "import/word_names.h"
#include "program/tried_lock.h"

namespace parcast {

namespace {

constexpr std::size_t widest_line = 100;

std::string_view word_for(OperationKind kind) {
    return std::ranges::find(step_rows, kind, &StepRow::kind)->word;
}

class ThreadsWriter {
public:
    explicit ThreadsWriter(ThreadProgram const& program)
        : program_(program),
          names_(word_names(program)),
          subjects_(program.objects.size()),
          is_created_(program.lists.size()) {}

    Result<std::string> write() {
        if (auto const looked = look_at_operations(); !looked)
            return pass_on(looked);
        text_ = "{\n \"schema\": \"parcast.threads/1\",\n";
        if (!program_.name.empty())
            text_ += " \"name\": " + json_text(program_.name) + ",\n";
        text_ += " \"unit\": \"ns\",\n";
        list(" \"assumptions\": [", program_.assumptions.size(),
             [this](std::size_t i) { return json_text(program_.assumptions[i]); });
        if (program_.other)
            list(" \"recorded_assumptions\": [", program_.other->assumptions.size(),
                 [this](std::size_t i) { return json_text(program_.other->assumptions[i]); });
        list(" \"objects\": [", program_.objects.size(), [this](std::size_t i) { return object(i); });
        text_ += " \"threads\": [";
        for (std::size_t thread = 0; thread < program_.lists.size(); ++thread) {
            text_ += thread == 0 ? "\n  " : ",\n  ";
            write_thread(thread);
        }
        text_ += "\n ]\n}\n";
        return std::move(text_);
    }

private:
    // What every object is to the steps, and who is created.
    Result<void> look_at_operations() {
        for (auto const* lists : {&program_.lists, recorded_lists()})
            for (auto const& operations : *lists)
                for (Operation const& operation : operations)
                    if (auto const looked = look_at(operation); !looked)
                        return looked;
        for (std::size_t thread = 1; thread < is_created_.size(); ++thread)
            if (!is_created_[thread] && !program_.parameters[thread].at_start)
                return fail(ErrorCode::unsupported, "a thread that never begins cannot be written: " +
                                                        display_name(program_.catalogue, ThreadId(thread)));
        return {};
    }

    Result<void> look_at(Operation const& operation) {
        auto const kind = operation.kind();
        if (kind == OperationKind::create)
            is_created_[operation.object] = true;
        auto const object = object_of(program_, operation);
        if (object.is_none())
            return {};
        auto const subject = std::ranges::find(step_rows, kind, &StepRow::kind)->subject;
        auto looked = subject == StepSubject::any_object ? Result<void>() : use(object, subject);
        if (looked && kind == OperationKind::condition_wait)
            looked = use(decode_wait(operation.value).mutex, StepSubject::lock);
        if (looked && kind == OperationKind::condition_barrier)
            looked = use(barrier_of(operation).mutex, StepSubject::lock);
        return looked;
    }

    Result<void> use(ObjectId object, StepSubject subject) {
        if (object.is_none())
            return {};
        auto& known = subjects_[object.index()];
        if (known.value_or(subject) != subject)
            return fail(ErrorCode::unsupported, display_name(program_.catalogue, object) +
                                                    " is used in two ways, which cannot be written");
        known = subject;
        return {};
    }

    ConditionBarrier const& barrier_of(Operation const& operation) const {
        return program_.barriers[static_cast<std::size_t>(operation.value)];
    }

    // A key with a list, an element a line; nothing where it is empty.
    template <class Element>
    void list(char const* begin, std::size_t size, Element const& element) {
        if (size == 0)
            return;
        text_ += begin;
        for (std::size_t i = 0; i < size; ++i)
            text_ += (i == 0 ? "\n  " : ",\n  ") + element(i);
        text_ += "\n ],\n";
    }

    std::string object(std::size_t number) const {
        auto const kind = program_.catalogue.objects[number].kind;
        auto const& parameters = program_.objects[number];
        auto const subject = subjects_[number].value_or(
            parameters.initial_count == 0 ? subject_of(kind) : StepSubject::semaphore);
        auto text =
            "{\"name\": " + json_text(names_.objects[number]) + ", \"kind\": \"" + name_of(kind) + '"';
        if (subject != subject_of(kind))
            text += std::string(R"(, "as": ")") + name_of(usual_kind(subject)) + '"';
        bool const counts = subject == StepSubject::semaphore || subject == StepSubject::condition;
        if (counts && parameters.initial_count != 0)
            text += ", \"count\": " + std::to_string(parameters.initial_count);
        if (parameters.waking > Duration{0})
            text += ", \"waking_ns\": " + std::to_string(parameters.waking.ns);
        if (parameters.team)
            text += ", \"team\": true";
        if (parameters.kernel_lock != KernelLock::none)
            text += ", \"kernel_lock\": " + json_text(std::string(name_of(parameters.kernel_lock)));
        for (std::size_t i = 0; i < parameters.turns.size(); ++i) {
            auto const& turn = parameters.turns[i];
            text += (i == 0 ? ", \"turns\": [" : ",") +
                    json_text(names_.threads[turn.thread.index()] +
                              (turn.takes == 1 ? "" : ' ' + std::to_string(turn.takes)));
        }
        return text + (parameters.turns.empty() ? "}" : "]}");
    }

    void write_thread(std::size_t thread) {
        auto const& parameters = program_.parameters[thread];
        text_ += "{\"name\": " + json_text(names_.threads[thread]);
        if (parameters.affinity != 0)
            text_ += ", \"cpu\": [" + cpus_text(parameters.affinity) + ']';
        if (auto const priority = parameters.priority; priority != Priority{})
            text_ += ", \"" + std::string(level_word(priority)) + "\": " + std::to_string(priority.level);
        if (parameters.lwp != LwpClass::pool)
            text_ += ", \"lwp\": " + json_text(std::string(name_of(parameters.lwp)));
        text_ += ", \"do\": [";
        write_steps(program_.lists[thread]);
        if (auto const& recorded = *recorded_lists(); !recorded.empty() && !recorded[thread].empty()) {
            text_ += "],\n   \"recorded\": [";
            write_steps(recorded[thread]);
        }
        text_ += "]}";
    }

    // Lists whose work was handed out otherwise in the recording; the others are empty.
    std::vector<OperationList> const* recorded_lists() const {
        static std::vector<OperationList> const none;
        return program_.other ? &program_.other->lists : &none;
    }

    void write_steps(OperationList const& operations) {
        line_begin_ = text_.size();
        is_first_step_ = true;
        held_.clear();
        bool after_work = false;
        for (Operation const& operation : operations) {
            // Work that stands alone would else be that of the next operation.
            if (operation.work_ns > 0 || after_work || operation.kind() == OperationKind::work_only)
                step("work " + std::to_string(operation.work_ns) + function_of(operation));
            after_work = operation.kind() == OperationKind::work_only;
            if (!after_work && operation.kind() != OperationKind::end)
                step(step_text(operation));
        }
    }

    void step(std::string const& written) {
        auto const quoted = json_text(written);
        bool const is_full = text_.size() - line_begin_ + quoted.size() > widest_line;
        if (!is_first_step_)
            text_ += is_full ? "," : ", ";
        if (is_first_step_ || is_full) {
            line_begin_ = text_.size();
            text_ += "\n   ";
        }
        is_first_step_ = false;
        text_ += quoted;
    }

    std::string function_of(Operation const& operation) const {
        auto const site = operation.site();
        if (site.is_none() || site.index() >= program_.catalogue.sites.size())
            return {};
        auto const& frames = program_.catalogue.sites[site.index()].frames;
        return frames.empty() || frames.front().function.empty() ? "" : ' ' + frames.front().function;
    }

    std::string step_text(Operation const& operation) {
        std::string const word(word_for(operation.kind()));
        switch (operation.kind()) {
            case OperationKind::condition_wait: return word + wait_text(operation);
            case OperationKind::condition_signal: return word + signal_text(operation);
            case OperationKind::condition_barrier: {
                auto const& barrier = barrier_of(operation);
                return word + object_text(barrier.condition) + object_text(barrier.mutex) + ' ' +
                       std::to_string(barrier.participants);
            }
            case OperationKind::barrier_wait:
                return word + object_text(operation.object_id()) + ' ' + std::to_string(operation.value);
            case OperationKind::semaphore_post: return word + signal_text(operation);
            case OperationKind::semaphore_wait:
                return word + object_text(operation.object_id()) + number_text(operation);
            case OperationKind::activate: return word + thread_text(operation) + number_text(operation);
            case OperationKind::accept: return word + number_text(operation);
            case OperationKind::join_any:
                return operation.thread_id().is_none() ? word : word + " any" + thread_text(operation);
            case OperationKind::delay:
                return word + ' ' + std::to_string(operation.value) + object_text(operation.object_id());
            case OperationKind::input_output:
                return word + object_text(operation.object_id()) + ' ' + std::to_string(operation.value);
            case OperationKind::set_affinity:
                return word + ' ' +
                       (operation.value == 0 ? "all"
                                             : cpus_text(static_cast<std::uint64_t>(operation.value)));
            case OperationKind::sleep_until:
            case OperationKind::set_concurrency: return word + ' ' + std::to_string(operation.value);
            case OperationKind::set_priority: {
                auto const priority = decode_priority(operation.value);
                return std::string(level_word(priority)) + ' ' + std::to_string(priority.level);
            }
            case OperationKind::unlock:
            case OperationKind::read_write_unlock:
            case OperationKind::lock:
            case OperationKind::read_lock:
            case OperationKind::write_lock:
                return std::string(lock_word(operation)) + object_text(operation.object_id()) +
                       (is_try(operation) ? " tried" : "");
            default: break;
        }
        if (names_thread(operation.kind()))
            return word + thread_text(operation);
        return word + object_text(object_of(program_, operation));
    }

    // `unlock` gives back what the thread holds, `release` what another thread holds, or nobody.
    std::string_view lock_word(Operation const& operation) {
        auto& held = held_[operation.object];
        if (traits_of(operation.kind()).role == Role::takes_lock) {
            ++held;
            return word_for(operation.kind());
        }
        if (held == 0)
            return "release";
        --held;
        return "unlock";
    }

    std::string wait_text(Operation const& operation) const {
        auto const wait = decode_wait(operation.value);
        return object_text(operation.object_id()) + object_text(wait.mutex) +
               (wait.token ? " #" + std::to_string(*wait.token) + (wait.at_once ? " at_once" : "") : "");
    }

    static std::string number_text(Operation const& operation) {
        auto const number = decode_number(operation.value);
        return number ? " #" + std::to_string(*number) : "";
    }

    std::string signal_text(Operation const& operation) const {
        auto const grant = decode_grant(operation.value);
        bool const is_usual = grant == TokenGrant{1, 0};
        auto const first = " #" + std::to_string(grant.first);
        return object_text(operation.object_id()) +
               (is_usual ? "" : ' ' + std::to_string(grant.tokens) + (grant.first == 0 ? "" : first));
    }

    std::string object_text(ObjectId object) const {
        return object.is_none() ? "" : ' ' + names_.objects[object.index()];
    }
    std::string thread_text(Operation const& operation) const {
        return ' ' + names_.threads[operation.thread_id().index()];
    }

    static std::string_view level_word(Priority priority) {
        if (priority.scheduling_class == SchedulingClass::fair)
            return "nice";
        return priority.takes_turns ? "round_robin" : "real_time";
    }

    static std::string cpus_text(std::uint64_t mask) {
        std::string text;
        for (unsigned cpu = 0; cpu < 64; ++cpu)
            if ((mask >> cpu & 1) != 0)
                text += (text.empty() ? "" : ",") + std::to_string(cpu);
        return text;
    }

    ThreadProgram const& program_;
    WordNames names_;
    std::vector<std::optional<StepSubject>> subjects_;  // by object; none: no step names it
    std::vector<bool> is_created_;                      // by thread
    std::map<std::uint32_t, std::uint32_t> held_;       // how often the thread that is written holds a lock
    std::string text_;
    std::size_t line_begin_ = 0;
    bool is_first_step_ = true;
};

}  // namespace

Result<std::string> to_threads_json(ThreadProgram const& program) {
    return ThreadsWriter(program).write();
}

}  // namespace parcast
