#include "machine/network_parameter.h"

#include <algorithm>
#include <cmath>

#include "core/listed.h"
#include "machine/network_text.h"

namespace parcast {

namespace {

constexpr std::string_view inside = "node.";
constexpr std::string_view rendezvous = "S";

NetworkField const& field_of(NetworkParameter const& parameter) {
    return network_fields[*parameter.field];
}

template <class AnyNetwork>
auto& values_in(AnyNetwork& network, NetworkParameter const& parameter) {
    return parameter.inside_node ? *network.node : network.values;
}

}  // namespace

std::vector<NetworkParameter> parameters_of(Network const& network) {
    std::vector<NetworkParameter> parameters;
    bool const is_loggops = network.kind == NetworkKind::loggops;
    for (bool const inside_node : {false, true}) {
        if (inside_node && !network.node)
            break;
        for (std::size_t field = 0; field < network_fields.size(); ++field)
            if (is_loggops || network_fields[field].letter != "O")
                parameters.push_back({field, inside_node});
        if (is_loggops)
            parameters.push_back({std::nullopt, inside_node});
    }
    return parameters;
}

Result<NetworkParameter> network_parameter(Network const& network, std::string_view name) {
    auto const all = parameters_of(network);
    std::vector<std::string> names;
    for (auto const& each : all) {
        names.push_back(name_of(each));
        if (names.back() == name)
            return each;
    }
    return fail(make_error(
        ErrorCode::unasked, "this network has no value \"" + std::string(name) + "\"",
        "Its values are " + listed(names, " and ") +
            (network.node ? "." : "; inside a node node.L and so on, where ranks share one: --nodes.")));
}

std::optional<NetworkParameter> parameter_named(std::string_view name) {
    NetworkParameter parameter;
    if (name.starts_with(inside)) {
        parameter.inside_node = true;
        name.remove_prefix(inside.size());
    }
    if (name == rendezvous)
        return parameter;
    auto const field = std::ranges::find(network_fields, name, &NetworkField::letter);
    if (field == network_fields.end())
        return std::nullopt;
    parameter.field = static_cast<std::size_t>(field - network_fields.begin());
    return parameter;
}

std::string name_of(NetworkParameter const& parameter) {
    return std::string(parameter.inside_node ? inside : "") +
           std::string(parameter.field ? field_of(parameter).letter : rendezvous);
}

std::string meaning_of(NetworkParameter const& parameter) {
    return std::string(parameter.field ? field_of(parameter).meaning : "size from which messages wait") +
           (parameter.inside_node ? " inside a node" : "");
}

bool is_time(NetworkParameter const& parameter) {
    return parameter.field.has_value();
}

double value_of(Network const& network, NetworkParameter const& parameter) {
    auto const& values = values_in(network, parameter);
    return parameter.field ? values.*field_of(parameter).value : static_cast<double>(values.rendezvous_bytes);
}

std::string value_text(NetworkParameter const& parameter, double value) {
    if (parameter.field)
        return network_value_text(field_of(parameter), value);
    return value >= static_cast<double>(never_rendezvous)
               ? "never"
               : std::to_string(static_cast<std::uint64_t>(value)) + " bytes";
}

Result<Network> with_value(Network network, NetworkParameter const& parameter, double value) {
    auto& values = values_in(network, parameter);
    if (parameter.field) {
        values.*field_of(parameter).value = value;
        if (auto const checked = check(network); !checked)
            return pass_on(checked);
        return network;
    }
    if (!(value >= 0) || value != std::floor(value))
        return fail(ErrorCode::out_of_range, "S is a number of bytes");
    values.rendezvous_bytes =
        value >= static_cast<double>(never_rendezvous) ? never_rendezvous : static_cast<std::uint64_t>(value);
    return network;
}

}  // namespace parcast
