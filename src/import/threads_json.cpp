#include "import/threads_json.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/listed.h"
#include "core/suggestion.h"
#include "import/json_reader.h"
#include "import/reader_parts.h"
#include "import/threads_step_reader.h"
#include "import/threads_steps.h"
#include "program/checked_program.h"

namespace parcast {

namespace {

constexpr std::string_view threads_schema = "parcast.threads/1";
constexpr auto program_keys = std::to_array<std::string_view>(
    {"schema", "name", "unit", "assumptions", "recorded_assumptions", "objects", "threads"});
constexpr auto object_keys = std::to_array<std::string_view>(
    {"name", "kind", "as", "count", "waking_ns", "team", "kernel_lock", "turns"});
constexpr auto thread_keys = std::to_array<std::string_view>(
    {"name", "at", "cpu", "real_time", "round_robin", "nice", "lwp", "do", "recorded"});

class ThreadsReader {
public:
    ThreadsReader(std::string text, std::string_view file) : file_(file), json_(std::move(text), file) {}

    Result<ThreadProgram> read() {
        if (!read_head() || !begin_threads() || !read_threads() || !read_turns() || !decide_beginnings())
            return fail(json_.error());
        if (program_.other)
            program_.other->assumptions = std::move(recorded_assumptions_);
        auto checked = check(program_);
        use_hand_outs(HandOuts::recorded, program_);
        if (checked && program_.other)
            checked = check(program_);
        use_hand_outs(HandOuts::anew, program_);
        if (!checked)
            return fail(checked.error().code, checked.error().message, SourcePosition{file_, {}, {}, {}});
        return std::move(program_);
    }

private:
    using Value = JsonReader::Value;

    // A thread as it is read.
    struct Draft {
        std::size_t place = 0;         // of the thread in the text
        std::optional<bool> at_start;  // none: unless a step creates it
    };

    bool complain(std::string message, std::size_t place, ErrorCode code = ErrorCode::malformed) {
        return json_.complain(code, std::move(message), place);
    }

    bool once(std::string_view key, std::span<std::string_view const> known, std::uint32_t& seen,
              char const* of) {
        auto const found = std::ranges::find(known, key);
        if (found == known.end()) {
            auto const meant = nearest(key, known);
            return complain(std::string(of) + " has no " + quoted_name(key) +
                                (meant ? ": did you mean " + quoted_name(*meant) + "?" : ""),
                            json_.place());
        }
        auto const bit = std::uint32_t{1} << (found - known.begin());
        if ((seen & bit) != 0)
            return complain(quoted_name(key) + " is given twice", json_.place());
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
        auto& sentences = key == "assumptions" ? program_.assumptions : recorded_assumptions_;
        return json_.each_element(
            value, [&](Value sentence) { return read_text(sentence, sentences.emplace_back()); });
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
               (found == threads_schema || complain("the schema is " + quoted_name(found) +
                                                        "; this parcast reads " + quoted_name(threads_schema),
                                                    place, ErrorCode::unsupported));
    }

    bool read_unit(Value value) {
        auto const place = json_.place();
        std::string_view word;
        if (!json_.string(value, word))
            return false;
        auto const unit = unit_ns(word);
        names_.unit_ns = unit.value_or(1);
        return unit || complain("the unit " + quoted_name(word) + " is none of " + time_units, place);
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
               complain("there are two of the name " + quoted_name(name), place, ErrorCode::inconsistent);
    }

