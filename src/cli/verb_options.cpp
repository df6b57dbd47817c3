#include "cli/verb_options.h"

#include <cstdint>
#include <string>

#include "cli/cpu_list.h"
#include "cli/mean_and_cv.h"
#include "cli/option_kinds.h"
#include "cli/quantity.h"

namespace parcast::cli {

void describe(CLI::App& parser, RecordArguments& arguments) {
    add_output(parser, arguments.output);
    parser.add_option("--pretend-cpus", arguments.pretend_cpus)->check(CLI::Range(1U, most_cpus));
    parser.add_option("--cpu", arguments.cpu)->check(CLI::Range(0U, most_cpus - 1));
    add_parsed(parser, "--time-limit", arguments.time_limit, parse_duration);
    parser.add_option_function<std::string>("--max-size", [&](std::string const& text) {
        arguments.max_bytes = value_of(parse_size(text), "--max-size");
        if (arguments.max_bytes < smallest_recording_bytes)
            throw CLI::ValidationError("--max-size: \"" + text + "\" holds no event: 2M is the least.");
    });
    parser.add_flag("--json", arguments.json);
    parser.prefix_command();  // what follows the first word that is no option belongs to the program
}

void describe(CLI::App& parser, InfoArguments& arguments) {
    parser.add_option("FILE", arguments.file)->required();
    parser.add_flag("--json", arguments.json);
    parser.add_flag("--findings", arguments.findings_only);
    parser.add_flag("--all", arguments.all);
}

void describe(CLI::App& parser, VarianceArguments& arguments) {
    parser.add_option("FILE", arguments.files);
    parser.add_option("--cpu-time", arguments.cpu_time)->check(CLI::NonNegativeNumber);
    add_parsed(parser, "--processing", arguments.processing, parse_mean_and_cv);
    add_parsed(parser, "--delay", arguments.delay, parse_mean_and_cv);
    parser.add_option("--confidence", arguments.confidence)->check(CLI::Range(1.0, 99.99));
    parser.add_flag("--all", arguments.all);
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, CalibrateArguments& arguments) {
    add_output(parser, arguments.output);
    parser.add_option("--seconds", arguments.seconds)->check(CLI::Range(1U, 600U));
    parser.add_flag("--dry-run", arguments.dry_run);
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, ExtractArguments& arguments) {
    parser.add_option("FILE", arguments.file)->required();
    add_output(parser, arguments.output);
    auto* const condense =
        parser.add_option("--condense", arguments.condense)->check(CLI::Range(1U, most_cpus));
    parser.add_option("--schedule", arguments.schedule)->needs(condense);
    parser.add_flag("--closest", arguments.closest);
    parser.add_flag("--force", arguments.force);
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, FormulaArguments& arguments) {
    parser.add_option("MODEL", arguments.file)->required();
    parser.add_option("--set", arguments.settings)->allow_extra_args(false);
    parser.add_option("--parameter", arguments.parameters)->delimiter(',')->allow_extra_args(false);
    auto* const of = parser.add_option("--of", arguments.of);
    parser.add_flag("--all", arguments.all)->excludes(of);
    parser.add_flag("--unsimplified", arguments.unsimplified);
    parser.add_flag("--phases", arguments.phases);
    parser.add_flag("--all-digits", arguments.all_digits);
    parser.add_flag("--latex", arguments.latex);
    parser.add_flag("--python", arguments.python);
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, GenerateArguments& arguments) {
    parser.add_option("KIND", arguments.kind)->required();
    parser.add_option("STRUCTURE", arguments.structure)->required();
    parser.add_option("--size", arguments.size);
    parser.add_option("--seed", arguments.seed);
    add_output(parser, arguments.output);
    parser.add_flag("--force", arguments.force);
    parser.add_flag("--json", arguments.json);
}

}  // namespace parcast::cli
