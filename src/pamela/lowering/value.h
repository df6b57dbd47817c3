// What a term stands for when every name in it is replaced: a numeric expression, a process or a resource.

#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "pamela/lowering/resource_list.h"
#include "pamela/syntax/syntax.h"
#include "program/process_model.h"
#include "symbolic/expression.h"

namespace parcast::pamela {

struct Failed {};  // an error was said
using Value = std::variant<Failed, symbolic::Expression, ProcessId, ResourceId>;

inline bool has_failed(Value const& value) {
    return std::holds_alternative<Failed>(value);
}

char const* type_name(Value const& value);  // "a process"; REQUIRES: has not failed
bool has_type(Value const& value, EquationKind kind);

std::uint64_t key_of(Value const& value);  // the same for the same value only

// Nothing is Failed.
template <class Kind>
Value value_of(std::optional<Kind> const& result) {
    return result ? Value(*result) : Value(Failed{});
}

}  // namespace parcast::pamela
