#include "cli/verbs.h"

#include <algorithm>

namespace parcast::cli {

Verb const* find_verb(std::string_view name) {
    auto const* const found = std::ranges::find(verbs, name, [](Verb const* verb) { return verb->name; });
    return found == verbs.end() ? nullptr : *found;
}

}  // namespace parcast::cli
