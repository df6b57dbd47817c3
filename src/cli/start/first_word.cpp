#include "cli/start/first_word.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <unistd.h>

#include "cli/files/files.h"
#include "cli/files/inputs.h"
#include "cli/start/recordings_here.h"
#include "cli/start/words_elsewhere.h"
#include "cli/verbs.h"
#include "contract/contract_toml.h"
#include "core/listed.h"
#include "core/suggestion.h"
#include "machine/block_costs_toml.h"
#include "machine/machine_toml.h"
#include "machine/memory_toml.h"
#include "machine/thread_plan_toml.h"
#include "record/start.h"
#include "report/names.h"

namespace parcast::cli {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string typed(Words const& words, Words const& more = {}) {
    Words all{"parcast"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), more.begin(), more.end());
    return report::command_line(all);
}

// Files in TOML: each reader refuses what is for the others.
struct TomlKind {
    std::string_view name;
    std::string_view command;  // to which its name is added
    bool (*reads)(std::string const& text, std::string const& file);
};

constexpr std::array<TomlKind, 5> toml_kinds{{
    {"a contract", "parcast check FILE --contract",
     [](auto const& text, auto const& file) { return contract::read_contract(text, file).has_value(); }},
    {"a plan for threads", "parcast run -- PROGRAM ARGS... --plan",
     [](auto const& text, auto const& file) { return thread_plan_from_toml(text, file).has_value(); }},
    {"the costs of a blocked algorithm", "parcast generate messages gaussian-elimination --costs",
     [](auto const& text, auto const& file) { return block_costs_from_toml(text, file).has_value(); }},
    {"a memory file", "parcast predict FILE --memory",
     [](auto const& text, auto const& file) { return shared_resources_from_toml(text, file).has_value(); }},
    {"a machine file", "parcast predict FILE --machine",
     [](auto const& text, auto const& file) {
         return machine_from_toml(text, file, linux_machine(1)).has_value();
     }},
}};

Result<MeantCommands> use_of_toml(std::string const& file) {
    auto const text = read_text(file);
    if (!text)
        return pass_on(text);
    auto const kind =
        std::ranges::find_if(toml_kinds, [&](TomlKind const& each) { return each.reads(*text, file); });
    if (kind == toml_kinds.end())
        return fail(make_error(
            ErrorCode::unsupported, file + " is no machine, memory, costs, plan or contract file",
            "What is wrong with a machine file: " + typed({"predict", "FILE", "--machine", file})));
    std::string command(kind->command);
    if (auto const divider = command.find("-- "); divider != std::string::npos)
        command = "parcast run --plan " + report::command_line({file}) + " -- PROGRAM ARGS...";
    else
        command += " " + report::command_line({file});
    return MeantCommands{.note = {},
                         .commands = {},
                         .text = file + " is " + std::string(kind->name) + "; nothing is wrong with it.\n" +
                                 "Use it: " + command + "\n"};
}

// A script is a text, too: one was taken for a list of traces.
bool is_executable(std::string const& file) {
    auto const opened = InputFile::open(file);
    if (!opened || access(file.c_str(), X_OK) != 0)
        return false;
    auto const head = opened->head(4);
    std::string_view const start(reinterpret_cast<char const*>(head.data()), head.size());
    return start.starts_with("#!") || start == "\177ELF";
}

bool is_input(std::string const& file) {
    std::error_code unknown;
    return fs::is_regular_file(file, unknown) && !is_executable(file) &&
           (form_of(file) != Form::recording || is_recording_file(file));
}

MeantCommands use_of_input(std::string const& file, Words const& rest, Words const& own_words) {
    auto const form = form_of(file);
    MeantCommands meant;
    Words predict{"predict", file};
    // Whoever adds options asks about a prediction.
    if (form == Form::recording && own_words.empty()) {
        Words info{"info", file};
        info.insert(info.end(), rest.begin(), rest.end());
        meant.commands.push_back(info);
    }
    predict.insert(predict.end(), rest.begin(), rest.end());
    meant.commands.push_back(predict);
    std::vector<std::string> lines;
    for (auto const& command : meant.commands)
        lines.push_back(typed(command));
    meant.note = file + " is " + std::string(name_of(form).one) + ": " + listed(lines, " and ");
    return meant;
}

