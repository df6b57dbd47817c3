#include "import/threads_json.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/listed.h"
#include "core/suggestion.h"
#include "import/json_reader.h"
#include "import/reader_parts.h"
#include "import/threads_steps.h"

namespace parcast {

namespace {

constexpr std::string_view threads_schema = "parcast.threads/1";
constexpr auto program_keys =
    std::to_array<std::string_view>({"schema", "name", "unit", "assumptions", "objects", "threads"});
constexpr auto object_keys = std::to_array<std::string_view>({"name", "kind", "as", "count", "turns"});
constexpr auto thread_keys =
    std::to_array<std::string_view>({"name", "at", "cpu", "real_time", "nice", "do"});

constexpr double most_step_ns = 1e18;
constexpr std::uint64_t most_units = 0xfffffffe;
constexpr std::uint64_t most_affine_cpus = 64;

constexpr std::string_view blanks = " \t\r\n";

// A word of a step, and where it is in it.
struct StepWord {
    std::string_view text;
    std::size_t offset = 0;
};

std::vector<StepWord> words_of(std::string_view step) {
    std::vector<StepWord> words;
    for (auto at = step.find_first_not_of(blanks); at != std::string_view::npos;
         at = step.find_first_not_of(blanks, at)) {
        auto const end = std::min(step.find_first_of(blanks, at), step.size());
        words.push_back({step.substr(at, end - at), at});
        at = end;
    }
    return words;
}

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
    Number number{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::string in_quotes(std::string_view text) {
    return '"' + std::string(text) + '"';
}

// Names and their numbers.
class NumberedNames {
public:
    // False: it is there already.
    bool add(std::string_view name) { return numbers_.emplace(name, numbers_.size()).second; }
    std::optional<std::uint32_t> find(std::string_view name) const {
        auto const found = numbers_.find(name);
        return found == numbers_.end() ? std::nullopt
                                       : std::optional(static_cast<std::uint32_t>(found->second));
    }
    std::size_t size() const { return numbers_.size(); }

    // `: did you mean "T1"?`, if there is one like it.
    std::string suggestion(std::string_view typed) const {
        std::vector<std::string_view> known;
        for (auto const& [name, number] : numbers_)
            known.push_back(name);
        auto const meant = nearest(typed, known);
        return meant ? ": did you mean " + in_quotes(*meant) + "?" : "";
    }

private:
    std::map<std::string, std::size_t, std::less<>> numbers_;
};

class ThreadsReader {
public:
    ThreadsReader(std::string text, std::string_view file) : file_(file), json_(std::move(text), file) {}

    Result<ThreadProgram> read() {
        if (!read_head() || !begin_threads() || !read_threads() || !read_turns() || !decide_beginnings())
            return fail(json_.error());
        if (auto checked = check(program_); !checked)
            return fail(checked.error().code, checked.error().message, SourcePosition{file_, {}, {}, {}});
        return std::move(program_);
    }

private:
    using Value = JsonReader::Value;

    // A thread as it is read.
    struct Draft {
        std::size_t place = 0;                // of the thread in the text
        std::optional<bool> at_start;         // none: unless a step creates it
        std::optional<std::size_t> creation;  // the step that creates it
    };

    // A step that is being read.
    struct Step {
        std::vector<StepWord> words;
        std::size_t place = 0;  // of its text, behind the quote
        std::uint32_t thread = 0;

        std::size_t size() const { return words.size(); }
        std::string_view word(std::size_t i) const { return words[i].text; }
        std::size_t place_of(std::size_t i) const { return place + words[i].offset; }
    };

    bool complain(std::string message, std::size_t place, ErrorCode code = ErrorCode::malformed) {
        return json_.complain(code, std::move(message), place);
    }

    bool once(std::string_view key, std::span<std::string_view const> known, std::uint32_t& seen,
              char const* of) {
        auto const found = std::ranges::find(known, key);
        if (found == known.end()) {
            auto const meant = nearest(key, known);
            return complain(std::string(of) + " has no " + in_quotes(key) +
                                (meant ? ": did you mean " + in_quotes(*meant) + "?" : ""),
                            json_.place());
        }
        auto const bit = std::uint32_t{1} << (found - known.begin());
        if ((seen & bit) != 0)
            return complain(in_quotes(key) + " is given twice", json_.place());
        seen |= bit;
        return true;
    }

    // --- all but the steps and turns, which name what may come later

    bool read_head() {
        std::uint32_t seen = 0;
        bool has_schema = false;
        bool has_threads = false;
        return json_.each_field_of_root([&](std::string_view key, Value value) {
            has_schema = has_schema || key == "schema";
            has_threads = has_threads || key == "threads";
            return once(key, program_keys, seen, "a program of threads") && root_field(key, value);
        }) && (has_schema || complain("a program of threads needs \"schema\"", 0)) &&
               (has_threads || complain("a program of threads needs \"threads\"", 0));
    }

    bool root_field(std::string_view key, Value value) {
        if (key == "schema")
            return read_schema(value);
        if (key == "name")
            return read_text(value, program_.name);
        if (key == "unit")
            return read_unit(value);
        if (key == "objects")
            return json_.each_element(value, [&](Value object) { return read_object(object); });
        if (key == "threads")
            return json_.each_element(value, [&](Value thread) { return read_thread_name(thread); });
        return json_.each_element(
            value, [&](Value sentence) { return read_text(sentence, program_.assumptions.emplace_back()); });
    }

    bool read_text(Value value, std::string& into) {
        std::string_view text;
        if (!json_.string(value, text))
            return false;
        into = text;
        return true;
    }

    bool read_schema(Value value) {
        auto const place = json_.place();
        std::string_view found;
        return json_.string(value, found) &&
               (found == threads_schema || complain("the schema is " + in_quotes(found) +
                                                        "; this parcast reads " + in_quotes(threads_schema),
                                                    place, ErrorCode::unsupported));
    }

    bool read_unit(Value value) {
        auto const place = json_.place();
        std::string_view word;
        if (!json_.string(value, word))
            return false;
        auto const unit = unit_ns(word);
        unit_ns_ = unit.value_or(1);
        return unit || complain("the unit " + in_quotes(word) + " is none of " + time_units, place);
    }

    // A name is one word: steps are made of words.
    bool read_name(Value value, NumberedNames& names, char const* of, std::string& into) {
        auto const place = json_.place();
        std::string_view name;
        if (!json_.string(value, name))
            return false;
        bool const is_word =
            !name.empty() && name.front() != '#' &&
            std::ranges::none_of(name, [](unsigned char letter) { return letter <= ' ' || letter == 0x7f; });
        if (!is_word)
            return complain("the name of " + std::string(of) + " is one word, which does not begin with #",
                            place);
        into = name;
        return names.add(name) ||
               complain("there are two of the name " + in_quotes(name), place, ErrorCode::inconsistent);
    }

    bool read_object(Value value) {
        std::uint32_t seen = 0;
        auto const place = json_.place();
        Object object;
        std::optional<ObjectKind> kind;
        std::optional<ObjectKind> used_as;
        std::optional<std::uint64_t> count;
        std::size_t count_place = place;
        bool const is_read = json_.each_field(value, [&](std::string_view key, Value field) {
            if (!once(key, object_keys, seen, "an object"))
                return false;
            if (key == "name")
                return read_name(field, object_names_, "an object", object.name);
            if (key == "kind")
                return read_kind(field, kind);
            if (key == "as")
                return read_kind(field, used_as);
            if (key == "count") {
                count_place = json_.place();
                return json_.index(field, count.emplace());
            }
            return true;  // the turns: later
        });
        if (!is_read)
            return false;
        if (object.name.empty() || !kind)
            return complain(object.name.empty() ? "an object needs a \"name\"" : "an object needs a \"kind\"",
                            place);
        auto const subject = subject_of(used_as.value_or(*kind));
        bool const counts = subject == StepSubject::semaphore || subject == StepSubject::condition;
        if (count && !counts && subject != StepSubject::barrier)
            return complain("a " + std::string(name_of(*kind)) + " has no \"count\"", count_place);
        if (count && *count > most_units)
            return complain("the count is over 4 billion", count_place, ErrorCode::out_of_range);
        object.kind = *kind;
        if (count && !(counts && subject == StepSubject::condition))
            object.initial_value = static_cast<std::int64_t>(*count);
        program_.catalogue.objects.push_back(std::move(object));
        program_.objects.push_back({counts ? static_cast<std::int64_t>(count.value_or(0)) : 0, false, {}});
        subjects_.push_back(subject);
        return true;
    }

    bool read_kind(Value value, std::optional<ObjectKind>& into) {
        auto const place = json_.place();
        std::string_view word;
        if (!json_.string(value, word))
            return false;
        std::vector<std::string_view> known;
        for (std::size_t kind = 0; kind < object_kind_count; ++kind) {
            known.emplace_back(name_of(static_cast<ObjectKind>(kind)));
            if (known.back() == word)
                into = static_cast<ObjectKind>(kind);
        }
        return into ||
               complain("there is no kind " + in_quotes(word) + ": it is " + listed(known, " or "), place);
    }

    bool read_thread_name(Value value) {
        Draft draft{.place = json_.place(), .at_start = {}, .creation = {}};
        Thread thread;
        bool const is_read = json_.each_field(value, [&](std::string_view key, Value field) {
            return key != "name" || read_name(field, thread_names_, "a thread", thread.name);
        });
        if (!is_read)
            return false;
        if (thread.name.empty())
            return complain("a thread needs a \"name\"", draft.place);
        drafts_.push_back(draft);
        program_.catalogue.threads.push_back(std::move(thread));
        return true;
    }

    bool begin_threads() {
        auto const threads = drafts_.size();
        if (threads == 0)
            return complain("a program needs a thread", 0);
        if (threads != thread_names_.size() || program_.catalogue.objects.size() != object_names_.size())
            return complain("a name is given twice", 0);
        program_.lists.resize(threads);
        program_.parameters.resize(threads);
        return true;
    }

    // --- the steps

    bool read_threads() {
        std::uint32_t thread = 0;
        return json_.each_field_of_root([&](std::string_view key, Value value) {
            return key != "threads" ||
                   json_.each_element(value, [&](Value element) { return read_thread(element, thread++); });
        });
    }

    bool read_thread(Value value, std::uint32_t thread) {
        std::uint32_t seen = 0;
        bool has_priority = false;
        held_.clear();
        pending_ns_ = 0;
        pending_function_.clear();
        has_pending_work_ = false;
        pending_line_ = json_.line_of(drafts_[thread].place);
        bool const is_read = json_.each_field(value, [&](std::string_view key, Value field) {
            if (!once(key, thread_keys, seen, "a thread"))
                return false;
            if (key == "at")
                return read_at(field, drafts_[thread]);
            if (key == "cpu")
                return read_cpus(field, program_.parameters[thread].affinity);
            if (key == "real_time" || key == "nice") {
                auto const place = json_.place();
                return read_level(field, key, program_.parameters[thread].priority) &&
                       (!std::exchange(has_priority, true) ||
                        complain("a thread has a \"real_time\" level or a \"nice\" value, not both", place,
                                 ErrorCode::inconsistent));
            }
            return key != "do" ||
                   json_.each_element(field, [&](Value step) { return read_step(step, thread); });
        });
        if (!is_read)
            return false;
        add(thread, OperationKind::end, Operation::no_object, 0, pending_line_);
        return true;
    }

    bool read_at(Value value, Draft& draft) {
        auto const place = json_.place();
        std::string_view word;
        if (!json_.string(value, word))
            return false;
        draft.at_start = word == "start";
        return word == "start" || word == "created" ||
               complain("a thread begins at \"start\" or is \"created\"", place);
    }

    bool read_cpus(Value value, std::uint64_t& mask) {
        auto const read_one = [&](Value number) {
            auto const place = json_.place();
            std::uint64_t cpu = 0;
            if (!json_.index(number, cpu))
                return false;
            if (cpu >= most_affine_cpus)
                return complain("a thread is bound to CPUs from 0 to 63", place, ErrorCode::out_of_range);
            mask |= std::uint64_t{1} << cpu;
            return true;
        };
        return JsonReader::is_list(value) ? json_.each_element(value, read_one) : read_one(value);
    }

    bool read_level(Value value, std::string_view word, Priority& into) {
        auto const place = json_.place();
        double level = 0;
        if (!json_.number(value, level))
            return false;
        auto const priority = priority_of(word, level);
        into = priority.value_or(Priority{});
        return priority || complain(levels_of(word), place, ErrorCode::out_of_range);
    }

    static std::optional<Priority> priority_of(std::string_view word, double level) {
        bool const is_real_time = word == "real_time";
        bool const is_level = level == std::floor(level) && level >= (is_real_time ? 1 : -20) &&
                              level <= (is_real_time ? 99 : 19);
        if (!is_level)
            return std::nullopt;
        return Priority{is_real_time ? SchedulingClass::real_time : SchedulingClass::fair,
                        static_cast<int>(level)};
    }
    static char const* levels_of(std::string_view word) {
        return word == "real_time" ? "a real_time level is a whole number from 1 to 99"
                                   : "a nice value is a whole number from -20 to 19";
    }

    bool read_step(Value value, std::uint32_t thread) {
        Step step;
        step.place = json_.place() + 1;
        step.thread = thread;
        std::string_view text;
        if (!json_.string(value, text))
            return false;
        step.words = words_of(text);
        if (step.words.empty())
            return complain("a step is empty", step.place);
        if (step.word(0) == "work")
            return read_work(step, text);
        auto const line = json_.line_of(step.place);
        return one_of_the_steps(step, line);
    }

    // Which row: of several with the same word the one for what the object is.
    bool one_of_the_steps(Step const& step, std::uint32_t line) {
        auto const word = step.word(0);
        auto const row = std::ranges::find(step_rows, word, &StepRow::word);
        if (row == step_rows.end())
            return complain(unknown_step(word), step.place_of(0));
        switch (row->subject) {
            case StepSubject::thread: return thread_step(step, *row, line);
            case StepSubject::nothing:
            case StepSubject::any_object: return other_step(step, *row, line);
            default: return object_step(step, line);
        }
    }

    static std::string unknown_step(std::string_view word) {
        std::vector<std::string_view> known;
        for (auto const& row : step_rows)
            known.push_back(row.word);
        auto const meant = nearest(word, known);
        known.erase(std::unique(known.begin(), known.end()), known.end());
        return "there is no step " + in_quotes(word) +
               (meant ? ": did you mean " + in_quotes(*meant) + "?"
                      : "; there are " + listed(known, " and "));
    }

    bool wrong_form(Step const& step, std::string_view form) {
        return complain("the step is written: " + std::string(form), step.place_of(0));
    }

    bool read_work(Step const& step, std::string_view text) {
        std::int64_t time_ns = 0;
        if (step.size() < 2)
            return wrong_form(step, "work TIME [FUNCTION]");
        if (!time(step, 1, time_ns))
            return false;
        auto const line = json_.line_of(step.place);
        if (has_pending_work_)
            add(step.thread, OperationKind::work_only, Operation::no_object, 0, pending_line_);
        has_pending_work_ = true;
        pending_ns_ = time_ns;
        pending_line_ = line;
        pending_function_.clear();
        if (step.size() > 2) {
            auto const last = text.find_last_not_of(blanks);
            pending_function_ = text.substr(step.words[2].offset, last + 1 - step.words[2].offset);
        }
        return true;
    }

    // The function of an operation is that of the work before it.
    void add(std::uint32_t thread, OperationKind kind, std::uint32_t object, std::int64_t value,
             std::uint32_t line) {
        auto const& function =
            pending_function_.empty() ? program_.catalogue.threads[thread].name : pending_function_;
        program_.lists[thread].push_back(
            make_operation(kind, pending_ns_, object, value, site(line, function)));
        pending_ns_ = 0;
        pending_function_.clear();
        has_pending_work_ = false;
    }

    SiteId site(std::uint32_t line, std::string const& function) {
        if (line != line_of_sites_)
            sites_on_line_.clear();
        line_of_sites_ = line;
        auto const [found, is_new] =
            sites_on_line_.emplace(function, SiteId(program_.catalogue.sites.size()));
        if (is_new)
            program_.catalogue.sites.emplace_back().frames.push_back({function, file_, line});
        return found->second;
    }

    // --- words of steps

    bool time(Step const& step, std::size_t word, std::int64_t& into) {
        auto const text = step.word(word);
        double number = 0;
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        bool const is_number = error == std::errc() && end == text.data() + text.size();
        if (!is_number || !(number >= 0))
            return complain(in_quotes(text) + " is no time: a number from 0, in the unit of the file",
                            step.place_of(word));
        auto const ns = in_ns(number, unit_ns_);
        if (!(ns <= most_step_ns))
            return complain("a time is over 10^18 ns, 31 years", step.place_of(word),
                            ErrorCode::out_of_range);
        into = std::llround(ns);
        return true;
    }

    bool count(Step const& step, std::size_t word, std::uint64_t least, std::uint32_t& into,
               std::string_view prefix = "") {
        auto text = step.word(word);
        auto const number =
            text.starts_with(prefix) ? whole_number<std::uint64_t>(text.substr(prefix.size())) : std::nullopt;
        if (!number || *number < least || *number > most_units)
            return complain(in_quotes(text) + " is no " +
                                (prefix.empty() ? "" : std::string(prefix) + " and ") + "whole number from " +
                                std::to_string(least),
                            step.place_of(word));
        into = static_cast<std::uint32_t>(*number);
        return true;
    }

    bool thread_named(Step const& step, std::size_t word, std::uint32_t& into) {
        auto const found = thread_names_.find(step.word(word));
        into = found.value_or(0);
        return found || complain("there is no thread " + in_quotes(step.word(word)) +
                                     thread_names_.suggestion(step.word(word)),
                                 step.place_of(word), ErrorCode::not_found);
    }

    bool object_named(Step const& step, std::size_t word, std::uint32_t& into) {
        auto const found = object_names_.find(step.word(word));
        into = found.value_or(0);
        return found || complain("there is no object " + in_quotes(step.word(word)) +
                                     object_names_.suggestion(step.word(word)),
                                 step.place_of(word), ErrorCode::not_found);
    }

    bool mutex_named(Step const& step, std::size_t word, ObjectId& into) {
        std::uint32_t object = 0;
        if (!object_named(step, word, object))
            return false;
        into = ObjectId(object);
        return subjects_[object] == StepSubject::lock ||
               complain(in_quotes(step.word(word)) + " is a " +
                            name_of(program_.catalogue.objects[object].kind) + ", and no mutex",
                        step.place_of(word), ErrorCode::inconsistent);
    }

    // --- steps by what they are about

    bool thread_step(Step const& step, StepRow const& row, std::uint32_t line) {
        std::uint32_t thread = Operation::no_object;
        if (row.kind == OperationKind::join && step.size() != 2) {
            bool const is_any = step.size() == 1 || (step.size() == 3 && step.word(1) == "any");
            if (!is_any)
                return wrong_form(step, row.form);
            if (step.size() == 3 && !thread_named(step, 2, thread))
                return false;
            add(step.thread, OperationKind::join_any, thread, 0, line);
            return true;
        }
        if (step.size() != 2)
            return wrong_form(step, row.form);
        if (!thread_named(step, 1, thread))
            return false;
        add(step.thread, row.kind, thread, 0, line);
        return row.kind != OperationKind::create || note_creation(step, thread);
    }

    bool note_creation(Step const& step, std::uint32_t thread) {
        auto const name = in_quotes(step.word(1));
        auto const place = step.place_of(1);
        if (thread == step.thread)
            return complain(name + " creates itself", place, ErrorCode::inconsistent);
        if (drafts_[thread].creation)
            return complain(name + " is created for the second time", place, ErrorCode::inconsistent);
        if (thread == 0)
            return complain(
                "the first thread of the list is there from the start: put the one that creates " + name +
                    " before it",
                place, ErrorCode::inconsistent);
        drafts_[thread].creation = place;
        auto& created = program_.catalogue.threads[thread];
        created.parent = ThreadId(step.thread);
        created.created_at = program_.lists[step.thread].back().site();
        return true;
    }

    bool object_step(Step const& step, std::uint32_t line) {
        auto const first = std::ranges::find(step_rows, step.word(0), &StepRow::word);
        std::uint32_t object = 0;
        if (step.size() < 2)
            return wrong_form(step, first->form);
        if (!object_named(step, 1, object))
            return false;
        auto const row = std::ranges::find_if(step_rows, [&](StepRow const& each) {
            return each.word == step.word(0) && each.subject == subjects_[object];
        });
        if (row == step_rows.end())
            return complain("a " + std::string(name_of(program_.catalogue.objects[object].kind)) +
                                " has no step " + in_quotes(step.word(0)),
                            step.place_of(0), ErrorCode::inconsistent);
        std::int64_t value = 0;
        if (!value_of(step, *row, object, value) || !keeps_locks_right(step, row->kind, object))
            return false;
        bool const is_in_barriers = row->kind == OperationKind::condition_barrier;
        add(step.thread, row->kind, is_in_barriers ? Operation::no_object : object, value, line);
        auto& first_site = program_.catalogue.objects[object].first_site;
        if (first_site.is_none())
            first_site = program_.lists[step.thread].back().site();
        return true;
    }

    // What the step says beside its object.
    bool value_of(Step const& step, StepRow const& row, std::uint32_t object, std::int64_t& value) {
        switch (row.kind) {
            case OperationKind::condition_wait: return token_wait(step, row, value);
            case OperationKind::condition_signal: return token_grant(step, row, value);
            case OperationKind::condition_barrier: return built_barrier(step, row, object, value);
            case OperationKind::barrier_wait: return barrier(step, row, object, value);
            case OperationKind::semaphore_post: {
                std::uint32_t units = 1;
                if (step.size() > 3)
                    return wrong_form(step, row.form);
                if (step.size() == 3 && !count(step, 2, 0, units))
                    return false;
                value = units;
                return true;
            }
            default: return step.size() == 2 || wrong_form(step, row.form);
        }
    }

    bool token_wait(Step const& step, StepRow const& row, std::int64_t& value) {
        TokenWait wait{ObjectId::none(), std::nullopt};
        auto const end = step.size();
        bool const has_token = end > 2 && step.word(end - 1).starts_with('#');
        if (end - (has_token ? 1 : 0) > 3)
            return wrong_form(step, row.form);
        if (has_token && !count(step, end - 1, 0, wait.token.emplace(), "#"))
            return false;
        if (end - (has_token ? 1 : 0) == 3 && !mutex_named(step, 2, wait.mutex))
            return false;
        value = encode(wait);
        return true;
    }

    bool token_grant(Step const& step, StepRow const& row, std::int64_t& value) {
        TokenGrant grant{1, 0};
        if (step.size() > 4)
            return wrong_form(step, row.form);
        if ((step.size() > 2 && !count(step, 2, 0, grant.tokens)) ||
            (step.size() > 3 && !count(step, 3, 0, grant.first, "#")))
            return false;
        value = encode(grant);
        return true;
    }

    bool barrier(Step const& step, StepRow const& row, std::uint32_t object, std::int64_t& value) {
        auto const& usual = program_.catalogue.objects[object].initial_value;
        std::uint32_t threads = 0;
        if (step.size() > 3 || (step.size() == 2 && usual.value_or(0) < 1))
            return wrong_form(step, step.size() > 3
                                        ? row.form
                                        : "barrier BARRIER THREADS, or give the barrier a \"count\"");
        if (step.size() == 3 && !count(step, 2, 1, threads))
            return false;
        value = step.size() == 3 ? threads : *usual;
        return true;
    }

    bool built_barrier(Step const& step, StepRow const& row, std::uint32_t object, std::int64_t& value) {
        ConditionBarrier built{0, ObjectId(object), ObjectId::none()};
        if (step.size() != 3 && step.size() != 4)
            return wrong_form(step, row.form);
        if ((step.size() == 4 && !mutex_named(step, 2, built.mutex)) ||
            !count(step, step.size() - 1, 1, built.participants))
            return false;
        auto& barriers = program_.barriers;
        auto const key = std::tuple(object, built.mutex.value, built.participants);
        auto const [found, is_new] = barrier_numbers_.emplace(key, barriers.size());
        if (is_new)
            barriers.push_back(built);
        value = static_cast<std::int64_t>(found->second);
        return true;
    }

    // An `unlock` gives back what its own thread holds; `release` may do anything.
    bool keeps_locks_right(Step const& step, OperationKind kind, std::uint32_t object) {
        auto const role = traits_of(kind).role;
        if (role == Role::takes_lock)
            ++held_[object];
        if (role != Role::releases_lock)
            return true;
        auto& held = held_[object];
        if (held == 0 && step.word(0) == "unlock")
            return complain(in_quotes(program_.catalogue.threads[step.thread].name) + " unlocks " +
                                in_quotes(step.word(1)) +
                                ", which it does not hold: lock it before, or write \"release\" if another "
                                "thread holds it",
                            step.place_of(0), ErrorCode::inconsistent);
        held -= held > 0 ? 1 : 0;
        return true;
    }

    bool other_step(Step const& step, StepRow const& row, std::uint32_t line) {
        std::uint32_t object = Operation::no_object;
        std::int64_t value = 0;
        if (!other_value(step, row, object, value))
            return false;
        add(step.thread, row.kind, object, value, line);
        return true;
    }

    bool other_value(Step const& step, StepRow const& row, std::uint32_t& object, std::int64_t& value) {
        bool const is_delay_step = is_delay(row.kind);
        bool const has_argument = is_delay_step || row.kind == OperationKind::set_affinity ||
                                  row.kind == OperationKind::set_priority;
        std::size_t const most = is_delay_step ? 3 : has_argument ? 2 : 1;
        if (step.size() < (has_argument ? 2 : 1) || step.size() > most)
            return wrong_form(step, row.form);
        if (is_delay_step) {
            bool const object_first = row.kind == OperationKind::input_output;
            std::size_t const time_word = object_first ? step.size() - 1 : 1;
            return time(step, time_word, value) &&
                   (step.size() == 2 || object_named(step, object_first ? 1 : 2, object));
        }
        if (row.kind == OperationKind::set_affinity)
            return affinity(step, value);
        if (row.kind == OperationKind::set_priority) {
            auto const number = whole_number<int>(step.word(1));
            auto const priority = number ? priority_of(row.word, *number) : std::nullopt;
            value = priority ? encode_priority(*priority) : 0;
            return priority || complain(levels_of(row.word), step.place_of(1), ErrorCode::out_of_range);
        }
        return true;
    }

    bool affinity(Step const& step, std::int64_t& value) {
        std::uint64_t mask = 0;
        auto list = step.word(1);
        for (bool more = list != "all"; more;) {
            auto const end = std::min(list.find(','), list.size());
            auto const cpu = whole_number<std::uint64_t>(list.substr(0, end));
            if (!cpu || *cpu >= most_affine_cpus)
                return complain("CPUs are numbers from 0 to 63 with commas between them, or all",
                                step.place_of(1));
            mask |= std::uint64_t{1} << *cpu;
            more = end < list.size();
            list.remove_prefix(std::min(end + 1, list.size()));
        }
        value = static_cast<std::int64_t>(mask);
        return true;
    }

    // --- what only all steps together tell

    // "T1 3": a thread, and how often it takes the object in a row.
    bool read_turns() {
        std::size_t object = 0;
        return json_.each_field_of_root([&](std::string_view key, Value value) {
            return key != "objects" || json_.each_element(value, [&](Value element) {
                auto& turns = program_.objects[object++].turns;
                return json_.each_field(element, [&](std::string_view field, Value list) {
                    return field != "turns" ||
                           json_.each_element(list, [&](Value turn) { return read_turn(turn, turns); });
                });
            });
        });
    }

    bool read_turn(Value value, std::vector<Turn>& turns) {
        Step step;
        step.place = json_.place() + 1;
        std::string_view text;
        if (!json_.string(value, text))
            return false;
        step.words = words_of(text);
        Turn turn{ThreadId(0), 1};
        if (step.words.empty() || step.size() > 2)
            return complain("a turn is written: THREAD [TAKES]", step.place);
        if (!thread_named(step, 0, turn.thread.value) || (step.size() == 2 && !count(step, 1, 1, turn.takes)))
            return false;
        turns.push_back(turn);
        return true;
    }

    bool decide_beginnings() {
        for (std::size_t thread = 0; thread < drafts_.size(); ++thread) {
            auto const& [place, at_start, creation] = drafts_[thread];
            auto const name = in_quotes(program_.catalogue.threads[thread].name);
            if (at_start == true && creation)
                return complain(name + " is there from the start: nobody creates it", *creation,
                                ErrorCode::inconsistent);
            if (at_start == false && !creation)
                return complain(name + " begins when it is created, and no step creates it", place,
                                ErrorCode::inconsistent);
            program_.parameters[thread].at_start = !creation;
        }
        return true;
    }

    std::string file_;
    JsonReader json_;
    ThreadProgram program_;
    double unit_ns_ = 1;
    NumberedNames object_names_;
    NumberedNames thread_names_;
    std::vector<StepSubject> subjects_;  // by object
    std::vector<Draft> drafts_;          // by thread
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> barrier_numbers_;
    std::map<std::uint32_t, std::uint32_t> held_;  // how often the thread that is read holds a lock
    std::map<std::string, SiteId> sites_on_line_;  // by function
    std::uint32_t line_of_sites_ = 0;
    // Work before the next operation of the thread that is read.
    std::int64_t pending_ns_ = 0;
    std::string pending_function_;
    std::uint32_t pending_line_ = 0;
    bool has_pending_work_ = false;
};

}  // namespace

bool is_threads_json(std::string_view head) {
    auto const start = head.find_first_not_of(blanks);
    return start != std::string_view::npos && head[start] == '{' &&
           head.find("\"parcast.threads/") != std::string_view::npos;
}

Result<ThreadProgram> threads_from_json(std::string text, std::string_view file) {
    return ThreadsReader(std::move(text), file).read();
}

}  // namespace parcast
