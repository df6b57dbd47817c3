// parcast signature --g FORMULA --alpha X: the theory alone.

#include <vector>

#include "cli/exit_status.h"
#include "cli/options/option_values.h"
#include "cli/terminal.h"
#include "cli/verbs/signature.h"
#include "cli/version.h"
#include "forecast/signature_theory.h"
#include "report/signature_theory.h"

namespace parcast::cli {

int signature_of_formula(SignatureArguments const& arguments) {
    auto const& asked = arguments.characteristic;
    auto const threads = arguments.replay.cpus.value_or(std::vector<std::uint32_t>());
    auto const theory = forecast::signature_theory(
        *asked.g, *asked.alpha, threads,
        arguments.series.scaled ? model::Execution::scaled : model::Execution::fixed_size);
    if (!theory)
        return print_failure(make_error(
            ErrorCode::unasked, "signature: --g: " + theory.error().message,
            theory.error().advice.empty() ? "Examples: parcast help signature" : theory.error().advice));
    if (arguments.json)
        return print_result(report::signature_theory_json(*theory, version));
    return print_result(report::signature_theory_text(*theory, output_layout()));
}

void describe_characteristic(OptionTable& options, CharacteristicArguments& arguments) {
    options.option("--g FORMULA", arguments.g, any_text,
                   "without a FILE: the number of events of P threads, such as 'P^2' or '3*P*log2(P)'");
    options.option("--alpha X", arguments.alpha, number(0.0),
                   "with --g: the work of one thread over that of an event, W(1)/theta");
}

Result<void> check_characteristic(SignatureArguments const& arguments) {
    auto const& asked = arguments.characteristic;
    if (asked.g.has_value() != asked.alpha.has_value())
        return fail(make_error(ErrorCode::unasked, "--g and --alpha need each other",
                               "Such as: parcast signature --g 'P^2' --alpha 1e4"));
    if (asked.g && !arguments.files.empty())
        return fail(make_error(ErrorCode::unasked,
                               "--g is for a formula without a file; there is " + arguments.files.front(),
                               "Leave one of them out."));
    return {};
}

}  // namespace parcast::cli