Error is_program(std::string const& program, Words const& rest) {
    Words words{"record", "--", program};
    return make_error(ErrorCode::unasked, program + " is a program, not a verb",
                      "Record it: " + typed(words, rest));
}

std::string_view verb_elsewhere(std::string_view word) {
    for (auto const& row : words_elsewhere)
        if (row.word == word && find_verb(row.verb))
            return row.verb;
    return {};
}

bool has_recordings(std::string const& folder) {
    return !recordings_noted_in(folder).empty();
}

// What cannot be opened, or is nothing of ours.
Error not_a_file_of_ours(std::string const& file) {
    auto const opened = InputFile::open(file);
    if (opened)
        return Error{ErrorCode::unsupported, "this is nothing that parcast reads",
                     SourcePosition{file, {}, {}, {}}, "Which verb takes what: parcast help"};
    auto const folder = fs::path(file).parent_path().string();
    auto const here = recordings_noted_in(folder.empty() ? "." : folder);
    std::vector<std::string> names;
    for (auto const& recording : here)
        names.push_back((fs::path(folder) / recording.name).string());
    if (auto const meant = nearest(file, std::vector<std::string_view>(names.begin(), names.end())))
        return with_advice(opened.error(), "Did you mean: " + typed({std::string(*meant)}));
    return with_advice(opened.error(), "Make a recording with: parcast record -- PROGRAM ARGS...");
}

}  // namespace

Result<MeantCommands> commands_meant(std::string const& word, std::vector<std::string> const& rest,
                                     std::vector<std::string> const& own_words) {
    std::error_code unknown;
    auto const status = fs::status(word, unknown);
    bool const has_slash = word.find('/') != std::string::npos;
    if (is_input(word))
        return use_of_input(word, rest, own_words);
    if (fs::is_directory(status) && (has_slash || word == "." || word == ".." || has_recordings(word))) {
        Words info{"info", word};
        info.insert(info.end(), rest.begin(), rest.end());
        return MeantCommands{word + " is a folder: " + typed(info), {info}, {}};
    }
    if (!verb_elsewhere(word).empty())
        return fail(no_verb(word, "parcast ", own_words));
    if (fs::is_regular_file(status)) {
        if (word.ends_with(".toml"))
            return use_of_toml(word);
        if (access(word.c_str(), X_OK) == 0)
            return fail(is_program(has_slash ? word : "./" + word, own_words));
        return fail(not_a_file_of_ours(word));
    }
    if (!has_slash && record::find_host_program(word))
        return fail(is_program(word, own_words));
    if (has_slash || word.find('.') != std::string::npos)
        return fail(not_a_file_of_ours(word));
    return fail(no_verb(word, "parcast ", own_words));
}

Error no_verb(std::string_view name, std::string const& before, std::vector<std::string> const& behind) {
    std::string const message = "there is no verb \"" + std::string(name) + "\"";
    auto const with_words = [&](std::string_view verb) {
        return before + std::string(verb) + (behind.empty() ? "" : " " + report::command_line(behind));
    };
    if (auto const verb = verb_elsewhere(name); !verb.empty()) {
        auto const& meant = *find_verb(verb);
        return make_error(
            ErrorCode::unasked,
            message + ", but there is " + std::string(verb) + ": " + std::string(meant.summary),
            "Try: " + (behind.empty() && before == "parcast " ? before + std::string(meant.example)
                                                              : with_words(verb)));
    }
    std::vector<std::string_view> names;
    for (auto const* const verb : verbs)
        names.push_back(verb->name);
    if (auto const meant = nearest(name, names))
        return make_error(ErrorCode::unasked, message, "Did you mean: " + with_words(*meant));
    return make_error(ErrorCode::unasked, message + "; there are " + listed(names, " and "),
                      "Try: parcast help");
}

}  // namespace parcast::cli
