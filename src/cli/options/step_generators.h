// What programs of steps are generated from, as `generate messages` and `tune` are told: one table of
// parameters for both. A parameter is an option ("--block 48"), and a name in `--sweep` of `tune`.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/option_table.h"
#include "core/result.h"
#include "generate/messages.h"
#include "program/step_program.h"

namespace parcast::cli {

// By name, as they were typed: {"block", "48"}.
using GeneratorSettings = std::vector<std::pair<std::string, std::string>>;

// Every structure with its values: a setting changes those that have it.
struct StepGenerators {
    generate::Elimination elimination;
    generate::Cannon cannon;
    generate::Halo halo;
    generate::MatrixProduct matrix_product;
    generate::BandedLu banded_lu;
};

struct GeneratorParameter {
    std::string_view name;
    std::string_view value;       // "N"; empty: a flag
    std::string_view structures;  // those that have it, as in messages; empty: all do
    std::string_view help;
    // Errors: unasked, and those of reading a file; without the parameter's name.
    Result<void> (*set)(StepGenerators& generators, std::string const& text);
    // What it is, given or not: all that the program depends on, not the name of a file that holds it.
    std::string (*content)(StepGenerators const& generators, std::string_view structure);

    bool is_of(std::string_view structure) const {
        return structures.empty() || structures.find(structure) != std::string_view::npos;
    }
};

std::span<GeneratorParameter const> generator_parameters();

// An option for each parameter. Values are checked as they are parsed.
void describe_generators(OptionTable& options, GeneratorSettings& settings);

bool is_step_structure(std::string_view name);
// Advice: the nearest name.
Error no_step_structure(std::string_view name);

// What was set twice is as it was set last. Errors: unasked (a parameter that the structure does not have),
// those of its values. REQUIRES: is_step_structure(structure).
Result<StepGenerators> step_generators(std::string_view structure, GeneratorSettings const& settings);

std::uint32_t usual_size(std::string_view structure);

// Errors: those of the generator. REQUIRES: is_step_structure(structure).
Result<StepProgram> generated_steps(std::string_view structure, StepGenerators const& generators);

}  // namespace parcast::cli
