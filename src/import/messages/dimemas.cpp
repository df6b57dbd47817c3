#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/counted.h"
#include "import/messages/dimemas_records.h"
#include "import/messages/message_readers.h"
#include "import/messages/pending_requests.h"
#include "import/reader_parts.h"
#include "program/collectives/collective_algorithm.h"
#include "program/message_program_builder.h"
#include "program/step_program.h"

namespace parcast {

namespace {

using dimemas::CallBytes;
using dimemas::Record;

constexpr std::uint32_t most_threads = 256;  // a CPU each

struct DimemasLine {
    std::size_t begin = 0;
    std::uint32_t number = 0;  // the header's is 1
};

struct DimemasCommunicator {
    std::uint32_t number = 0;  // among those of the program; 0: all ranks
    std::uint32_t size = 0;
    std::vector<std::uint32_t> roots = {};  // of its calls, in their order; any_peer: none was the root
};

// Keeps the first error; each part says whether there is none.
class DimemasReader {
public:
    DimemasReader(std::string_view text, std::string_view file) : text_(text), file_(file) {}

    Result<MessageProgram> read() {
        if (!read_header() || !find_lines() || !find_roots() || !read_ranks())
            return tl::unexpected<Error>(std::move(*error_));
        auto program = std::move(builder_).finish();
        program.name = name_;
        if (communicator_ranks_.size() > 1)
            program.communicators = std::move(communicator_ranks_);
        program.assumptions.assign(assumptions_.begin(), assumptions_.end());
        if (auto const checked = check(program); !checked)
            return fail(checked.error().code, checked.error().message,
                        {.file = file_, .line = {}, .column = {}, .byte_offset = {}});
        return program;
    }

private:
    // #DIMEMAS:"name":H[,OFFSET]:T(n_0,...,n_T-1),C[,...]
    bool read_header() {
        if (!text_.starts_with(dimemas::mark))
            return complain(ErrorCode::malformed, "expected #DIMEMAS:\"name\"");
        auto const line = text_.substr(0, text_.find('\n'));
        auto const name_end = line.find('"', dimemas::mark.size() + 1);
        if (line.size() <= dimemas::mark.size() || line[dimemas::mark.size()] != '"' ||
            name_end == std::string_view::npos)
            return complain(ErrorCode::malformed, "expected the name of the trace in \"\"",
                            dimemas::mark.size());
        name_ = line.substr(dimemas::mark.size() + 1, name_end - dimemas::mark.size() - 1);
        auto const has_table = line.find(':', name_end);
        auto const tasks = has_table == std::string_view::npos ? has_table : line.find(':', has_table + 1);
        if (tasks == std::string_view::npos)
            return complain(ErrorCode::malformed,
                            "expected whether there is a table of offsets, and the tasks",
                            std::min(name_end + 1, line.size()));
        return read_tasks(tasks + 1);
    }

    bool read_tasks(std::size_t place) {
        std::uint64_t tasks = 0;
        if (!number_at(place, tasks, most_ranks, "the number of tasks"))
            return false;
        if (tasks == 0)
            return complain(ErrorCode::out_of_range, "a trace has one task or more", place);
        for (std::uint64_t task = 0; task < tasks; ++task) {
            if (place >= text_.size() || text_[place] != (task == 0 ? '(' : ','))
                return complain(
                    ErrorCode::malformed,
                    "expected the numbers of threads of " + counted(static_cast<std::int64_t>(tasks), "task"),
                    place);
            std::uint64_t threads = 0;
            if (!number_at(++place, threads, most_threads, "the number of threads of a task"))
                return false;
            threads_.push_back(static_cast<std::uint32_t>(threads));
            if (threads > 1)
                assumptions_.insert(
                    "the threads of a task are CPUs of its rank, and do not wait for each other");
        }
        if (place >= text_.size() || text_[place] != ')')
            return complain(ErrorCode::malformed, "expected ) after the numbers of threads", place);
        communicator_ranks_.emplace_back();
        lines_.resize(threads_.size());
        return true;
    }

    // Records by task, and definitions, which may stand anywhere.
    bool find_lines() {
        std::uint32_t number = 2;
        for (auto begin = std::min(text_.find('\n'), text_.size()) + 1; begin < text_.size(); ++number) {
            split_line(begin);
            if (!fields_.empty() && !(is_record() ? keep_record({begin, number}) : read_other()))
                return false;
            begin = std::min(text_.find('\n', begin), text_.size()) + 1;
        }
        return true;
    }

    void split_line(std::size_t begin) {
        line_ = begin;
        auto line = text_.substr(begin, text_.find('\n', begin) - begin);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        fields_.clear();
        while (!line.empty()) {
            auto const end = std::min(line.find(':'), line.size());
            fields_.push_back(line.substr(0, end));
            line.remove_prefix(std::min(end + 1, line.size()));
        }
    }

