#include "report/check.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "report/prediction.h"
#include "report/sentences/check_parts.h"

namespace parcast::report {

namespace {

Json number_json(JudgedAssertion const& judged, double value) {
    return row_of(judged.assertion.function).value == AssertedValue::time ? Json(std::llround(value))
                                                                          : Json(value);
}

char const* unit_of(JudgedAssertion const& judged) {
    switch (row_of(judged.assertion.function).value) {
        case AssertedValue::number: return "ratio";
        case AssertedValue::time: return "ns";
        case AssertedValue::share: return "share";
        case AssertedValue::word: break;
    }
    return "word";
}

Json asked_json(JudgedAssertion const& judged) {
    bool const is_word = row_of(judged.assertion.function).value == AssertedValue::word;
    return is_word ? Json(judged.assertion.word) : number_json(judged, judged.assertion.number);
}

Json assertion_json(JudgedAssertion const& judged, Answer const& answer) {
    auto const& assertion = judged.assertion;
    auto const& function = row_of(assertion.function);
    bool const is_word = function.value == AssertedValue::word;
    Json json{{"assertion", assertion.text}, {"because", or_null(assertion.because)}};
    json["line"] = assertion.place.line ? Json(*assertion.place.line) : Json();
    json["function"] = function.name;
    json["name"] = or_null(assertion.name);
    json["cpus"] = function.has_cpus ? Json(assertion.cpus) : Json();
    json["unit"] = unit_of(judged);
    json["asked"] = asked_json(judged);
    json["judgement"] = judgement_words[static_cast<std::size_t>(judged.judgement)];
    if (is_word)
        json["predicted"] = or_null(judged.found);
    else
        json["predicted"] = judged.value ? number_json(judged, *judged.value) : Json();
    json["range"] = judged.range ? Json{{"low", number_json(judged, judged.range->low)},
                                        {"high", number_json(judged, judged.range->high)}}
                                 : Json();
    json["margin"] = or_null(judged.margin);
    json["explanation"] = or_null(explanation_of(judged, answer));
    auto const at = source_line_of(judged, answer, {});
    bool const is_known = !judged.site.is_none() && at;
    json["place"] = is_known ? Json{{"file", at->file}, {"line", at->line}} : Json();
    return json;
}

// FNV-1a: the same for the same assertion, whatever its numbers are.
std::string fingerprint(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (char const c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    std::string digits(16, '0');
    for (std::size_t i = 16; i-- > 0; hash >>= 4U)
        digits[i] = "0123456789abcdef"[hash & 0xfU];
    return digits;
}

}  // namespace

std::string check_json(ContractAnswer const& contract, Answer const& answer, std::string_view version) {
    Json json = envelope("check", version, input_json(answer));
    json["contract"] = or_null(contract.contract);
    json["recordings"] = contract.recordings;
    json["strict"] = contract.is_strict;
    json["broken"] = contract.is_broken();
    json["holds"] = contract.count(Judgement::holds);
    json["fails"] = contract.count(Judgement::fails);
    json["cannot_tell"] = contract.count(Judgement::cannot_tell);
    json["assertions"] = array_json(
        contract.assertions, [&](JudgedAssertion const& judged) { return assertion_json(judged, answer); });
    json["machine"] = answer.is_replayed() ? machine_json(answer.recording().machine) : Json();
    json["findings"] =
        answer.is_replayed() ? findings_json(answer.findings, answer.recording().catalogue) : Json::array();
    json["predictions"] = predictions_json(answer, ThreadRows::absent);
    return to_text(json);
}

std::string check_gitlab_report(ContractAnswer const& contract, Answer const& answer, std::string_view root) {
    Json report = Json::array();
    for (auto const& judged : contract.assertions) {
        auto const at = source_line_of(judged, answer, root);
        if (judged.judgement == Judgement::holds || !at)
            continue;
        auto const numbers = numbers_text(judged);
        report.push_back(
            {{"description", judged.assertion.text + (numbers.empty() ? "" : ": predicted " + numbers) +
                                 ". " + explanation_of(judged, answer)},
             {"check_name", "parcast." + std::string(row_of(judged.assertion.function).name)},
             {"fingerprint", fingerprint(judged.assertion.text + '\n' + at->file)},
             {"severity", contract.breaks(judged) ? "major" : "info"},
             {"location", {{"path", at->file}, {"lines", {{"begin", at->line}}}}}});
    }
    return to_text(report);
}

}  // namespace parcast::report
