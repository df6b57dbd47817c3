#include "report/json/envelope.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace parcast::report {

nlohmann::ordered_json envelope(std::string_view verb, std::string_view version, nlohmann::ordered_json input,
                                unsigned schema_version) {
    return {{"schema", "parcast." + std::string(verb) + '/' + std::to_string(schema_version)},
            {"parcast", std::string(version)},
            {"input", std::move(input)}};
}

std::string to_text(nlohmann::ordered_json const& json) {
    using Json = nlohmann::ordered_json;
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string to_line(nlohmann::ordered_json const& json) {
    using Json = nlohmann::ordered_json;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace parcast::report
