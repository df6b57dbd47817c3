#include "report/sentences/check_parts.h"

#include <cctype>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/three_digits.h"
#include "core/time.h"
#include "core/time_text.h"
#include "report/names.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

AssertedValue value_of(JudgedAssertion const& judged) {
    return row_of(judged.assertion.function).value;
}

// A decimal more than elsewhere: the bound is as near as that.
std::string share_text(double share, bool has_sign) {
    return has_sign ? fmt::format("{:+.1f}", 100 * share) : fmt::format("{:.1f}", 100 * share);
}

bool has_sign(JudgedAssertion const& judged) {
    return judged.assertion.function == ContractFunction::regression;
}

bool wants_more(JudgedAssertion const& judged) {
    auto const comparison = judged.assertion.comparison;
    return comparison == Relation::more || comparison == Relation::at_least;
}

std::string sentence(std::string text) {
    if (!text.empty() && text.back() != '.')
        text += '.';
    return text;
}

std::string named(std::string const& text, Answer const& answer) {
    if (text.empty() || !answer.is_replayed())
        return text;
    auto const& recording = answer.recording();
    return with_names(text, recording.catalogue,
                      recording.provenance ? recording.provenance->command : std::vector<std::string>());
}

}  // namespace

std::string found_text(JudgedAssertion const& judged) {
    if (!judged.value)
        return judged.found;
    switch (value_of(judged)) {
        case AssertedValue::number: return speed_up_text(*judged.value);
        case AssertedValue::time: return time_text(Duration{std::llround(*judged.value)});
        case AssertedValue::share: return share_text(*judged.value, has_sign(judged)) + " %";
        case AssertedValue::word: break;
    }
    return judged.found;
}

std::string found_range_text(JudgedAssertion const& judged) {
    if (!judged.range)
        return {};
    auto const& range = *judged.range;
    switch (value_of(judged)) {
        case AssertedValue::number: return speed_up_range_text(range);
        case AssertedValue::time: return time_range_text(range);
        case AssertedValue::share:
            return fmt::format("{} {} {} %", share_text(range.low, has_sign(judged)),
                               has_sign(judged) ? "to" : "-", share_text(range.high, has_sign(judged)));
        case AssertedValue::word: break;
    }
    return {};
}

std::string margin_text(JudgedAssertion const& judged) {
    if (!judged.margin)
        return {};
    bool const is_share = value_of(judged) == AssertedValue::share;
    double const percents = 100 * std::abs(*judged.margin);
    auto const text = percents < 10 ? fmt::format("{:.1f}", percents) : fmt::format("{:.0f}", percents);
    auto const unit = is_share ? " points" : " %";
    if (judged.judgement == Judgement::cannot_tell)
        return "within the range";
    return text + unit +
           (*judged.margin >= 0  ? " to spare"
            : wants_more(judged) ? " too little"
                                 : " too much");
}

std::string explanation_of(JudgedAssertion const& judged, Answer const& answer) {
    std::string text;
    auto const add = [&](std::string const& words) {
        if (!words.empty())
            text += (text.empty() ? "" : " ") + sentence(words);
    };
    if (judged.judgement == Judgement::holds)
        return text;
    if (judged.judgement == Judgement::cannot_tell && judged.reason.empty())
        add("The bound lies within the range of the prediction");
    if (!judged.reason.empty()) {
        auto reason = judged.reason;
        reason.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(reason.front())));
        add(reason);
    }
    add(named(judged.limits, answer));
    add(named(judged.advice, answer));
    return text;
}

std::string reason_of(JudgedAssertion const& judged) {
    return judged.assertion.because.empty() ? "" : sentence("Asked for because " + judged.assertion.because);
}

std::string explanation_and_reason(JudgedAssertion const& judged, Answer const& answer) {
    auto text = explanation_of(judged, answer);
    auto const reason = reason_of(judged);
    return reason.empty() || text.empty() ? text : text + " " + reason;
}

std::string numbers_text(JudgedAssertion const& judged) {
    auto text = found_text(judged);
    if (auto const range = found_range_text(judged); !range.empty())
        text += fmt::format(" (90 %: {})", range);
    if (auto const margin = margin_text(judged); !margin.empty())
        text += ", " + margin;
    return text;
}

std::string contract_verdict(ContractAnswer const& contract) {
    auto const all = static_cast<std::int64_t>(contract.assertions.size());
    auto const fails = static_cast<std::int64_t>(contract.count(Judgement::fails));
    auto const unknown = static_cast<std::int64_t>(contract.count(Judgement::cannot_tell));
    auto const untold = unknown == 0 ? "" : fmt::format(", {} cannot be told", unknown);
    if (fails > 0)
        return fmt::format("The contract is broken: {} of {} {}{}.", fails, counted(all, "assertion"),
                           fails == 1 ? "fails" : "fail", untold);
    if (contract.is_broken())
        return fmt::format("The contract is broken: {} of {} cannot be told, and --strict counts that.",
                           unknown, counted(all, "assertion"));
    if (unknown == all && all > 0)
        return fmt::format("Whether the contract holds cannot be told: none of {} can be judged.",
                           counted(all, "assertion"));
    if (unknown > 0)
        return fmt::format("Nothing breaks the contract: {} of {} {}{}.", all - unknown,
                           counted(all, "assertion"), all - unknown == 1 ? "holds" : "hold", untold);
    return all == 1 ? "The contract holds: its one assertion does."
                    : fmt::format("The contract holds: all {} assertions do.", all);
}

std::string checked_program(Answer const& answer) {
    if (answer.is_replayed() && answer.recording().provenance)
        return shown_command(answer.recording().provenance->command);
    return answer.file;
}

std::optional<SourceLine> source_line_of(JudgedAssertion const& judged, Answer const& answer,
                                         std::string_view root) {
    auto const within_root = [&](std::string_view path) {
        if (!root.empty() && path.starts_with(root) && path.size() > root.size() && path[root.size()] == '/')
            path.remove_prefix(root.size() + 1);
        return std::string(path);
    };
    if (answer.is_replayed() && !judged.site.is_none())
        for (auto const& frame : answer.recording().catalogue.sites[judged.site.index()].frames)
            if (frame.line != 0)
                return SourceLine{within_root(frame.file), frame.line};
    auto const& place = judged.assertion.place;
    if (place.file.empty() || !place.line)
        return std::nullopt;
    return SourceLine{within_root(place.file), *place.line};
}

}  // namespace parcast::report
