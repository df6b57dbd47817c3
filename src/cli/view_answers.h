// What the page of `parcast view` gets for its questions about one recording.

#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>

#include "cli/prediction.h"
#include "cli/source_text.h"
#include "page/server.h"
#include "view/replay_on_demand.h"

namespace parcast::cli {

// overview.json, execution?cpus=8&scheduler=linux[&timeline=0], source?site=5. Executions are replayed when
// they are first asked for and kept as long as they are few. Any number of threads may ask at once.
class ViewAnswers {
public:
    struct Options {
        bool source_text = true;
        bool compare = false;
        unsigned workers = 1;  // replays at once
    };
    ViewAnswers(PredictedProgram predicted, Options options);

    page::Answer answer(std::string_view path, page::Parameters const& parameters);

private:
    struct Kept {
        view::Request request;
        page::Content content;
    };

    page::Answer execution(page::Parameters const& parameters);
    page::Answer source(page::Parameters const& parameters);
    page::Content kept(view::Request const& request);
    void keep(view::Request const& request, page::Content const& content);

    PredictedProgram predicted_;
    bool has_source_text_;
    page::Content overview_;
    std::counting_semaphore<> replays_;
    std::mutex executions_mutex_;
    std::list<Kept> executions_;  // the last one asked for first
    std::mutex sources_mutex_;
    SourceTexts sources_;
};

}  // namespace parcast::cli
