// What the page of `parcast view` gets for its questions about one recording or task graph.

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>

#include "core/result.h"
#include "page/server.h"
#include "pages/editor_command.h"
#include "pages/kept_executions.h"
#include "pages/page_content.h"
#include "view/sections.h"
#include "view/work_weights.h"

namespace parcast::pages {

// overview.json, execution?cpus=8&scheduler=linux[&timeline=0][&what-if=lock:queue*0.5],
// execution?scheduler=recorded, source?site=5, edit?site=5 (opens the editor, if one was given, where
// `source` has an answer), extent?points=1:1,2:1.98 (numbers of CPUs, rising, with their speed-ups),
// weights?cpus=1,2,4, operation-weights?cpus=8, advice?tried=2,3e8,1,0,2e8 (what was tried:
// view::WorkWeights::sentences), functions (whose the work is: view::share_bytes), signature.json (of the
// recording, docs/formats/signature.schema.json).
// Programs are executed when that is first requested; executions are kept as long as they are few. Any
// number of threads may ask at once.
class PageAnswers {
public:
    struct Options {
        bool compare = false;                                 // there is a second page beside this one
        unsigned workers = 1;                                 // executions at once
        std::function<Result<view::Bytes>()> recorded = {};   // what was recorded; empty: nothing
        std::function<Result<std::string>()> signature = {};  // of its threads, as JSON; empty: none
        std::optional<EditorCommand> editor = std::nullopt;   // that opens places
    };
    PageAnswers(PageContent content, Options options);

    page::Answer answer(std::string_view path, page::Parameters const& parameters);

    // Whether these parameters of `execution` ask for what was recorded, and not for a replay.
    static bool is_recorded(page::Parameters const& parameters);

private:
    page::Answer execution(page::Parameters const& parameters);
    page::Answer source(page::Parameters const& parameters);
    page::Answer edit(page::Parameters const& parameters);
    Site const* requested_site(page::Parameters const& parameters) const;
    page::Answer signature();
    page::Answer weights(std::string_view path, page::Parameters const& parameters);

    PageContent content_;
    Options options_;
    page::Content overview_;
    std::counting_semaphore<> places_;
    KeptExecutions executions_;
    std::mutex sources_mutex_;
    SourceTexts sources_;
    std::mutex signature_mutex_;
    page::Content signature_;  // once it was asked for
    std::mutex weights_mutex_;
    std::unique_ptr<view::WorkWeights const> weights_;  // once they were asked for
};

}  // namespace parcast::pages
