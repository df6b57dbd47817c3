#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "report/signature_theory.h"

namespace parcast::report {

namespace {

Json theory_point_json(TheoryPoint const& point) {
    return {{"threads", point.threads},
            {"a", point.a},
            {"work", point.work},
            {"b", point.b},
            {"speed_up", point.speed_up},
            {"efficiency", point.efficiency},
            {"divide_and_conquer", or_null(point.divide_and_conquer)}};
}

Json theory_execution_json(TheoryExecution const& execution) {
    Json json;
    json["optimum"] = execution.p_smax ? Json{{"p_smax", *execution.p_smax},
                                              {"s_max", or_null(execution.s_max)},
                                              {"best_p", or_null(execution.best_p)},
                                              {"best_speed_up", or_null(execution.best_speed_up)},
                                              {"inflection", or_null(execution.inflection)}}
                                       : Json();
    json["limit"] = or_null(execution.limit);
    json["least_b"] = execution.least_b;
    json["flat"] = execution.flat_from
                       ? Json{{"from", *execution.flat_from}, {"to", or_null(execution.flat_to)}}
                       : Json();
    json["class"] = or_null(execution.paper_class);
    json["outlook"] = execution.outlook;
    json["points"] = array_json(execution.points, theory_point_json);
    return json;
}

}  // namespace

std::string signature_theory_json(SignatureTheory const& theory, std::string_view version) {
    Json json = envelope("signature-theory", version, {{"g", theory.g}, {"alpha", theory.alpha}});
    json["growth"] = {{"class", theory.growth}, {"meaning", theory.growth_sentence}};
    json["fixed_size"] = theory_execution_json(theory.fixed_size);
    json["scaled"] = theory.scaled ? theory_execution_json(*theory.scaled) : Json();
    return to_text(json);
}

}  // namespace parcast::report
