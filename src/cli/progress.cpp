#include "cli/progress.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include "cli/progress_clock.h"
#include "cli/terminal.h"
#include "core/bytes_text.h"
#include "core/progress_text.h"
#include "core/time.h"
#include "core/time_text.h"
#include "measure/clock.h"
#include "report/text.h"

namespace parcast::cli {

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;

struct Said {
    std::string text;
    std::optional<CountedPart> first_part;  // of a step whose parts are counted
    std::int64_t first_part_ns = 0;
};

// The text without its count.
std::string_view step_of(std::string_view text) {
    if (!counted_part(text))
        return text;
    return text.substr(0, text.find_last_of(' ', text.rfind(" of ") - 1));
}

// "about 3 min left", from the parts that have ended since the first one was seen.
std::string time_left(Said const& said, std::int64_t now_ns) {
    auto const part = counted_part(said.text);
    if (!part || !said.first_part || part->number <= said.first_part->number)
        return {};
    auto const ended = static_cast<double>(part->number - said.first_part->number);
    auto const left = static_cast<double>(part->count - part->number + 1);
    auto const each = static_cast<double>(now_ns - said.first_part_ns) / ended;
    return ", about " + rough_time_text(std::max(each * left, 0.0)) + " left";
}

// The one line of this process. The ticker keeps it going while nobody says anything.
class Line {
public:
    void begin() {
        std::lock_guard const lock(mutex_);
        said_.emplace_back();
    }

    void end() {
        std::jthread over;  // joined without the lock
        {
            std::lock_guard const lock(mutex_);
            said_.pop_back();
            rest_if_nothing_is_said();
            if (said_.empty()) {
                erase();
                over = std::move(ticker_);
            }
        }
    }

    void say(std::string const& text) {
        std::lock_guard const lock(mutex_);
        if (said_.empty() || current_manners().quiet)
            return;
        auto& said = said_.back();
        if (text.empty()) {
            said = {};
            rest_if_nothing_is_said();
            return;
        }
        if (is_late(text, said.text))
            return;
        auto const now = measure::wall_ns();
        auto const part = counted_part(text);
        if (step_of(said.text) != step_of(text) || (part && part->number == 1)) {
            said.first_part = part;
            said.first_part_ns = now;
        }
        said.text = text;
        clock_.work(now);
        if (!ticker_.joinable())
            start_ticker();
        show_if_due(now);
    }

    void erase_now() {
        std::lock_guard const lock(mutex_);
        erase();
    }

private:
    // Until the line changes next.
    std::int64_t pause_ns() const {
        if (takes_one_line(Stream::error))
            return second_ns;
        return std::clamp<std::int64_t>(clock_.due_elsewhere_ns() - measure::wall_ns(), second_ns / 100,
                                        ProgressClock::between_lines_ns);
    }

    // None: no line is wanted.
    Said const* innermost() const {
        auto const said =
            std::find_if(said_.rbegin(), said_.rend(), [](Said const& each) { return !each.text.empty(); });
        return said == said_.rend() ? nullptr : &*said;
    }

    void rest_if_nothing_is_said() {
        if (innermost() == nullptr)
            clock_.rest(measure::wall_ns());
    }

    void start_ticker() {
        // Signals are for the thread that waits for programs.
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        ticker_ = std::jthread([this](std::stop_token const& stop) {
            std::unique_lock lock(mutex_);
            while (!stop.stop_requested()) {
                wake_.wait_for(lock, stop, std::chrono::nanoseconds(pause_ns()), [] { return false; });
                if (!stop.stop_requested())
                    show_if_due(measure::wall_ns());
            }
        });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    void show_if_due(std::int64_t now) {
        auto const* const said = innermost();
        if (said == nullptr)
            return;
        bool const has_line = takes_one_line(Stream::error);
        if (now < (has_line ? clock_.due_on_terminal_ns() : clock_.due_elsewhere_ns()))
            return;
        auto const text = "parcast: " + report::printable(said->text) + time_left(*said, now);
        if (!has_line) {
            std::fputs((text + "\n").c_str(), stderr);
        } else {
            auto const fitting = report::shorten(text, line_width(Stream::error) - 1);
            std::fprintf(stderr, "\r\033[K%s", fitting.c_str());
            std::fflush(stderr);
            is_there_ = true;
        }
        clock_.show(now);
    }

    void erase() {
        if (!is_there_)
            return;
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
        is_there_ = false;
    }

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::vector<Said> said_;  // by each Progress that lives, the innermost last
    ProgressClock clock_;
    bool is_there_ = false;
    std::jthread ticker_;
};

// A terminal has one line at its end.
Line& line() {
    static Line the_line;
    return the_line;
}

}  // namespace

bool is_late(std::string_view text, std::string_view shown) {
    auto const part = counted_part(text);
    auto const shown_part = counted_part(shown);
    return part && shown_part && part->count == shown_part->count && part->number > 1 &&
           part->number < shown_part->number && step_of(text) == step_of(shown);
}

Progress::Progress() {
    line().begin();
}

Progress::~Progress() {
    line().end();
}

void Progress::say(std::string const& what) {
    line().say(what);
}

void Progress::clear() {
    line().say("");
    line().erase_now();
}

Stage::Stage(std::string what) : what_(std::move(what)), start_ns_(measure::wall_ns()), progress_(what_) {}

Stage::~Stage() {
    if (current_manners().verbose)
        print_note(what_ + ": " + time_text(Duration{measure::wall_ns() - start_ns_}));
}

std::string reading_text(std::string const& path) {
    std::error_code unknown;
    auto const bytes = std::filesystem::file_size(path, unknown);
    return "reading " + path + (unknown ? "" : ", " + bytes_text(bytes));
}

void report_resources() {
    if (!current_manners().verbose)
        return;
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    auto const ns = [](timeval const& time) {
        return (std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec) * 1'000;
    };
    print_note("parcast itself took " + time_text(Duration{ns(used.ru_utime) + ns(used.ru_stime)}) +
               " of CPU time and at most " + bytes_text(static_cast<std::uint64_t>(used.ru_maxrss) * 1024) +
               " of memory");
}

void erase_progress_line() {
    line().erase_now();
}

Listener print_notices(Progress& progress) {
    return [&progress](Notice const& notice) {
        if (notice.kind == Notice::Kind::progress)
            return progress.say(notice.message);
        print_notice(notice);
    };
}

}  // namespace parcast::cli
