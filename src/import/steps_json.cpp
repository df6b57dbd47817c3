#include "import/steps_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "core/suggestion.h"
#include "import/json_reader.h"
#include "import/json_text.h"
#include "import/reader_parts.h"
#include "program/message_program.h"

namespace parcast {

namespace {

constexpr std::string_view steps_schema = "parcast.steps/1";
constexpr auto program_keys =
    std::to_array<std::string_view>({"schema", "name", "ranks", "unit", "assumptions", "steps"});
constexpr auto step_keys = std::to_array<std::string_view>({"compute", "messages"});
constexpr double longest_computation_ns = 9.2e18;
// As many times as fit into a few gigabytes.
constexpr std::size_t most_times = 500'000'000;

std::string in_quotes(std::string_view word) {
    return "\"" + std::string(word) + "\"";
}

class StepsReader {
public:
    StepsReader(std::string text, std::string_view file) : file_(file), json_(std::move(text), file) {}

    Result<StepProgram> read() {
        if (!read_head() || !read_steps())
            return fail(json_.error());
        return std::move(program_);
    }

private:
    using Value = JsonReader::Value;

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

    // All but the steps, which need the ranks and the unit.
    bool read_head() {
        std::uint32_t seen = 0;
        bool has_ranks = false;
        bool has_steps = false;
        return json_.each_field_of_root([&](std::string_view key, Value value) {
            has_ranks = has_ranks || key == "ranks";
            has_steps = has_steps || key == "steps";
            return once(key, program_keys, seen, "a program of steps") && head_field(key, value);
        }) && (has_ranks || complain("a program of steps needs \"ranks\"", 0)) &&
               (has_steps || complain("a program of steps needs \"steps\"", 0));
    }

    bool head_field(std::string_view key, Value value) {
        auto const at = json_.place();
        if (key == "schema") {
            std::string_view schema;
            return json_.string(value, schema) &&
                   (schema == steps_schema ||
                    complain("this version of parcast reads " + in_quotes(steps_schema) + ", not " +
                                 in_quotes(schema),
                             at, ErrorCode::unsupported));
        }
        if (key == "name")
            return read_text(value, program_.name);
        if (key == "ranks")
            return read_ranks(value, at);
        if (key == "unit")
            return read_unit(value, at);
        if (key == "assumptions")
            return json_.each_element(value, [&](Value sentence) {
                return read_text(sentence, program_.assumptions.emplace_back());
            });
        return true;  // the steps
    }

    bool read_text(Value value, std::string& into) {
        std::string_view text;
        if (!json_.string(value, text))
            return false;
        into = text;
        return true;
    }

    bool read_ranks(Value value, std::size_t at) {
        std::uint64_t ranks = 0;
        if (!json_.index(value, ranks))
            return false;
        if (ranks == 0 || ranks > most_ranks)
            return complain(
                "there are 1 to " + std::to_string(most_ranks) + " ranks, not " + std::to_string(ranks), at,
                ErrorCode::out_of_range);
        program_.ranks = static_cast<std::uint32_t>(ranks);
        return true;
    }

    bool read_unit(Value value, std::size_t at) {
        std::string_view word;
        if (!json_.string(value, word))
            return false;
        auto const unit = unit_ns(word);
        unit_ns_ = unit.value_or(1);
        return unit || complain("the unit is " + std::string(time_units) + ", not " + in_quotes(word), at);
    }

    bool read_steps() {
        return json_.each_field_of_root([&](std::string_view key, Value value) {
            return key != "steps" || json_.each_element(value, [&](Value step) { return read_step(step); });
        });
    }

    bool read_step(Value step) {
        std::uint32_t seen = 0;
        auto const first_time = program_.compute_ns.size();
        if (first_time + program_.ranks > most_times)
            return complain("there are more than " + std::to_string(most_times) + " times of ranks and steps",
                            json_.place(), ErrorCode::out_of_range);
        program_.compute_ns.resize(first_time + program_.ranks, 0);
        bool const is_read = json_.each_field(step, [&](std::string_view key, Value value) {
            if (!once(key, step_keys, seen, "a step"))
                return false;
            if (key == "compute")
                return read_compute(value, std::span(program_.compute_ns).subspan(first_time));
            return json_.each_element(value, [&](Value message) { return read_message(message); });
        });
        program_.first_message.push_back(program_.messages.size());
        return is_read;
    }