    bool is_record() const { return !fields_[0].empty() && fields_[0][0] >= '0' && fields_[0][0] <= '9'; }

    bool keep_record(DimemasLine line) {
        std::uint64_t task = 0;
        if (!whole(1, task, any_peer, "a task") || !is_task(1, task))
            return false;
        lines_[task].push_back(line);
        return true;
    }

    bool is_task(std::size_t field, std::uint64_t task) {
        return task < threads_.size() ||
               complain_of(ErrorCode::not_found,
                           "there is no task " + std::to_string(task) + "; the last one is task " +
                               std::to_string(threads_.size() - 1),
                           field);
    }

    // d:1:COMMUNICATOR:SIZE:TASK:...; other definitions, offsets and comments are not needed.
    bool read_other() {
        if (fields_[0].starts_with("#") || fields_[0] == "s")
            return true;
        if (fields_[0] != "d")
            return complain(ErrorCode::malformed, "expected a record, a definition or offsets", line_);
        if (fields_.size() < 2 || fields_[1] != "1")
            return true;
        std::uint64_t id = 0;
        std::uint64_t size = 0;
        if (!whole(2, id, any_peer, "a communicator") || !whole(3, size, most_ranks, "a number of tasks"))
            return false;
        if (size + 4 != fields_.size())
            return complain_of(ErrorCode::inconsistent,
                               "the communicator has " + std::to_string(size) + " tasks, and " +
                                   std::to_string(fields_.size() - 4) + " are listed",
                               3);
        std::vector<std::uint32_t> tasks;
        bool is_all = size == threads_.size();
        for (std::size_t each = 0; each < size; ++each) {
            std::uint64_t task = 0;
            if (!whole(each + 4, task, any_peer, "a task") || !is_task(each + 4, task))
                return false;
            is_all = is_all && task == each;
            tasks.push_back(static_cast<std::uint32_t>(task));
        }
        if (auto sorted = tasks;
            std::ranges::sort(sorted), std::ranges::adjacent_find(sorted) != sorted.end())
            return complain_of(ErrorCode::inconsistent, "the communicator has a task twice", 3);
        DimemasCommunicator communicator{.size = static_cast<std::uint32_t>(size)};
        if (!is_all) {
            communicator.number = static_cast<std::uint32_t>(communicator_ranks_.size());
            communicator_ranks_.push_back(std::move(tasks));
        }
        if (!communicators_.emplace(static_cast<std::uint32_t>(id), communicator).second)
            return complain_of(ErrorCode::inconsistent,
                               "communicator " + std::to_string(id) + " is defined twice", 2);
        return true;
    }

    // A call says only whether its own task is the root. The calls of a communicator have the same order in
    // all of its tasks, so that they are counted.
    bool find_roots() {
        for (std::uint32_t task = 0; task < lines_.size(); ++task) {
            std::map<std::uint32_t, std::size_t> calls;
            for (auto const& [begin, number] : lines_[task]) {
                if (text_.substr(begin).starts_with("2:") || text_.substr(begin).starts_with("3:"))
                    note_communicator(begin);
                if (!text_.substr(begin).starts_with("10:"))
                    continue;
                split_line(begin);
                std::uint64_t id = 0;
                if (!whole(4, id, any_peer, "a communicator"))
                    return false;
                auto const found = communicators_.find(static_cast<std::uint32_t>(id));
                if (found == communicators_.end())
                    return complain_of(ErrorCode::not_found, "there is no communicator " + std::to_string(id),
                                       4);
                auto& roots = found->second.roots;
                auto const call = calls[static_cast<std::uint32_t>(id)]++;
                if (call >= roots.size())
                    roots.resize(call + 1, any_peer);
                // Without a root some traces have -1.
                std::uint64_t root = 0;
                if (fields_.size() > 5 && fields_[5] != "-1" && !whole(5, root, any_peer, "a root"))
                    return false;
                if (root == 1)
                    roots[call] = task;
            }
        }
        if (message_communicators_.size() > 1)
            assumptions_.insert(
                "messages of different communicators have different tags, which are not the trace's");
        return true;
    }

    void note_communicator(std::size_t begin) {
        split_line(begin);
        if (fields_.size() >= 2)
            message_communicators_.insert(std::string(fields_[fields_.size() - 2]));
    }

    bool read_ranks() {
        for (task_ = 0; task_ < lines_.size(); ++task_) {
            orders_.assign(threads_[task_], CallingOrder(builder_));
            pending_.assign(threads_[task_], {});
            calls_.clear();
            for (auto const& line : lines_[task_]) {
                split_line(line.begin);
                line_number_ = line.number;
                if (!read_record())
                    return false;
            }
            builder_.end_rank();
        }
        return true;
    }

