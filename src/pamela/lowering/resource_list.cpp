#include "pamela/lowering/resource_list.h"

#include <utility>

#include "pamela/syntax/number_text.h"

namespace parcast::pamela {

namespace {

constexpr char const* without_name = "fcfs";

}  // namespace

ResourceList::ResourceList(ExpressionBuilder& builder) : builder_(builder) {
    add(Resource{"rho", builder.number(0), builder.number(0)});
}

ResourceId ResourceList::add(symbolic::Expression index, symbolic::Expression multiplicity) {
    return add(Resource{without_name, index, multiplicity});
}

ResourceId ResourceList::add(Resource resource) {
    resources_.push_back(std::move(resource));
    return {static_cast<std::uint32_t>(resources_.size() - 1)};
}

ResourceId ResourceList::named(ResourceId resource, std::string const& equation, TextRange place) {
    auto renamed = resources_[resource.value];
    if (resource == infinite_server || renamed.name != without_name)
        return resource;
    renamed.name = equation;
    places_.emplace(equation, place);
    return add(std::move(renamed));
}

void ResourceList::warn_of_shared_indices(DiagnosticList& diagnostics) const {
    std::map<double, std::string> owners;
    for (auto const& resource : resources_) {
        auto const index = builder_.constant(resource.index);
        auto const place = places_.find(resource.name);
        if (!index || place == places_.end())
            continue;
        auto const [owner, is_new] = owners.emplace(*index, resource.name);
        if (!is_new && owner->second != resource.name) {
            diagnostics.warning(place->second,
                                "'" + resource.name + "' and '" + owner->second +
                                    "' are one resource: both have the index " + number_text(*index),
                                "give each an index of its own");
        }
    }
}

}  // namespace parcast::pamela
