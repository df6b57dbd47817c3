// One line on a terminal that says what is going on, gone when it is over. Nothing where standard error is
// none.

#pragma once

#include <string>

#include "core/notice.h"

namespace parcast::cli {

class Progress {
public:
    Progress();
    Progress(Progress const&) = delete;
    Progress& operator=(Progress const&) = delete;
    ~Progress() { clear(); }

    void say(std::string const& what);
    void clear();  // before a message

private:
    bool is_shown_;
    bool is_there_ = false;
};

// Shows progress there and prints warnings, of a library room that does something. `progress` must outlive
// it.
Listener print_notices(Progress& progress);

}  // namespace parcast::cli
