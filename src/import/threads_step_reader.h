// The steps of a written program of threads: from the text of each to an operation. Private to the reader.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "import/json_reader.h"
#include "import/threads_steps.h"
#include "program/thread_program.h"

namespace parcast {

inline constexpr std::string_view step_blanks = " \t\r\n";
inline constexpr std::uint64_t most_counted = 0xfffffffe;  // units, tokens, threads of a barrier
inline constexpr std::uint64_t most_affine_cpus = 64;

std::string quoted_name(std::string_view name);

// `word`: `real_time` or `nice`. None: the level is out of its limits, which level_limits() tells.
std::optional<Priority> level_priority(std::string_view word, double level);
char const* level_limits(std::string_view word);

// Names and their numbers.
class NumberedNames {
public:
    // False: it is there already.
    bool add(std::string_view name) { return numbers_.emplace(name, numbers_.size()).second; }
    std::optional<std::uint32_t> find(std::string_view name) const;
    std::size_t size() const { return numbers_.size(); }

    // `: did you mean "T1"?`, if there is one like it.
    std::string suggestion(std::string_view typed) const;

private:
    std::map<std::string, std::size_t, std::less<>> numbers_;
};

// What steps may name, which is known before the first of them is read.
struct StepNames {
    NumberedNames threads;
    NumberedNames objects;
    std::vector<StepSubject> subjects;  // what each object is to the steps
    double unit_ns = 1;
};

// The words of a text, and where it is.
struct WrittenStep {
    struct Word {
        std::string_view text;
        std::size_t offset = 0;
    };

    WrittenStep(std::string_view text, std::size_t place);

    std::size_t size() const { return words.size(); }
    std::string_view word(std::size_t i) const { return words[i].text; }
    std::size_t place_of(std::size_t i) const { return place + words[i].offset; }

    std::string_view text;
    std::size_t place = 0;  // in the file
    std::vector<Word> words;
};

// Work that is handed out may be in other threads as it was recorded: ThreadProgram::other.
enum class StepList : std::uint8_t { usual, as_recorded };

// Every bool is whether to go on; complaints are with the JSON reader. All references are the caller's.
class StepReader {
public:
    StepReader(JsonReader& json, std::string file, StepNames const& names, ThreadProgram& program)
        : json_(json), file_(std::move(file)), names_(names), program_(program) {}

    // The steps of a thread: begin, read each, end. REQUIRES: its list and name are there.
    void begin(std::uint32_t thread, std::uint32_t line, StepList list = StepList::usual);
    bool read(WrittenStep const& step);
    void end();

    // "T1 3": a thread, and how often it takes an object in a row.
    bool read_turn(WrittenStep const& written, std::vector<Turn>& turns);

    // The usual step that creates the thread, if one does.
    std::optional<std::size_t> creation_of(std::uint32_t thread) const;

private:
    using Step = WrittenStep;

    bool complain(std::string message, std::size_t place, ErrorCode code = ErrorCode::malformed) {
        return json_.complain(code, std::move(message), place);
    }

    bool one_of_the_steps(Step const& step, std::uint32_t line);
    static std::string unknown_step(std::string_view word);
    bool wrong_form(Step const& step, std::string_view form);
    bool read_work(Step const& step);
    void add(OperationKind kind, std::uint32_t object, std::int64_t value, std::uint32_t line);
    SiteId site(std::uint32_t line, std::string const& function);
    bool time(Step const& step, std::size_t word, std::int64_t& into);
    bool count(Step const& step, std::size_t word, std::uint64_t least, std::uint32_t& into,
               std::string_view prefix = "");
    bool named(Step const& step, std::size_t word, NumberedNames const& names, std::string_view what,
               std::uint32_t& into);
    bool thread_named(Step const& step, std::size_t word, std::uint32_t& into);
    bool object_named(Step const& step, std::size_t word, std::uint32_t& into);
    bool mutex_named(Step const& step, std::size_t word, ObjectId& into);
    bool thread_step(Step const& step, StepRow const& row, std::uint32_t line);
    bool note_creation(Step const& step, std::uint32_t thread);
    bool object_step(Step const& step, std::uint32_t line);
    bool value_of(Step const& step, StepRow const& row, std::uint32_t object, std::int64_t& value);
    bool number_taken(Step const& step, std::size_t word, std::int64_t& value);
    bool token_wait(Step const& step, StepRow const& row, std::int64_t& value);
    bool token_grant(Step const& step, StepRow const& row, std::int64_t& value);
    bool barrier(Step const& step, StepRow const& row, std::uint32_t object, std::int64_t& value);
    bool built_barrier(Step const& step, StepRow const& row, std::uint32_t object, std::int64_t& value);
    bool keeps_locks_right(Step const& step, OperationKind kind, std::uint32_t object);
    bool other_step(Step const& step, StepRow const& row, std::uint32_t line);
    bool other_value(Step const& step, StepRow const& row, std::uint32_t& object, std::int64_t& value);
    bool affinity(Step const& step, std::int64_t& value);

    JsonReader& json_;
    std::string file_;
    StepNames const& names_;
    ThreadProgram& program_;
    std::uint32_t thread_ = 0;  // whose steps are read
    StepList list_ = StepList::usual;
    std::map<std::uint32_t, std::size_t> creations_;  // by created thread: where
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> barrier_numbers_;
    std::map<std::uint32_t, std::uint32_t> held_;  // how often the thread holds a lock
    std::map<std::string, SiteId> sites_on_line_;  // by function
    std::uint32_t line_of_sites_ = 0;
    // Work before the next operation.
    std::int64_t pending_ns_ = 0;
    std::string pending_function_;
    std::uint32_t pending_line_ = 0;
    bool has_pending_work_ = false;
};

}  // namespace parcast
