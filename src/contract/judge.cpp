#include "contract/judge.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "answer/circumstances.h"
#include "answer/limit.h"
#include "answer/run_sentences.h"
#include "core/counted.h"
#include "core/listed.h"
#include "core/suggestion.h"

namespace parcast::contract {

namespace {

Row const* row_on(Answer const& answer, std::uint32_t cpus) {
    auto const found = std::ranges::find(answer.rows, cpus, &Row::cpus);
    return found == answer.rows.end() ? nullptr : &*found;
}

bool satisfies(Relation comparison, double value, double bound) {
    switch (comparison) {
        case Relation::less: return value < bound;
        case Relation::at_most: return value <= bound;
        case Relation::more: return value > bound;
        case Relation::at_least: return value >= bound;
        default: return false;
    }
}

bool wants_more(Relation comparison) {
    return comparison == Relation::more || comparison == Relation::at_least;
}

// All numbers between the ends satisfy a comparison, or none does, if both ends agree.
Judgement judgement_of(Assertion const& assertion, Range const& range) {
    bool const low = satisfies(assertion.comparison, range.low, assertion.number);
    bool const high = satisfies(assertion.comparison, range.high, assertion.number);
    return low != high ? Judgement::cannot_tell : low ? Judgement::holds : Judgement::fails;
}

// From the end of the range that is nearest to the bound beyond it; inside from the value.
double margin_of(Assertion const& assertion, Judgement judgement, double value, Range const& range) {
    bool const more = wants_more(assertion.comparison);
    double const worst = more ? range.low : range.high;
    double const best = more ? range.high : range.low;
    double const from = judgement == Judgement::holds ? worst : judgement == Judgement::fails ? best : value;
    double const distance = more ? from - assertion.number : assertion.number - from;
    bool const is_share = row_of(assertion.function).value == AssertedValue::share;
    return is_share || assertion.number == 0 ? distance : distance / std::abs(assertion.number);
}

JudgedAssertion with_number(JudgedAssertion judged, double value, std::optional<Range> const& range) {
    auto const& assertion = judged.assertion;
    Range const whole = range.value_or(Range{value, value});
    judged.value = value;
    judged.range = range;
    judged.judgement = judgement_of(assertion, whole);
    judged.margin = margin_of(assertion, judged.judgement, value, whole);
    return judged;
}

JudgedAssertion unknown(JudgedAssertion judged, std::string reason) {
    judged.judgement = Judgement::cannot_tell;
    judged.reason = std::move(reason);
    return judged;
}

std::string without_stop(std::string text) {
    while (text.ends_with('.'))
        text.pop_back();
    return text;
}

std::string withheld_reason(Answer const& answer) {
    for (auto const& finding : answer.findings)
        if (finding.makes_worthless)
            return fmt::format("the recording is worth nothing ({}): {}", name_of(finding.kind),
                               without_stop(finding.message));
    return {};
}

// Why nothing can be told from the row. Empty: it can.
std::string reason_against(Answer const& answer, Row const* row, std::uint32_t cpus) {
    if (withholds_conclusions(answer.findings))
        return withheld_reason(answer);
    if (row == nullptr)
        return fmt::format("nothing was predicted on {}", counted(cpus, "CPU"));
    if (row->run.deadlock)
        return fmt::format("the replay deadlocks on {}", counted(cpus, "CPU"));
    if (!answer.is_replayed())
        return {};
    if (!answer.recording().time_on_one)
        return "the replay on one CPU deadlocks";
    if (answer.recording().model == "ordered")
        return "the replay keeps the order of locks of the recording, and in another one the program may be "
               "faster";
    if (answer.recording().provenance && !answer.ranges)
        return "a recording without ranges (--runs 0) tells nothing for sure";
    if (answer.ranges && !row->range)
        return fmt::format("too few of the replays for its range on {} came to their end",
                           counted(cpus, "CPU"));
    return {};
}

// --- what limits

struct PossibleLimits {
    Cause first = Cause::busy;  // busy: none is worth a sentence
    std::vector<Cause> all;     // it, and those that it could be instead
    std::optional<Limit> object;
};

PossibleLimits possible_limits(Row const& row) {
    auto const lost = losses(row.limits);
    double spread = 0;
    if (row.range && row.speed_up > 0) {
        double const cpus = row.cpus;
        spread =
            std::max(row.range->speed_up.high - row.speed_up, row.speed_up - row.range->speed_up.low) / cpus;
    }
    PossibleLimits found;
    double const most = lost.empty() ? 0 : lost.front().share;
    if (!lost.empty() && most >= worth_a_sentence) {
        found.first = lost.front().cause;
        found.object = lost.front().main_object;
    }
    for (auto const& loss : lost)
        if (loss.share + spread >= std::max(worth_a_sentence, most - spread) &&
            (loss.cause == found.first || loss.share >= most - spread))
            found.all.push_back(loss.cause);
    if (found.first == Cause::busy || most - spread < worth_a_sentence)
        found.all.push_back(Cause::busy);
    return found;
}

std::string word_of(Cause cause) {
    return cause == Cause::busy ? "none" : name_of(cause);
}

JudgedAssertion judge_limit(JudgedAssertion judged, Row const& row) {
    auto const possible = possible_limits(row);
    auto const& assertion = judged.assertion;
    judged.found = word_of(possible.first);
    auto const is_satisfied = [&](Cause cause) {
        return (word_of(cause) == assertion.word) == (assertion.comparison == Relation::equal);
    };
    auto const good = static_cast<std::size_t>(std::ranges::count_if(possible.all, is_satisfied));
    judged.judgement = good == possible.all.size() ? Judgement::holds
                       : good == 0                 ? Judgement::fails
                                                   : Judgement::cannot_tell;
    if (judged.judgement != Judgement::cannot_tell)
        return judged;
    std::vector<std::string> words;
    for (Cause const cause : possible.all)
        words.push_back(word_of(cause));
    return unknown(std::move(judged),
                   fmt::format("within the range of the prediction it is {}", listed(words, " or ")));
}

// --- locks

bool is_lock(ObjectKind kind) {
    return kind == ObjectKind::mutex || kind == ObjectKind::spin_lock ||
           kind == ObjectKind::reader_writer_lock;
}

// "histogram.c:34" is the end of "/home/me/src/histogram.c:34".
bool ends_path(std::string_view path, std::string_view end) {
    return path.ends_with(end) && (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

bool is_called(Catalogue const& catalogue, ObjectId lock, std::string_view name) {
    auto const& object = catalogue.objects[lock.index()];
    auto const kind = std::string(name_of(object.kind));
    if (!object.name.empty() && (name == object.name || name == kind + " " + object.name))
        return true;
    if (object.first_site.is_none())
        return false;
    auto const& frames = catalogue.sites[object.first_site.index()].frames;
    return std::ranges::any_of(frames, [&](Frame const& frame) {
        return name == frame.function ||
               (frame.line != 0 && ends_path(fmt::format("{}:{}", frame.file, frame.line), name));
    });
}

std::string no_such_lock(Catalogue const& catalogue, std::string_view name) {
    std::vector<std::string_view> names;
    for (auto const& object : catalogue.objects)
        if (is_lock(object.kind) && !object.name.empty())
            names.push_back(object.name);
    auto const meant = nearest(name, names);
    return fmt::format("the program took no lock called \"{}\"", name) +
           (meant ? fmt::format("; did you mean \"{}\"?", *meant) : "");
}

JudgedAssertion judge_held(JudgedAssertion judged, Row const& row, Evidence const& evidence) {
    if (!evidence.answer.is_replayed())
        return unknown(std::move(judged), "a task graph has no locks");
    if (evidence.answer.recording().model == "client-server")
        return unknown(std::move(judged), "the client-server model replays no holding of a lock as it was");
    auto const& catalogue = evidence.answer.recording().catalogue;
    auto const held = std::ranges::find_if(evidence.held, [&](HeldLock const& each) {
        return each.name == judged.assertion.name && each.cpus == row.cpus;
    });
    if (held == evidence.held.end())
        return unknown(std::move(judged), no_such_lock(catalogue, judged.assertion.name));
    judged.site = catalogue.objects[held->lock.index()].first_site;
    return with_number(std::move(judged), held->share, held->range);
}

// --- findings

JudgedAssertion judge_findings(JudgedAssertion judged, Answer const& answer) {
    auto const& assertion = judged.assertion;
    bool const is_none = assertion.comparison == Relation::equal;
    std::vector<std::string> found;
    Finding const* first = nullptr;
    for (auto const& finding : answer.findings) {
        bool const counts =
            is_none ? finding.severity == Severity::warning : assertion.word == name_of(finding.kind);
        std::string const word = name_of(finding.kind);
        if (counts && std::ranges::find(found, word) == found.end())
            found.push_back(word);
        if (counts && first == nullptr)
            first = &finding;
    }
    // What is not found in it may have been lost with the rest.
    if (found.empty() && withholds_conclusions(answer.findings))
        return unknown(std::move(judged), withheld_reason(answer));
    judged.found = found.empty() ? "none" : listed(found);
    judged.judgement = found.empty() ? Judgement::holds : Judgement::fails;
    if (first != nullptr) {
        judged.limits = first->message;
        judged.site = first->site;
    }
    return judged;
}

// --- against an earlier version

double square(double value) {
    return value * value;
}

// How far up a time may go, as a logarithm.
double reach(double time_ns, Range const& range) {
    return time_ns > 0 && range.low > 0
               ? std::max(std::log(range.high / time_ns), std::log(time_ns / range.low))
               : 0;
}

JudgedAssertion judge_regression(JudgedAssertion judged, Row const& row, Evidence const& evidence) {
    auto const base = std::ranges::find(evidence.baselines, judged.assertion.name, &Baseline::name);
    if (base == evidence.baselines.end())
        return unknown(std::move(judged), "the baseline was not read");
    if (evidence.answer.is_replayed()) {
        auto const& machine = evidence.answer.recording().machine;
        if (machine.name != base->machine || machine.scheduler != base->scheduler)
            return unknown(
                std::move(judged),
                fmt::format("the baseline was predicted for another machine: {} with scheduler {}, "
                            "not {} with {}",
                            base->machine, base->scheduler, machine.name, machine.scheduler));
    }
    auto const before = std::ranges::find(base->times, row.cpus, &BaselineTime::cpus);
    if (before == base->times.end() || before->time_ns <= 0)
        return unknown(std::move(judged),
                       fmt::format("the baseline has no prediction for {}: make it with --cpus {}",
                                   counted(row.cpus, "CPU"), row.cpus));
    double const ratio = row.time_ns / before->time_ns;
    if (row.range.has_value() != before->range.has_value())
        return unknown(std::move(judged),
                       fmt::format("{} has no range on {}, which --runs 0 leaves out: make both with ranges",
                                   row.range ? "the baseline" : "the prediction", counted(row.cpus, "CPU")));
    std::optional<Range> range;
    if (row.range && before->range) {
        double const now = reach(row.time_ns, row.range->time_ns);
        double const then = reach(before->time_ns, *before->range);
        double const own =
            square(now) * share_of_one_recording(*row.range) + square(then) * before->own_share;
        double const common = square(std::max(now, then) * (1 - ratio));
        double const both = std::sqrt(own + common);
        range = Range{ratio * std::exp(-both) - 1, ratio * std::exp(both) - 1};
    }
    return with_number(std::move(judged), ratio - 1, range);
}

// --- why

std::optional<RunSentences> sentences_of(Row const& row, Answer const& answer) {
    if (!answer.is_replayed())
        return std::nullopt;
    return run_sentences({.cpus = row.cpus,
                          .accounts = row.run.accounts,
                          .limits = row.limits,
                          .threads = answer.recording().catalogue.threads.size(),
                          .busiest = row.busiest,
                          .speed_up = row.speed_up},
                         circumstances_of(answer));
}

SiteId site_of_loss(Row const& row, Answer const& answer) {
    auto const loss = notable_loss(row.limits);
    if (!loss || !loss->main_object || !answer.is_replayed())
        return SiteId::none();
    return answer.recording().catalogue.objects[loss->main_object->object.index()].first_site;
}

JudgedAssertion judge_row(JudgedAssertion judged, Row const& row, Evidence const& evidence) {
    std::optional<Range> const no_range;
    switch (judged.assertion.function) {
        case ContractFunction::speed_up:
            return with_number(std::move(judged), row.speed_up,
                               row.range ? std::optional(row.range->speed_up) : no_range);
        case ContractFunction::time:
            return with_number(std::move(judged), row.time_ns,
                               row.range ? std::optional(row.range->time_ns) : no_range);
        case ContractFunction::efficiency: {
            double const cpus = row.cpus;
            return with_number(std::move(judged), row.efficiency,
                               row.range ? std::optional(Range{row.range->speed_up.low / cpus,
                                                               row.range->speed_up.high / cpus})
                                         : no_range);
        }
        case ContractFunction::limit: return judge_limit(std::move(judged), row);
        case ContractFunction::held: return judge_held(std::move(judged), row, evidence);
        case ContractFunction::regression: return judge_regression(std::move(judged), row, evidence);
        case ContractFunction::findings: break;
    }
    return judged;
}

JudgedAssertion judge_one(Assertion const& assertion, Evidence const& evidence) {
    auto const& answer = evidence.answer;
    JudgedAssertion judged;
    judged.assertion = assertion;
    if (assertion.function == ContractFunction::findings)
        return judge_findings(std::move(judged), answer);
    auto const* const row = row_on(answer, assertion.cpus);
    if (auto reason = reason_against(answer, row, assertion.cpus); !reason.empty())
        return unknown(std::move(judged), std::move(reason));
    judged = judge_row(std::move(judged), *row, evidence);
    if (judged.judgement != Judgement::fails)
        return judged;
    if (auto const says = sentences_of(*row, answer))
        judged.limits = says->limits.text;
    if (judged.site.is_none())
        judged.site = site_of_loss(*row, answer);
    return judged;
}

std::vector<std::uint32_t> counts_where(std::span<Assertion const> assertions, auto const& wanted) {
    std::vector<std::uint32_t> counts;
    for (auto const& assertion : assertions)
        if (wanted(assertion))
            counts.push_back(assertion.cpus);
    std::ranges::sort(counts);
    counts.erase(std::ranges::unique(counts).begin(), counts.end());
    return counts;
}

}  // namespace

std::vector<std::uint32_t> counts_of(std::span<Assertion const> assertions) {
    auto counts =
        counts_where(assertions, [](Assertion const& each) { return row_of(each.function).has_cpus; });
    return counts.empty() ? std::vector<std::uint32_t>{1} : counts;
}

std::vector<std::uint32_t> counts_with_locks(std::span<Assertion const> assertions) {
    return counts_where(assertions,
                        [](Assertion const& each) { return each.function == ContractFunction::held; });
}

std::vector<ObjectId> locks_called(Catalogue const& catalogue, std::string_view name) {
    std::vector<ObjectId> locks;
    for (std::size_t i = 0; i < catalogue.objects.size(); ++i)
        if (is_lock(catalogue.objects[i].kind) && is_called(catalogue, ObjectId(i), name))
            locks.emplace_back(i);
    return locks;
}

std::optional<HeldLock> held_lock(Assertion const& assertion, Answer const& answer, Row const& row,
                                  std::span<Duration const> held_times) {
    if (!answer.is_replayed() || row.time_ns <= 0)
        return std::nullopt;
    std::optional<HeldLock> most;
    for (ObjectId const lock : locks_called(answer.recording().catalogue, assertion.name)) {
        if (lock.index() >= held_times.size())
            continue;
        double const share = to_real(held_times[lock.index()]).ns / row.time_ns;
        if (!most || share > most->share)
            most = HeldLock{assertion.name, row.cpus, lock, share};
    }
    if (most && row.range && row.range->time_ns.low > 0)
        most->range = Range{most->share * row.time_ns / row.range->time_ns.high,
                            std::min(1.0, most->share * row.time_ns / row.range->time_ns.low)};
    return most;
}

std::vector<JudgedAssertion> judge(std::span<Assertion const> assertions, Evidence const& evidence) {
    std::vector<JudgedAssertion> judged;
    for (auto const& assertion : assertions)
        judged.push_back(judge_one(assertion, evidence));
    return judged;
}

}  // namespace parcast::contract
