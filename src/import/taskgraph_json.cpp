#include "import/taskgraph_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/suggestion.h"
#include "import/amount.h"
#include "import/json_reader.h"
#include "import/reader_parts.h"
#include "program/speed_parameters.h"
#include "program/task_graph_builder.h"

namespace parcast {

namespace {

constexpr std::string_view schema = "parcast.taskgraph/2";
constexpr std::string_view first_schema = "parcast.taskgraph/1";  // a queue is a subset of the processes, too
constexpr std::array<std::string_view, 6> root_keys = {"schema",     "name",   "unit",
                                                       "parameters", "groups", "assumptions"};
constexpr std::array<std::string_view, 10> group_keys = {"name",  "count", "time",   "estimate", "process",
                                                         "after", "queue", "subset", "uses",     "speeds"};

// A group that is waited for: by its name, or by its place in the list of groups.
struct Reference {
    std::string_view name;
    std::uint64_t index;  // if the name is empty
    std::size_t place;    // in the text
};

// A group as it is read. Its lists keep their memory for the next one.
struct Draft {
    std::string_view name;
    std::size_t place = 0;
    Amount count, time, estimate, process, queue, subset;
    std::vector<Reference> after;
    std::vector<std::pair<std::string_view, Amount>> uses;
    std::vector<double> speeds;  // by running tasks

    void start_at(std::size_t start) {
        name = {};
        place = start;
        for (auto* amount : {&count, &time, &estimate, &process, &queue, &subset})
            amount->form = Amount::Form::absent;
        after.clear();
        uses.clear();
        speeds.clear();
    }
};

class TaskGraphReader {
public:
    TaskGraphReader(std::string text, std::string_view file, TaskGraphJsonOptions const& options)
        : text_size_(text.size()),
          file_(file),
          json_(std::move(text), file),
          amounts_(json_, options.given, options.cpus),
          options_(options) {}

    Result<TaskGraph> read() {
        if (!read_head() || !read_groups() || !resolve_open_references() ||
            !amounts_.check_given(options_.given))
            return fail(json_.error());
        bool const is_kept = text_size_ <= options_.most_kept_bytes;
        if (!is_kept)
            json_.forget();
        auto graph = std::move(builder_).finish();
        graph.name = std::move(name_);
        graph.assumptions = std::move(assumptions_);
        if (amounts_.uses_cpus())
            graph.cpus = options_.cpus;
        return checked_graph(std::move(graph), [this, is_kept](TaskGroupId group) {
            return is_kept ? place_of_group(group) : SourcePosition{file_, {}, {}, {}};
        });
    }

private:
    using Value = JsonReader::Value;

    SourcePosition place_of_group(TaskGroupId wanted) {
        std::size_t group = 0;
        std::size_t place = 0;
        json_.each_field_of_root([&](std::string_view key, Value value) {
            return key != "groups" || json_.each_element(value, [&](Value element) {
                if (group++ == wanted.index())
                    place = json_.place();
                return json_.each_field(element, [](std::string_view, Value) { return true; });
            });
        });
        json_.complain(ErrorCode::inconsistent, "", place);
        return *json_.error().place;
    }

    // In a pass of its own, since parameters may stand behind the groups that use them.
    bool read_head() {
        return json_.each_field_of_root([&](std::string_view key, Value value) {
            return once(key, root_keys, seen_at_root_, "a task graph") && root_field(key, value);
        }) && has("schema") &&
               has("groups");
    }

    bool read_groups() {
        return json_.each_field_of_root([&](std::string_view key, Value value) {
            return key != "groups" ||
                   json_.each_element(value, [&](Value group) { return read_group(group); });
        });
    }

    bool once(std::string_view key, std::span<std::string_view const> known, std::uint32_t& seen,
              char const* of) {
        auto const found = std::ranges::find(known, key);
        if (found == known.end()) {
            auto const meant = nearest(key, known);
            return json_.complain(ErrorCode::malformed,
                                  std::string(of) + " has no \"" + std::string(key) + "\"" +
                                      (meant ? ": did you mean \"" + std::string(*meant) + "\"?" : ""),
                                  json_.place());
        }
        auto const bit = std::uint32_t{1} << (found - known.begin());
        if ((seen & bit) != 0)
            return json_.complain(ErrorCode::malformed, "\"" + std::string(key) + "\" is given twice",
                                  json_.place());
        seen |= bit;
        return true;
    }

    bool has(std::string_view key) {
        auto const bit = std::ranges::find(root_keys, key) - root_keys.begin();
        return (seen_at_root_ >> bit & 1) != 0 ||
               json_.complain(ErrorCode::malformed, "a task graph needs \"" + std::string(key) + "\"", 0);
    }

