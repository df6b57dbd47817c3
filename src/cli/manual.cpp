#include "cli/manual.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/help.h"
#include "cli/version.h"

namespace parcast::cli {

namespace {

// Documents that are pages of their own.
struct Page {
    std::string_view document;
    std::string_view page;
};
constexpr std::array<Page, 3> pages{{{"docs/formats/machine.md", "parcast-machine(5)"},
                                     {"docs/formats/trace.md", "parcast-trace(5)"},
                                     {"docs/formats/pamela.md", "parcast-pamela(7)"}}};

std::string with_pages(std::string text) {
    for (auto const& [document, page] : pages)
        for (std::size_t found = 0; (found = text.find(document, found)) != std::string::npos;)
            text.replace(found, document.size(), page);
    return text;
}

// Characters that roff would change or obey. A line must not begin with a point or an apostrophe.
std::string escaped(std::string_view text) {
    static constexpr std::array<std::pair<char, std::string_view>, 6> characters{
        {{'\\', "\\(rs"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}}};
    std::string escaped;
    bool is_start = true;
    for (char const sign : text) {
        if (is_start && sign == '.')
            escaped += "\\&";
        auto const* const found =
            std::ranges::find(characters, sign, &std::pair<char, std::string_view>::first);
        escaped += found == characters.end() ? std::string(1, sign) : std::string(found->second);
        is_start = sign == '\n';
    }
    return escaped;
}

std::string bold(std::string_view text) {
    return "\\fB" + escaped(text) + "\\fR";
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (auto const& line : text | std::views::split('\n'))
        lines.emplace_back(line.begin(), line.end());
    return lines;
}

std::string in_capitals(std::string_view text) {
    std::string capitals(text);
    std::ranges::transform(capitals, capitals.begin(), [](unsigned char sign) { return std::toupper(sign); });
    return capitals;
}

std::string header(std::string_view page, std::string_view summary) {
    return ".TH " + in_capitals(page) + " 1 \"" PARCAST_DATE "\" \"parcast " + std::string(version) +
           "\" \"parcast\"\n.SH NAME\n" + escaped(page) + " \\- " + escaped(summary) + "\n";
}

std::string section(std::string_view title) {
    return ".SH " + in_capitals(title) + "\n";
}

// Lines as they are.
std::string verbatim(std::vector<std::string_view> const& lines) {
    std::string text = ".RS 2\n.nf\n";
    for (auto const line : lines)
        text += escaped(line.substr(std::min(line.find_first_not_of(' '), std::size_t{2}))) + "\n";
    return text + ".fi\n.RE\n";
}

// Paragraphs are filled, but for those with lines that are indented.
std::string paragraphs(std::string_view text) {
    std::string written;
    std::vector<std::string_view> paragraph;
    auto const end_paragraph = [&] {
        if (paragraph.empty())
            return;
        // A sentence may introduce an indented list without a blank line between.
        auto const is_indented = [](std::string_view line) { return line.starts_with(' '); };
        auto const list = std::ranges::find_if(paragraph, is_indented);
        written += written.empty() ? "" : ".PP\n";
        for (auto line = paragraph.begin(); line != list; ++line)
            written += escaped(*line) + "\n";
        if (list != paragraph.end())
            written += verbatim({list, paragraph.end()});
        paragraph.clear();
    };
    for (auto const line : lines_of(text))
        if (!line.empty())
            paragraph.push_back(line);
        else
            end_paragraph();
    end_paragraph();
    return written;
}

// ".TP", the option's names in bold and its value in italics, and what it is for.
std::string item(Option const& option) {
    auto const value = option.value();
    auto names = option.spelling.substr(0, option.spelling.size() - (value.empty() ? 0 : value.size() + 1));
    return ".TP\n" + bold(names) + (value.empty() ? "" : " \\fI" + escaped(value) + "\\fR") + "\n" +
           escaped(option.help) + "\n";
}

std::string see_also(std::vector<std::string> const& others) {
    std::string text = section("See also");
    for (auto const& other : others)
        text += ".BR " + escaped(other) + " (1)" + (other == others.back() ? "" : " ,") + "\n";
    return text;
}

constexpr std::string_view files =
    "The documents whose names begin with \\fIdocs/\\fR are installed in \\fIshare/doc/parcast/docs\\fR "
    "beside the\n"
    "folder of the program, as are programs to record in \\fIshare/doc/parcast/examples\\fR.\n";

}  // namespace

std::string manual_of(Verb const& verb) {
    OptionTable table;
    (void)verb.prepare(table);
    std::string text = header("parcast-" + std::string(verb.name), verb.summary);
    text += section("Synopsis") + ".nf\n" + bold(synopsis(verb, table)) + "\n.fi\n";
    text += section("Description") + paragraphs(verb.description);
    for (auto const& group : option_groups(table)) {
        text += section(group.title);
        for (auto const* const option : group.options)
            text += item(*option);
    }
    text += section("Exit status") + "0 done; 2 wrong command line" +
            (verb.exit_status.empty() ? "" : "; " + escaped(verb.exit_status)) + ".\n";
    auto examples = lines_of(verb.examples);
    std::erase(examples, "");
    text += section("Examples") + verbatim(examples) + section("Files") + std::string(files);
    std::vector<std::string> others{"parcast"};
    for (auto const& other : verb.see_also | std::views::split(' '))
        others.push_back("parcast-" + std::string(other.begin(), other.end()));
    return with_pages(text) + see_also(others);
}

std::string manual_overview() {
    std::string text = header("parcast", "forecast how a parallel program scales, from one run on one CPU");
    text += section("Synopsis") + ".nf\n" + bold("parcast VERB [ARGUMENTS]") + "\n" +
            bold("parcast help [VERB]") + "\n" + bold("parcast --version") + "\n.fi\n";
    text += section("Description") +
            "parcast records a parallel program on one CPU, replays it on N CPUs in a simulator, and\n"
            "forecasts how it scales, why it stops, and what to change. A session begins with\n" +
            bold("parcast record") + " and " + bold("parcast predict") + ".\n" + section("Verbs");
    std::vector<std::string> others;
    for (auto const* const verb : verbs) {
        std::string const page = "parcast-" + std::string(verb->name);
        text += ".TP\n.BR " + escaped(page) + " (1)\n" + escaped(verb->summary) + "\n";
        others.push_back(page);
    }
    text += section("Exit status") + paragraphs(exit_statuses()) + section("Examples");
    std::vector<std::string> examples;
    for (auto const* const verb : verbs)
        examples.push_back("  parcast " + std::string(verb->example));
    text += verbatim({examples.begin(), examples.end()}) + section("Files") + std::string(files);
    for (auto const& [document, page] : pages)
        others.emplace_back(page);
    text += section("See also");
    for (auto const& other : others) {
        auto const number = other.find('(');
        text += ".BR " + escaped(other.substr(0, number)) + " " +
                (number == std::string::npos ? "(1)" : other.substr(number)) +
                (other == others.back() ? "" : " ,") + "\n";
    }
    return text;
}

}  // namespace parcast::cli
