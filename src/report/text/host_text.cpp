#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/counted.h"
#include "report/host.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr std::string_view after_margin = "  ";

Emphasis emphasis_of(HostState state) {
    return state == HostState::ok ? Emphasis::none : Emphasis::worst;
}

// "cpu_clock" as people read it.
std::string words_of(std::string_view name) {
    std::string words(name);
    std::ranges::replace(words, '_', ' ');
    return words;
}

std::size_t widest_name(HostAnswer const& answer) {
    std::size_t widest = 0;
    for (auto const& check : answer.checks)
        widest = std::max(widest, check.name.size());
    return widest;
}

std::string text_of(HostCheck const& check, std::size_t name_width, Layout const& layout) {
    auto const state = fmt::format("{:<7}", name_of(check.state));
    auto const head = fmt::format("{}{}  {:<{}}  ", after_margin, state, words_of(check.name), name_width);
    auto const margin = std::string(head.size(), ' ');
    std::string text = wrapped(head + printable(check.found), layout.width, head.size()) + "\n";
    text.replace(after_margin.size(), state.size(), painted(state, emphasis_of(check.state), layout.colour));
    if (!check.follows.empty())
        text += wrapped(margin + check.follows, layout.width, head.size()) + "\n";
    // A command stays on its line, to be copied.
    if (!check.remedy.empty())
        text += margin + "> " + printable(check.remedy) + "\n";
    return text;
}

std::string conclusion(HostAnswer const& answer) {
    auto const count = [&](HostState state) {
        return std::ranges::count(answer.checks, state, &HostCheck::state);
    };
    auto const missing = count(HostState::missing);
    auto const limited = count(HostState::limited);
    if (missing + limited == 0)
        return "Nothing is missing.\n";
    return fmt::format(
        "{} missing, {} limited. What helps stands behind >.\n",
        missing == 0 ? "Nothing is" : fmt::format("{} {}", missing, missing == 1 ? "is" : "are"), limited);
}

std::string configuration_text(HostAnswer const& answer) {
    if (answer.configuration.empty())
        return "";
    std::size_t names = 0;
    std::size_t values = 0;
    auto const name_of_value = [](ConfiguredValue const& value) {
        return (value.verb.empty() ? "" : value.verb + " ") + "--" + value.option;
    };
    for (auto const& value : answer.configuration) {
        names = std::max(names, name_of_value(value).size());
        values = std::max(values, value.value.size());
    }
    std::string text = "\nconfiguration\n";
    for (auto const& value : answer.configuration)
        text += fmt::format("  {:<{}}  {:<{}}  {}{}\n", name_of_value(value), names, printable(value.value),
                            values, printable(value.source), value.is_overridden ? " (overridden)" : "");
    return text;
}

}  // namespace

std::string host_text(HostAnswer const& answer, Layout const& layout) {
    std::string text = answer.host + (answer.program.empty() ? "" : ", " + printable(answer.program)) + "\n";
    auto const name_width = widest_name(answer);
    std::string_view area;
    for (auto const& check : answer.checks) {
        if (check.area != area)
            text += fmt::format("\n{}\n", check.area);
        area = check.area;
        text += text_of(check, name_width, layout);
    }
    return text + configuration_text(answer) + "\n" + conclusion(answer);
}

}  // namespace parcast::report
