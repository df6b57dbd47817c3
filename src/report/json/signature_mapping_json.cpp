#include "core/moments.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "report/signature_mapping.h"

namespace parcast::report {

namespace {

Json mapped_thread_json(MappedThreadRow const& thread) {
    return {{"tasks", thread.tasks},           {"work_ns", thread.work_ns},
            {"mean_ns", thread.mean_ns},       {"deviation_ns", thread.deviation_ns},
            {"events", thread.events},         {"alpha_ns", or_null(thread.alpha_ns)},
            {"data_bytes", thread.data_bytes}, {"beta_bytes", or_null(thread.beta_bytes)}};
}

Json matrices_json(MappingMatrices const& matrices) {
    return {{"thread_of_task", matrices.thread_of_task},
            {"subdomains", matrices.subdomains},
            {"covariance_ns2", matrices.covariance_ns2}};
}

Json mapping_row_json(MappingRow const& row) {
    return {{"threads", row.threads.size()},
            {"tasks", row.tasks},
            {"task", {{"mean_ns", row.task_mean_ns}, {"deviation_ns", row.task_deviation_ns}}},
            {"events", row.events},
            {"work_ns", row.work_ns},
            {"alpha_ns", or_null(row.alpha_ns)},
            {"data_bytes", row.data_bytes},
            {"beta_bytes", or_null(row.beta_bytes)},
            {"imbalance", row.imbalance},
            {"expected_imbalance", or_null(row.expected_imbalance)},
            {"rows", array_json(row.threads, mapped_thread_json)},
            {"matrices", row.matrices ? matrices_json(*row.matrices) : Json()}};
}

Json mapping_characteristic_json(MappingCharacteristic const& g) {
    return {{"class", g.growth},
            {"meaning", g.growth_sentence},
            {"formula", g.formula},
            {"exponent", or_null(g.exponent)},
            {"exponent_95",
             g.exponent_95 ? Json{{"low", g.exponent_95->low}, {"high", g.exponent_95->high}} : Json()},
            {"few_counts", g.few_counts},
            {"relative_error", g.relative_error}};
}

}  // namespace

std::string signature_mapping_json(SignatureMapping const& mapping, std::string_view version) {
    Json json = envelope("signature-mapping", version, {{"file", mapping.file}, {"form", mapping.form}});
    json["schedule"] = or_null(mapping.schedule);
    json["law"] = or_null(mapping.law);
    json["correlation"] = mapping.correlation;
    json["mappings"] = array_json(mapping.rows, mapping_row_json);
    json["characteristic"] =
        mapping.characteristic ? mapping_characteristic_json(*mapping.characteristic) : Json();
    json["notes"] = mapping.notes;
    return to_text(json);
}

}  // namespace parcast::report