    bool root_field(std::string_view key, Value value) {
        if (key == "schema")
            return read_schema(value);
        if (key == "name")
            return read_text(value, name_);
        if (key == "unit")
            return read_unit(value);
        if (key == "parameters") {
            return json_.each_field(value, [&](std::string_view name, Value amount) {
                return amounts_.declare(std::string(name), amount);
            });
        }
        if (key == "assumptions") {
            return json_.each_element(
                value, [&](Value sentence) { return read_text(sentence, assumptions_.emplace_back()); });
        }
        return true;  // the groups: later
    }

    bool read_text(Value value, std::string& into) {
        std::string_view text;
        if (!json_.string(value, text))
            return false;
        into = text;
        return true;
    }

    bool read_schema(Value value) {
        auto const place = json_.place();
        std::string_view found;
        if (!json_.string(value, found))
            return false;
        is_first_version_ = found == first_schema;
        return found == schema || is_first_version_ ||
               json_.complain(ErrorCode::unsupported,
                              "the schema is \"" + std::string(found) + "\"; this parcast reads \"" +
                                  std::string(schema) + "\" and \"" + std::string(first_schema) + "\"",
                              place);
    }

    bool read_unit(Value value) {
        auto const place = json_.place();
        std::string_view word;
        if (!json_.string(value, word))
            return false;
        auto const unit = unit_ns(word);
        unit_ns_ = unit.value_or(1);
        return unit ||
               json_.complain(ErrorCode::malformed,
                              "the unit \"" + std::string(word) + "\" is none of " + time_units, place);
    }

    bool read_group(Value value) {
        draft_.start_at(json_.place());
        std::uint32_t seen = 0;
        return json_.each_field(value, [&](std::string_view key, Value field) {
            return once(key, group_keys, seen, "a group") && group_field(key, field);
        }) && add_group();
    }

    bool group_field(std::string_view key, Value value) {
        if (key == "name")
            return json_.string(value, draft_.name);
        if (key == "count")
            return amounts_.read(value, draft_.count);
        if (key == "time")
            return amounts_.read_list(value, draft_.time);
        if (key == "estimate")
            return amounts_.read_list(value, draft_.estimate);
        if (key == "process")
            return amounts_.read_list(value, draft_.process);
        if (key == "queue")
            return amounts_.read(value, draft_.queue);
        if (key == "subset")
            return amounts_.read(value, draft_.subset);
        if (key == "after")
            return json_.each_element(value, [&](Value before) { return read_reference(before); });
        if (key == "speeds")
            return amounts_.read_speeds(value, draft_.speeds);
        return json_.each_field(value, [&](std::string_view name, Value amount) {
            return amounts_.read(amount, draft_.uses.emplace_back(name, Amount()).second);
        });
    }

    bool read_reference(Value value) {
        auto& reference = draft_.after.emplace_back(std::string_view(), 0, json_.place());
        if (JsonReader::is_string(value)) {
            return json_.string(value, reference.name) &&
                   (!reference.name.empty() ||
                    json_.complain(ErrorCode::malformed, "a name is empty", reference.place));
        }
        return json_.index(value, reference.index);
    }

    bool add_group() {
        std::size_t size = 0;
        if (!draft_.time.is_given())
            return json_.complain(ErrorCode::malformed, "a group needs a \"time\"", draft_.place);
        if (!size_of_draft(size) || !expand_times(draft_.time, size))
            return false;
        auto const group = builder_.add_group(values_);
        return name(group) && estimate(group, size) && pin(group, size) && enqueue(group) &&
               give_to_subset(group) && use(group) && connect(group);
    }

    bool size_of_draft(std::size_t& size) {
        double count = 1;
        auto const left = static_cast<double>(options_.most_tasks - builder_.tasks());
        if (draft_.count.is_given()) {
            if (!amounts_.whole(draft_.count, left, "the number of tasks", count))
                return false;
        } else if (draft_.time.form == Amount::Form::list) {
            count = static_cast<double>(draft_.time.list.size());
        }
        if (count < 1 || count > left)
            return json_.complain(
                ErrorCode::out_of_range,
                count < 1 ? std::string("a group needs a task")
                          : "there are more than " + std::to_string(options_.most_tasks) + " tasks",
                draft_.place);
        size = static_cast<std::size_t>(count);
        return true;
    }

    bool expand_times(Amount const& times, std::size_t size) {
        if (!amounts_.expand(times, size, values_))
            return false;
        std::ranges::transform(values_, values_.begin(), [&](double time) { return in_ns(time, unit_ns_); });
        return std::ranges::all_of(values_, [](double time) { return time <= most_time_ns; }) ||
               json_.complain(ErrorCode::out_of_range, "a time is over 10^18 ns, 31 years", times.place);
    }

