// Any text as a model: no crash, errors have a sentence; what is read without an error is printed and read
// again as the same tree, and what is compiled is a sound process model.

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "core/ensure.h"
#include "pamela/compile.h"
#include "pamela/syntax/parser.h"
#include "support/syntax_printer.h"

namespace {

using namespace parcast;

Result<std::string> samples(std::string_view) {
    return std::string("1 2.5 4");
}

bool has_errors(std::span<pamela::Diagnostic const> diagnostics) {
    for (auto const& each : diagnostics) {
        ensure(!each.message.empty(), "a diagnostic says something");
        if (each.severity == pamela::Severity::error)
            return true;
    }
    return false;
}

void check_printing(std::string_view text) {
    pamela::DiagnosticList said(text, "fuzz");
    auto const syntax = pamela::parse(text, said);
    if (said.has_errors())
        return;
    auto const printed = pamela::print(syntax);
    pamela::DiagnosticList said_of_printed(printed, "printed");
    auto const again = pamela::parse(printed, said_of_printed);
    ensure(!said_of_printed.has_errors(), "what is printed can be read");
    ensure(pamela::same(syntax, again), "and is the same");
}

void check_order(ProcessModel const& model) {
    for (std::uint32_t i = 0; i < model.processes.size(); ++i) {
        auto const is_before = [&](ProcessId part) {
            ensure(part.value < i, "processes refer to those before them");
        };
        std::visit(
            [&](auto const& process) {
                using Kind = std::decay_t<decltype(process)>;
                if constexpr (std::is_same_v<Kind, Sequence>) {
                    for (auto const part : process.parts)
                        is_before(part);
                } else if constexpr (std::is_same_v<Kind, Parallel>) {
                    for (auto const branch : process.branches)
                        is_before(branch);
                } else if constexpr (std::is_same_v<Kind, ProcessLoop>) {
                    is_before(process.body);
                } else if constexpr (std::is_same_v<Kind, ProcessChoice>) {
                    is_before(process.then);
                    is_before(process.otherwise);
                }
            },
            model.processes[i]);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    check_printing(text);
    auto const compilation = pamela::compile(text, "fuzz", {}, samples);
    ensure(has_errors(compilation.diagnostics) != compilation.succeeded(), "it fails if there is an error");
    ensure(pamela::describe(compilation.diagnostics, text).empty() == compilation.diagnostics.empty(),
           "all is described");
    if (compilation.succeeded())
        check_order(compilation.model);
    return 0;
}
