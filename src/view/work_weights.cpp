#include "view/work_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "answer/advice_sentences.h"
#include "program/work_change.h"

namespace parcast::view {

namespace {

constexpr std::uint32_t no_work = 0xffffffff;
constexpr double most_counted_cpus = 0xfffe;

// How a change of it begins: "lock:queue_mutex", to which "*0.5" is added.
std::string change_of_work(ThreadProgram const& program, ChangeableWork const& work, std::size_t thread) {
    auto const kind = std::string(owner_kinds[static_cast<std::size_t>(work.kind)]) + ":";
    if (work.kind == OwnerKind::thread)
        return kind + std::to_string(thread);
    if (work.locks.size() != 1)
        return kind + work.name;
    auto const& object = program.catalogue.objects[work.locks.front().index()];
    return kind +
           (object.name.empty() ? work.name.substr(std::strlen(name_of(object.kind)) + 1) : object.name);
}

void append_text(std::vector<std::uint8_t>& texts, std::string const& text) {
    texts.insert(texts.end(), text.begin(), text.end());
    texts.push_back(0);
}

}  // namespace

Result<std::unique_ptr<WorkWeights const>> WorkWeights::of(ThreadProgram const& program,
                                                           simulate::Pairing pairing,
                                                           Machine const& machine) {
    auto const checked = CheckedProgram::of(program);
    if (!checked)
        return pass_on(checked);
    auto run = simulate::run_unbounded(*checked, pairing, true, machine.waiting);
    if (!run)
        return pass_on(run);
    return std::make_unique<WorkWeights const>(program, pairing, machine, std::move(run->causes));
}

WorkWeights::WorkWeights(ThreadProgram const& program, simulate::Pairing pairing, Machine const& machine,
                         std::optional<CauseGraph> graph)
    : program_(program),
      pairing_(pairing),
      waiting_(machine.waiting),
      speeds_(speeds(machine.rates)),
      graph_(std::move(graph)) {
    if (!graph_)
        return;
    what_.emplace(program_, *graph_);
    work_ = analysis::changeable_work(*what_);
    for (std::size_t owner = 0; owner < work_.size(); ++owner)
        if (work_[owner].kind <= OwnerKind::thread && work_[owner].self_ns > 0)
            told_.push_back(static_cast<std::uint32_t>(owner));
}

Bytes WorkWeights::by_owner(std::span<std::uint32_t const> counts) const {
    std::vector<std::uint32_t> place(work_.size(), no_work);  // by owner, in told_
    std::vector<std::uint8_t> kinds;
    std::vector<std::uint8_t> texts;
    std::vector<double> calls;
    std::vector<double> self;
    std::vector<std::uint32_t> sites;
    std::vector<std::uint32_t> ids;
    auto const first_thread = static_cast<std::size_t>(
        std::ranges::find(work_, OwnerKind::thread, &ChangeableWork::kind) - work_.begin());
    for (auto const owner : told_) {
        auto const& work = work_[owner];
        auto const thread = owner - first_thread;
        place[owner] = static_cast<std::uint32_t>(kinds.size());
        kinds.push_back(static_cast<std::uint8_t>(work.kind));
        calls.push_back(static_cast<double>(work.calls));
        self.push_back(work.self_ns);
        sites.push_back(work.site.value);
        ids.push_back(work.kind == OwnerKind::thread ? static_cast<std::uint32_t>(thread)
                      : work.locks.empty()           ? ObjectId::none().value
                                                     : work.locks.front().value);
        append_text(texts, work_label(program_.catalogue, work));
        append_text(texts, change_of_work(program_, work, thread));
    }
    SectionWriter writer(weights_magic, texts.size() + kinds.size() * (32 + 8 * counts.size()));
    writer.add("work.kind", kinds);
    writer.add("work.calls", calls);
    writer.add("work.self", self);
    writer.add("work.site", sites);
    writer.add("work.id", ids);
    writer.add("work.texts", texts);
    std::vector<double> completions;
    std::vector<std::uint32_t> first;
    std::vector<double> decided(kinds.size() * counts.size());
    for (std::size_t count = 0; what_ && count < counts.size(); ++count) {
        auto const at = analysis::advice_on(*what_, work_, counts[count], speeds_);
        completions.push_back(at.completion_ns);
        first.push_back(at.first ? place[at.rows[*at.first].work] : no_work);
        for (auto const& row : at.rows)
            if (place[row.work] != no_work)
                decided[count * kinds.size() + place[row.work]] = row.decided_ns;
    }
    writer.add("count.completion", completions);
    writer.add("count.first", first);
    writer.add("decided", decided);
    return writer.finish();
}

Bytes WorkWeights::by_operation(std::uint32_t cpus) const {
    std::vector<std::uint32_t> first = {0};
    std::vector<float> all;
    if (what_)
        for (auto const& weights : what_->weights_on(cpus, speeds_)) {
            all.insert(all.end(), weights.begin(), weights.end());
            first.push_back(static_cast<std::uint32_t>(all.size()));
        }
    SectionWriter writer(weights_magic, all.size() * sizeof(float) + first.size() * sizeof(std::uint32_t));
    writer.add("weight.first", first);
    writer.add("weight", all);
    return writer.finish();
}

// Takes one count off the front. None: it is none.
std::optional<AdviceOnCpus> WorkWeights::tried_on(std::span<double const>& tried) const {
    constexpr std::size_t head = 3;
    auto const is_count = [](double number, double least, double most) {
        return number >= least && number <= most && std::trunc(number) == number;
    };
    if (tried.size() < head || !is_count(tried[0], 1, most_counted_cpus) ||
        !is_count(tried[2], 0, static_cast<double>(tried.size() - head) / 2))
        return std::nullopt;
    auto at = analysis::advice_on(*what_, work_, static_cast<std::uint32_t>(tried[0]), speeds_);
    if (tried[1] >= 0)
        at.time_ns = tried[1];
    auto const halves = tried.subspan(head, 2 * static_cast<std::size_t>(tried[2]));
    for (std::size_t i = 0; i < halves.size(); i += 2) {
        if (!is_count(halves[i], 0, static_cast<double>(told_.size()) - 1))
            return std::nullopt;
        auto const row =
            std::ranges::find(at.rows, told_[static_cast<std::size_t>(halves[i])], &AdviceRow::work);
        auto const time_ns = halves[i + 1] >= 0 ? std::optional(halves[i + 1]) : std::nullopt;
        if (row != at.rows.end() && at.time_ns)
            row->tried = {{.factor = 0.5, .time_ns = time_ns}};
    }
    tried = tried.subspan(head + halves.size());
    return at;
}

std::optional<Overtaken> WorkWeights::overtaken(std::size_t leader, std::uint32_t cpus) const {
    analysis::OvertakingSearch search;
    std::optional<std::size_t> by;
    while (!search.is_over()) {
        auto const gone = search.next();
        auto const less = with_work_scaled(program_, leader, analysis::OvertakingSearch::factor(gone));
        auto const checked = CheckedProgram::of(less);
        auto const run =
            checked ? simulate::run_unbounded(*checked, pairing_, true, waiting_) : pass_on(checked);
        if (!run || !run->causes)
            return std::nullopt;
        analysis::WhatToChange const what(less, *run->causes);
        auto const work = analysis::changeable_work(what);
        auto const at = analysis::advice_on(what, work, cpus, speeds_);
        auto const first = at.first ? std::optional(at.rows[*at.first].work) : std::nullopt;
        search.found(gone, first == leader);
        if (first != leader)
            by = first;
    }
    return search.is_overtaken()
               ? std::optional(Overtaken{analysis::OvertakingSearch::factor(search.lost), by})
               : std::nullopt;
}

std::string WorkWeights::sentences(std::span<double const> tried) const {
    std::vector<AdviceOnCpus> advice;
    while (what_ && !tried.empty()) {
        auto at = tried_on(tried);
        if (!at || (!advice.empty() && at->cpus <= advice.back().cpus))
            return {};
        advice.push_back(std::move(*at));
    }
    std::vector<std::optional<std::size_t>> leaders;  // none: none, or other than by the weights
    for (auto& at : advice) {
        auto const by_weights = at.first;
        if (at.time_ns)
            at.first = analysis::first_by_trial(at, work_);
        bool const was_tried = has_leader(at) && !at.rows[*at.first].tried.empty();
        leaders.push_back(was_tried && at.first == by_weights ? std::optional(at.rows[*at.first].work)
                                                              : std::nullopt);
    }
    // Where the replays have another leader than the weights, the weights cannot say who overtakes it. A
    // sentence is about its last count.
    for (std::size_t count = 0; count < advice.size(); ++count)
        if (leaders[count] && advice[count].cpus > 1 &&
            (count + 1 == advice.size() || leaders[count + 1] != leaders[count]))
            advice[count].overtaken = overtaken(*leaders[count], advice[count].cpus);
    std::string text;
    for (auto const& [last_cpus, sentence] : leader_sentences(work_, advice, program_.catalogue))
        text += (text.empty() ? "" : "\n") + std::to_string(last_cpus) + '\t' + sentence;
    return text;
}

}  // namespace parcast::view
