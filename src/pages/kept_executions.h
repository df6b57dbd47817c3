// Executions that were asked for, kept for another question as long as they are few. Any number of threads
// may ask at once.

#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <string>

#include "page/server.h"

namespace parcast::pages {

class KeptExecutions {
public:
    page::Content find(std::string const& question);  // null: not kept
    void keep(std::string const& question, page::Content const& content);

private:
    struct Kept {
        std::string question;
        page::Content content;
    };

    std::mutex mutex_;
    std::list<Kept> executions_;  // the last one asked for first
};

}  // namespace parcast::pages
