// The options of a command line, to be held against the form of the input. An option that does not
// serve this form is rejected, never ignored.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer/form.h"
#include "core/result.h"

namespace parcast::cli {

struct GivenOption {
    std::string name;                          // "--schedule", or with a value "--compare recorded"
    FormSet forms;                             // that it serves
    std::vector<std::string> next_words = {};  // if it decides about the numbers: as it was typed
};

struct GivenOptions {
    std::string_view verb;
    FormSet inputs;  // that the verb takes
    std::vector<GivenOption> options;

    bool has(std::string_view name) const;
    // What a next command repeats, in the order of the help.
    std::vector<std::string> next_words() const;

    // Errors, with `path` as their place: unsupported (the verb does not take this form), unasked (an
    // option does not serve it).
    Result<void> check(Form form, std::string const& path) const;
    // The form is told from the content. A file that cannot be read passes: whoever opens it reports why.
    Result<void> check_file(std::string const& path) const;
};

// "a recording, a task graph or a model"
std::string names_of(FormSet forms);
// "recordings, task graphs and models"
std::string plurals_of(FormSet forms);

}  // namespace parcast::cli
