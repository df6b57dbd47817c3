#include "report/difference.h"

#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

namespace {

Json side_run_json(SideRun const& run) {
    return {
        {"time_ns", run.time_ns}, {"range", time_range_json(run.range)}, {"speed_up", or_null(run.speed_up)}};
}

Json two_times_json(TwoTimes const& times) {
    return {{"first_ns", times.first_ns}, {"second_ns", times.second_ns}, {"change_ns", times.change_ns()}};
}

Json thing_json(NamedThing const& thing) {
    if (thing.count == 0)
        return nullptr;
    return {{"name", thing.name}, {"place", or_null(thing.place)}, {"count", thing.count}};
}

Json aligned_json(AlignedThing const& thing) {
    return {{"alignment", name_of(thing.alignment)},
            {"first", thing_json(thing.first)},
            {"second", thing_json(thing.second)}};
}

Json object_difference_json(ObjectDifference const& each) {
    auto json = aligned_json(each.object);
    json["cause"] = name_of(each.cause);
    json["lost"] = two_times_json(each.lost);
    json["waiting"] = two_times_json(each.waiting);
    return json;
}

Json threads_difference_json(ThreadsDifference const& each) {
    auto json = aligned_json(each.threads);
    json["running"] = two_times_json(each.running);
    json["ready"] = two_times_json(each.ready);
    json["waiting"] = two_times_json(each.waiting);
    return json;
}

Json function_difference_json(FunctionDifference const& each) {
    auto json = aligned_json(each.function);
    json["cpu_time"] = two_times_json(each.self);
    return json;
}

Json count_json(CountDifference const& count) {
    Json json{{"cpus", count.cpus},
              {"first", side_run_json(count.first)},
              {"second", side_run_json(count.second)},
              {"ratio", rounded(count.ratio)},
              {"ratio_range", range_json(count.ratio_range)},
              {"beyond_ranges", count.is_beyond()}};
    json["causes"] = array_json(count.causes, [](CauseDifference const& each) -> Json {
        return {{"cause", name_of(each.cause)}, {"time", two_times_json(each.time)}};
    });
    json["parts"] = array_json(count.parts, [](PartDifference const& each) -> Json {
        return {{"part", name_of(each.part)}, {"time", two_times_json(each.time)}};
    });
    json["shares"] = array_json(difference_parts(count), [](DifferencePart const& part) {
        auto entry = two_times_json(part.time);
        entry["label"] = part.label;
        return entry;
    });
    json["objects"] = array_json(count.objects, object_difference_json);
    json["threads"] = array_json(count.threads, threads_difference_json);
    json["functions"] = array_json(count.functions, function_difference_json);
    return json;
}

Json side_json(ComparedSide const& side) {
    Json json{{"name", side.letter},
              {"file", side.file},
              {"command", side.command},
              {"date", or_null(side.date)},
              {"machine", or_null(side.machine)},
              {"change", or_null(side.change)},
              {"origin", name_of(side.origin)},
              {"doubtful", side.is_doubtful}};
    json["runs"] = array_json(side.runs, [](auto const& run) -> Json {
        auto entry = side_run_json(run.second);
        entry["cpus"] = run.first;
        return entry;
    });
    return json;
}

}  // namespace

std::string difference_json(ComparedSides const& compared, std::string_view version) {
    std::vector<std::string> files;
    for (auto const& side : compared.sides)
        files.push_back(side.file);
    auto json = envelope("compare", version, {{"files", files}});
    json["history"] = compared.is_history;
    json["notes"] = compared.notes;
    json["sides"] = array_json(compared.sides, side_json);
    json["differences"] = array_json(compared.differences, [&](Difference const& difference) -> Json {
        auto const telling =
            difference.telling ? std::optional(difference.counts[*difference.telling].cpus) : std::nullopt;
        Json entry{{"first", compared.sides[difference.first].letter},
                   {"second", compared.sides[difference.second].letter},
                   {"sentences", difference_sentences(compared, difference)},
                   {"names", alignment_sentences(compared, difference)},
                   {"telling_cpus", or_null(telling)},
                   {"deadlocked", difference.deadlocked}};
        entry["counts"] = array_json(difference.counts, count_json);
        return entry;
    });
    return to_text(json);
}

}  // namespace parcast::report
