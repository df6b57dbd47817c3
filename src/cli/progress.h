// What is going on, for whoever waits: one line on a terminal, there after a second and erased at the end;
// where standard error is no terminal, a line every ten seconds. Never on standard output, and not with
// --quiet.
//
// A text that ends in "3 of 12" counts parts, of which the third has begun; then the line says about how long
// the rest takes. core/progress_text.h writes such texts.

#pragma once

#include <cstdint>
#include <string>

#include "core/notice.h"

namespace parcast::cli {

// There is one line. What an inner Progress says covers what an outer one said, until the inner one ends.
// May be used by several threads.
class Progress {
public:
    Progress();
    explicit Progress(std::string const& what) : Progress() { say(what); }
    Progress(Progress const&) = delete;
    Progress& operator=(Progress const&) = delete;
    ~Progress();

    void say(std::string const& what);
    void clear();  // nothing is going on, until it says more
};

// A stage of the work, as a Progress; with --verbose its end is reported with the time that it took.
class Stage {
public:
    explicit Stage(std::string what);
    Stage(Stage const&) = delete;
    Stage& operator=(Stage const&) = delete;
    ~Stage();

private:
    std::string what_;
    std::int64_t start_ns_;
    Progress progress_;
};

// "reading pigz.4711.parcast, 1.2 MB"
std::string reading_text(std::string const& path);

// With --verbose: how long all of it took, and with how much memory.
void report_resources();

// Before anything else is printed.
void erase_progress_line();

// Shows progress there and prints the other notices of a library room. `progress` must outlive it.
Listener print_notices(Progress& progress);

}  // namespace parcast::cli
