// The resources of a model as they are made: fcfs(index, multiplicity), named by the first equation that
// stands for them.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pamela/lowering/expression_builder.h"
#include "pamela/syntax/diagnostic_list.h"
#include "program/process_model.h"

namespace parcast::pamela {

struct ResourceId {
    std::uint32_t value = 0;
    friend bool operator==(ResourceId, ResourceId) = default;
};

class ResourceList {
public:
    static constexpr ResourceId infinite_server{0};  // rho

    // A loan until the list goes.
    explicit ResourceList(ExpressionBuilder& builder);

    ResourceId add(symbolic::Expression index, symbolic::Expression multiplicity);
    ResourceId named(ResourceId resource, std::string const& equation, TextRange place);
    Resource const& operator[](ResourceId resource) const { return resources_[resource.value]; }

    // Two names for one index are one server, which is hardly ever meant.
    void warn_of_shared_indices(DiagnosticList& diagnostics) const;

private:
    ResourceId add(Resource resource);

    ExpressionBuilder& builder_;
    std::vector<Resource> resources_;
    std::map<std::string, TextRange> places_;  // of the equations that they are named by
};

}  // namespace parcast::pamela
