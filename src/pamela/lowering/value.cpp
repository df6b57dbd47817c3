#include "pamela/lowering/value.h"

namespace parcast::pamela {

using symbolic::Expression;

char const* type_name(Value const& value) {
    if (std::holds_alternative<Expression>(value))
        return "a numeric expression";
    return std::holds_alternative<ProcessId>(value) ? "a process" : "a resource";
}

bool has_type(Value const& value, EquationKind kind) {
    switch (kind) {
        case EquationKind::numeric: return std::holds_alternative<Expression>(value);
        case EquationKind::process: return std::holds_alternative<ProcessId>(value);
        case EquationKind::resource: return std::holds_alternative<ResourceId>(value);
    }
    return false;
}

std::uint64_t key_of(Value const& value) {
    if (auto const* expression = std::get_if<Expression>(&value))
        return (std::uint64_t{1} << 32U) | expression->id;
    if (auto const* process = std::get_if<ProcessId>(&value))
        return (std::uint64_t{2} << 32U) | process->value;
    if (auto const* resource = std::get_if<ResourceId>(&value))
        return (std::uint64_t{3} << 32U) | resource->value;
    return 0;
}

}  // namespace parcast::pamela
