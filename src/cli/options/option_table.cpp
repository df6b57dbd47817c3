#include "cli/options/option_table.h"

#include <limits>
#include <sstream>

#include "cli/options/given_options.h"
#include "cli/options/option_values.h"

namespace parcast::cli {

namespace {

template <class Target>
Store stored_in(Target& target) {
    return [&target](std::vector<std::string> const& values) -> Result<void> {
        if constexpr (std::is_same_v<Target, std::string>)
            target = values.front();
        else
            target = values;
        return {};
    };
}

constexpr auto any_number = std::numeric_limits<std::size_t>::max();

}  // namespace

std::vector<std::string> Option::names() const {
    std::vector<std::string> names;
    std::istringstream spelt{std::string(spelling)};
    for (std::string word; spelt >> word && word.starts_with('-');)
        names.push_back(word.substr(0, word.find(',')));
    return names;
}

std::string Option::value() const {
    auto last = spelling.substr(spelling.rfind(' ') + 1);
    return last.starts_with('-') ? std::string() : last;
}

OptionTable::OptionTable() {
    flag("-h, --help", wants_help_, "this text").typed_only();
    flag(std::string(no_config_option), ignores_configuration_,
         "ignore configuration files and PARCAST_* of the environment: docs/configuration.md")
        .typed_only();
    flag("-q, --quiet", manners_.quiet, "no progress and no notes on standard error; warnings stay")
        .excludes("--verbose");
    flag("-v, --verbose", manners_.verbose, "say which files are read and how long each stage takes");
    option("--color WHEN", manners_.colour, one_of<ColourWhen>({colour_words.begin(), colour_words.end()}),
           "auto (default): colours on a terminal, unless NO_COLOR is set; always; never");
    for (auto& option : options_)
        option.of_every_verb = true;
    of_every_verb_ = options_.size();
}

bool Option::is_flag() const {
    return value().empty();
}

void OptionTable::input(std::string_view name, FormSet forms, std::string& target, std::size_t least) {
    forms_ = forms;
    auto const names = names_of(forms);
    bool const is_one = names.find(" or ") == std::string::npos;  // "a recording"
    positionals_.push_back({name, is_one ? names : "an input: " + names,
                            is_one ? "one" + names.substr(1) : "one input (" + names + ")", stored_in(target),
                            least});
}

void OptionTable::more_inputs(std::string_view name, std::vector<std::string>& target) {
    positionals_.push_back({name, "", "", stored_in(target), 0, any_number});
}

void OptionTable::inputs(std::string_view name, FormSet forms, std::vector<std::string>& target) {
    forms_ = forms;
    positionals_.push_back({name, names_of(forms), "", stored_in(target), 0, any_number});
}

void OptionTable::word(std::string_view name, std::string needed, std::string& target, std::size_t least,
                       std::vector<std::string> offered) {
    positionals_.push_back({name, std::move(needed), "one " + std::string(name), stored_in(target), least, 1,
                            std::move(offered)});
}

void OptionTable::program(std::vector<std::string>& command) {
    runs_a_program_ = true;
    positionals_.push_back({"PROGRAM", "a program to run", "", stored_in(command), 1, any_number});
}

void OptionTable::output(OutputArguments& target, std::string_view verb, std::string help) {
    option("-o, --output FILE", target.file, file_name, std::move(help)).for_output();
    flag("--force", target.force, "replace an existing file");
    flag("--json", target.json,
         "print what was written as JSON: docs/formats/" + std::string(verb) + ".schema.json");
}

Option& OptionTable::add(std::string spelling, std::string help, bool repeats, Store store) {
    auto& option = options_.emplace_back(
        Option{std::move(spelling), std::move(help), std::move(store), repeats, section_ & within_});
    option.only_typed = option.name() == "--force";
    if (typed_ != nullptr)
        option.store = [store = std::move(option.store), name = option.name().substr(2),
                        typed = typed_](std::vector<std::string> const& values) -> Result<void> {
            std::erase_if(*typed, [&](auto const& each) { return each.first == name; });
            typed->emplace_back(name, values);
            return store(values);
        };
    return option;
}

std::vector<std::string> OptionTable::split(std::vector<std::string> const& values, char delimiter) {
    if (delimiter == '\0')
        return values;
    std::vector<std::string> parts;
    for (auto const& value : values) {
        std::istringstream text(value + delimiter);
        for (std::string part; std::getline(text, part, delimiter);)
            parts.push_back(part);
    }
    return parts;
}

}  // namespace parcast::cli