    // A list by rank, or one time for all.
    bool read_compute(Value value, std::span<std::int64_t> times) {
        if (JsonReader::is_number(value)) {
            std::int64_t ns = 0;
            if (!read_time(value, ns))
                return false;
            std::ranges::fill(times, ns);
            return true;
        }
        auto const at = json_.place();
        std::size_t rank = 0;
        return json_.each_element(value, [&](Value time) {
            return rank < times.size() ? read_time(time, times[rank++]) : too_many_or_few(at);
        }) && (rank == times.size() || too_many_or_few(at));
    }

    bool too_many_or_few(std::size_t at) {
        return complain("\"compute\" needs a time for each of " + std::to_string(program_.ranks) +
                            " ranks, or one number for all",
                        at, ErrorCode::inconsistent);
    }

    bool read_time(Value value, std::int64_t& into) {
        auto const at = json_.place();
        double time = 0;
        if (!json_.number(value, time))
            return false;
        auto const ns = in_ns(time, unit_ns_);
        if (!(ns >= 0 && ns < longest_computation_ns))
            return complain("a time is from 0 to 292 years", at, ErrorCode::out_of_range);
        into = std::llround(ns);
        return true;
    }

    bool read_message(Value value) {
        auto const at = json_.place();
        std::array<std::uint64_t, 3> numbers{};
        std::size_t count = 0;
        auto const malformed = [&] {
            return complain("a message is [from, to, bytes], such as [0, 3, 101]", at);
        };
        if (!json_.each_element(value, [&](Value number) {
                return count < numbers.size() ? json_.index(number, numbers[count++]) : malformed();
            }))
            return false;
        if (count < numbers.size())
            return malformed();
        auto const [from, to, bytes] = numbers;
        for (auto const rank : {from, to})
            if (rank >= program_.ranks)
                return complain("there is no rank " + std::to_string(rank) + ": the last one is " +
                                    std::to_string(program_.ranks - 1),
                                at, ErrorCode::out_of_range);
        if (from == to)
            return complain("rank " + std::to_string(from) +
                                " sends a message to itself; leave it out, or add its time to \"compute\"",
                            at, ErrorCode::inconsistent);
        if (bytes > most_amount)
            return complain("a message has at most 2^62 bytes", at, ErrorCode::out_of_range);
        program_.messages.push_back(
            {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), bytes});
        return true;
    }

    std::string file_;
    JsonReader json_;
    StepProgram program_;
    double unit_ns_ = 1;
};

}  // namespace

bool is_steps_json(std::string_view head) {
    auto const has = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
    auto const start = head.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos || head[start] != '{')
        return false;
    return has("\"parcast.steps/") || (has("\"ranks\"") && has("\"steps\"") && !has("\"parcast."));
}

Result<StepProgram> steps_from_json(std::string text, std::string_view file) {
    return StepsReader(std::move(text), file).read();
}

std::string to_steps_json(StepProgram const& program) {
    std::string text = "{\n  \"schema\": " + in_quotes(steps_schema);
    if (!program.name.empty())
        text += ",\n  \"name\": " + json_text(program.name);
    text += ",\n  \"unit\": \"ns\",\n  \"ranks\": " + std::to_string(program.ranks);
    if (!program.assumptions.empty()) {
        text += ",\n  \"assumptions\": [";
        for (auto const& sentence : program.assumptions)
            text += (text.ends_with('[') ? "\n    " : ",\n    ") + json_text(sentence);
        text += "\n  ]";
    }
    text += ",\n  \"steps\": [";
    for (std::size_t step = 0; step < program.steps(); ++step) {
        text += step == 0 ? "\n    {\"compute\": [" : ",\n    {\"compute\": [";
        for (auto const ns : program.compute_of(step))
            text += (text.ends_with('[') ? "" : ", ") + std::to_string(ns);
        text += "], \"messages\": [";
        for (auto const& [from, to, bytes] : program.messages_of(step)) {
            text += text.ends_with('[') ? "[" : ", [";
            text += std::to_string(from) + ", " + std::to_string(to) + ", " + std::to_string(bytes) + ']';
        }
        text += "]}";
    }
    return text + "\n  ]\n}\n";
}

}  // namespace parcast
