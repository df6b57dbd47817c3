// The forms of a program that a question can be asked of. Who takes only some of them says so with a FormSet,
// and one place refuses the others.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace parcast {

enum class Form : std::uint8_t { recording, task_graph, model, threads, steps, messages };

struct FormName {
    std::string_view key;     // in JSON
    std::string_view bare;    // "about this task graph"
    std::string_view one;     // "this is a recording"
    std::string_view plural;  // "--schedule is for task graphs"
};

inline constexpr std::array<FormName, 6> form_names{{
    {"recording", "recording", "a recording", "recordings"},
    {"task_graph", "task graph", "a task graph", "task graphs"},
    {"model", "model", "a model", "models"},
    {"threads", "thread program", "a thread program", "thread programs"},
    {"steps", "step program", "a step program", "step programs"},
    {"messages", "message program", "a message program", "message programs"},
}};

constexpr FormName const& name_of(Form form) {
    return form_names[static_cast<std::size_t>(form)];
}

class FormSet {
public:
    constexpr FormSet() = default;
    constexpr FormSet(std::initializer_list<Form> forms) {
        for (Form const form : forms)
            bits_ |= 1U << static_cast<unsigned>(form);
    }
    constexpr bool has(Form form) const { return (bits_ >> static_cast<unsigned>(form) & 1U) != 0; }

    friend constexpr FormSet operator&(FormSet a, FormSet b) {
        a.bits_ &= b.bits_;
        return a;
    }
    friend constexpr bool operator==(FormSet, FormSet) = default;

    static constexpr FormSet all() {
        FormSet forms;
        forms.bits_ = (1U << form_names.size()) - 1;
        return forms;
    }

private:
    unsigned bits_ = 0;
};

inline constexpr FormSet every_form = FormSet::all();
// A program of threads: recorded, or written down. It is replayed.
inline constexpr FormSet replayed_forms = {Form::recording, Form::threads};
// What runs on a number of CPUs, and not on ranks of its own.
inline constexpr FormSet forms_with_runs = {Form::recording, Form::task_graph, Form::threads};
inline constexpr FormSet forms_with_runs_and_messages = {Form::recording, Form::task_graph, Form::threads,
                                                         Form::messages};
// Ranks that send each other messages over a network.
inline constexpr FormSet networked_forms = {Form::steps, Form::messages};
// What runs on a machine: its executions have timelines.
inline constexpr FormSet forms_with_machines = {Form::recording, Form::task_graph, Form::threads, Form::steps,
                                                Form::messages};

}  // namespace parcast
