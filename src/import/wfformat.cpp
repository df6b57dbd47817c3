#include "import/readers.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "import/json_reader.h"
#include "import/reader_parts.h"
#include "program/task_graph_builder.h"

namespace parcast {

namespace {

constexpr double second_ns = 1e9;

struct Reference {
    std::string_view name;
    std::size_t place;
};

// A task as its specification gives it. Up to 1.4 with its run time, then with an id that its execution
// refers to.
struct Task {
    std::string_view id;
    std::string_view name;
    std::size_t place = 0;
    std::optional<double> seconds;
    double cores = 1;
    std::vector<Reference> parents;
    std::vector<Reference> children;
};

struct Execution {
    Reference id;
    std::optional<double> seconds;
    double cores = 1;
};

class WfFormatReader {
public:
    WfFormatReader(std::string text, std::string_view file) : json_(std::move(text), file), file_(file) {}

    Result<TaskGraph> read() {
        bool const is_read = json_.each_field_of_root(
                                 [&](std::string_view key, Value value) { return root_field(key, value); }) &&
                             has_tasks() && name_tasks() && attach_executions() && add_tasks() && connect();
        if (!is_read)
            return fail(json_.error());
        auto graph = std::move(builder_).finish();
        graph.name = std::move(name_);
        graph.assumptions = {"Files of the workflow and their transfer are not part of the task graph."};
        if (uses_several_cores_)
            graph.assumptions.emplace_back(
                "Some tasks used several cores: here each runs on one, for as long.");
        return checked_graph(std::move(graph), [this](TaskGroupId) {
            return SourcePosition{file_, std::nullopt, std::nullopt, std::nullopt};
        });
    }

private:
    using Value = JsonReader::Value;

    bool root_field(std::string_view key, Value value) {
        if (key == "name")
            return text(value, name_);
        return key != "workflow" || json_.each_field(value, [&](std::string_view inner, Value field) {
            return workflow_field(inner, field);
        });
    }

    bool workflow_field(std::string_view key, Value value) {
        if (key == "specification") {
            return json_.each_field(value, [&](std::string_view inner, Value field) {
                return inner != "tasks" || read_tasks(field);
            });
        }
        if (key == "execution") {
            return json_.each_field(value, [&](std::string_view inner, Value field) {
                return inner != "tasks" ||
                       json_.each_element(field, [&](Value run) { return read_execution(run); });
            });
        }
        return (key != "tasks" && key != "jobs") || read_tasks(value);
    }

    bool read_tasks(Value value) {
        return json_.each_element(value, [&](Value task) {
            auto& into = tasks_.emplace_back();
            into.place = json_.place();
            return json_.each_field(
                task, [&](std::string_view key, Value field) { return task_field(key, field, into); });
        });
    }

    bool task_field(std::string_view key, Value value, Task& into) {
        if (key == "name")
            return json_.string(value, into.name);
        if (key == "id")
            return json_.string(value, into.id);
        if (key == "parents")
            return references(value, into.parents);
        if (key == "children")
            return references(value, into.children);
        return run_field(key, value, into.seconds, into.cores);
    }

    bool read_execution(Value value) {
        auto& into = executions_.emplace_back();
        into.id.place = json_.place();
        return json_.each_field(value, [&](std::string_view key, Value field) {
            return key == "id" ? json_.string(field, into.id.name)
                               : run_field(key, field, into.seconds, into.cores);
        });
    }

    bool run_field(std::string_view key, Value value, std::optional<double>& seconds, double& cores) {
        if (key == "coreCount" || key == "cores")
            return !JsonReader::is_number(value) || json_.number(value, cores);
        if (key != "runtimeInSeconds" && key != "runtime")
            return true;
        auto const place = json_.place();
        double number = 0;
        if (!json_.number(value, number))
            return false;
        seconds = number;
        return (number >= 0 && number <= most_seconds) ||
               json_.complain(ErrorCode::out_of_range, "a run time is negative or over 31 years", place);
    }

    bool references(Value value, std::vector<Reference>& into) {
        return json_.each_element(value, [&](Value name) {
            auto const place = json_.place();
            return json_.string(name, into.emplace_back(Reference{{}, place}).name);
        });
    }

    bool text(Value value, std::string& into) {
        std::string_view found;
        bool const is_read = json_.string(value, found);
        into = found;
        return is_read;
    }

    bool has_tasks() {
        return !tasks_.empty() ||
               json_.complain(
                   ErrorCode::malformed,
                   "there is no task in workflow.specification.tasks, workflow.tasks or workflow.jobs", 0);
    }

    // By id and by name: parents are named by either. An id wins.
    bool name_tasks() {
        for (std::size_t task = 0; task < tasks_.size(); ++task) {
            auto const& [id, name, place, seconds, cores, parents, children] = tasks_[task];
            auto const key = id.empty() ? name : id;
            if (key.empty())
                return json_.complain(ErrorCode::malformed, "a task needs a \"name\" or an \"id\"", place);
            if (!task_by_id_.emplace(key, task).second) {
                return json_.complain(ErrorCode::inconsistent,
                                      "there are two tasks \"" + std::string(key) + "\"", place);
            }
        }
        for (std::size_t task = 0; task < tasks_.size(); ++task)
            if (!tasks_[task].name.empty())
                task_by_id_.emplace(tasks_[task].name, task);
        return true;
    }

    std::optional<std::size_t> find(Reference const& reference) {
        auto const found = task_by_id_.find(reference.name);
        if (found != task_by_id_.end())
            return found->second;
        json_.complain(ErrorCode::not_found, "there is no task \"" + std::string(reference.name) + "\"",
                       reference.place);
        return std::nullopt;
    }

    bool attach_executions() {
        for (auto const& execution : executions_) {
            auto const task = find(execution.id);
            if (!task)
                return false;
            tasks_[*task].seconds = execution.seconds;
            tasks_[*task].cores = execution.cores;
        }
        return true;
    }

    bool add_tasks() {
        for (auto const& task : tasks_) {
            auto const name = std::string(task.name.empty() ? task.id : task.name);
            if (!task.seconds) {
                return json_.complain(ErrorCode::not_found,
                                      "the task \"" + name +
                                          "\" has no \"runtimeInSeconds\": a workflow without its "
                                          "execution has no times",
                                      task.place);
            }
            builder_.name(builder_.add_task(in_ns(*task.seconds, second_ns)), name);
            uses_several_cores_ |= task.cores > 1;
        }
        return true;
    }

    bool connect() {
        for (std::size_t task = 0; task < tasks_.size(); ++task) {
            for (auto const& parent : tasks_[task].parents) {
                auto const before = find(parent);
                if (!before)
                    return false;
                builder_.precede(TaskGroupId(*before), TaskGroupId(task));
            }
            for (auto const& child : tasks_[task].children) {
                auto const after = find(child);
                if (!after)
                    return false;
                builder_.precede(TaskGroupId(task), TaskGroupId(*after));
            }
        }
        return true;
    }

    static constexpr double most_seconds = 1e9;

    JsonReader json_;
    std::string file_;
    std::string name_;
    std::vector<Task> tasks_;
    std::vector<Execution> executions_;
    std::unordered_map<std::string_view, std::size_t> task_by_id_;
    bool uses_several_cores_ = false;
    TaskGraphBuilder builder_;
};

}  // namespace

Result<TaskGraph> task_graph_from_wfformat(std::string text, std::string_view file) {
    return WfFormatReader(std::move(text), file).read();
}

}  // namespace parcast
