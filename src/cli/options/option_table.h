// How a verb describes its command line: each option with its spelling, its help, the forms of input that it
// serves, and where its value goes. The parser, the help and the refusals all read this table.

#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "answer/form.h"
#include "cli/options/manners.h"
#include "core/result.h"

namespace parcast::cli {

// Stores the values in the order in which they were given, at least one. The message of an error lacks the
// option's name.
using Store = std::function<Result<void>(std::vector<std::string> const& values)>;

// Options as they were typed, by name without its dashes.
using TypedOptions = std::vector<std::pair<std::string, std::vector<std::string>>>;

struct Option {
    std::string spelling;  // "-o, --output FILE"; without a word for a value it is a flag
    std::string help;
    Store store;
    bool repeats = false;  // it may be given several times
    FormSet forms = every_form;
    std::string_view special_value = {};  // "recorded" of --compare serves other forms than other values
    FormSet special_forms = every_form;
    std::string_view needed = {};    // an option without which it is rejected
    std::string_view excluded = {};  // an option beside which it is rejected
    bool of_every_verb = false;      // --help, --quiet, ...: not about what is asked
    bool names_output = false;       // a file to write: its value may hold %p, %h and %e
    // Of files that are written and commands that are run: no configuration says it, since the folder where
    // parcast runs may be somebody else's.
    bool only_typed = false;
    bool decides = false;  // about the numbers: a next command repeats it, but for:
    std::string_view one_time_value = {};
    // What a shell offers for its value; choices come from their parser (one_of).
    std::vector<std::string> words = {};
    std::string_view endings = {};  // of files, as ".toml .json"; empty: any, where the value is a FILE
    bool is_list = false;           // several words between commas

    Option& of(std::string_view value, FormSet serves) {
        return special_value = value, special_forms = serves, *this;
    }
    Option& needs(std::string_view other) { return needed = other, *this; }
    Option& excludes(std::string_view other) { return excluded = other, *this; }
    Option& for_output() { return names_output = only_typed = true, *this; }
    Option& typed_only() { return only_typed = true, *this; }
    Option& for_next_command(std::string_view but = {}) {
        return decides = true, one_time_value = but, *this;
    }

    Option& completes(std::vector<std::string> offered) { return words = std::move(offered), *this; }
    Option& completes_files(std::string_view with_endings) { return endings = with_endings, *this; }

    std::string value() const;               // "FILE", "LIST"; empty: a flag
    std::vector<std::string> names() const;  // {"-o", "--output"}
    std::string name() const { return names().back(); }
    bool is_flag() const;
};

// A word that is no option.
struct Positional {
    std::string_view name;  // "FILE"
    std::string needed;     // "a recording", for a verb without it
    std::string taken;      // "one recording", for a verb with more
    Store store;
    std::size_t least = 1;
    std::size_t most = 1;
    std::vector<std::string> words = {};  // that a shell offers
};

// For a verb that writes a file.
struct OutputArguments {
    std::optional<std::string> file;  // absent: as the verb names it; "-": standard output
    bool force = false;               // replace an existing file
    bool json = false;                // print what was written

    friend bool operator==(OutputArguments const&, OutputArguments const&) = default;
};

// Every verb has them, first in its table.
inline constexpr std::string_view help_option = "--help";
inline constexpr std::string_view no_config_option = "--no-config";

class OptionTable {
public:
    OptionTable();                             // with the options of every verb, --help first
    OptionTable(OptionTable const&) = delete;  // it holds places to store in
    OptionTable& operator=(OptionTable const&) = delete;

    // The options added from here on serve these forms.
    void section(FormSet forms) { section_ = forms; }
    // For a verb that takes more forms than the options it shares with others: those added from here on serve
    // none but these.
    void within(FormSet forms) { within_ = forms; }
    // Whether an option that is added now could be for it.
    bool can_serve(Form form) const { return forms_.has(form) && within_.has(form); }
    // The values of the options added from here on are also kept as they are typed; null: no longer.
    void keep_typed(TypedOptions* typed) { typed_ = typed; }

