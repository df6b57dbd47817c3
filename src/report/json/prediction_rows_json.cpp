#include "report/json/prediction_rows_json.h"

#include <algorithm>
#include <cmath>

#include "answer/number_text.h"
#include "report/json/json_parts.h"
#include "report/text/parts.h"
#include "timeline/run_of_messages.h"

namespace parcast::report {

namespace {

Json bounds_json(std::optional<SpeedUpBounds> const& bounds) {
    return bounds ? Json{{"lower", bounds->lower}, {"upper", bounds->upper}} : Json();
}

Json row_range_json(std::optional<RowRange> const& range, bool has_speed_up) {
    if (!range)
        return nullptr;
    Json shares = Json::object();
    for (std::size_t i = 0; i < uncertainties; ++i)
        shares[uncertainty_names[i].word] = rounded(range->shares[i]);
    return {{"time_ns", time_range_json(range->time_ns)},
            {"speed_up", has_speed_up ? range_json(range->speed_up) : Json()},
            {"shares", std::move(shares)}};
}

Json limit_json(Limit const& limit, Catalogue const& catalogue) {
    bool const has_object = !limit.object.is_none() && limit.object.index() < catalogue.objects.size();
    SiteId const site = has_object ? catalogue.objects[limit.object.index()].first_site : SiteId::none();
    return {{"cause", name_of(limit.cause)},
            {"object", object_json(catalogue, limit.object)},
            {"site", site.is_none() ? Json() : Json(display_name(catalogue, site))},
            {"share", limit.share},
            {"processor_time_ns", limit.processor_time.ns}};
}

Json limits_json(std::vector<Limit> const& limits, Catalogue const& catalogue) {
    return array_json(limits, [&](Limit const& limit) { return limit_json(limit, catalogue); });
}

// --- recordings

Json thread_json(ThreadAccount const& account, Catalogue const& catalogue, ThreadId thread) {
    return {{"thread", thread_reference_json(catalogue, thread)},
            {"created_ns", account.created.ns},
            {"ended_ns", account.ended.ns},
            {"running_ns", account[ThreadState::running].ns},
            {"switching_ns", account[ThreadState::switching].ns},
            {"spinning_ns", account[ThreadState::spinning].ns},
            {"ready_ns", account[ThreadState::ready].ns},
            {"blocked_ns", account[ThreadState::blocked].ns},
            {"sleeping_ns", account[ThreadState::sleeping].ns},
            {"input_output_ns", account[ThreadState::input_output].ns}};
}

// A deadlocked run has no time: its numbers are null, so that nobody plots them by accident.
Json deadlocked_row(Row const& row, Catalogue const& catalogue) {
    return {{"cpus", row.cpus},
            {"time_ns", nullptr},
            {"speed_up", nullptr},
            {"efficiency", nullptr},
            {"range", nullptr},
            {"bounds", nullptr},
            {"bounds_note", nullptr},
            {"limits", Json::array()},
            {"deadlock", deadlock_json(*row.run.deadlock, catalogue)}};
}

Json models_json(Row const& row, Catalogue const& catalogue) {
    return array_json(row.models, [&](ModelTime const& each) -> Json {
        bool const is_stuck = each.deadlock.has_value();
        return {{"model", each.model},
                {"time_ns", is_stuck ? Json() : Json(std::llround(each.time_ns))},
                {"deadlock", is_stuck ? deadlock_json(*each.deadlock, catalogue) : Json()}};
    });
}

// What the change brings there; nulls if its replay deadlocks.
Json what_if_json(Answer const& answer, Row const& row, std::size_t change,
                  std::optional<double> time_on_one_ns) {
    auto const& time_ns = row.what_if_ns[change];
    Json json{{"change", answer.what_if[change]}, {"time_ns", or_null(time_ns)}};
    json["speed_up"] = time_ns && time_on_one_ns ? Json(*time_on_one_ns / *time_ns) : Json();
    json["gain"] = time_ns ? Json(1 - *time_ns / row.time_ns) : Json();
    json["gain_range"] = row.what_if_gains.empty() ? Json() : range_json(row.what_if_gains[change]);
    return json;
}

Json what_if_json(Answer const& answer, Row const& row, std::optional<double> time_on_one_ns) {
    Json changes = Json::array();
    for (std::size_t change = 0; change < row.what_if_ns.size(); ++change)
        changes.push_back(what_if_json(answer, row, change, time_on_one_ns));
    return changes;
}

Json recording_row(Answer const& answer, Row const& row, ThreadRows threads) {
    auto const& basis = answer.recording();
    auto const& catalogue = basis.catalogue;
    if (row.run.deadlock) {
        Json json = deadlocked_row(row, catalogue);
        if (!row.models.empty())
            json["models"] = models_json(row, catalogue);
        return json;
    }
    auto const& accounts = row.run.accounts;
    bool const has_speed_up = basis.time_on_one.has_value();
    Json json{{"cpus", row.cpus},
              {"time_ns", accounts.completion.ns},
              {"speed_up", has_speed_up ? Json(row.speed_up) : Json()},
              {"efficiency", has_speed_up ? Json(row.efficiency) : Json()},
              {"range", row_range_json(row.range, has_speed_up)},
              {"bounds", has_speed_up ? bounds_json(row.bounds) : Json()},
              {"bounds_note", has_speed_up && is_outside_bounds(row) ? Json(outside_bounds_note) : Json()},
              {"limits", limits_json(row.limits, catalogue)}};
    json["what_if"] = what_if_json(
        answer, row, has_speed_up ? std::optional(to_real(*basis.time_on_one).ns) : std::nullopt);
    if (!row.models.empty())
        json["models"] = models_json(row, catalogue);
    json["context_switches"] = accounts.context_switches;
    json["migrations"] = accounts.migrations;
    if (threads == ThreadRows::present) {
        json["threads"] = Json::array();
        for (std::size_t i = 0; i < accounts.threads.size(); ++i)
            json["threads"].push_back(thread_json(accounts.threads[i], catalogue, ThreadId(i)));
    }
    return json;
}

// --- task graphs

Json task_graph_row(Answer const& answer, ScheduledRows const& scheduled, Row const& row, bool is_best) {
    auto const& lost = row.tasks.lost;
    Json json{{"cpus", row.cpus},
              {"schedule", scheduled.schedule},
              {"work_conserving", scheduled.is_work_conserving},
              {"best", is_best},
              {"time_ns", row.time_ns},
              {"speed_up", row.speed_up},
              {"efficiency", row.efficiency},
              {"bounds", bounds_json(row.bounds)},
              {"limits", limits_json(row.limits, {})},
              {"lost",
               {{"idle_ns", lost.idle_ns},
                {"latency_ns", lost.latency_ns},
                {"contention_ns", lost.contention_ns},
                {"overhead_ns", lost.overhead_ns}}},
              {"mean_busy", row.tasks.mean_busy},
              {"busy_for_ns", row.tasks.busy_for_ns}};
    if (!row.what_if_ns.empty())
        json["what_if"] = what_if_json(answer, row, answer.graph().sequential_ns);
    return json;
}

// --- models

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

Json moments_json(Moments const& moments) {
    return {{"mean", number(moments.mean)},
            {"variance", number(moments.variance)},
            {"skewness", number(moments.skewness)},
            {"kurtosis", number(moments.kurtosis)}};
}

Json interval_json(ConfidenceInterval const& range) {
    return Json::array({number(range.low), number(range.high)});
}

// {"50": 10.1, "95": 10.2}
template <class At>
Json quantiles_json(std::vector<double> const& levels, At const& at) {
    Json json = Json::object();
    for (std::size_t level = 0; level < levels.size(); ++level)
        json[exact_number_text(levels[level])] = number(at(level));
    return json;
}

Json parameters_json(ModelBasis const& model, std::size_t point) {
    Json json = Json::object();
    for (auto const& [name, value] : model.fixed)
        json[name] = number(value);
    for (std::size_t i = 0; i < model.swept.size(); ++i)
        json[model.swept[i].name] = number(swept_value(model, point, i));
    return json;
}

void add_formula(Json& json, ModelBasis const& model, std::size_t point) {
    auto const& at = model.points[point];
    json["time"] = moments_json(at.time);
    json["quantiles"] = quantiles_json(model.levels, [&](std::size_t level) {
        return model.quantiles[point * model.levels.size() + level];
    });
    json["bound_by"] = at.is_bound_by_resource ? "resource" : "critical_path";
    json["critical_path"] = moments_json(at.critical_path);
    json["busiest_resource"] =
        at.resource ? Json{{"name", model.resources[*at.resource]}, {"work", moments_json(at.busiest)}}
                    : Json();
    json["attainable"] = at.is_attainable;
    json["law_matches"] = at.is_matched;
}

Json simulated_json(ModelBasis const& model, SimulatedPoint const& at) {
    return {
        {"time", moments_json(at.time)},
        {"confidence_95",
         {{"mean", interval_json(at.mean)},
          {"variance", interval_json(at.variance)},
          {"skewness", interval_json(at.skewness)},
          {"kurtosis", interval_json(at.kurtosis)}}},
        {"quantiles", quantiles_json(model.levels, [&](std::size_t level) { return at.quantiles[level]; })},
        {"runs", at.runs}};
}

Json phases_json(std::vector<ModelPhase> const& phases) {
    return array_json(phases, [](ModelPhase const& phase) -> Json {
        return {{"name", phase.name},
                {"time", moments_json(phase.time)},
                {"critical_path", moments_json(phase.critical_path)},
                {"busiest_resource", moments_json(phase.busiest)}};
    });
}

Json effects_json(std::vector<ParameterEffect> const& effects) {
    return array_json(effects, [](ParameterEffect const& effect) -> Json {
        return {{"parameter", effect.parameter},
                {"value", number(effect.value)},
                {"mean_slope", number(effect.mean_slope)},
                {"variance_slope", number(effect.variance_slope)},
                {"mean_elasticity", number(effect.mean_elasticity)},
                {"variance_elasticity", number(effect.variance_elasticity)}};
    });
}

Json model_row(ModelBasis const& model, std::size_t point) {
    Json json = {{"parameters", parameters_json(model, point)}};
    if (!model.points.empty() && model.method != ModelMethod::simulate)
        add_formula(json, model, point);
    if (!model.simulated.empty())
        json["simulated"] = simulated_json(model, model.simulated[point]);
    for (auto const& theory : model.theories)
        json[theory.key] = theory.values[point] ? number(*theory.values[point]) : Json();
    if (!model.phases.empty())
        json["phases"] = phases_json(model.phases[point]);
    if (!model.effects.empty())
        json["sensitivity"] = effects_json(model.effects[point]);
    return json;
}

// What steps and message programs share: the point, the method, what the network's values bring.
Json begin_message_row(Answer const& answer, Row const& row) {
    auto const& times = *row.messages;
    Json json = Json::object();
    auto const& swept = answer.messages().swept;
    if (!swept.empty()) {
        json["parameters"] = Json::object();
        for (std::size_t i = 0; i < swept.size(); ++i)
            json["parameters"][name_of(swept[i])] = times.swept[i];
    }
    json["method"] = name_of(times.method);
    return json;
}

void end_message_row(Json& json, Answer const& answer, Row const& row) {
    auto const gain = [&](std::optional<double> time_ns) {
        return time_ns && row.time_ns > 0 && !row.run.deadlock ? Json(1 - *time_ns / row.time_ns) : Json();
    };
    if (!row.messages->effects.empty())
        json["sensitivity"] = array_json(row.messages->effects, [&](NetworkEffect const& effect) -> Json {
            return {{"parameter", name_of(effect.parameter)},
                    {"change", effect.change},
                    {"time_ns", or_null(effect.time_ns)},
                    {"gain", gain(effect.time_ns)}};
        });
    for (std::size_t change = 0; change < row.what_if_ns.size(); ++change)
        json["what_if"].push_back({{"change", answer.what_if[change]},
                                   {"time_ns", or_null(row.what_if_ns[change])},
                                   {"gain", gain(row.what_if_ns[change])}});
}

Json messages_row(Answer const& answer, Row const& row, ThreadRows ranks) {
    auto const& times = *row.messages;
    auto json = begin_message_row(answer, row);
    if (times.is_deadlocked)
        json["time_ns"] = nullptr;
    else
        json["time_ns"] = row.run.accounts.completion.ns;
    Duration most;
    for (auto const& rank : times.ranks)
        most = std::max(most, rank.computing);
    auto const ratio = [](double part, double whole) { return whole > 0 ? Json(part / whole) : Json(); };
    auto const work = static_cast<double>(row.run.accounts.busy.ns);
    auto const busiest = static_cast<double>(most.ns);
    auto const ideal = times.ideal_network ? static_cast<double>(times.ideal_network->ns) : 0.0;
    json["ideal_network_ns"] = times.ideal_network ? Json(times.ideal_network->ns) : Json();
    json["efficiency"] = {{"parallel", ratio(work, row.time_ns * row.cpus)},
                          {"load_balance", ratio(work, busiest * row.cpus)},
                          {"serialisation", ratio(busiest, ideal)},
                          {"transfer", times.ideal_network ? ratio(ideal, row.time_ns) : Json()}};
    for (std::size_t wait = 0; wait < row.run.accounts.objects.size(); ++wait)
        json["waiting_ns"][std::string(message_waits[wait].key)] = row.run.accounts.objects[wait].waiting.ns;
    json["incast_share"] = times.incast_share;
    json["deadlock"] = times.is_deadlocked;
    json["unmatched"] = array_json(times.unmatched, [](UnmatchedOperation const& each) -> Json {
        return {{"rank", each.rank},
                {"operation", each.operation},
                {"peer", each.peer == any_peer ? Json() : Json(each.peer)},
                {"tag", each.tag == any_tag ? Json() : Json(each.tag)},
                {"bytes", each.bytes},
                {"stuck", each.is_stuck}};
    });
    json["finish_ns"] = array_json(times.ranks, [](RankTimes const& rank) { return Json(rank.finish.ns); });
    for (auto const& job : answer.messages().jobs)
        json["job_time_ns"].push_back(times.is_deadlocked ? Json() : Json(job_time(job, times).ns));
    if (ranks == ThreadRows::present)
        json["ranks"] = array_json(times.ranks, [](RankTimes const& rank) {
            Json each{{"finish_ns", rank.finish.ns},
                      {"computing_ns", rank.computing.ns},
                      {"communicating_ns", rank.communicating.ns},
                      {"waiting_ns", rank.waiting.ns}};
            for (std::size_t wait = 0; wait < message_wait_count; ++wait)
                each[std::string(message_waits[wait].key) + "_ns"] = rank.waiting_for[wait].ns;
            return each;
        });
    end_message_row(json, answer, row);
    return json;
}

Json steps_row(Answer const& answer, Row const& row, ThreadRows ranks) {
    auto const& times = *row.messages;
    auto json = begin_message_row(answer, row);
    json["time_ns"] = row.run.accounts.completion.ns;
    json["computation_ns"] = times.computation.ns;
    json["communication_ns"] = (row.run.accounts.completion - times.computation).ns;
    json["cycle_breaks"] = times.cycle_breaks;
    json["finish_ns"] = array_json(times.ranks, [](RankTimes const& rank) { return Json(rank.finish.ns); });
    if (ranks == ThreadRows::present)
        json["ranks"] = array_json(times.ranks, [](RankTimes const& rank) -> Json {
            return {{"finish_ns", rank.finish.ns},
                    {"computing_ns", rank.computing.ns},
                    {"communicating_ns", rank.communicating.ns},
                    {"waiting_ns", rank.waiting.ns}};
        });
    end_message_row(json, answer, row);
    return json;
}

}  // namespace

Json deadlock_json(Deadlock const& deadlock, Catalogue const& catalogue) {
    auto const stuck_json = [&](auto const& stuck) -> Json {
        return {{"thread", thread_reference_json(catalogue, stuck.thread)},
                {"object", object_json(catalogue, stuck.object)},
                {"awaited_thread", thread_reference_json(catalogue, stuck.awaited_thread)},
                {"holder", thread_reference_json(catalogue, stuck.holder)},
                {"place", place_json(catalogue, stuck.site)}};
    };
    return {{"time_ns", deadlock.when.ns}, {"threads", array_json(deadlock.threads, stuck_json)}};
}

std::size_t row_count(Answer const& answer) {
    if (answer.form() != Form::model)
        return answer.rows.size();
    return std::max(answer.model().points.size(), answer.model().simulated.size());
}

std::vector<Json> rows_json(Answer const& answer, ThreadRows threads, std::size_t first, std::size_t end) {
    std::vector<Json> rows;
    rows.reserve(end - first);
    switch (answer.form()) {
        case Form::recording:
        case Form::threads:
            for (auto row = first; row < end; ++row)
                rows.push_back(recording_row(answer, answer.rows[row], threads));
            break;
        case Form::task_graph: {
            auto const schedules = by_schedule(answer);
            for (auto row = first; row < end; ++row) {
                auto const schedule = answer.rows[row].schedule;
                auto const count = row % schedules.front().rows.size();
                rows.push_back(task_graph_row(answer, schedules[schedule], answer.rows[row],
                                              is_best(schedules, schedule, count)));
            }
            break;
        }
        case Form::steps:
            for (auto row = first; row < end; ++row)
                rows.push_back(steps_row(answer, answer.rows[row], threads));
            break;
        case Form::messages:
            for (auto row = first; row < end; ++row)
                rows.push_back(messages_row(answer, answer.rows[row], threads));
            break;
        case Form::model:
            for (auto point = first; point < end; ++point)
                rows.push_back(model_row(answer.model(), point));
            break;
    }
    return rows;
}

}  // namespace parcast::report
