#include "cli/progress.h"

#include <cstdio>

#include <unistd.h>

#include "cli/messages.h"
#include "cli/terminal.h"
#include "report/text.h"

namespace parcast::cli {

Progress::Progress() : is_shown_(isatty(STDERR_FILENO) == 1) {}

void Progress::say(std::string const& what) {
    if (!is_shown_)
        return;
    std::string const line =
        report::shorten("parcast: " + report::printable(what), line_width(Stream::error) - 1);
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    std::fflush(stderr);
    is_there_ = true;
}

void Progress::clear() {
    if (is_there_) {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
        is_there_ = false;
    }
}

Listener print_notices(Progress& progress) {
    return [&progress](Notice const& notice) {
        if (notice.kind == Notice::Kind::progress) {
            progress.say(notice.message);
        } else {
            progress.clear();
            print_warning(notice.message, notice.advice);
        }
    };
}

}  // namespace parcast::cli
