// What is going on, for whoever waits: one line on a terminal, there after a second and erased at the end;
// where standard error is no terminal, a line every ten seconds of the command (progress_clock.h). Never on
// standard output, and not with --quiet.
//
// A text that ends in "3 of 12" counts parts, of which the third has begun; then the line says about how long
// the rest takes. core/progress_text.h writes such texts. Several threads may count the parts of a step: the
// greatest number is shown.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

// Whether `text` counts an earlier part of the same step than `shown`, and not the first one, with which a
// step begins again.
bool is_late(std::string_view text, std::string_view shown);

// "reading pigz.4711.parcast, 1.2 MB"
std::string reading_text(std::string const& path);

// With --verbose: how long all of it took, and with how much memory.
void report_resources();

// Before anything else is printed.
void erase_progress_line();

// Shows progress there and prints the other notices of a library room. `progress` must outlive it.
Listener print_notices(Progress& progress);

}  // namespace parcast::cli
