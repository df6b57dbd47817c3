// The answer of `parcast bind`, for people and as JSON (docs/formats/bind.schema.json).

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer/answer.h"
#include "answer/binding.h"
#include "report/layout.h"

namespace parcast::report {

// What follows for one count: "On 2 CPUs the best binding takes 13.0 ms, and none can take less: ..."
// `basis`: the forecast without bindings. Empty where its findings make it worthless.
std::vector<std::string> binding_sentences(Answer const& basis, BindingOnCpus const& at);

std::string bindings_text(Answer const& basis, Bindings const& bindings, Layout const& layout);
std::string bindings_json(Answer const& basis, Bindings const& bindings, std::string_view version);

// Of numbers alone: no program is bound.
std::string reachable_text(ReachableBinding const& reachable, std::uint32_t cpus, Layout const& layout);
std::string reachable_json(ReachableBinding const& reachable, std::uint32_t cpus, std::string_view version);

}  // namespace parcast::report
