#include "report/check.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/sentences/check_parts.h"
#include "report/sentences/sentences.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

char const* phrase_of(Judgement judgement) {
    return judgement_phrases[static_cast<std::size_t>(judgement)];
}

// Of its words, those that the user chose are names: a lock, a file.
Cell assertion_cell(Assertion const& assertion) {
    Cell cell{printable(assertion.text)};
    auto const name = printable(assertion.name.empty() ? assertion.word : assertion.name);
    if (!name.empty() && cell.text.find(name) != std::string::npos)
        cell.names = {name};
    return cell;
}

std::string table_text(ContractAnswer const& contract, Layout const& layout) {
    Table table({{"", Align::left},
                 {"assertion", Align::left, Cut::middle},
                 {"predicted"},
                 {"90 %"},
                 {"margin", Align::left}});
    for (auto const& judged : contract.assertions) {
        auto const emphasis = contract.breaks(judged) ? Emphasis::worst : Emphasis::none;
        table.add({{phrase_of(judged.judgement), emphasis},
                   assertion_cell(judged.assertion),
                   {found_text(judged)},
                   {found_range_text(judged)},
                   {margin_text(judged)}});
    }
    return table.text(layout.colour, layout.table_width());
}

// Assertions that do not hold, with their explanation, which several on one number of CPUs have in common.
std::string explanations_text(ContractAnswer const& contract, Answer const& answer, Layout const& layout) {
    std::vector<std::pair<std::string, std::string>> texts;  // explanation, the assertions that it is for
    for (auto const& judged : contract.assertions) {
        if (judged.judgement == Judgement::holds)
            continue;
        auto head = fmt::format("{}: {}", phrase_of(judged.judgement), printable(judged.assertion.text));
        if (auto const reason = reason_of(judged); !reason.empty())
            head += ". " + reason;
        head = wrapped(head, layout.width, 2) + "\n";
        auto const explanation = explanation_of(judged, answer);
        auto const known = std::ranges::find(texts, explanation, &std::pair<std::string, std::string>::first);
        if (known == texts.end())
            texts.emplace_back(explanation, head);
        else
            known->second += head;
    }
    std::string text;
    for (auto const& [explanation, heads] : texts)
        text += "\n" + heads + wrapped("  " + explanation, layout.width, 2) + "\n";
    return text;
}

}  // namespace

std::string check_text(ContractAnswer const& contract, Answer const& answer, Layout const& layout) {
    std::string text;
    if (answer.is_replayed()) {
        text += findings_text(answer.findings, answer.recording().catalogue, layout);
        text += origin_text(answer, layout);
        text += paragraph(replayed_by(answer), layout);
    } else {
        text += graph_origin_text(answer, layout);
    }
    if (contract.recordings > 1)
        text += paragraph(
            fmt::format("{} recordings: this is the one with the median time, the ranges are of all",
                        contract.recordings),
            layout);
    text += paragraph(contract.contract.empty() ? "contract: assertions of the command line"
                                                : "contract: " + printable(contract.contract),
                      layout) +
            "\n" + table_text(contract, layout);
    text += explanations_text(contract, answer, layout);
    return text + "\n" + contract_verdict(contract) + "\n";
}

}  // namespace parcast::report
