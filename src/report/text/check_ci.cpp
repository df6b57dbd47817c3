// What CI systems read of a contract: JUnit XML, Markdown, commands of GitHub's runners.

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/check.h"
#include "report/sentences/check_parts.h"

namespace parcast::report {

namespace {

// The names of a program can hold any byte: invalid UTF-8 becomes U+FFFD.
std::string well_formed(std::string_view text) {
    using nlohmann::json;
    return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

std::string xml(std::string_view text) {
    std::string escaped;
    for (char const c : well_formed(text)) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            default:
                // XML has no other control characters, not even escaped ones.
                escaped += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
        }
    }
    return escaped;
}

std::string markdown(std::string_view text) {
    std::string escaped;
    for (char const c : well_formed(text)) {
        if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c == '\n' || c == '\r' ? ' ' : c;
    }
    return escaped;
}

// In a cell of a table.
std::string markdown_code(std::string_view text) {
    std::string escaped;
    for (char const c : well_formed(text))
        escaped += c == '|' ? "\\|" : c == '`' ? "'" : c == '\n' || c == '\r' ? " " : std::string(1, c);
    return "`" + escaped + "`";
}

std::string github_data(std::string_view text, bool is_property) {
    std::string escaped;
    for (char const c : text) {
        switch (c) {
            case '%': escaped += "%25"; break;
            case '\r': escaped += "%0D"; break;
            case '\n': escaped += "%0A"; break;
            case ':': escaped += is_property ? "%3A" : ":"; break;
            case ',': escaped += is_property ? "%2C" : ","; break;
            default: escaped += c;
        }
    }
    return escaped;
}

std::string suite_name(ContractAnswer const& contract) {
    return contract.contract.empty() ? "parcast check" : contract.contract;
}

std::string message_of(JudgedAssertion const& judged, Answer const& answer) {
    auto const numbers = numbers_text(judged);
    return fmt::format("{} {}{}. {}", judged.assertion.text,
                       judged.judgement == Judgement::fails ? "fails" : "cannot be told",
                       numbers.empty() ? "" : ": predicted " + numbers,
                       explanation_and_reason(judged, answer));
}

}  // namespace

std::string check_junit(ContractAnswer const& contract, Answer const& answer) {
    std::size_t failures = 0;
    std::string cases;
    for (auto const& judged : contract.assertions) {
        auto const name = xml(judged.assertion.text);
        cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"",
                             xml(suite_name(contract)), name);
        auto const message = xml(message_of(judged, answer));
        if (contract.breaks(judged)) {
            ++failures;
            cases +=
                fmt::format(">\n      <failure type=\"{0}\" message=\"{1}\">{1}</failure>\n    </testcase>\n",
                            judgement_words[static_cast<std::size_t>(judged.judgement)], message);
        } else if (judged.judgement == Judgement::cannot_tell) {
            cases += fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", message);
        } else {
            cases += fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n",
                                 xml("predicted " + numbers_text(judged)));
        }
    }
    auto const totals = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"0\"",
                                    contract.assertions.size(), failures,
                                    contract.is_strict ? 0 : contract.count(Judgement::cannot_tell));
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite name=\"parcast "
        "check: {1}\" {0}>\n{2}  </testsuite>\n</testsuites>\n",
        totals, xml(checked_program(answer)), cases);
}

std::string check_markdown(ContractAnswer const& contract, Answer const& answer) {
    std::string text = fmt::format(
        "### {}\n\n{}, contract {}\n\n| | assertion | predicted | 90 % range | margin |\n"
        "|---|---|---:|---:|---|\n",
        markdown(contract_verdict(contract)), markdown_code(checked_program(answer)),
        contract.contract.empty() ? "of the command line" : markdown_code(contract.contract));
    for (auto const& judged : contract.assertions)
        text += fmt::format(
            "| {} | {} | {} | {} | {} |\n",
            contract.breaks(judged)
                ? fmt::format("**{}**", judgement_phrases[static_cast<std::size_t>(judged.judgement)])
                : judgement_phrases[static_cast<std::size_t>(judged.judgement)],
            markdown_code(judged.assertion.text), markdown(found_text(judged)), found_range_text(judged),
            margin_text(judged));
    for (auto const& judged : contract.assertions)
        if (judged.judgement != Judgement::holds)
            text += fmt::format("\n- {}: {}\n", markdown_code(judged.assertion.text),
                                markdown(explanation_and_reason(judged, answer)));
    return text;
}

std::string check_github_annotations(ContractAnswer const& contract, Answer const& answer,
                                     std::string_view root) {
    std::string text;
    for (auto const& judged : contract.assertions) {
        if (judged.judgement == Judgement::holds)
            continue;
        auto const at = source_line_of(judged, answer, root);
        text += fmt::format("::{} {}title=parcast check::{}\n", contract.breaks(judged) ? "error" : "warning",
                            at ? fmt::format("file={},line={},", github_data(at->file, true), at->line) : "",
                            github_data(message_of(judged, answer), false));
    }
    return text;
}

}  // namespace parcast::report
