#include "cli/options/step_generators.h"

#include <algorithm>
#include <array>
#include <ranges>

#include "cli/files/files.h"
#include "cli/options/option_values.h"
#include "core/suggestion.h"
#include "machine/block_costs_toml.h"

namespace parcast::cli {

namespace {

// "48", or "160+160+80".
Result<std::vector<std::uint32_t>> parse_blocks(std::string const& text) {
    std::vector<std::uint32_t> blocks;
    for (std::string_view rest = text;;) {
        auto const plus = std::min(rest.find('+'), rest.size());
        auto const edge = number_in<std::uint32_t>(rest.substr(0, plus));
        if (!edge || *edge == 0)
            return fail(
                ErrorCode::unasked,
                "\"" + text + "\" is no edge of a block, such as 48, and no sum of edges, such as 160+80");
        blocks.push_back(*edge);
        if (plus == rest.size())
            return blocks;
        rest.remove_prefix(plus + 1);
    }
}

Result<BlockCosts> read_costs(std::string const& file) {
    auto const text = read_text(file);
    if (!text)
        return pass_on(text);
    return block_costs_from_toml(*text, file);
}

std::string blocks_text(std::vector<std::uint32_t> const& blocks) {
    std::string text;
    for (auto const edge : blocks)
        text.append(text.empty() ? "" : "+").append(std::to_string(edge));
    return text;
}

template <class Value, class... Targets>
Result<void> set_all(Result<Value> const& value, Targets&... targets) {
    if (!value)
        return pass_on(value);
    ((targets = *value), ...);
    return {};
}

// Calls the function with the values of the structure of this name.
auto with_structure(StepGenerators const& all, std::string_view structure, auto const& function) {
    if (structure == "cannon")
        return function(all.cannon);
    if (structure == "halo")
        return function(all.halo);
    if (structure == "matrix-product")
        return function(all.matrix_product);
    if (structure == "banded-lu")
        return function(all.banded_lu);
    return function(all.elimination);
}

constexpr std::array<GeneratorParameter, 10> parameters{{
    {"size", "N", "",
     "size of the program's input; default: the structure's usual one, such as a matrix of 960",
     [](StepGenerators& all, std::string const& text) {
         return set_all(number(std::uint32_t{0})(text), all.elimination.size, all.cannon.size, all.halo.size,
                        all.matrix_product.size, all.banded_lu.size);
     },
     [](StepGenerators const& all, std::string_view structure) {
         return with_structure(all, structure, [](auto const& each) { return std::to_string(each.size); });
     }},
    {"ranks", "N", "",
     "messages: how many ranks; default: 8, of cannon, halo and banded-lu 16, of matrix-product 64",
     [](StepGenerators& all, std::string const& text) {
         return set_all(number(std::uint32_t{1})(text), all.elimination.ranks, all.cannon.ranks,
                        all.halo.ranks, all.matrix_product.ranks, all.banded_lu.ranks);
     },
     [](StepGenerators const& all, std::string_view structure) {
         return with_structure(all, structure, [](auto const& each) { return std::to_string(each.ranks); });
     }},
    {"block", "N", "gaussian-elimination",
     "gaussian-elimination: rows of a block, which divide the size; or 160+160+80+... along the "
     "diagonal; default: 48",
     [](StepGenerators& all, std::string const& text) {
         return set_all(parse_blocks(text), all.elimination.blocks);
     },
     [](StepGenerators const& all, std::string_view) { return blocks_text(all.elimination.blocks); }},
    {"layout", "NAME", "gaussian-elimination",
     "gaussian-elimination: which rank has which block: row-cyclic (default), diagonal or block-cyclic-2d",
     [](StepGenerators& all, std::string const& text) {
         return set_all(one_of(choices_by_place<generate::Layout>(generate::layout_names))(text),
                        all.elimination.layout);
     },
     [](StepGenerators const& all, std::string_view) {
         return std::string(generate::layout_names[static_cast<std::size_t>(all.elimination.layout)]);
     }},
    {"costs", "FILE", "gaussian-elimination, cannon",
     "gaussian-elimination, cannon: what operations on blocks take, as parcast calibrate --kernels writes "
     "it; "
     "default: b^3 ns on b x b",
     [](StepGenerators& all, std::string const& file) {
         return set_all(read_costs(file), all.elimination.costs, all.cannon.costs);
     },
     [](StepGenerators const& all, std::string_view) { return to_toml(all.elimination.costs); }},
    {"cache", "SIZE", "gaussian-elimination",
     "gaussian-elimination: each rank has a cache of so many bytes, such as 1M; blocks that are not in it "
     "take their cold time",
     [](StepGenerators& all, std::string const& text) {
         return set_all(parse_size(text), all.elimination.effects.cache_bytes);
     },
     [](StepGenerators const& all, std::string_view) {
         auto const bytes = all.elimination.effects.cache_bytes;
         return bytes ? std::to_string(*bytes) : std::string();
     }},
    {"copies", "", "gaussian-elimination",
     "gaussian-elimination: a block that goes to another block of its rank is copied",
     [](StepGenerators& all, std::string const&) {
         return set_all(Result<bool>(true), all.elimination.effects.has_copies);
     },
     [](StepGenerators const& all, std::string_view) {
         return std::to_string(all.elimination.effects.has_copies);
     }},
    {"visits", "", "gaussian-elimination",
     "gaussian-elimination: in each step a rank passes over all of its blocks",
     [](StepGenerators& all, std::string const&) {
         return set_all(Result<bool>(true), all.elimination.effects.has_visits);
     },
     [](StepGenerators const& all, std::string_view) {
         return std::to_string(all.elimination.effects.has_visits);
     }},
    {"iterations", "N", "halo", "halo: how many; default: 100",
     [](StepGenerators& all, std::string const& text) {
         return set_all(number(std::uint32_t{1})(text), all.halo.iterations);
     },
     [](StepGenerators const& all, std::string_view) { return std::to_string(all.halo.iterations); }},
    {"window", "N", "banded-lu", "banded-lu: rows of the window that slides along the diagonal; default: 16",
     [](StepGenerators& all, std::string const& text) {
         return set_all(number(std::uint32_t{1})(text), all.banded_lu.window);
     },
     [](StepGenerators const& all, std::string_view) { return std::to_string(all.banded_lu.window); }},
}};

// By parameter, in the order of the table; a later one replaces an earlier one.
void store(GeneratorSettings& settings, std::string_view name, std::string text) {
    auto const found = std::ranges::find(settings, name, &GeneratorSettings::value_type::first);
    if (found != settings.end())
        found->second = std::move(text);
    else
        settings.emplace_back(name, std::move(text));
}

}  // namespace

std::span<GeneratorParameter const> generator_parameters() {
    return parameters;
}

void describe_generators(OptionTable& options, GeneratorSettings& settings) {
    for (auto const& parameter : parameters) {
        std::string spelling = "--" + std::string(parameter.name);
        if (!parameter.value.empty())
            spelling += " " + std::string(parameter.value);
        options.stored(std::move(spelling), std::string(parameter.help),
                       [&settings, &parameter](std::vector<std::string> const& values) -> Result<void> {
                           StepGenerators checked;
                           auto text = parameter.value.empty() ? std::string() : values.front();
                           // Files are read when the options are known to be right.
                           if (parameter.value != "FILE")
                               if (auto const set = parameter.set(checked, text); !set)
                                   return pass_on(set);
                           store(settings, parameter.name, std::move(text));
                           return {};
                       });
    }
}

bool is_step_structure(std::string_view name) {
    return std::ranges::find(generate::message_structures, name, &generate::MessageStructure::name) !=
           generate::message_structures.end();
}

Error no_step_structure(std::string_view name) {
    std::vector<std::string_view> known;
    for (auto const& structure : generate::message_structures)
        known.push_back(structure.name);
    auto const meant = nearest(name, known);
    return make_error(
        ErrorCode::unasked, "there is no structure \"" + std::string(name) + "\"",
        meant ? "Did you mean: " + std::string(*meant) : "What there is: parcast help generate");
}

Result<StepGenerators> step_generators(std::string_view structure, GeneratorSettings const& settings) {
    StepGenerators generators;
    for (auto const& [name, text] : settings) {
        auto const parameter = std::ranges::find(parameters, name, &GeneratorParameter::name);
        if (parameter == parameters.end() || !parameter->is_of(structure))
            return fail(
                ErrorCode::unasked,
                "--" + name + " is for " +
                    std::string(parameter == parameters.end() ? "no structure" : parameter->structures));
        if (auto const set = parameter->set(generators, text); !set)
            return pass_on(set, "--" + name + ": ");
    }
    return generators;
}

std::uint32_t usual_size(std::string_view structure) {
    return with_structure(StepGenerators(), structure, [](auto const& usual) { return usual.size; });
}

namespace {

Result<StepProgram> generated(generate::Elimination const& values) {
    return generate::gaussian_elimination(values);
}
Result<StepProgram> generated(generate::Cannon const& values) {
    return generate::cannon(values);
}
Result<StepProgram> generated(generate::Halo const& values) {
    return generate::halo(values);
}
Result<StepProgram> generated(generate::MatrixProduct const& values) {
    return generate::matrix_product(values);
}
Result<StepProgram> generated(generate::BandedLu const& values) {
    return generate::banded_lu(values);
}

}  // namespace

Result<StepProgram> generated_steps(std::string_view structure, StepGenerators const& generators) {
    return with_structure(generators, structure, [](auto const& values) { return generated(values); });
}

}  // namespace parcast::cli
