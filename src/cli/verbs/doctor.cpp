// parcast doctor [PROGRAM]: what this host offers and lacks.

#include <algorithm>
#include <string>
#include <vector>

#include "answer/host_check.h"
#include "cli/exit_status.h"
#include "cli/options/configuration.h"
#include "cli/options/target_machine.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "host/checks.h"
#include "host/host_facts.h"
#include "measure/host_description.h"
#include "report/host.h"
#include "report/text.h"

namespace parcast::cli {

namespace {

struct DoctorArguments {
    std::string program;  // or empty
    bool json = false;

    friend bool operator==(DoctorArguments const&, DoctorArguments const&) = default;
};

constexpr Duration time_to_watch_others{300'000'000};

// The program's name is in them, as long as it was typed.
std::vector<HostCheck> with_short_words(std::vector<HostCheck> checks) {
    for (HostCheck& check : checks)
        for (std::string* const text : {&check.found, &check.remedy})
            *text = report::with_short_words(*text);
    return checks;
}

int doctor(DoctorArguments const& arguments) {
    auto facts = host::read_host_facts("", host_machine_file().value_or(""));
    facts.trial = host::trial_recording(version);
    facts.busy = host::watch_busy_cpus("", time_to_watch_others);
    if (!arguments.program.empty())
        facts.program = host::read_program_facts(arguments.program);
    HostAnswer answer{measure::host_name(),
                      report::with_short_words(arguments.program),
                      with_short_words(host::check_host(facts)),
                      {}};
    if (auto const configuration = read_configuration())
        answer.configuration = listed_values(*configuration);
    else
        answer.checks.push_back(
            {"configuration", "configuration_file", HostState::missing, describe(configuration.error()),
             "No verb runs with it, but with --no-config.", configuration.error().advice});
    auto const printed = print_result(arguments.json ? report::host_json(answer, version)
                                                     : report::host_text(answer, output_layout()));
    bool const lacks = std::ranges::any_of(
        answer.checks, [](HostCheck const& check) { return check.state == HostState::missing; });
    return printed == exit_success && lacks ? exit_host_lacks : printed;
}

void describe_options(OptionTable& options, DoctorArguments& arguments) {
    options.word("PROGRAM", "a program", arguments.program, 0);
    options.flag("--json", arguments.json, "print JSON: docs/formats/doctor.schema.json");
}

}  // namespace

Verb const doctor_verb{
    .name = "doctor",
    .example = "doctor ./server",
    .summary = "what this host offers and lacks",
    .examples = R"(
  parcast doctor
  parcast doctor ./server
  parcast doctor --json
)",
    .description = R"(
Tries what recording, sampling, calibrating and viewing need on this host, and what a program needs to
be recorded: whether the recorder can be loaded into it, its debug information, its OpenMP runtime. Each
line says what was found (ok, limited, missing), what follows, and what helps. It changes nothing.
)",
    .exit_status = "5 the result could not be written; 8 something is missing",
    .see_also = "record calibrate view",
    .prepare = prepared<DoctorArguments, describe_options, doctor>,
};

}  // namespace parcast::cli
