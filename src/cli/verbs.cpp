#include "cli/verbs.h"

#include <algorithm>
#include <vector>

#include "core/listed.h"
#include "core/suggestion.h"

namespace parcast::cli {

Verb const* find_verb(std::string_view name) {
    auto const* const found = std::ranges::find(verbs, name, [](Verb const* verb) { return verb->name; });
    return found == verbs.end() ? nullptr : *found;
}

Error no_verb(std::string_view name, std::string const& before) {
    std::vector<std::string_view> names;
    for (auto const* const verb : verbs)
        names.push_back(verb->name);
    std::string const message = "there is no verb \"" + std::string(name) + "\"";
    if (auto const meant = nearest(name, names))
        return make_error(ErrorCode::unasked, message, "Did you mean: " + before + std::string(*meant));
    return make_error(ErrorCode::unasked, message + "; there are " + listed(names, " and "),
                      "Try: parcast help");
}

}  // namespace parcast::cli
