#include "cli/view_answers.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "cli/page_offer.h"
#include "cli/recording.h"
#include "cli/version.h"
#include "core/counted.h"
#include "report/view_json.h"
#include "view/recorded_execution.h"

namespace parcast::cli {

namespace {

// Of executions that are kept for another question. The last one is kept in any case.
constexpr std::size_t most_kept_bytes = std::size_t{1} << 30;

page::Answer sentence(int status, std::string_view text) {
    return {status, "text/plain; charset=utf-8", page::content_of(text)};
}

page::Answer found(char const* type, page::Content content) {
    return {200, type, std::move(content)};
}

std::string_view value_of(page::Parameters const& parameters, char const* name) {
    auto const entry = parameters.find(name);
    return entry == parameters.end() ? std::string_view() : std::string_view(entry->second);
}

std::optional<std::uint32_t> number_of(page::Parameters const& parameters, char const* name) {
    auto const text = value_of(parameters, name);
    std::uint32_t number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const is_number = !text.empty() && error == std::errc() && end == text.data() + text.size();
    return is_number ? std::optional(number) : std::nullopt;
}

std::optional<view::Request> request_of(page::Parameters const& parameters) {
    auto const cpus = number_of(parameters, "cpus");
    auto const scheduler = value_of(parameters, "scheduler");
    bool const is_known = scheduler == "linux" || scheduler == "ideal";
    if (!cpus || *cpus < 1 || *cpus > view::most_cpus || !is_known) {
        return std::nullopt;
    }
    return view::Request{
        *cpus, scheduler == "linux" ? view::SchedulerChoice::linux_fair : view::SchedulerChoice::ideal,
        value_of(parameters, "timeline") == "0" ? view::Detail::totals : view::Detail::timeline};
}

page::Content overview_of(PredictedProgram const& predicted, ViewAnswers::Options const& options) {
    report::PageOffer offer;
    offer.source_text = options.source_text;
    offer.compare = options.compare;
    offer.operations = operation_names();
    offer.measured = options.measured;
    return page::content_of(report::view_json(predicted.prediction, offer, version));
}

}  // namespace

ViewAnswers::ViewAnswers(PredictedProgram predicted, Options const& options)
    : predicted_(std::move(predicted)),
      has_source_text_(options.source_text),
      overview_(overview_of(predicted_, options)),
      replays_(static_cast<std::ptrdiff_t>(options.workers)),
      sources_(predicted_.prediction.provenance.working_directory) {}

page::Answer ViewAnswers::answer(std::string_view path, page::Parameters const& parameters) {
    if (path == "overview.json") {
        return found("application/json", overview_);
    }
    if (path == "execution") {
        return execution(parameters);
    }
    if (path == "source") {
        return source(parameters);
    }
    return {};
}

page::Answer ViewAnswers::execution(page::Parameters const& parameters) {
    bool const is_recorded = value_of(parameters, "scheduler") == "recorded";
    auto const request = is_recorded ? std::nullopt : request_of(parameters);
    if (!request && !is_recorded) {
        return sentence(400, "An execution is asked for with cpus from 1 to " + count_text(view::most_cpus) +
                                 " and the scheduler linux or ideal, or with the scheduler recorded.");
    }
    constexpr char const* type = "application/octet-stream";
    if (auto content = kept(request)) {
        return found(type, std::move(content));
    }
    replays_.acquire();
    auto bytes = execution_of(request);
    replays_.release();
    if (!bytes) {
        return sentence(500, (is_recorded ? "The recording cannot be shown: " : "This cannot be replayed: ") +
                                 describe(bytes.error()));
    }
    auto const content = std::make_shared<view::Bytes const>(std::move(*bytes));
    keep(request, content);
    return found(type, content);
}

// The events of the recording are not kept while its program is replayed: they are read again.
Result<view::Bytes> ViewAnswers::execution_of(Request const& request) const {
    if (request) {
        return view::replay(predicted_.program, predicted_.machine, predicted_.pairing, *request);
    }
    auto recorded = load_recording(predicted_.prediction.file);
    return recorded ? Result<view::Bytes>(view::recorded_execution_bytes(*recorded))
                    : Result<view::Bytes>(pass_on(recorded));
}

page::Content ViewAnswers::kept(Request const& request) {
    std::lock_guard const lock(executions_mutex_);
    auto const entry = std::ranges::find(executions_, request, &Kept::request);
    if (entry == executions_.end()) {
        return nullptr;
    }
    executions_.splice(executions_.begin(), executions_, entry);
    return entry->content;
}

void ViewAnswers::keep(Request const& request, page::Content const& content) {
    std::lock_guard const lock(executions_mutex_);
    executions_.push_front({request, content});
    std::size_t bytes = content->size();
    auto const first_too_many =
        std::find_if(std::next(executions_.begin()), executions_.end(), [&](Kept const& each) {
            bytes += each.content->size();
            return bytes > most_kept_bytes;
        });
    executions_.erase(first_too_many, executions_.end());
}

page::Answer ViewAnswers::source(page::Parameters const& parameters) {
    auto const number = number_of(parameters, "site");
    auto const& sites = predicted_.program.catalogue.sites;
    if (!has_source_text_ || !number || *number >= sites.size()) {
        return {};
    }
    std::lock_guard const lock(sources_mutex_);
    auto const excerpt = sources_.around(sites[*number]);
    // Not a 404: that a file cannot be read is no fault of the page, whose browser would say so in its
    // console.
    return found("application/json", page::content_of(excerpt ? report::source_json(*excerpt) : "null"));
}

}  // namespace parcast::cli
