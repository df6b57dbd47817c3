#include "cli/terminal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/exit_status.h"
#include "cli/progress.h"
#include "report/codes/codes.h"
#include "report/text.h"

namespace parcast::cli {

namespace {

// As the environment: of the process, set once.
Manners manners_of_process;

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

bool is_dumb_terminal() {
    char const* const terminal = std::getenv("TERM");
    return terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
}

bool takes_colours() {
    switch (current_manners().colour) {
        case ColourWhen::always: return true;
        case ColourWhen::never: return false;
        case ColourWhen::automatic: break;
    }
    return isatty(STDOUT_FILENO) == 1 && !is_set("NO_COLOR") && !is_dumb_terminal();
}

// Errors and warnings have no final stop of their own; notes are printed as they are. A finding ends with its
// code: "[killed]".
bool is_sentence_ended(std::string_view message) {
    if (message.ends_with(']'))
        message = message.substr(0, message.rfind(" ["));
    return message.empty() || std::string_view(".?!:\n").find(message.back()) != std::string_view::npos;
}

// Codes of the command line are not printed: their advice is the place in the help.
std::string code_behind(Error const& error) {
    return error.code == ErrorCode::unasked ? "" : " [" + std::string(report::code_of(error)) + "]";
}

// Commands in an advice are there to be copied, with paths that are long but can exist.
constexpr std::size_t longest_word_to_copy = 1000;

// `behind`: after the final stop.
void print(std::string_view kind, std::string_view message, std::string_view advice,
           std::string const& behind = {}) {
    std::string const head = "parcast: " + std::string(kind);
    std::size_t const width = line_width(Stream::error);
    std::string const stop = kind.empty() || is_sentence_ended(message) ? "" : ".";
    auto const whole = report::printable(message);
    auto const shown = kind.empty() ? whole : report::with_short_words(whole);
    std::string text = report::wrapped(head + shown + stop + behind, width, head.size()) + '\n';
    if (!advice.empty()) {
        std::string const margin(head.size(), ' ');
        auto const shown_advice = report::with_short_words(advice, longest_word_to_copy);
        text += report::wrapped(margin + shown_advice, width, head.size()) + '\n';
    }
    erase_progress_line();
    // If this fails there is nowhere left to report it.
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

void print_line(std::string const& message) {
    if (current_manners().quiet)
        return;
    erase_progress_line();
    auto const text = "parcast: " + report::printable(message) + '\n';
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void set_manners(Manners const& manners) {
    manners_of_process = manners;
}

Manners const& current_manners() {
    return manners_of_process;
}

bool is_terminal(Stream stream) {
    return isatty(descriptor_of(stream)) == 1;
}

bool takes_one_line(Stream stream) {
    return is_terminal(stream) && !is_dumb_terminal();
}

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
    erase_progress_line();
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
    if (!current_manners().quiet)
        print("", message, {});
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

}  // namespace parcast::cli