    bool name(TaskGroupId group) {
        if (draft_.name.empty())
            return true;
        builder_.name(group, std::string(draft_.name));
        return group_named_.emplace(draft_.name, group).second ||
               json_.complain(ErrorCode::inconsistent,
                              "there are two groups \"" + std::string(draft_.name) + "\"", draft_.place);
    }

    bool estimate(TaskGroupId group, std::size_t size) {
        if (!draft_.estimate.is_given())
            return true;
        if (!expand_times(draft_.estimate, size))
            return false;
        builder_.estimate(group, values_);
        return true;
    }

    bool pin(TaskGroupId group, std::size_t size) {
        if (!draft_.process.is_given())
            return true;
        if (!amounts_.expand(draft_.process, size, values_))
            return false;
        auto const is_process = [](double value) {
            return value == std::floor(value) && value <= most_process;
        };
        if (!std::ranges::all_of(values_, is_process)) {
            return json_.complain(ErrorCode::out_of_range, "a process is a whole number up to a million",
                                  draft_.process.place);
        }
        builder_.pin(group, std::vector<std::uint32_t>(values_.begin(), values_.end()));
        return true;
    }

    bool enqueue(TaskGroupId group) {
        double queue = 0;
        if (!draft_.queue.is_given())
            return true;
        if (!amounts_.whole(draft_.queue, 65535, "a queue", queue))
            return false;
        builder_.enqueue(group, static_cast<std::uint16_t>(queue));
        return true;
    }

    bool give_to_subset(TaskGroupId group) {
        double subset = 0;
        auto const& given = is_first_version_ && !draft_.subset.is_given() ? draft_.queue : draft_.subset;
        if (!given.is_given())
            return true;
        if (!amounts_.whole(given, 65535, "a subset", subset))
            return false;
        builder_.give_to_subset(group, static_cast<std::uint16_t>(subset));
        return true;
    }

    bool use(TaskGroupId group) {
        for (auto const& [resource, amount] : draft_.uses) {
            double value = 0;
            if (!amounts_.single(amount, value))
                return false;
            builder_.use(group, resource, value);
        }
        for (std::size_t running = 1; running <= draft_.speeds.size(); ++running)
            builder_.use(group, speed_parameter(running), draft_.speeds[running - 1]);
        return true;
    }

    bool connect(TaskGroupId group) {
        for (auto const& reference : draft_.after)
            if (auto const before = find(reference))
                builder_.precede(*before, group);
            else
                open_references_.emplace_back(group, reference);
        return true;
    }

    std::optional<TaskGroupId> find(Reference const& reference) const {
        if (reference.name.empty()) {
            return reference.index < builder_.groups() ? std::optional(TaskGroupId(reference.index))
                                                       : std::nullopt;
        }
        auto const found = group_named_.find(reference.name);
        return found == group_named_.end() ? std::nullopt : std::optional(found->second);
    }

    // To groups that came later.
    bool resolve_open_references() {
        for (auto const& [group, reference] : open_references_) {
            auto const before = find(reference);
            if (!before)
                return json_.complain(ErrorCode::not_found, no_group(reference), reference.place);
            builder_.precede(*before, group);
        }
        return true;
    }

    std::string no_group(Reference const& reference) const {
        if (reference.name.empty()) {
            return "there is no group " + std::to_string(reference.index) + ": they count from 0 to " +
                   std::to_string(builder_.groups() - 1);
        }
        // In the order of their names: what is offered does not depend on the hash.
        std::vector<std::string_view> known;
        for (auto const& [known_name, group] : group_named_)
            known.push_back(known_name);
        std::ranges::sort(known);
        auto const meant = nearest(reference.name, known);
        return "there is no group \"" + std::string(reference.name) + "\"" +
               (meant ? ": did you mean \"" + std::string(*meant) + "\"?" : "");
    }

    static constexpr double most_time_ns = 1e18;
    static constexpr double most_process = 1e6;

    std::size_t text_size_;
    std::string file_;
    JsonReader json_;
    AmountReader amounts_;
    TaskGraphJsonOptions const& options_;
    TaskGraphBuilder builder_;
    std::string name_;
    std::vector<std::string> assumptions_;
    double unit_ns_ = 1;
    std::uint32_t seen_at_root_ = 0;
    bool is_first_version_ = false;
    Draft draft_;
    std::vector<double> values_;
    std::unordered_map<std::string_view, TaskGroupId> group_named_;
    std::vector<std::pair<TaskGroupId, Reference>> open_references_;
};

}  // namespace

Result<TaskGraph> task_graph_from_json(std::string text, std::string_view file,
                                       TaskGraphJsonOptions const& options) {
    return TaskGraphReader(std::move(text), file, options).read();
}

}  // namespace parcast
