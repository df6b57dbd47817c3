#include "cli/files/process_model_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "cli/exit_status.h"
#include "cli/files/files.h"
#include "core/counted.h"
#include "pamela/syntax/number_text.h"

namespace parcast::cli {

namespace {

constexpr char const* see_help = "How a model is written: docs/pamela.md, and docs/formats/pamela.md.";

// Without blanks and comments before it.
std::string_view first_word(std::string_view text) {
    while (!text.empty()) {
        auto const start = text.find_first_not_of(" \t\r\n\f\v");
        text.remove_prefix(std::min(start, text.size()));
        if (!text.starts_with('%'))
            break;
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
    auto const end =
        std::ranges::find_if_not(text, [](char letter) { return letter >= 'a' && letter <= 'z'; });
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

void print_diagnostics(std::span<pamela::Diagnostic const> diagnostics, std::string_view text) {
    auto const said = pamela::describe(diagnostics, text);
    std::fwrite(said.data(), 1, said.size(), stderr);
}

// Settings that the model does not have are the command line's.
Error refusal_of(std::string const& path, std::span<pamela::Diagnostic const> diagnostics) {
    std::int64_t errors = 0;
    bool is_of_the_text = false;
    for (auto const& each : diagnostics) {
        bool const is_error = each.severity == pamela::Severity::error;
        errors += is_error ? 1 : 0;
        is_of_the_text |= is_error && each.place.line.has_value();
    }
    if (!is_of_the_text)
        return make_error(ErrorCode::unasked, path + " cannot be set like that.",
                          "What can be set: its numeric equations without formal parameters.");
    return make_error(ErrorCode::inconsistent, path + " has " + counted(errors, "error") + ".", see_help);
}

pamela::ReadFile files_beside(std::string const& path) {
    return [folder = std::filesystem::path(path).parent_path()](std::string_view name) {
        return read_text((folder / name).string());
    };
}

}  // namespace

bool is_process_model_file(std::string const& path) {
    if (path.ends_with(".pam"))
        return true;
    constexpr std::size_t enough = 65536;  // for the comments before a model begins
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file)
        return false;
    std::string head(enough, '\0');
    head.resize(std::fread(head.data(), 1, head.size(), file.get()));
    constexpr std::array<std::string_view, 3> keywords = {"numeric", "process", "resource"};
    return std::ranges::find(keywords, first_word(head)) != keywords.end();
}

Result<pamela::Setting> setting_in(std::string_view assignment) {
    auto const sign = assignment.find('=');
    auto const name = assignment.substr(0, sign);
    auto digits = sign == std::string_view::npos ? std::string_view() : assignment.substr(sign + 1);
    bool const is_negative = digits.starts_with('-');
    digits.remove_prefix(is_negative ? 1 : 0);
    auto const value = pamela::number_in(digits);
    if (name.empty() || digits.starts_with('-') || !value) {
        return fail(ErrorCode::malformed,
                    "\"" + std::string(assignment) + "\" is no assignment of a number, like N=1e6");
    }
    return pamela::Setting{.name = std::string(name), .value = is_negative ? -*value : *value};
}

Result<ProcessModel> read_process_model(std::string const& path, std::span<pamela::Setting const> settings,
                                        Diagnostics diagnostics) {
    auto const text = read_text(path);
    if (!text)
        return fail(with_advice(text.error(), see_help));
    auto compilation = pamela::compile(*text, path, settings, files_beside(path));
    if (diagnostics == Diagnostics::say)
        print_diagnostics(compilation.diagnostics, *text);
    if (compilation.succeeded())
        return std::move(compilation.model);
    return tl::unexpected(refusal_of(path, compilation.diagnostics));
}

}  // namespace parcast::cli
