#include "import/readers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "import/reader_parts.h"
#include "program/task_graph_builder.h"

namespace parcast {

namespace {

constexpr std::uint64_t most_tasks = 100'000'000;

// Precedences that come before the tasks they name.
struct Edge {
    std::uint64_t before;
    TaskGroupId after;
    std::size_t place;
};

// Keeps the first error, and reads zeros from then on.
class StgReader {
public:
    StgReader(std::string_view text, std::string_view file, double unit_ns)
        : text_(text), file_(file), unit_ns_(unit_ns) {}

    Result<TaskGraph> read() {
        auto const tasks = whole("the number of tasks", most_tasks);
        bool const is_prototype = !ends_line();
        if (is_prototype)
            whole("the number of processors", most_tasks);
        read_tasks();
        check_number(tasks, is_prototype);
        connect();
        if (error_)
            return tl::unexpected(*error_);
        return checked_graph(std::move(builder_).finish(), [this](TaskGroupId group) {
            return place_in(text_, place_of_task(group.index()), file_);
        });
    }

private:
    void read_tasks() {
        while (!error_ && skip_to_token()) {
            auto const place = position_;
            auto const id = whole("the number of a task", most_tasks);
            if (builder_.groups() == 0)
                first_id_ = id;
            if (id != first_id_ + builder_.groups() || first_id_ > 1) {
                complain(ErrorCode::inconsistent,
                         builder_.groups() == 0 ? "tasks are numbered from 0 or 1"
                                                : "the task after " + std::to_string(id_of_last()) +
                                                      " is not " + std::to_string(id),
                         place);
            }
            read_task();
        }
    }

    void read_task() {
        auto const time = number("a time");
        auto const group = builder_.add_task(in_ns(time, unit_ns_));
        auto const predecessors = whole("the number of predecessors", most_tasks);
        for (std::uint64_t index = 0; index < predecessors && !error_; ++index) {
            if (ends_line()) {
                complain(ErrorCode::malformed,
                         "the line ends before its " + std::to_string(predecessors) +
                             (predecessors == 1 ? " predecessor" : " predecessors"),
                         position_);
                break;
            }
            auto const place = position_;
            edges_.push_back({whole("a predecessor", most_tasks), group, place});
        }
        if (!error_ && !ends_line())
            complain(ErrorCode::malformed,
                     "the line goes on after the last of " + std::to_string(predecessors) +
                         (predecessors == 1 ? " predecessor" : " predecessors"),
                     position_);
    }

    // Each has a line, behind the first one.
    std::size_t place_of_task(std::size_t index) {
        position_ = 0;
        for (std::size_t line = 0; line <= index && skip_to_token(); ++line)
            position_ = std::min(text_.find('\n', position_), text_.size());
        skip_to_token();
        return position_;
    }

    std::uint64_t id_of_last() const { return first_id_ + builder_.groups() - 1; }

    void check_number(std::uint64_t tasks, bool is_prototype) {
        auto const found = builder_.groups();
        bool const is_right = is_prototype ? found >= tasks && found <= tasks + 2 : found == tasks + 2;
        if (!error_ && !is_right) {
            complain(found < tasks ? ErrorCode::truncated : ErrorCode::inconsistent,
                     "the first line says " + std::to_string(tasks) + " tasks" +
                         (is_prototype ? "" : " and two dummies") + ", and there are lines for " +
                         std::to_string(found),
                     position_);
        }
    }

    void connect() {
        for (auto const& edge : edges_) {
            if (error_)
                return;
            if (edge.before < first_id_ || edge.before > id_of_last()) {
                complain(ErrorCode::not_found, "there is no task " + std::to_string(edge.before), edge.place);
                return;
            }
            builder_.precede(TaskGroupId(edge.before - first_id_), edge.after);
        }
    }

    // To the next number, over lines that are empty or comments. False at the end.
    bool skip_to_token() {
        while (position_ < text_.size()) {
            char const letter = text_[position_];
            if (letter == '#')
                position_ = std::min(text_.find('\n', position_), text_.size());
            else if (letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n')
                ++position_;
            else
                return true;
        }
        return false;
    }

    void skip_blanks() {
        while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t'))
            ++position_;
    }

    bool ends_line() {
        skip_blanks();
        return position_ == text_.size() || text_[position_] == '\n' || text_[position_] == '\r' ||
               text_[position_] == '#';
    }

    std::uint64_t whole(char const* what, std::uint64_t most) {
        std::uint64_t value = 0;
        auto const place = token_start();
        if (!convert(value, what))
            return 0;
        if (value > most)
            complain(ErrorCode::out_of_range, std::string(what) + " is over " + std::to_string(most), place);
        return error_ ? 0 : value;
    }

    double number(char const* what) {
        double value = 0;
        auto const place = token_start();
        if (!convert(value, what))
            return 0;
        if (!(value >= 0 && value * unit_ns_ <= 1e18))
            complain(ErrorCode::out_of_range, std::string(what) + " is negative or over 31 years", place);
        return error_ ? 0 : value;
    }

    std::size_t token_start() {
        skip_to_token();
        return position_;
    }

    template <class Number>
    bool convert(Number& value, char const* what) {
        auto const place = position_;
        auto const rest = text_.substr(position_);
        auto const end = std::min(rest.find_first_of(" \t\r\n#"), rest.size());
        auto const read = std::from_chars(rest.data(), rest.data() + end, value);
        if (error_)
            return false;
        if (read.ec != std::errc() || read.ptr != rest.data() + end || end == 0) {
            complain(rest.empty() ? ErrorCode::truncated : ErrorCode::malformed,
                     std::string("expected ") + what, place);
            return false;
        }
        position_ += end;
        return true;
    }

    void complain(ErrorCode code, std::string message, std::size_t place) {
        if (!error_)
            error_ = Error{code, std::move(message), place_in(text_, place, file_)};
    }

    std::string_view text_;
    std::string file_;
    double unit_ns_;
    std::size_t position_ = 0;
    std::uint64_t first_id_ = 0;
    TaskGraphBuilder builder_;
    std::vector<Edge> edges_;
    std::optional<Error> error_;
};

}  // namespace

Result<TaskGraph> task_graph_from_stg(std::string_view text, std::string_view file, double unit_ns) {
    return StgReader(text, file, unit_ns).read();
}

}  // namespace parcast
