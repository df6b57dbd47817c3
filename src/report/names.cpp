#include "report/names.h"

#include <string_view>

#include "answer/advice_sentences.h"
#include "answer/run_sentences.h"
#include "answer/thread_count.h"
#include "core/path.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr std::size_t widest_place = 72;  // names of templates can fill a screen

bool is_plain(std::string_view word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";
    return !word.empty() && word.find_first_not_of(plain) == std::string_view::npos;
}

std::string quoted(std::string const& word) {
    if (is_plain(word))
        return word;
    if (printable(word) != word)
        return "$'" + escaped(word) + "'";
    std::string text = "'";
    for (char const letter : word)
        text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

// "{command}", "{command 8}", "{scaled}", "{argument}"
std::string command_reference(std::string_view kind, std::uint32_t count, Catalogue const& catalogue,
                              CommandWords const& command) {
    auto const word = thread_count_word(command, catalogue.threads.size());
    if (kind == "argument")
        return word ? printable(thread_count_text(command, *word)) : "";
    bool const is_same = !word || (kind == "command" && count == ThreadId::none().value);
    if (is_same)
        return shown_command(command);
    return shown_command(
        with_thread_count(command, *word, kind == "scaled" ? "{cpus}" : std::to_string(count)));
}

}  // namespace

std::string shown(Catalogue const& catalogue, ThreadId thread) {
    return printable(display_name(catalogue, thread));
}

std::string shown(Catalogue const& catalogue, ObjectId object) {
    return printable(display_name(catalogue, object));
}

std::string object_label(Catalogue const& catalogue, ObjectId object) {
    return printable(named_object(catalogue, object));
}

std::string placed_object_label(Catalogue const& catalogue, ObjectId object) {
    return printable(placed_object(catalogue, object));
}

std::string innermost(Catalogue const& catalogue, SiteId site) {
    return printable(display_name(catalogue, site));
}

std::vector<std::string> inlined_into(Catalogue const& catalogue, SiteId site) {
    std::vector<std::string> callers;
    if (site.is_none() || site.index() >= catalogue.sites.size())
        return callers;
    auto const& frames = catalogue.sites[site.index()].frames;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        std::string const place =
            frames[i].line == 0 ? ""
                                : ", " + file_name(frames[i].file) + ":" + std::to_string(frames[i].line);
        callers.push_back(printable("inlined in " + frames[i].function + place));
    }
    return callers;
}

std::string shown(Catalogue const& catalogue, SiteId site) {
    std::string const place = shorten_middle(innermost(catalogue, site), widest_place);
    auto const callers = inlined_into(catalogue, site);
    return callers.empty() ? place : place + ", " + shorten_middle(callers.back(), widest_place);
}

std::string with_names(std::string_view text, Catalogue const& catalogue,
                       std::vector<std::string> const& command) {
    return parcast::with_names(text, [&](std::string_view kind, std::uint32_t id) {
        if (kind == "thread")
            return shown(catalogue, ThreadId(id));
        if (kind == "object")
            return shown(catalogue, ObjectId(id));
        return kind == "site" ? shown(catalogue, SiteId(id))
                              : command_reference(kind, id, catalogue, command);
    });
}

std::vector<std::string> input_words(Answer const& answer) {
    std::vector<std::string> words{answer.file};
    words.insert(words.end(), answer.options.begin(), answer.options.end());
    return words;
}

std::string command_line(std::vector<std::string> const& words) {
    std::string line;
    for (auto const& word : words)
        line += (line.empty() ? "" : " ") + quoted(word);
    return line;
}

std::string shown_command(std::vector<std::string> const& words) {
    constexpr std::size_t longest_line = 1000;
    std::string const whole = command_line(words);
    if (whole.size() <= longest_line)
        return whole;
    std::string line;
    for (auto const& word : words) {
        std::string const next = quoted(with_short_middle(word));
        if (line.size() + next.size() > longest_line)
            return line + " …";
        line += (line.empty() ? "" : " ") + next;
    }
    return line;
}

}  // namespace parcast::report
