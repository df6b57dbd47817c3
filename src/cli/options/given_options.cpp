#include "cli/options/given_options.h"

#include <algorithm>
#include <filesystem>

#include "cli/files/inputs.h"
#include "core/listed.h"

namespace parcast::cli {

namespace {

std::string listed_forms(FormSet forms, std::string_view FormName::* name, std::string_view before_last) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < form_names.size(); ++i)
        if (forms.has(static_cast<Form>(i)))
            names.push_back(form_names[i].*name);
    return listed(names, before_last);
}

}  // namespace

std::string names_of(FormSet forms) {
    return listed_forms(forms, &FormName::one, " or ");
}

std::string plurals_of(FormSet forms) {
    return listed_forms(forms, &FormName::plural, " and ");
}

std::vector<std::string> GivenOptions::next_words() const {
    std::vector<std::string> words;
    for (auto const& option : options)
        words.insert(words.end(), option.next_words.begin(), option.next_words.end());
    return words;
}

bool GivenOptions::has(std::string_view name) const {
    return std::ranges::any_of(options, [&](GivenOption const& option) {
        return option.name == name || option.name.starts_with(std::string(name) + " ");
    });
}

Result<void> GivenOptions::check(Form form, std::string const& path) const {
    auto const refuse = [&](ErrorCode code, std::string message, std::string advice) {
        return fail(Error{code, std::move(message), SourcePosition{path, {}, {}, {}}, std::move(advice)});
    };
    std::string const is = "; this is " + std::string(parcast::name_of(form).one);
    if (!inputs.has(form)) {
        return refuse(ErrorCode::unsupported, std::string(verb) + " takes " + names_of(inputs) + is,
                      "Which verb takes what: parcast help");
    }
    for (auto const& option : options) {
        if (!option.forms.has(form)) {
            return refuse(ErrorCode::unasked,
                          option.name + " is for " + plurals_of(option.forms & inputs) + is,
                          "Options for " + std::string(parcast::name_of(form).plural) + ": parcast help " +
                              std::string(verb));
        }
    }
    return {};
}

Result<void> GivenOptions::check_file(std::string const& path) const {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem))
        return {};
    auto const form = form_of(path);
    if (form == Form::recording && !inputs.has(form) && !is_recording_file(path))
        return fail(
            Error{ErrorCode::unsupported,
                  std::string(verb) + " takes " + names_of(inputs) + "; this is nothing that parcast reads",
                  SourcePosition{path, {}, {}, {}}, "Which verb takes what: parcast help"});
    return check(form, path);
}

}  // namespace parcast::cli
