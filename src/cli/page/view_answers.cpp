#include "cli/page/view_answers.h"

#include <memory>
#include <string>
#include <utility>

#include "cli/files/recording.h"
#include "cli/options/word_list.h"
#include "cli/page/page_answers.h"
#include "cli/version.h"
#include "core/counted.h"
#include "report/json/view_json.h"
#include "view/recorded_execution.h"

namespace parcast::cli {

namespace {

std::optional<view::Request> request_of(page::Parameters const& parameters) {
    auto const cpus = number_of(parameters, "cpus");
    auto const scheduler = scheduler_named(value_of(parameters, "scheduler"));
    if (!cpus || *cpus < 1 || *cpus > view::most_cpus || !scheduler)
        return std::nullopt;
    return view::Request{
        *cpus, scheduler,
        value_of(parameters, "timeline") == "0" ? view::Detail::totals : view::Detail::timeline};
}

std::string question_of(view::Request const& request) {
    return std::to_string(request.cpus) + ' ' + std::string(schedulers[*request.scheduler].word) +
           (request.detail == view::Detail::totals ? " totals" : "");
}

page::Content overview_of(forecast::Forecast const& predicted, ViewAnswers::Options const& options) {
    report::PageOffer offer;
    offer.source_text = options.source_text;
    offer.schedulers.assign(scheduler_words.begin(), scheduler_words.end());
    offer.compare = options.compare;
    offer.measured = options.measured;
    return page::content_of(report::view_json(predicted.answer, offer, version));
}

}  // namespace

ViewAnswers::ViewAnswers(forecast::Forecast predicted, Options const& options)
    : predicted_(std::move(predicted)),
      has_source_text_(options.source_text),
      overview_(overview_of(predicted_, options)),
      replays_(static_cast<std::ptrdiff_t>(options.workers)),
      sources_(predicted_.answer.recording().provenance.working_directory) {}

page::Answer ViewAnswers::answer(std::string_view path, page::Parameters const& parameters) {
    if (path == "overview.json")
        return found("application/json", overview_);
    if (path == "execution")
        return execution(parameters);
    if (path == "source")
        return source(parameters);
    return {};
}

page::Answer ViewAnswers::execution(page::Parameters const& parameters) {
    bool const is_recorded = value_of(parameters, "scheduler") == "recorded";
    auto const request = is_recorded ? std::nullopt : request_of(parameters);
    if (!request && !is_recorded) {
        return sentence(400, "An execution is asked for with cpus from 1 to " + count_text(view::most_cpus) +
                                 " and the scheduler " + listed(scheduler_words, " or ") +
                                 ", or with the scheduler recorded.");
    }
    std::string const question = request ? question_of(*request) : "recorded";
    if (auto content = executions_.find(question))
        return found(type_of_executions, std::move(content));
    replays_.acquire();
    auto bytes = execution_of(request);
    replays_.release();
    if (!bytes) {
        return sentence(500, (is_recorded ? "The recording cannot be shown: " : "This cannot be replayed: ") +
                                 describe(bytes.error()));
    }
    auto const content = std::make_shared<view::Bytes const>(std::move(*bytes));
    executions_.keep(question, content);
    return found(type_of_executions, content);
}

// The events of the recording are not kept while its program is replayed: they are read again.
Result<view::Bytes> ViewAnswers::execution_of(Request const& request) const {
    if (request)
        return view::replay(predicted_.threads(), predicted_.machine, predicted_.pairing, *request,
                            predicted_.answer.recording().provenance.pretended_cpus.value_or(1));
    auto recorded = load_recording(predicted_.answer.file);
    return recorded ? Result<view::Bytes>(view::recorded_execution_bytes(*recorded))
                    : Result<view::Bytes>(pass_on(recorded));
}

page::Answer ViewAnswers::source(page::Parameters const& parameters) {
    auto const number = number_of(parameters, "site");
    auto const& sites = predicted_.threads().catalogue.sites;
    if (!has_source_text_ || !number || *number >= sites.size())
        return {};
    std::lock_guard const lock(sources_mutex_);
    auto const excerpt = sources_.around(sites[*number]);
    // Not a 404: that a file cannot be read is no fault of the page, whose browser would say so in its
    // console.
    return found("application/json", page::content_of(excerpt ? report::source_json(*excerpt) : "null"));
}

}  // namespace parcast::cli
