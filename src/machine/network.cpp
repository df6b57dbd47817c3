#include "machine/network.h"

namespace parcast {

NetworkLaw law_of(NetworkKind kind, NetworkValues const& values) {
    return kind == NetworkKind::loggp ? NetworkLaw(LogGp(values)) : NetworkLaw(LogGops(values));
}

Result<void> check(Network const& network) {
    auto const check_values = [](NetworkValues const& values) -> Result<void> {
        for (auto const& field : network_fields)
            if (!(values.*field.value >= 0 && values.*field.value <= most_network_ns))
                return fail(ErrorCode::out_of_range,
                            "'" + std::string(field.key) + "' is from 0 to 1e12 nanoseconds");
        return {};
    };
    if (auto const checked = check_values(network.values); !checked)
        return checked;
    return network.node ? check_values(*network.node) : Result<void>();
}

}  // namespace parcast
