#include "report/host.h"

#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

std::string host_json(HostAnswer const& answer, std::string_view parcast_version) {
    auto json =
        envelope("doctor", parcast_version, {{"host", answer.host}, {"program", or_null(answer.program)}});
    json["checks"] = array_json(answer.checks, [](HostCheck const& check) -> Json {
        return {{"area", check.area},
                {"name", check.name},
                {"state", name_of(check.state)},
                {"found", check.found},
                {"follows", or_null(check.follows)},
                {"remedy", or_null(check.remedy)}};
    });
    json["configuration"] = array_json(answer.configuration, [](ConfiguredValue const& value) -> Json {
        return {{"verb", or_null(value.verb)},
                {"option", value.option},
                {"value", value.value},
                {"source", value.source},
                {"overridden", value.is_overridden}};
    });
    return to_text(json);
}

}  // namespace parcast::report
