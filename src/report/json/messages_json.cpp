// Parts of the JSON about steps and message programs.

#include "report/json/json_parts.h"

namespace parcast::report {

Json network_json(MessagesBasis const& messages) {
    auto const& network = messages.network;
    auto const values_json = [](NetworkValues const& values) {
        Json json;
        for (auto const& field : network_fields)
            json[field.key] = values.*field.value;
        json["rendezvous_bytes"] = values.rendezvous_bytes;
        return json;
    };
    Json json{{"name", or_null(network.name)},
              {"kind", network_kinds[static_cast<std::size_t>(network.kind)]},
              {"source", messages.network_source}};
    json.update(values_json(network.values));
    json["node"] = network.node ? values_json(*network.node) : Json();
    return json;
}

Json compared_json(std::vector<ComparedCollectives> const& compared) {
    return array_json(compared, [](ComparedCollectives const& group) -> Json {
        return {
            {"kind", or_null(group.kind)},
            {"operations", group.operations},
            {"alternatives", array_json(group.alternatives, [](CollectiveAlternative const& each) -> Json {
                 return {{"choice", each.choice},
                         {"chosen", each.is_chosen},
                         {"time_ns", or_null(each.time_ns)},
                         {"left_out", or_null(each.left_out)}};
             })}};
    });
}

Json jobs_json(MessagesBasis const& messages) {
    return array_json(messages.jobs, [](MessageJob const& job) -> Json {
        return {{"file", job.file},
                {"name", or_null(job.name)},
                {"format", job.format},
                {"first_rank", job.first_rank},
                {"ranks", job.ranks}};
    });
}

}  // namespace parcast::report
