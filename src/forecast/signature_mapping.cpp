#include "forecast/signature_mapping.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/leading_number.h"
#include "core/sample.h"
#include "model/deterministic/allocation.h"
#include "model/events_threads/characteristic_fit.h"
#include "model/events_threads/static_analysis.h"

namespace parcast::forecast {

namespace {

using Threads = std::vector<model::MappedThread>;

// The moments of a task's work: of all tasks that there are, or with the CV that is given.
Result<model::TaskWork> task_work(Sample const& tasks, MappingQuestion const& question) {
    auto const count = static_cast<double>(tasks.count());
    // The least that count tasks can have: the variance of their sum would be negative.
    double const least = count > 1 ? -1 / (count - 1) : -1;
    if (question.correlation < least)
        return fail(make_error(ErrorCode::out_of_range,
                               "a correlation of " + std::to_string(question.correlation) +
                                   " between any two of " + std::to_string(tasks.count()) +
                                   " tasks is impossible",
                               "It is at least -1 divided by the number of tasks less one."));
    return model::TaskWork{tasks.mean(), question.cv ? *question.cv * tasks.mean() : tasks.deviation(),
                           question.correlation};
}

// Of normal works with the moments of (3.11) and (3.13): what they share is one factor.
Result<double> normal_imbalance(Threads const& threads, model::TaskWork const& task) {
    if (task.correlation < 0)
        return fail(make_error(
            ErrorCode::out_of_range,
            "the law normal needs works that do not contradict each other: a correlation from 0 on",
            "Leave --law or --correlation out."));
    std::vector<model::NormalWork> works;
    for (auto const& thread : threads) {
        auto const tasks = static_cast<double>(thread.tasks);
        works.push_back({thread.work_ns, task.deviation_ns * tasks * std::sqrt(task.correlation),
                         task.deviation_ns * std::sqrt(tasks * (1 - task.correlation))});
    }
    return model::load_imbalance(works);
}

Result<double> expected_imbalance(Threads const& threads, model::TaskWork const& task,
                                  model::WorkLaw const& law) {
    if (std::holds_alternative<model::work_law::Normal>(law))
        return normal_imbalance(threads, task);
    std::vector<double> works;
    for (auto const& thread : threads)
        works.push_back(thread.work_ns);
    return model::load_imbalance(law, works);
}

// None: nothing to divide, or nobody to divide it among.
std::optional<double> ratio(double above, double below) {
    return above > 0 && below > 0 ? std::optional(above / below) : std::nullopt;
}

MappedThreadRow row_of(model::MappedThread const& thread, model::TaskWork const& task) {
    auto const tasks = static_cast<double>(thread.tasks);
    return {thread.tasks,        thread.work_ns,
            task.mean_of(tasks), std::sqrt(std::max(0.0, task.variance_of(tasks))),
            thread.events,       ratio(thread.work_ns, static_cast<double>(thread.events - 1)),
            thread.data_bytes,   ratio(thread.data_bytes, static_cast<double>(thread.transfers))};
}

std::vector<std::vector<double>> covariances(Threads const& threads, model::TaskWork const& task) {
    std::vector<std::vector<double>> matrix(threads.size());
    for (std::size_t i = 0; i < threads.size(); ++i)
        for (std::size_t j = 0; j < threads.size(); ++j) {
            auto const tasks = static_cast<double>(threads[i].tasks);
            matrix[i].push_back(i == j ? task.variance_of(tasks)
                                       : task.covariance_of(tasks, static_cast<double>(threads[j].tasks)));
        }
    return matrix;
}

Result<MappingRow> mapping_row(Threads const& threads, Sample const& tasks, MappingQuestion const& question) {
    constexpr std::size_t most_in_matrices = 2000;
    if (question.matrices && threads.size() > most_in_matrices)
        return fail(make_error(
            ErrorCode::unasked,
            "the matrices of " + std::to_string(threads.size()) + " threads are too large to print",
            "Leave --matrices out, or take at most 2000 threads."));
    auto const task = task_work(tasks, question);
    if (!task)
        return pass_on(task);
    MappingRow row;
    row.task_mean_ns = task->mean_ns;
    row.task_deviation_ns = task->deviation_ns;
    std::uint64_t transfers = 0;
    std::vector<double> works;
    for (auto const& thread : threads) {
        row.threads.push_back(row_of(thread, *task));
        row.tasks += thread.tasks;
        row.events += thread.events;
        row.work_ns += thread.work_ns;
        row.data_bytes += thread.data_bytes;
        transfers += thread.transfers;
        works.push_back(thread.work_ns);
    }
    // A thread has an active period less than events.
    row.alpha_ns = ratio(row.work_ns, static_cast<double>(row.events - threads.size()));
    row.beta_bytes = ratio(row.data_bytes, static_cast<double>(transfers));
    row.imbalance = model::load_imbalance_of_known(works);
    if (question.law) {
        auto const expected = expected_imbalance(threads, *task, *question.law);
        if (!expected)
            return pass_on(expected);
        row.expected_imbalance = *expected;
    }
    if (question.matrices)
        row.matrices = MappingMatrices{{}, {}, covariances(threads, *task)};
    return row;
}

SignatureMapping mapping_about(std::string form, MappingQuestion const& question) {
    SignatureMapping mapping;
    mapping.form = std::move(form);
    mapping.law = question.law ? name_of(*question.law) : "";
    mapping.correlation = question.correlation;
    mapping.is_random = question.cv || question.correlation != 0 ||
                        (question.law && std::holds_alternative<model::work_law::Normal>(*question.law));
    return mapping;
}

std::optional<MappingCharacteristic> characteristic_of(std::vector<MappingRow> const& rows) {
    std::vector<model::EventCount> counts;
    for (auto const& row : rows)
        counts.push_back({static_cast<double>(row.threads.size()), static_cast<double>(row.events)});
    auto const fit = model::fit_characteristic(counts);
    if (!fit)
        return std::nullopt;
    auto const words = model::words_of(fit->growth);
    return MappingCharacteristic{std::string(words.word),   std::string(words.sentence),
                                 fit->best().formula,       fit->exponent,
                                 fit->exponent_95,          fit->few_counts,
                                 fit->best().relative_error};
}

Result<MappingRow> mapped_row(TaskGraph const& graph, std::uint32_t threads, ReadyPolicy const& policy,
                              MappingQuestion const& question) {
    auto allocation = model::static_allocation(graph, threads, policy);
    if (!allocation)
        return fail(with_code(ErrorCode::unasked, allocation.error(), "Schedules: parcast help signature"));
    std::ranges::replace(allocation->process, any_process, 0U);
    Sample tasks;
    for (double const ns : graph.cpu_ns)
        tasks.add(ns);
    auto row = mapping_row(model::mapped_threads(graph, allocation->process, threads), tasks, question);
    if (row && row->matrices)
        row->matrices->thread_of_task = allocation->process;
    return row;
}

// Of steps and messages, which have a number of threads of their own.
template <class Program>
Result<SignatureMapping> mapped_ranks(Program const& program, Sample const& tasks, char const* form,
                                      MappingQuestion const& question) {
    auto row = mapping_row(model::mapped_threads(program), tasks, question);
    if (!row)
        return pass_on(row);
    if (row->matrices) {
        row->matrices->thread_of_task = model::computation_mapping(program);
        row->matrices->subdomains = model::data_mapping(program);
    }
    auto mapping = mapping_about(form, question);
    mapping.rows.push_back(std::move(*row));
    mapping.notes.emplace_back(
        "No g(P) is fitted: it takes three numbers of threads, and this program is for one number of ranks.");
    return mapping;
}

}  // namespace

Result<model::WorkLaw> parse_work_law(std::string_view text) {
    using namespace model::work_law;
    if (text == "exponential")
        return Exponential{};
    if (text == "uniform")
        return Uniform{};
    if (text == "normal")
        return Normal{};
    constexpr std::string_view erlang = "erlang:";
    constexpr std::uint32_t most_stages = 1'000'000;
    if (text.starts_with(erlang))
        if (auto const stages = number_in<std::uint32_t>(text.substr(erlang.size()));
            stages && *stages > 0 && *stages <= most_stages)
            return Erlang{*stages};
    return fail(ErrorCode::unasked, "it is exponential, uniform, normal or erlang:K with K stages, not \"" +
                                        std::string(text) + "\"");
}

std::string name_of(model::WorkLaw const& law) {
    return std::visit(
        [](auto const& each) -> std::string {
            using Each = std::decay_t<decltype(each)>;
            if constexpr (std::is_same_v<Each, model::work_law::Exponential>)
                return "exponential";
            else if constexpr (std::is_same_v<Each, model::work_law::Uniform>)
                return "uniform";
            else if constexpr (std::is_same_v<Each, model::work_law::Normal>)
                return "normal";
            else
                return "erlang:" + std::to_string(each.stages);
        },
        law);
}

Result<SignatureMapping> mapped_graph(ImportedGraph const& imported, std::span<std::uint32_t const> threads,
                                      ReadyPolicy const& policy, MappingQuestion const& question) {
    auto mapping = mapping_about("task_graph", question);
    mapping.schedule = parcast::name_of(policy);
    for (auto const count : threads) {
        std::optional<TaskGraph> own;
        if (imported.for_cpus) {
            auto graph = imported.for_cpus(count);
            if (!graph)
                return pass_on(graph);
            own.emplace(std::move(*graph));
        }
        auto row = mapped_row(own ? *own : imported.graph, count, policy, question);
        if (!row)
            return pass_on(row);
        mapping.rows.push_back(std::move(*row));
    }
    mapping.characteristic = characteristic_of(mapping.rows);
    constexpr std::size_t fewest = 3;
    if (mapping.rows.size() < fewest)
        mapping.notes.push_back("No g(P) is fitted: it takes three numbers of threads, and there " +
                                std::string(mapping.rows.size() == 1 ? "is one" : "are two") +
                                ". Such as: --cpus 4,8,16");
    if (std::holds_alternative<ready::Explicit>(policy) &&
        std::ranges::find(imported.graph.process, any_process) != imported.graph.process.end())
        mapping.notes.emplace_back("Tasks that are pinned to no thread are on thread 0.");
    return mapping;
}

Result<SignatureMapping> mapped_steps(StepProgram const& program, MappingQuestion const& question) {
    Sample tasks;
    for (auto const ns : program.compute_ns)
        if (ns != 0)
            tasks.add(static_cast<double>(ns));
    return mapped_ranks(program, tasks, "steps", question);
}

Result<SignatureMapping> mapped_messages(MessageProgram const& program, MappingQuestion const& question) {
    Sample tasks;
    for (std::size_t place = 0; place < program.operations(); ++place)
        if (program.kind[place].operation() == MessageOperation::calc)
            tasks.add(static_cast<double>(program.amount[place]));
    return mapped_ranks(program, tasks, "messages", question);
}

}  // namespace parcast::forecast
