#include "import/word_names.h"

#include <algorithm>
#include <unordered_set>

#include <simdjson.h>

namespace parcast {

namespace {

class UniqueWords {
public:
    std::string take(std::string name, std::size_t number) {
        bool const is_utf8 = simdjson::validate_utf8(name);
        for (char& letter : name) {
            auto const code = static_cast<unsigned char>(letter);
            letter = code <= ' ' || code == 0x7f ? '_' : !is_utf8 && code >= 0x80 ? '?' : letter;
        }
        if (name.starts_with('#'))
            name.front() = '_';
        while (!taken_.insert(name).second)
            name += '-' + std::to_string(number);
        return name;
    }

private:
    std::unordered_set<std::string> taken_;
};

std::string shortened(std::string const& name, std::size_t most_letters, std::size_t number) {
    if (name.size() <= most_letters)
        return name;
    auto const end = '~' + std::to_string(number);
    return name.substr(0, most_letters - std::min(most_letters, end.size())) + end;
}

}  // namespace

WordNames word_names(ThreadProgram const& program, std::size_t most_letters) {
    WordNames names;
    UniqueWords words;
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread) {
        auto const& entry = program.catalogue.threads[thread];
        auto const& own = entry.name.empty() ? entry.function : entry.name;
        names.threads.push_back(
            words.take(shortened(own.empty() ? "thread" : own, most_letters, thread), thread));
    }
    for (std::size_t number = 0; number < program.objects.size(); ++number) {
        auto const& entry = program.catalogue.objects[number];
        names.objects.push_back(words.take(
            entry.name.empty() ? name_of(entry.kind) + ('-' + std::to_string(number)) : entry.name, number));
    }
    return names;
}

}  // namespace parcast
