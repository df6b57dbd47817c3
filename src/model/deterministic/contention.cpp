#include "model/deterministic/contention.h"

#include <algorithm>
#include <map>
#include <utility>

namespace parcast::model {

namespace {

std::vector<double> const* find_parameter(TaskGraph const& graph, std::string_view name) {
    auto const found =
        std::ranges::find_if(graph.resources, [&](ResourceUse const& use) { return use.name == name; });
    return found == graph.resources.end() ? nullptr : &found->value;
}

}  // namespace

ResourceClasses classes_by(TaskGraph const& graph, std::span<std::string_view const> parameters) {
    std::vector<std::vector<double> const*> columns;
    for (auto const name : parameters)
        columns.push_back(find_parameter(graph, name));

    ResourceClasses classes;
    classes.class_of_group.reserve(graph.groups());
    std::map<std::vector<double>, std::uint32_t> class_of_values;
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        std::vector<double> values;
        for (auto const* column : columns)
            values.push_back(column == nullptr ? 0 : (*column)[group]);
        auto const next = static_cast<std::uint32_t>(classes.value.size());
        auto const [place, is_new] = class_of_values.try_emplace(values, next);
        if (is_new)
            classes.value.push_back(std::move(values));
        classes.class_of_group.push_back(place->second);
    }
    return classes;
}

}  // namespace parcast::model
