#include "cli/terminal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/exit_status.h"
#include "report/codes/codes.h"
#include "report/text.h"

namespace parcast::cli {

namespace {

constexpr std::size_t default_width = 100;
constexpr std::size_t narrowest = 60;
constexpr std::size_t widest = 160;

int descriptor_of(Stream stream) {
    return stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO;
}

bool is_set(char const* variable) {
    char const* const value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

bool takes_colours() {
    char const* const terminal = std::getenv("TERM");
    bool const is_dumb = terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
    return isatty(STDOUT_FILENO) == 1 && !is_set("NO_COLOR") && !is_dumb;
}

// Errors and warnings have no final stop of their own; notes are printed as they are.
bool is_sentence_ended(std::string_view message) {
    return message.empty() || std::string_view(".?!:\n").find(message.back()) != std::string_view::npos;
}

// Codes of the command line are not printed: their advice is the place in the help.
std::string code_behind(Error const& error) {
    return error.code == ErrorCode::unasked ? "" : " [" + std::string(report::code_of(error)) + "]";
}

// `behind`: after the final stop.
void print(std::string_view kind, std::string_view message, std::string_view advice,
           std::string const& behind = {}) {
    std::string const head = "parcast: " + std::string(kind);
    std::size_t const width = line_width(Stream::error);
    std::string const stop = kind.empty() || is_sentence_ended(message) ? "" : ".";
    std::string text =
        report::wrapped(head + report::printable(message) + stop + behind, width, head.size()) + '\n';
    if (!advice.empty()) {
        std::string const margin(head.size(), ' ');
        text += report::wrapped(margin + std::string(advice), width, head.size()) + '\n';
    }
    // If this fails there is nowhere left to report it.
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

void print_line(std::string const& message) {
    auto const text = "parcast: " + report::printable(message) + '\n';
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

std::size_t line_width(Stream stream) {
    winsize size{};
    if (isatty(descriptor_of(stream)) != 1 || ioctl(descriptor_of(stream), TIOCGWINSZ, &size) != 0 ||
        size.ws_col == 0) {
        return default_width;
    }
    return std::clamp<std::size_t>(size.ws_col, narrowest, widest);
}

report::Layout output_layout(bool in_full) {
    return {takes_colours() ? report::Colour::on : report::Colour::off, line_width(Stream::output),
            in_full ? report::Detail::all : report::Detail::short_form,
            isatty(STDOUT_FILENO) == 1 ? report::NameColumns::cut_to_width : report::NameColumns::whole};
}

int print_result(std::string_view text) {
    bool const written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (written && std::fflush(stdout) == 0)
        return exit_success;
    print_error(std::string("standard output cannot be written: ") + std::strerror(errno),
                "Write to a file on a disk with space, or to a program that reads to the end.");
    return exit_output;
}

void print_error(std::string_view message, std::string_view advice) {
    print("error: ", message, advice);
}

void print_error(Error const& error, std::string_view advice_of_caller) {
    std::string advice(advice_of_caller);
    if (error.code == ErrorCode::not_recorded) {
        bool const is_open = !advice.empty() && !is_sentence_ended(advice);
        advice += (is_open ? "." : "") + std::string(advice.empty() ? "" : " ") +
                  "What else a host may lack: parcast doctor PROGRAM";
    }
    print("error: ", describe(error), advice, code_behind(error));
}

int print_failure(Error const& error) {
    print_error(error, error.advice);
    return exit_status_of(error.code);
}

void print_warning(std::string_view message, std::string_view advice) {
    print("warning: ", message, advice);
}

void print_note(std::string_view message) {
    print("", message, {});
}

Progress::Progress(OffTerminal off_terminal)
    : is_on_terminal_(isatty(STDERR_FILENO) == 1), off_terminal_(off_terminal) {}

void Progress::say(std::string const& what) {
    if (!is_on_terminal_) {
        auto step = what.substr(0, what.find(':'));
        if (off_terminal_ == OffTerminal::lines && step != last_step_)
            print_note(what);
        last_step_ = std::move(step);
        return;
    }
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

void print_notice(Notice const& notice) {
    switch (notice.kind) {
        case Notice::Kind::progress: return;
        case Notice::Kind::note: return print_note(notice.message);
        case Notice::Kind::command: return print_line(notice.message);
        case Notice::Kind::warning: return print_warning(notice.message, notice.advice);
        case Notice::Kind::error: return print_error(notice.message, notice.advice);
    }
}

Listener print_notices(Progress& progress) {
    return [&progress](Notice const& notice) {
        if (notice.kind == Notice::Kind::progress)
            return progress.say(notice.message);
        progress.clear();
        print_notice(notice);
    };
}

}  // namespace parcast::cli
