#include "report/view_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "report/names.h"
#include "report/prediction_json.h"

namespace parcast::report {

namespace {

using Json = nlohmann::ordered_json;

// The slider of a page goes at least as far.
constexpr std::uint32_t usual_most_cpus = 64;

std::string compact(Json const& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class Tag>
Json id_or_null(Id<Tag> id, std::size_t count) {
    return id.is_none() || id.index() >= count ? Json() : Json(id.value);
}

Json threads_json(Catalogue const& catalogue) {
    Json list = Json::array();
    for (std::size_t i = 0; i < catalogue.threads.size(); ++i) {
        Thread const& thread = catalogue.threads[i];
        list.push_back({{"name", shown(catalogue, ThreadId(i))},
                        {"function", thread.function},
                        {"parent", id_or_null(thread.parent, catalogue.threads.size())},
                        {"start_site", id_or_null(thread.start_site, catalogue.sites.size())}});
    }
    return list;
}

Json objects_json(Catalogue const& catalogue) {
    Json list = Json::array();
    for (std::size_t i = 0; i < catalogue.objects.size(); ++i) {
        Object const& object = catalogue.objects[i];
        list.push_back({{"kind", name_of(object.kind)},
                        {"name", placed_object_label(catalogue, ObjectId(i))},
                        {"first_site", id_or_null(object.first_site, catalogue.sites.size())}});
    }
    return list;
}

Json sites_json(Catalogue const& catalogue) {
    Json list = Json::array();
    for (std::size_t i = 0; i < catalogue.sites.size(); ++i) {
        auto const& frames = catalogue.sites[i].frames;
        Frame const place = frames.empty() ? Frame{} : frames.front();
        list.push_back({{"name", innermost(catalogue, SiteId(i))},
                        {"file", place.file},
                        {"line", place.line},
                        {"function", place.function}});
    }
    return list;
}

Json measured_json(std::vector<MeasuredPoint> const& points) {
    Json list = Json::array();
    for (auto const& point : points)
        list.push_back({{"cpus", point.cpus},
                        {"speed_up", point.speed_up.median},
                        {"low", point.speed_up.least},
                        {"high", point.speed_up.most},
                        {"time_ns", point.time_ns},
                        {"explanation", point.explanation}});
    return list;
}

Json excerpt_json(SourceExcerpt const& excerpt) {
    return {{"file", excerpt.file}, {"first_line", excerpt.first_line}, {"lines", excerpt.lines}};
}

}  // namespace

std::string view_json(Answer const& prediction, PageOffer const& offer, std::string_view version) {
    Json cpus = Json::array();
    std::uint32_t most = offer.simulate ? usual_most_cpus : 1;
    for (auto const& run : prediction.rows) {
        cpus.push_back(run.cpus);
        most = std::max(most, run.cpus);
    }
    Json const json{{"schema", "parcast.view/1"},
                    {"parcast", std::string(version)},
                    {"title", command_line(prediction.recording().provenance.command)},
                    {"prediction", prediction_document(prediction, version, ThreadRows::absent)},
                    {"measured", measured_json(offer.measured)},
                    {"threads", threads_json(prediction.recording().catalogue)},
                    {"objects", objects_json(prediction.recording().catalogue)},
                    {"sites", sites_json(prediction.recording().catalogue)},
                    {"schedulers", offer.schedulers},
                    {"scheduler", prediction.recording().machine.scheduler},
                    {"cpus", std::move(cpus)},
                    {"max_cpus", most},
                    {"capabilities",
                     {{"simulate", offer.simulate},
                      {"source_text", offer.source_text},
                      {"compare", offer.compare},
                      {"recorded", offer.recorded}}},
                    {"notes", offer.notes}};
    return compact(json);
}

std::string source_json(SourceExcerpt const& excerpt) {
    return compact(excerpt_json(excerpt));
}

std::string sources_json(std::vector<SiteExcerpt> const& excerpts) {
    Json json = Json::object();
    for (auto const& [site, excerpt] : excerpts)
        json[std::to_string(site)] = excerpt_json(excerpt);
    return compact(json);
}

}  // namespace parcast::report
