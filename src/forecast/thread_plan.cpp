#include "forecast/thread_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/star_pattern.h"
#include "core/suggestion.h"

namespace parcast::forecast {

namespace {

std::vector<std::string> values_of(ThreadKey key, ThreadProgram const& program) {
    if (key == ThreadKey::path)
        return creation_paths(program);
    std::vector<std::string> values;
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread) {
        auto const& entry = program.catalogue.threads[thread];
        values.push_back(key == ThreadKey::number ? std::to_string(thread)
                         : key == ThreadKey::name ? entry.name
                                                  : entry.function);
    }
    return values;
}

Error no_such_thread(PlanEntry const& entry, std::vector<std::string> const& values) {
    auto const key = std::string(thread_keys[static_cast<std::size_t>(entry.key)]);
    std::set<std::string_view> distinct(values.begin(), values.end());
    distinct.erase("");
    std::vector<std::string_view> const words(distinct.begin(), distinct.end());
    auto message = "no thread has the " + key + " \"" + entry.value + "\"";
    if (entry.key == ThreadKey::number)
        message =
            "there is no thread " + entry.value + "; there are 0 to " + std::to_string(values.size() - 1);
    else if (words.empty())
        message += "; none has a " + key;
    else if (auto const near = nearest(entry.value, words))
        message += "; the nearest is \"" + std::string(*near) + "\"";
    else
        message += "; the first one is \"" + std::string(words.front()) + "\"";
    Error error{ErrorCode::unasked, std::move(message), entry.place, {}};
    return error;
}

// False: it is planned already.
template <class Value>
bool plan_value(std::optional<Value>& planned, std::optional<Value> const& value) {
    if (value && planned)
        return false;
    if (value)
        planned = value;
    return true;
}

}  // namespace

std::vector<std::string> creation_paths(ThreadProgram const& program) {
    std::vector<std::string> paths(program.lists.size());
    paths[0] = "0";
    std::vector<std::uint32_t> open{0};
    while (!open.empty()) {
        auto const creator = open.back();
        open.pop_back();
        std::size_t created = 0;
        for (auto const& operation : program.lists[creator])
            if (operation.kind() == OperationKind::create) {
                paths[operation.object] = paths[creator] + '.' + std::to_string(created++);
                open.push_back(operation.object);
            }
    }
    return paths;
}

Result<std::vector<PlannedThread>> planned_threads(ThreadPlan const& plan, ThreadProgram const& program) {
    std::vector<PlannedThread> threads(program.lists.size());
    for (auto const& entry : plan.entries) {
        auto const values = values_of(entry.key, program);
        std::size_t found = 0;
        for (std::size_t thread = 0; thread < threads.size(); ++thread) {
            bool const is_meant = entry.key == ThreadKey::number ? values[thread] == entry.value
                                                                 : matches_stars(entry.value, values[thread]);
            if (!is_meant || values[thread].empty())
                continue;
            auto& planned = threads[thread];
            auto const cpu =
                entry.cpus.empty() ? std::nullopt : std::optional(entry.cpus[found % entry.cpus.size()]);
            ++found;
            bool const has_priority = planned.nice || planned.real_time;
            bool const is_free = plan_value(planned.cpu, cpu) && plan_value(planned.lwp, entry.lwp) &&
                                 !(has_priority && (entry.nice || entry.real_time));
            if (!is_free)
                return tl::unexpected<Error>(Error{ErrorCode::unasked,
                                                   "thread " + std::to_string(thread) + " is planned twice",
                                                   entry.place,
                                                   {}});
            plan_value(planned.nice, entry.nice);
            plan_value(planned.real_time, entry.real_time);
        }
        if (found == 0)
            return tl::unexpected<Error>(no_such_thread(entry, values));
    }
    return threads;
}

namespace {

Result<void> check_cpu(std::uint32_t cpu, std::size_t thread, std::vector<std::uint32_t> const& cpus) {
    auto const planned = "the plan has thread " + std::to_string(thread) + " on CPU " + std::to_string(cpu);
    for (auto const count : cpus)
        if (count > 1 && cpu >= count)
            return fail(make_error(ErrorCode::unasked,
                                   planned + "; of " + std::to_string(count) + " CPUs the last one is CPU " +
                                       std::to_string(count - 1),
                                   "Name the number of CPUs that the plan is for with --cpus."));
    return {};
}

bool is_void(PlannedThread const& planned, Operation const& operation) {
    return (operation.kind() == OperationKind::set_affinity && planned.cpu) ||
           (operation.kind() == OperationKind::set_priority && (planned.nice || planned.real_time));
}

// Only the work before it stays.
void void_changes(PlannedThread const& planned, OperationList& list) {
    keep_only_work(list, [&](Operation const& operation) { return is_void(planned, operation); });
}

}  // namespace

Result<void> apply_plan(ThreadPlan const& plan, std::string const& file,
                        std::vector<std::uint32_t> const& cpus, ThreadProgram& program) {
    auto const planned = planned_threads(plan, program);
    if (!planned)
        return pass_on(planned);
    for (std::size_t thread = 0; thread < planned->size(); ++thread) {
        auto const& each = (*planned)[thread];
        auto& parameters = program.parameters[thread];
        if (each.cpu) {
            if (auto const checked = check_cpu(*each.cpu, thread, cpus); !checked)
                return pass_on(checked);
            parameters.affinity = std::uint64_t{1} << *each.cpu % 64;
            parameters.affinity_word = *each.cpu / 64;
        }
        if (each.real_time)
            parameters.priority = {SchedulingClass::real_time, *each.real_time};
        if (each.nice)
            parameters.priority = {SchedulingClass::fair, *each.nice};
        parameters.lwp = each.lwp.value_or(parameters.lwp);
        void_changes(each, program.lists[thread]);
        if (program.other && thread < program.other->lists.size())
            void_changes(each, program.other->lists[thread]);
    }
    program.assumptions.push_back("Threads run on the CPUs and with the priorities of the plan " + file +
                                  ", whatever the program sets.");
    return {};
}

ThreadPlan plan_of_binding(ThreadProgram const& program, std::vector<std::uint32_t> const& cpu_of_thread,
                           bool with_priorities) {
    auto const paths = creation_paths(program);
    ThreadPlan plan;
    for (std::size_t thread = 0; thread < cpu_of_thread.size(); ++thread) {
        auto const& known = program.catalogue.threads[thread];
        PlanEntry entry;
        entry.key = paths[thread].empty() ? ThreadKey::number : ThreadKey::path;
        entry.value = paths[thread].empty() ? std::to_string(thread) : paths[thread];
        entry.cpus = {cpu_of_thread[thread]};
        auto const priority = program.parameters[thread].priority;
        if (with_priorities && priority != Priority())
            (priority.scheduling_class == SchedulingClass::real_time ? entry.real_time : entry.nice) =
                priority.level;
        entry.comment = known.name.empty() ? known.function : known.name;
        std::erase_if(entry.comment, [](unsigned char letter) { return letter < ' ' || letter > '~'; });
        plan.entries.push_back(std::move(entry));
    }
    return plan;
}

}  // namespace parcast::forecast
