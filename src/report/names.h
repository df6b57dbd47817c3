// Names out of a recording as a report shows them: printable, and as long as the place allows.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer/answer.h"
#include "core/catalogue.h"
#include "core/id.h"

namespace parcast::report {

std::string shown(Catalogue const& catalogue, ThreadId thread);
std::string shown(Catalogue const& catalogue, ObjectId object);

// The object without its place, for tables that give the place a column: "mutex queue_lock", "mutex #3".
std::string object_label(Catalogue const& catalogue, ObjectId object);

// With the place in its shortest form, for a cell among others: "mutex queue_lock (queue.h:41)".
std::string placed_object_label(Catalogue const& catalogue, ObjectId object);

// The place alone, without what was inlined there: "push, queue.h:41".
std::string innermost(Catalogue const& catalogue, SiteId site);

// The functions into which the place was inlined, innermost first: "inlined in producer, main.cpp:80".
std::vector<std::string> inlined_into(Catalogue const& catalogue, SiteId site);

// A place for a sentence, and the function of the program's own into which it was inlined, however many lie
// in between: "push, queue.h:41, inlined in producer, main.cpp:80".
std::string shown(Catalogue const& catalogue, SiteId site);

// A text of answer/run_sentences.h with names for its references; `command` for "{command}".
std::string with_names(std::string_view text, Catalogue const& catalogue,
                       std::vector<std::string> const& command = {});

// The input, and with it what decides about its numbers, as words of a next command.
std::vector<std::string> input_words(Answer const& answer);

// The command as it could be typed again: words with signs that a shell would interpret are quoted.
std::string command_line(std::vector<std::string> const& words);

// The command of a program, which may have arguments of any number of kilobytes: one of more than a kilobyte
// loses the middles of its long words, and what is still too much at its end, where it shows "…".
std::string shown_command(std::vector<std::string> const& words);

}  // namespace parcast::report