    bool read_object(Value value) {
        std::uint32_t seen = 0;
        auto const place = json_.place();
        Object object;
        std::optional<ObjectKind> kind;
        std::optional<ObjectKind> used_as;
        std::optional<std::uint64_t> count;
        std::size_t count_place = place;
        std::uint64_t waking_ns = 0;
        bool team = false;
        std::optional<KernelLock> kernel_lock;
        bool const is_read = json_.each_field(value, [&](std::string_view key, Value field) {
            if (!once(key, object_keys, seen, "an object"))
                return false;
            if (key == "name")
                return read_name(field, names_.objects, "an object", object.name);
            if (key == "kind")
                return read_kind(field, kind);
            if (key == "as")
                return read_kind(field, used_as);
            if (key == "count") {
                count_place = json_.place();
                return json_.index(field, count.emplace());
            }
            if (key == "waking_ns")
                return json_.index(field, waking_ns);
            if (key == "team")
                return json_.truth(field, team);
            if (key == "kernel_lock")
                return read_kernel_lock(field, kernel_lock);
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
        if (count && *count > most_counted)
            return complain("the count is over 4 billion", count_place, ErrorCode::out_of_range);
        if (waking_ns > static_cast<std::uint64_t>(most_work_ns))
            return complain("waking takes over 13 days", place, ErrorCode::out_of_range);
        if (kernel_lock && (*kind != ObjectKind::reader_writer_lock || subject != subject_of(*kind)))
            return complain("a \"kernel_lock\" is a reader-writer lock, and used as one", place);
        object.kind = *kind;
        if (count && !(counts && subject == StepSubject::condition))
            object.initial_value = static_cast<std::int64_t>(*count);
        program_.catalogue.objects.push_back(std::move(object));
        program_.objects.push_back({counts ? static_cast<std::int64_t>(count.value_or(0)) : 0,
                                    false,
                                    {},
                                    Duration{static_cast<std::int64_t>(waking_ns)},
                                    team,
                                    kernel_lock.value_or(KernelLock::none)});
        names_.subjects.push_back(subject);
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
               complain("there is no kind " + quoted_name(word) + ": it is " + listed(known, " or "), place);
    }

    bool read_kernel_lock(Value value, std::optional<KernelLock>& into) {
        auto const place = json_.place();
        std::string_view word;
        if (!json_.string(value, word))
            return false;
        into = kernel_lock_named(word);
        return into || complain("the kernel has no lock " + quoted_name(word) + ": it is " +
                                    listed(std::span(kernel_lock_names).subspan(1), " or "),
                                place);
    }

    bool read_thread_name(Value value) {
        Draft draft{.place = json_.place(), .at_start = {}};
        Thread thread;
        bool const is_read = json_.each_field(value, [&](std::string_view key, Value field) {
            return key != "name" || read_name(field, names_.threads, "a thread", thread.name);
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
        if (threads != names_.threads.size() || program_.catalogue.objects.size() != names_.objects.size())
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
        bool const is_read = json_.each_field(value, [&](std::string_view key, Value field) {
            if (!once(key, thread_keys, seen, "a thread"))
                return false;
            if (key == "at")
                return read_at(field, drafts_[thread]);
            if (key == "cpu")
                return read_cpus(field, program_.parameters[thread].affinity);
            if (key == "lwp")
                return read_lwp(field, program_.parameters[thread].lwp);
            if (key == "real_time" || key == "round_robin" || key == "nice") {
                auto const place = json_.place();
                return read_level(field, key, program_.parameters[thread].priority) &&
                       (!std::exchange(has_priority, true) ||
                        complain("a thread has one of \"real_time\", \"round_robin\" and \"nice\"", place,
                                 ErrorCode::inconsistent));
            }
            if (key == "recorded")
                return read_steps_as_recorded(field, thread);
            return key != "do" || read_steps(field, thread, StepList::usual);
        });
        if (is_read && program_.lists[thread].empty()) {
            steps_.begin(thread, json_.line_of(drafts_[thread].place));
            steps_.end();
        }
        return is_read;
    }

    bool read_steps(Value list, std::uint32_t thread, StepList which) {
        steps_.begin(thread, json_.line_of(json_.place()), which);
        if (!json_.each_element(list, [&](Value step) { return read_step(step); }))
            return false;
        steps_.end();
        return true;
    }

    bool read_steps_as_recorded(Value list, std::uint32_t thread) {
        auto usual = std::exchange(program_.lists[thread], {});
        bool const is_read = read_steps(list, thread, StepList::as_recorded);
        auto& other = program_.other ? *program_.other : program_.other.emplace();
        other.lists.resize(program_.lists.size());
        other.lists[thread] = std::exchange(program_.lists[thread], std::move(usual));
        return is_read;
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

    bool read_lwp(Value value, LwpClass& lwp) {
        auto const place = json_.place();
        std::string_view word;
        if (!json_.string(value, word))
            return false;
        auto const found = std::ranges::find(lwp_words, word);
        lwp = static_cast<LwpClass>(found - lwp_words.begin());
        return found != lwp_words.end() ||
               complain("an \"lwp\" is \"own\", \"interactive\" or \"pool\"", place);
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
        auto const priority = level_priority(word, level);
        into = priority.value_or(Priority{});
        return priority || complain(level_limits(word), place, ErrorCode::out_of_range);
    }

    bool read_step(Value value) {
        auto const place = json_.place() + 1;
        std::string_view text;
        return json_.string(value, text) && steps_.read(WrittenStep(text, place));
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
        auto const place = json_.place() + 1;
        std::string_view text;
        return json_.string(value, text) && steps_.read_turn(WrittenStep(text, place), turns);
    }

    bool decide_beginnings() {
        for (std::size_t thread = 0; thread < drafts_.size(); ++thread) {
            auto const& [place, at_start] = drafts_[thread];
            auto const creation = steps_.creation_of(static_cast<std::uint32_t>(thread));
            auto const name = quoted_name(program_.catalogue.threads[thread].name);
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
    StepNames names_;
    std::vector<std::string> recorded_assumptions_;
    StepReader steps_{json_, file_, names_, program_};
    std::vector<Draft> drafts_;  // by thread
};

}  // namespace

bool is_threads_json(std::string_view head) {
    auto const start = head.find_first_not_of(step_blanks);
    return start != std::string_view::npos && head[start] == '{' &&
           head.find("\"parcast.threads/") != std::string_view::npos;
}

Result<ThreadProgram> threads_from_json(std::string text, std::string_view file) {
    return ThreadsReader(std::move(text), file).read();
}

}  // namespace parcast
