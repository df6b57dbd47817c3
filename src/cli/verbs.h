// The verbs of the command line. A verb is a row of this table, and a file with its options, its help and
// what it does.

#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "cli/options/given_options.h"
#include "cli/options/option_table.h"

namespace parcast::cli {

// The arguments of a verb, which the table of its options fills in, and what it does with them.
struct Prepared {
    std::function<int(GivenOptions const&)> run;  // returns an exit status
    std::shared_ptr<void const> arguments;
    bool (*equal)(void const* arguments, void const* others);  // both of this verb
};

struct Verb {
    std::string_view name;
    std::string_view example;      // "predict pigz.4711.parcast"
    std::string_view summary;      // one line
    std::string_view examples;     // lines
    std::string_view description;  // paragraphs
    std::string_view exit_status;  // beside 0 and 2
    std::string_view see_also;     // verbs
    Prepared (*prepare)(OptionTable& options);
};

// `run` takes the arguments, and the given options if there is an input to check them against.
template <class Arguments, void describe(OptionTable&, Arguments&), auto run>
Prepared prepared(OptionTable& options) {
    auto const arguments = std::make_shared<Arguments>();
    describe(options, *arguments);
    auto const run_with = [arguments](GivenOptions const& given) {
        if constexpr (std::is_invocable_v<decltype(run), Arguments const&, GivenOptions const&>)
            return run(*arguments, given);
        else
            return run(*arguments);
    };
    return {run_with, arguments, [](void const* a, void const* b) {
                return *static_cast<Arguments const*>(a) == *static_cast<Arguments const*>(b);
            }};
}

extern Verb const record_verb, run_verb, info_verb, predict_verb, compare_verb, advise_verb, bind_verb,
    view_verb, report_verb, export_verb, scale_verb, check_verb, signature_verb, variance_verb,
    calibrate_verb, generate_verb, tune_verb, extract_verb, formula_verb, doctor_verb, completion_verb,
    help_verb;

inline constexpr std::array verbs{
    &record_verb,    &info_verb,     &predict_verb,    &compare_verb,  &advise_verb, &bind_verb,
    &run_verb,       &view_verb,     &report_verb,     &export_verb,   &scale_verb,  &check_verb,
    &signature_verb, &variance_verb, &calibrate_verb,  &generate_verb, &tune_verb,   &extract_verb,
    &formula_verb,   &doctor_verb,   &completion_verb, &help_verb};

Verb const* find_verb(std::string_view name);

}  // namespace parcast::cli
