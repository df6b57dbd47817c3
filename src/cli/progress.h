// One line on a terminal that says what is going on, gone when it is over. Nothing where standard error is
// none.

#pragma once

#include <string>

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

}  // namespace parcast::cli
