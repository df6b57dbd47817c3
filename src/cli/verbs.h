// The verbs of the command line. A verb is a row of this table and a file of its own, with its options, its help
// and what it does.

#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "cli/given_options.h"
#include "cli/option_table.h"

namespace parcast::cli {

// Returns an exit status.
using Action = std::function<int(GivenOptions const&)>;

struct Verb {
    std::string_view name;
    std::string_view example;      // "predict pigz.4711.parcast"
    std::string_view summary;      // one line
    std::string_view examples;     // lines
    std::string_view description;  // paragraphs
    std::string_view exit_status;  // beside 0 and 2
    std::string_view see_also;     // verbs
    // Describes the options in a table. They are stored where the action finds them.
    Action (*prepare)(OptionTable& options);
};

// `run` takes the arguments, and the given options if there is an input to check them against.
template <class Arguments, void describe(OptionTable&, Arguments&), auto run>
Action prepared(OptionTable& options) {
    auto const arguments = std::make_shared<Arguments>();
    describe(options, *arguments);
    return [arguments](GivenOptions const& given) {
        if constexpr (std::is_invocable_v<decltype(run), Arguments const&, GivenOptions const&>)
            return run(*arguments, given);
        else
            return run(*arguments);
    };
}

extern Verb const record_verb, info_verb, predict_verb, view_verb, report_verb, export_verb, scale_verb,
    variance_verb, calibrate_verb, generate_verb, extract_verb, formula_verb, help_verb;

inline constexpr std::array verbs{
    &record_verb,   &info_verb,      &predict_verb,  &view_verb,    &report_verb,  &export_verb, &scale_verb,
    &variance_verb, &calibrate_verb, &generate_verb, &extract_verb, &formula_verb, &help_verb};

Verb const* find_verb(std::string_view name);

// Its advice is the nearest verb, with these words before it. Error: unasked.
Error no_verb(std::string_view name, std::string const& before);

}  // namespace parcast::cli
