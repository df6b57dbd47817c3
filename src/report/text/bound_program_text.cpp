// How to bind a program, and what it brought.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/counted.h"
#include "core/percent_text.h"
#include "core/time_text.h"
#include "report/names.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

// As the kernel keeps it: TASK_COMM_LEN.
constexpr std::size_t longest_thread_name = 15;

// All threads but the first are members of a team of libgomp.
bool is_openmp_team(Catalogue const& catalogue) {
    auto const is_member = [](Thread const& thread) {
        return thread.function.find("._omp_fn") != std::string::npos;
    };
    return catalogue.threads.size() > 1 &&
           std::all_of(catalogue.threads.begin() + 1, catalogue.threads.end(), is_member);
}

std::string places_of(std::vector<std::uint32_t> const& cpus) {
    std::string text;
    for (auto const cpu : cpus)
        text += fmt::format("{}{{{}}}", text.empty() ? "" : ",", cpu);
    return text;
}

std::string affinity_lines(Catalogue const& catalogue, BindingOnCpus const& at, Layout const& layout) {
    std::map<std::string, std::vector<std::uint32_t>> by_place;  // where threads are created
    for (std::size_t thread = 1; thread < at.cpu_of_thread.size(); ++thread)
        if (auto const place = catalogue.threads[thread].created_at; !place.is_none())
            by_place[shown(catalogue, place)].push_back(at.cpu_of_thread[thread]);
    auto text = paragraph(
        fmt::format("Bind the first thread to CPU {} (pthread_setaffinity_np).", at.cpu_of_thread.front()),
        layout);
    for (auto const& [place, cpus] : by_place)
        text += paragraph(
            cpus.size() == 1
                ? fmt::format("Bind the thread that {} creates to CPU {}.", printable(place), cpus.front())
                : fmt::format("Bind the threads that {} creates to CPUs {}, in their order.",
                              printable(place), fmt::join(cpus, ",")),
            layout);
    return text;
}

// The new plan takes the place of one that was given.
std::vector<std::string> words_without_plan(Answer const& basis) {
    auto words = input_words(basis);
    if (auto const given = std::ranges::find(words, "--plan"); given != words.end())
        words.erase(given, given + 2);
    return words;
}

// -8 %
std::string signed_percent(double share) {
    return (share < 0 ? "-" : "") + percent_text(std::abs(share));
}

std::string verdict_sentence(BindingOnCpus const& at) {
    auto const& measured = *at.measured;
    auto const rounds = counted(measured.rounds, "round");
    switch (measured.verdict) {
        case BindingVerdict::confirmed:
            return fmt::format("The measurement confirms the prediction, in {}.", rounds);
        case BindingVerdict::refuted:
            return fmt::format("The measurement refutes the prediction, in {}: believe the measurement.",
                               rounds);
        case BindingVerdict::open:
            return fmt::format(
                "The measurement decides nothing: the runs of {} differ by more than binding brings.",
                rounds);
    }
    return {};
}

}  // namespace

std::string taskset_lines(Catalogue const& catalogue, std::vector<std::uint32_t> const& cpu_of_thread) {
    std::map<std::string, std::vector<std::uint32_t>> by_name;
    for (std::size_t thread = 1; thread < cpu_of_thread.size(); ++thread)
        if (auto const& name = catalogue.threads[thread].name; !name.empty())
            by_name[name.substr(0, longest_thread_name)].push_back(cpu_of_thread[thread]);
    std::string text;
    for (auto const& [name, cpus] : by_name)
        text += fmt::format(
            "    set -- {}; for t in $(ls -v /proc/$PID/task); do [ $# -gt 0 ] && [ \"$(cat "
            "/proc/$PID/task/$t/comm)\" = {} ] || continue; taskset -cp $1 $t; shift; done\n",
            fmt::join(cpus, " "), command_line({name}));
    return text;
}

std::string how_to_bind(Answer const& basis, std::optional<std::string> const& plan, BindingOnCpus const& at,
                        Layout const& layout) {
    auto const& catalogue = basis.recording().catalogue;
    std::string text;
    if (is_openmp_team(catalogue))
        text += fmt::format("    OMP_PROC_BIND=true OMP_PLACES='{}'\n", places_of(at.cpu_of_thread));
    else if (basis.form() == Form::recording)
        text += affinity_lines(catalogue, at, layout);
    if (auto const lines = taskset_lines(catalogue, at.cpu_of_thread);
        basis.form() == Form::recording && !lines.empty())
        text += paragraph("Or by their names while they run, where PID is the process:", layout) +
                fmt::format("    taskset -cp {} $PID\n", at.cpu_of_thread.front()) + lines;
    if (plan) {
        text += fmt::format("    parcast predict {} --cpus {} --plan {}\n",
                            command_line(words_without_plan(basis)), at.cpus, command_line({*plan}));
        if (basis.form() == Form::recording)
            text += fmt::format("    parcast run --plan {} -- {}\n", command_line({*plan}),
                                shown_command(basis.recording().provenance->command));
    }
    return text;
}

std::string measured_binding_text(BindingOnCpus const& at, Layout const& layout) {
    if (!at.not_measured.empty())
        return paragraph(fmt::format("Not measured on {} CPUs: {}.", at.cpus, at.not_measured), layout);
    if (!at.measured)
        return {};
    auto const& measured = *at.measured;
    auto const time = [](double ns) { return time_text(Duration{static_cast<std::int64_t>(ns)}); };
    Table table(
        {{fmt::format("on {} CPUs", at.cpus), Align::left}, {"measured"}, {"from"}, {"to"}, {"predicted"}});
    auto const add_times = [&](char const* what, Spread const& spread, Duration predicted) {
        table.add({{what},
                   {time(spread.median)},
                   {time(spread.least)},
                   {time(spread.most)},
                   {time_text(predicted)}});
    };
    add_times("not bound", measured.unbound_ns, *at.unbound);
    add_times("bound", measured.bound_ns, *at.best_time());
    table.add({{"saves"},
               {signed_percent(measured.gain.median)},
               {signed_percent(measured.gain.least)},
               {signed_percent(measured.gain.most)},
               {signed_percent(*at.gain())}});
    auto text =
        table.text(layout.colour, layout.table_width()) +
        paragraph("from, to: between them lies the median of such runs, with 90 % (fewer than 5: less)",
                  layout);
    text += paragraph(verdict_sentence(at), layout);
    if (measured.disturbed > 0)
        text += paragraph(fmt::format("Other programs disturbed {}.", counted(measured.disturbed, "run")),
                          layout);
    for (auto const& remark : measured.remarks)
        text += paragraph("note: " + remark, layout);
    return text;
}

}  // namespace parcast::report
