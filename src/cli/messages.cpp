#include "cli/messages.h"

#include <cstdio>
#include <string>

#include "cli/exit_status.h"
#include "cli/terminal.h"
#include "report/text.h"

namespace parcast::cli {

namespace {

// Errors and warnings have no final stop of their own; notes are printed as they are.
bool is_sentence_ended(std::string_view message) {
    return message.empty() || std::string_view(".?!:\n").find(message.back()) != std::string_view::npos;
}

void print(std::string_view kind, std::string_view message, std::string_view advice) {
    std::string const head = "parcast: " + std::string(kind);
    std::size_t const width = line_width(Stream::error);
    std::string const stop = kind.empty() || is_sentence_ended(message) ? "" : ".";
    std::string text = report::wrapped(head + report::printable(message) + stop, width, head.size()) + '\n';
    if (!advice.empty()) {
        std::string const margin(head.size(), ' ');
        text += report::wrapped(margin + std::string(advice), width, head.size()) + '\n';
    }
    // Nothing can be said about a message that cannot be said.
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void print_error(std::string_view message, std::string_view advice) {
    print("error: ", message, advice);
}

void print_error(Error const& error, std::string_view advice) {
    print("error: ", describe(error), advice);
}

int print_failure(Error const& error) {
    print_error(describe(error), error.advice);
    return exit_status_of(error.code);
}

void print_warning(std::string_view message, std::string_view advice) {
    print("warning: ", message, advice);
}

void print_note(std::string_view message) {
    print("", message, {});
}

}  // namespace parcast::cli