    bool read_record() {
        std::uint64_t kind = 0;
        std::uint64_t thread = 0;
        if (!whole(0, kind, 255, "the number of a record") || !whole(2, thread, any_peer, "a thread"))
            return false;
        if (thread >= threads_[task_])
            return complain_of(ErrorCode::not_found,
                               "task " + std::to_string(task_) + " has no thread " + std::to_string(thread),
                               2);
        if (builder_.operations() >= most_operations)
            return complain(ErrorCode::out_of_range, "these are more operations than parcast can keep",
                            line_);
        thread_ = static_cast<std::uint32_t>(thread);
        switch (static_cast<Record>(kind)) {
            case Record::nothing:
            case Record::event: return true;
            case Record::gpu_burst:
                assumptions_.insert("a burst of a GPU keeps the CPU of its rank");
                return read_burst();
            case Record::burst: return read_burst();
            case Record::send: return read_send();
            case Record::receive: return read_receive();
            case Record::collective: return read_collective();
        }
        return complain_of(ErrorCode::unsupported,
                           "record " + std::to_string(kind) + " is none that parcast reads", 0);
    }

    // A burst of no length stands only between others.
    bool read_burst() {
        double seconds = 0;
        if (!has_field(3, "a time in seconds"))
            return false;
        auto const field = fields_[3];
        auto const read = std::from_chars(field.data(), field.data() + field.size(), seconds);
        if (read.ec != std::errc() || read.ptr != field.data() + field.size() || std::isnan(seconds))
            return complain_of(ErrorCode::malformed, "expected a time in seconds", 3);
        if (seconds < 0 || seconds > 1e9)
            return complain_of(ErrorCode::out_of_range, "a time is negative or over 31 years", 3);
        auto const ns = static_cast<std::uint64_t>(std::llround(seconds * 1e9));
        if (ns > 0)
            order().run(on_cpu({.operation = MessageOperation::calc, .amount = ns}));
        return true;
    }

    // task:bytes:tag:communicator:how, perhaps with a thread behind the task.
    struct Message {
        MessageStep step;
        std::uint64_t how = 0;
    };
    bool read_message(Message& message, MessageOperation operation, std::uint64_t most_how) {
        bool const has_thread = fields_.size() == 9;
        if (fields_.size() != 8 && !has_thread)
            return complain(ErrorCode::malformed,
                            "expected eight or nine fields, and there are " + std::to_string(fields_.size()),
                            line_);
        std::size_t const next = has_thread ? 5 : 4;
        message.step = on_cpu({.operation = operation});
        std::uint64_t peer = any_peer;
        bool const is_any = operation == MessageOperation::receive && fields_[3] == "-1";
        if (!is_any && (!whole(3, peer, any_peer, "a task") || !is_task(3, peer)))
            return false;
        message.step.peer = static_cast<std::uint32_t>(peer);
        return whole(next, message.step.amount, most_amount, "a number of bytes") &&
               read_tag(next + 1, message.step) && whole(next + 3, message.how, most_how, "how it is done");
    }

    bool read_tag(std::size_t field, MessageStep& step) {
        std::uint64_t tag = any_tag;
        bool const is_any = step.operation == MessageOperation::receive && fields_[field] == "-1";
        if (!is_any && !whole(field, tag, any_tag - 1, "a tag"))
            return false;
        if (message_communicators_.size() > 1) {
            if (is_any)
                return complain_of(ErrorCode::unsupported,
                                   "a receive of any tag, where messages have several communicators", field);
            auto const next = static_cast<std::uint32_t>(tags_.size());
            tag = tags_.try_emplace({std::string(fields_[field + 1]), tag}, next).first->second;
        }
        step.tag = static_cast<std::uint32_t>(tag);
        return true;
    }

    bool read_send() {
        Message message;
        if (!read_message(message, MessageOperation::send, dimemas::synchronous_bit | dimemas::immediate_bit))
            return false;
        message.step.is_synchronous = (message.how & dimemas::synchronous_bit) != 0;
        if ((message.how & dimemas::immediate_bit) != 0)
            order().start(message.step);
        else
            order().run(message.step);
        return true;
    }

    bool read_receive() {
        Message message;
        if (!read_message(message, MessageOperation::receive,
                          static_cast<std::uint64_t>(dimemas::Receive::wait)))
            return false;
        PendingRequests::Key const key{message.step.peer, task_, message.step.tag};
        switch (static_cast<dimemas::Receive>(message.how)) {
            case dimemas::Receive::blocking: order().run(message.step); break;
            case dimemas::Receive::immediate: pending_[thread_].add(key, order().start(message.step)); break;
            case dimemas::Receive::wait:
                auto const operation = pending_[thread_].take(key);
                if (!operation)
                    return complain(ErrorCode::not_found,
                                    "task " + std::to_string(task_) +
                                        " waits for a receive that it has not started before",
                                    line_);
                order().wait(*operation);
                break;
        }
        return true;
    }