    Option& flag(std::string spelling, bool& target, std::string help, bool value = true) {
        return add(std::move(spelling), std::move(help), true, [&target, value](auto const&) -> Result<void> {
            target = value;
            return {};
        });
    }

    // `parse` makes a Result of a text.
    template <class Target, class Parse>
    Option& option(std::string spelling, Target& target, Parse parse, std::string help) {
        std::vector<std::string> words;
        if constexpr (requires { parse.words(); })
            words = parse.words();
        auto& added = add(std::move(spelling), std::move(help), false,
                          [&target, parse](auto const& values) -> Result<void> {
                              auto parsed = parse(values.front());
                              if (!parsed)
                                  return pass_on(parsed);
                              target = std::move(*parsed);
                              return {};
                          });
        return added.completes(std::move(words));
    }

    // For a row of a table that says how its value is stored.
    Option& stored(std::string spelling, std::string help, Store store) {
        return add(std::move(spelling), std::move(help), false, std::move(store));
    }

    // Given several times, or several values at once between delimiters.
    template <class Target, class Parse>
    Option& list(std::string spelling, Target& target, Parse parse, std::string help, char delimiter = '\0') {
        auto& added = add(
            std::move(spelling), std::move(help), true,
            [&target, parse, delimiter](auto const& values) -> Result<void> {
                std::vector<typename std::invoke_result_t<Parse, std::string const&>::value_type> elements;
                for (auto const& text : split(values, delimiter)) {
                    auto parsed = parse(text);
                    if (!parsed)
                        return pass_on(parsed);
                    elements.push_back(std::move(*parsed));
                }
                target = std::move(elements);
                return {};
            });
        added.is_list = delimiter == ',';
        return added;
    }

    // The input, whose form decides which options it can have.
    // `least` 0: there is a question without one.
    void input(std::string_view name, FormSet forms, std::string& target, std::size_t least = 1);
    // Further ones that are asked about together with it; the verb says of which forms they are.
    void more_inputs(std::string_view name, std::vector<std::string>& target);
    void inputs(std::string_view name, FormSet forms, std::vector<std::string>& target);
    void word(std::string_view name, std::string needed, std::string& target, std::size_t least = 1,
              std::vector<std::string> offered = {});
    // The first word that is no option, and all that follows it.
    void program(std::vector<std::string>& command);

    // What follows "--", for a verb that takes an input before it.
    void program_behind(std::vector<std::string>& command) { program_behind_ = &command; }

    // -o, --force and --json of a verb; the help of -o.
    void output(OutputArguments& target, std::string_view verb, std::string help);

    // Run after all values are stored: do they fit together? Errors: unasked.
    void check(std::function<Result<void>()> consistency) { consistency_ = std::move(consistency); }

    std::vector<Option> const& options() const { return options_; }
    // Without those of every verb.
    std::span<Option const> own_options() const { return std::span(options_).subspan(of_every_verb_); }
    std::span<Option const> options_of_every_verb() const {
        return std::span(options_).first(of_every_verb_);
    }
    Manners const& manners() const { return manners_; }
    std::vector<Positional> const& positionals() const { return positionals_; }
    FormSet forms() const { return forms_; }
    bool runs_a_program() const { return runs_a_program_; }
    std::vector<std::string>* program_behind() const { return program_behind_; }
    Result<void> check() const { return consistency_ ? consistency_() : Result<void>(); }

private:
    Option& add(std::string spelling, std::string help, bool repeats, Store store);
    static std::vector<std::string> split(std::vector<std::string> const& values, char delimiter);

    std::vector<Option> options_;
    std::vector<Positional> positionals_;
    FormSet forms_;
    FormSet section_ = every_form;
    FormSet within_ = every_form;
    TypedOptions* typed_ = nullptr;
    bool runs_a_program_ = false;
    std::vector<std::string>* program_behind_ = nullptr;
    bool wants_help_ = false;
    bool ignores_configuration_ = false;
    Manners manners_;
    std::size_t of_every_verb_ = 0;
    std::function<Result<void>()> consistency_;
};

}  // namespace parcast::cli
