#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "import/json_text.h"
#include "import/taskgraph_json.h"

namespace parcast {

namespace {

class TaskGraphWriter {
public:
    explicit TaskGraphWriter(TaskGraph const& graph) : graph_(graph), predecessors_(predecessors_of(graph)) {}

    std::string write() {
        text_ = "{\n \"schema\": \"parcast.taskgraph/2\",\n";
        if (!graph_.name.empty()) {
            text_ += " \"name\": ";
            quoted(graph_.name);
            text_ += ",\n";
        }
        text_ += " \"unit\": \"ns\",\n";
        assumptions();
        text_ += " \"groups\": [";
        for (std::size_t group = 0; group < graph_.groups(); ++group) {
            text_ += group == 0 ? "\n  " : ",\n  ";
            write_group(group);
        }
        text_ += "\n ]\n}\n";
        return std::move(text_);
    }

private:
    // In the form of the successors of the graph.
    struct Predecessors {
        std::vector<std::uint32_t> first;
        std::vector<std::uint32_t> group;
    };

    static Predecessors predecessors_of(TaskGraph const& graph) {
        Predecessors predecessors{std::vector<std::uint32_t>(graph.groups() + 1),
                                  std::vector<std::uint32_t>(graph.successors.size())};
        for (auto const successor : graph.successors)
            ++predecessors.first[successor.index() + 1];
        for (std::size_t group = 0; group < graph.groups(); ++group)
            predecessors.first[group + 1] += predecessors.first[group];
        auto next = predecessors.first;
        for (std::size_t group = 0; group < graph.groups(); ++group)
            for (auto const successor : graph.successors_of(TaskGroupId(group)))
                predecessors.group[next[successor.index()]++] = static_cast<std::uint32_t>(group);
        return predecessors;
    }

    void assumptions() {
        if (graph_.assumptions.empty())
            return;
        text_ += " \"assumptions\": [";
        for (std::size_t index = 0; index < graph_.assumptions.size(); ++index) {
            text_ += index == 0 ? "\n  " : ",\n  ";
            quoted(graph_.assumptions[index]);
        }
        text_ += "\n ],\n";
    }

    void write_group(std::size_t index) {
        TaskGroupId const group(index);
        auto const first = graph_.first_task[index];
        auto const size = graph_.size_of(group);
        text_ += '{';
        if (!graph_.group_names.empty() && !graph_.group_names[index].empty()) {
            text_ += "\"name\": ";
            text_ += own_name(index);
            text_ += ", ";
        }
        bool const is_even = std::ranges::adjacent_find(graph_.times_of(group), std::not_equal_to()) ==
                             graph_.times_of(group).end();
        if (is_even && size > 1) {
            text_ += "\"count\": ";
            number(size);
            text_ += ", ";
        }
        text_ += "\"time\": ";
        column(graph_.cpu_ns, first, size);
        if (!graph_.estimate_ns.empty()) {
            text_ += ", \"estimate\": ";
            column(graph_.estimate_ns, first, size);
        }
        processes(first, size);
        resources(index);
        predecessors(index);
        text_ += '}';
    }

    // A number if all are the same.
    template <class Values>
    void column(Values const& values, std::size_t first, std::size_t size) {
        auto const begin = values.begin() + static_cast<std::ptrdiff_t>(first);
        auto const end = begin + static_cast<std::ptrdiff_t>(size);
        if (std::adjacent_find(begin, end, std::not_equal_to()) == end) {
            number(*begin);
            return;
        }
        for (auto value = begin; value != end; ++value) {
            text_ += value == begin ? '[' : ',';
            number(*value);
        }
        text_ += ']';
    }

    void processes(std::size_t first, std::size_t size) {
        if (graph_.process.empty() || graph_.process[first] == any_process)
            return;
        text_ += ", \"process\": ";
        column(graph_.process, first, size);
    }

    void resources(std::size_t group) {
        if (!graph_.queue.empty() && graph_.queue[group] != 0) {
            text_ += ", \"queue\": ";
            number(graph_.queue[group]);
        }
        if (!graph_.subset.empty() && graph_.subset[group] != 0) {
            text_ += ", \"subset\": ";
            number(graph_.subset[group]);
        }
        bool is_first = true;
        for (auto const& resource : graph_.resources) {
            text_ += is_first ? ", \"uses\": {" : ", ";
            is_first = false;
            quoted(resource.name);
            text_ += ": ";
            number(resource.value[group]);
        }
        text_ += is_first ? "" : "}";
    }

    void predecessors(std::size_t group) {
        auto const begin = predecessors_.first[group];
        auto const end = predecessors_.first[group + 1];
        for (auto place = begin; place < end; ++place) {
            text_ += place == begin ? ", \"after\": [" : ",";
            number(predecessors_.group[place]);
        }
        text_ += begin == end ? "" : "]";
    }

    template <class Number>
    void number(Number value) {
        std::array<char, 32> digits;
        auto const written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
        text_.append(digits.data(), written.ptr);
    }

    // In quotes. A graph may have a name twice, its file may not: from the second on it has its place behind
    // it.
    std::string const& own_name(std::size_t group) {
        auto name = graph_.group_names[group];
        auto taken = names_.insert(json_text(name));
        while (!taken.second) {
            name += " #" + std::to_string(group);
            taken = names_.insert(json_text(name));
        }
        return *taken.first;
    }

    void quoted(std::string_view text) { text_ += json_text(text); }

    TaskGraph const& graph_;
    Predecessors predecessors_;
    std::unordered_set<std::string> names_;  // that were written, in quotes
    std::string text_;
};

}  // namespace

std::string to_json(TaskGraph const& graph) {
    return TaskGraphWriter(graph).write();
}

}  // namespace parcast