    bool read_collective() {
        std::uint64_t operation = 0;
        std::uint64_t id = 0;
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
        if (!whole(3, operation, dimemas::collective_rows.size() - 1, "a collective operation") ||
            !whole(4, id, any_peer, "a communicator") || !whole(7, sent, most_amount, "a number of bytes") ||
            !whole(8, received, most_amount, "a number of bytes"))
            return false;
        auto const& communicator = communicators_.at(static_cast<std::uint32_t>(id));  // find_roots
        auto const& row = dimemas::collective_rows[operation];
        CollectiveCall call{.kind = row.kind, .communicator = communicator.number};
        auto const root = communicator.roots[calls_[static_cast<std::uint32_t>(id)]++];
        switch (row.bytes) {
            case CallBytes::none: break;
            case CallBytes::buffer: call.sent_bytes = std::max(sent, received); break;
            case CallBytes::sent: call.sent_bytes = sent; break;
            case CallBytes::received: call.received_bytes = received; break;
            case CallBytes::sent_to_all:
                call.sent_bytes = sent / std::max(1U, communicator.size);
                assumptions_.insert(
                    "an alltoallv or alltoallw sends the same to each rank: the trace has the sum");
                break;
        }
        if (row_of(row.kind).has_root) {
            if (root == any_peer)
                return complain(ErrorCode::inconsistent,
                                "no task is the root of this collective operation; the field after the "
                                "communicator is 1 for one task",
                                line_);
            call.root = root;
        }
        auto const called =
            order().run(on_cpu({.operation = MessageOperation::collective, .amount = builder_.call(call)}));
        builder_.note_line(called, line_number_);
        return true;
    }

    CallingOrder& order() { return orders_[thread_]; }

    MessageStep on_cpu(MessageStep step) const {
        step.cpu = static_cast<std::uint8_t>(thread_);
        return step;
    }

    bool has_field(std::size_t field, char const* what) {
        return field < fields_.size() ||
               complain(ErrorCode::malformed, std::string("the line ends before ") + what, line_);
    }

    bool whole(std::size_t field, std::uint64_t& value, std::uint64_t most, char const* what) {
        if (!has_field(field, what))
            return false;
        auto const text = fields_[field];
        auto const read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (read.ec == std::errc::invalid_argument || read.ptr != text.data() + text.size())
            return complain_of(ErrorCode::malformed, std::string("expected ") + what, field);
        if (read.ec != std::errc() || value > most)
            return complain_of(ErrorCode::out_of_range,
                               std::string(what) + " is over " + std::to_string(most), field);
        return true;
    }

    // The number that starts there; goes behind it.
    bool number_at(std::size_t& place, std::uint64_t& value, std::uint64_t most, char const* what) {
        auto const rest = text_.substr(std::min(place, text_.size()));
        auto const read = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        if (read.ec == std::errc::invalid_argument)
            return complain(ErrorCode::malformed, std::string("expected ") + what, place);
        if (read.ec != std::errc() || value > most)
            return complain(ErrorCode::out_of_range, std::string(what) + " is over " + std::to_string(most),
                            place);
        place += static_cast<std::size_t>(read.ptr - rest.data());
        return true;
    }

    bool complain_of(ErrorCode code, std::string message, std::size_t field) {
        return complain(code, std::move(message),
                        static_cast<std::size_t>(fields_[field].data() - text_.data()));
    }

    bool complain(ErrorCode code, std::string message, std::size_t place = 0) {
        error_ = Error{code, std::move(message), place_in(text_, place, file_)};
        return false;
    }

    std::string_view text_;
    std::string file_;
    std::string name_;
    std::vector<std::uint32_t> threads_;           // by task
    std::vector<std::vector<DimemasLine>> lines_;  // by task
    std::map<std::uint32_t, DimemasCommunicator> communicators_;
    std::vector<std::vector<std::uint32_t>> communicator_ranks_;
    std::set<std::string> message_communicators_;
    std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> tags_;  // where they are not the trace's
    MessageProgramBuilder builder_;
    std::set<std::string> assumptions_;
    std::optional<Error> error_;

    // What is being read.
    std::size_t line_ = 0;
    std::uint32_t line_number_ = 0;
    std::vector<std::string_view> fields_;
    std::uint32_t task_ = 0;
    std::uint32_t thread_ = 0;
    std::vector<CallingOrder> orders_;      // by thread
    std::vector<PendingRequests> pending_;  // by thread
    std::map<std::uint32_t, std::size_t> calls_;
};

}  // namespace

Result<MessageProgram> messages_from_dimemas(std::string_view text, std::string_view file) {
    return DimemasReader(text, file).read();
}

}  // namespace parcast
