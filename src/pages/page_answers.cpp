#include "pages/page_answers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/counted.h"
#include "page/started_program.h"
#include "pages/executions.h"
#include "pages/numbers_in.h"
#include "view/program_bytes.h"
#include "view/replay_on_demand.h"

namespace parcast::pages {

namespace {

constexpr std::size_t most_counts = 1'000;  // that weights are asked for at once

page::Answer sentence(int status, std::string_view text) {
    return {status, "text/plain; charset=utf-8", page::content_of(text)};
}

page::Answer found_json(page::Content content) {
    return {200, "application/json", std::move(content)};
}

page::Answer found_bytes(page::Content content) {
    return {200, "application/octet-stream", std::move(content)};
}

// A parameter's text, empty if it is not there; and as a number, if it is one.
std::string value_of(page::Parameters const& parameters, char const* name) {
    auto const entry = parameters.find(name);
    return entry == parameters.end() ? std::string() : entry->second;
}

std::optional<std::uint32_t> number_of(page::Parameters const& parameters, char const* name) {
    auto const text = value_of(parameters, name);
    std::uint32_t number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const is_number = !text.empty() && error == std::errc() && end == text.data() + text.size();
    return is_number ? std::optional(number) : std::nullopt;
}

// "1:1,2:1.98"; empty if it is no such list.
std::vector<analysis::SpeedUpAt> speed_ups_in(std::string_view text) {
    std::vector<analysis::SpeedUpAt> points;
    char const* at = text.data();
    char const* const end = at + text.size();
    while (at != end) {
        analysis::SpeedUpAt point;
        auto const [colon, no_count] = std::from_chars(at, end, point.cpus);
        if (no_count != std::errc() || colon == end || *colon != ':')
            return {};
        auto const [comma, no_number] = std::from_chars(colon + 1, end, point.speed_up);
        bool const is_rising = points.empty() ? point.cpus > 0 : point.cpus > points.back().cpus;
        if (no_number != std::errc() || !std::isfinite(point.speed_up) || !is_rising ||
            (comma != end && *comma != ','))
            return {};
        points.push_back(point);
        at = comma == end ? end : comma + 1;
    }
    return points;
}

page::Content overview_of(PageContent const& content, PageAnswers::Options const& options) {
    auto offer = page_offer(content);
    offer.compare = options.compare;
    offer.signature = static_cast<bool>(options.signature);
    offer.editor = options.editor && offer.source_text;
    return page::content_of(overview_json(content, offer));
}

}  // namespace

PageAnswers::PageAnswers(PageContent content, Options options)
    : content_(std::move(content)),
      options_(std::move(options)),
      overview_(overview_of(content_, options_)),
      places_(static_cast<std::ptrdiff_t>(options_.workers)),
      sources_(content_.forecast.answer.is_replayed() ? working_directory(content_.forecast.answer) : "",
               content_.read_text) {}

page::Answer PageAnswers::answer(std::string_view path, page::Parameters const& parameters) {
    if (path == "overview.json")
        return found_json(overview_);
    if (path == "execution")
        return execution(parameters);
    if (path == "source")
        return source(parameters);
    if (path == "edit")
        return edit(parameters);
    if (path == "signature.json" && options_.signature)
        return signature();
    if (path == "extent")
        return sentence(200, view::extent_sentence(speed_ups_in(value_of(parameters, "points"))));
    if (path == "weights" || path == "operation-weights" || path == "advice")
        return weights(path, parameters);
    if (path == "functions" && content_.forecast.answer.is_replayed())
        return found_bytes(
            std::make_shared<view::Bytes const>(view::share_bytes(content_.forecast.threads())));
    return {};
}

bool PageAnswers::is_recorded(page::Parameters const& parameters) {
    return value_of(parameters, "scheduler") == "recorded";
}

page::Answer PageAnswers::signature() {
    std::lock_guard const lock(signature_mutex_);
    if (!signature_) {
        auto const made = options_.signature();
        if (!made)
            return sentence(500, "There is no signature: " + view::error_sentences(made.error()));
        signature_ = page::content_of(*made);
    }
    return found_json(signature_);
}

page::Answer PageAnswers::weights(std::string_view path, page::Parameters const& parameters) {
    if (!content_.forecast.answer.is_replayed())
        return {};
    auto const counts = numbers_in<std::uint32_t>(value_of(parameters, "cpus"));
    bool const is_rising = !counts.empty() && counts.front() > 0 && counts.back() <= view::most_cpus &&
                           std::ranges::adjacent_find(counts, std::greater_equal()) == counts.end();
    if (path != "advice" && (!is_rising || counts.size() > most_counts))
        return sentence(400,
                        "These are rising numbers of CPUs from 1 to " + count_text(view::most_cpus) + ".");
    std::lock_guard const lock(weights_mutex_);
    if (!weights_) {
        auto made = view::WorkWeights::of(content_.forecast.threads(), content_.forecast.pairing,
                                          content_.forecast.machine);
        if (!made)
            return sentence(500, "There are no weights: " + view::error_sentences(made.error()));
        weights_ = std::move(*made);
    }
    if (path == "advice")
        return sentence(200, weights_->sentences(numbers_in<double>(value_of(parameters, "tried"))));
    return found_bytes(std::make_shared<view::Bytes const>(
        path == "weights" ? weights_->by_owner(counts) : weights_->by_operation(counts.front())));
}

page::Answer PageAnswers::execution(page::Parameters const& parameters) {
    bool const wants_recorded = options_.recorded && is_recorded(parameters);
    auto const cpus = wants_recorded ? 1 : number_of(parameters, "cpus").value_or(0);
    bool const has_count = !content_.forecast.answer.has_messages();
    if (has_count && (cpus < 1 || cpus > view::most_cpus))
        return sentence(
            400, "An execution has cpus from 1 to " + count_text(view::most_cpus) + " and a scheduler.");
    bool const is_short = !wants_recorded && value_of(parameters, "timeline") == "0";
    ExecutionRequest const request{cpus, value_of(parameters, "scheduler"),
                                   is_short ? view::Detail::totals : view::Detail::timeline,
                                   value_of(parameters, "what-if")};
    auto const key =
        std::to_string(cpus) + ' ' + request.scheduler + (is_short ? " totals" : " ") + request.scenario;
    if (auto content = executions_.find(key))
        return found_bytes(std::move(content));
    places_.acquire();
    auto bytes = wants_recorded ? options_.recorded() : execution_bytes(content_.forecast, request);
    places_.release();
    // Not an error of HTTP: that a change is wrong is no fault of the page, whose browser would report it.
    if (!bytes && !request.scenario.empty())
        return sentence(200, view::error_sentences(bytes.error()));
    if (!bytes) {
        bool const is_unknown = bytes.error().code == ErrorCode::malformed && !wants_recorded;
        return sentence(is_unknown ? 400 : 500,
                        "There is no such execution: " + view::error_sentences(bytes.error()));
    }
    auto const content = std::make_shared<view::Bytes const>(std::move(*bytes));
    executions_.keep(key, content);
    return found_bytes(content);
}

// Null: there is no such place, or no source text is offered.
Site const* PageAnswers::requested_site(page::Parameters const& parameters) const {
    auto const number = number_of(parameters, "site");
    auto const& answer = content_.forecast.answer;
    if (!content_.source_text || !answer.is_replayed() || !number ||
        *number >= answer.recording().catalogue.sites.size())
        return nullptr;
    return &answer.recording().catalogue.sites[*number];
}

page::Answer PageAnswers::edit(page::Parameters const& parameters) {
    auto const* const site = requested_site(parameters);
    if (site == nullptr || !options_.editor)
        return {};
    std::unique_lock lock(sources_mutex_);
    auto const path = sources_.path_of(*site);
    lock.unlock();
    if (!path)
        return {};
    auto const started = page::start_program(words_for(*options_.editor, *path, site->frames.front().line));
    return started ? sentence(200, "") : sentence(500, "The editor: " + started.error().message + ".");
}

page::Answer PageAnswers::source(page::Parameters const& parameters) {
    auto const* const site = requested_site(parameters);
    if (site == nullptr)
        return {};
    std::lock_guard const lock(sources_mutex_);
    auto const excerpt = sources_.around(*site);
    // Not a 404: that a file cannot be read is no fault of the page, whose browser would report it in its
    // console.
    return found_json(page::content_of(excerpt ? report::source_json(*excerpt) : "null"));
}

}  // namespace parcast::pages
