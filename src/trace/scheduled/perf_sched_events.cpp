#include "trace/scheduled/perf_sched_events.h"

#include <charconv>
#include <limits>

namespace parcast::trace {

namespace {

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

std::string_view trimmed(std::string_view text) {
    auto const begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

// The number at the begin of the text, which is taken off it.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
    Number number = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end == text.data())
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

// "991962.879966" or, with --ns, "991962.879966123".
std::optional<std::int64_t> take_time(std::string_view& text) {
    constexpr std::int64_t second = 1'000'000'000;
    auto const seconds = take_number<std::int64_t>(text);
    if (!seconds || *seconds < 0 || *seconds >= std::numeric_limits<std::int64_t>::max() / second - 1)
        return std::nullopt;
    if (!text.starts_with('.'))
        return std::nullopt;
    text.remove_prefix(1);
    std::int64_t part = 0;
    int digits = 0;
    for (; !text.empty() && is_digit(text.front()) && digits < 9; ++digits, text.remove_prefix(1))
        part = 10 * part + (text.front() - '0');
    if (digits == 0)
        return std::nullopt;
    for (; digits < 9; ++digits)
        part *= 10;
    return *seconds * second + part;
}

// What stands between the key and the next one, which is a name with any letters: "prev_comm=" and
// " prev_pid=".
std::string_view between(std::string_view text, std::string_view key, std::string_view next) {
    auto const begin = text.find(key);
    if (begin == std::string_view::npos)
        return {};
    auto const value = text.substr(begin + key.size());
    return value.substr(0, value.find(next));
}

std::optional<std::uint32_t> number_behind(std::string_view text, std::string_view key) {
    auto const begin = text.find(key);
    if (begin == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(begin + key.size());
    return take_number<std::uint32_t>(text);
}

struct NamedThread {
    std::string_view name;
    std::uint32_t id = 0;
    std::string_view rest;  // behind its priority
};

// "cc1:16881 [120] S": as plug-ins of perf print it. Without a priority, too.
std::optional<NamedThread> short_form(std::string_view text) {
    auto const priority = text.find(" [");
    auto const head = trimmed(text.substr(0, priority));
    auto const colon = head.rfind(':');
    if (colon == std::string_view::npos)
        return std::nullopt;
    auto number = head.substr(colon + 1);
    auto const id = take_number<std::uint32_t>(number);
    if (!id || !number.empty())
        return std::nullopt;
    auto const end = text.find(']');
    return NamedThread{head.substr(0, colon), *id,
                       end == std::string_view::npos ? "" : trimmed(text.substr(end + 1))};
}

bool read_switch(std::string_view arguments, SchedEvent& event) {
    constexpr std::string_view arrow = " ==> ";
    auto const middle = arguments.find(arrow);
    if (middle == std::string_view::npos)
        return false;
    auto const before = arguments.substr(0, middle);
    auto const after = arguments.substr(middle + arrow.size());
    if (auto const previous = number_behind(before, " prev_pid=")) {
        auto const next = number_behind(after, " next_pid=");
        auto const state = between(before, " prev_state=", " ");
        if (!next || state.empty())
            return false;
        event.first = *previous;
        event.first_name = between(before, "prev_comm=", " prev_pid=");
        event.second = *next;
        event.second_name = between(after, "next_comm=", " next_pid=");
        event.state = state.front();
        return true;
    }
    auto const previous = short_form(before);
    auto const next = short_form(after);
    if (!previous || !next || previous->rest.empty())
        return false;
    event.first = previous->id;
    event.first_name = previous->name;
    event.second = next->id;
    event.second_name = next->name;
    event.state = previous->rest.front();
    return true;
}

// Of a thread that is woken, exits or migrates.
bool read_thread(std::string_view arguments, SchedEvent& event) {
    if (auto const id = number_behind(arguments, " pid=")) {
        event.first = *id;
        event.first_name = between(arguments, "comm=", " pid=");
        return true;
    }
    auto const thread = short_form(arguments);
    if (!thread)
        return false;
    event.first = thread->id;
    event.first_name = thread->name;
    return true;
}

bool read_fork(std::string_view arguments, SchedEvent& event) {
    auto const child = number_behind(arguments, " child_pid=");
    if (!child || !read_thread(arguments.substr(0, arguments.find(" child_comm=")), event))
        return false;
    event.second = *child;
    event.second_name = between(arguments, " child_comm=", " child_pid=");
    return true;
}

// What it cannot make sense of is of no kind that matters.
void read_event(std::string_view name, std::string_view arguments, SchedEvent& event) {
    auto const as = [&](SchedEventKind kind, bool is_read) {
        if (is_read)
            event.kind = kind;
    };
    if (name == "sched_switch")
        as(SchedEventKind::switched, read_switch(arguments, event));
    else if (name == "sched_waking" || name == "sched_wakeup" || name == "sched_wakeup_new")
        as(SchedEventKind::woken, read_thread(arguments, event));
    else if (name == "sched_process_fork")
        as(SchedEventKind::forked, read_fork(arguments, event));
    else if (name == "sched_process_exit")
        as(SchedEventKind::exited, read_thread(arguments, event));
    else if (name == "sched_migrate_task")
        as(SchedEventKind::migrated, read_thread(arguments, event));
}

// The place of "[003]" behind the number of the running thread: a name may have brackets, too.
std::optional<std::size_t> bracket_of_cpu(std::string_view line) {
    for (auto at = line.find(" ["); at != std::string_view::npos; at = line.find(" [", at + 1)) {
        auto const before = trimmed(line.substr(0, at));
        auto rest = line.substr(at + 2);
        bool const has_cpu = take_number<std::uint32_t>(rest) && rest.starts_with(']');
        if (has_cpu && !before.empty() && is_digit(before.back()))
            return at;
    }
    return std::nullopt;
}

}  // namespace

std::optional<SchedEvent> sched_event_in(std::string_view line) {
    auto const bracket = bracket_of_cpu(line);
    if (!bracket)
        return std::nullopt;
    SchedEvent event;
    auto const before = trimmed(line.substr(0, *bracket));
    auto const begin = before.find_last_of(" \t");
    if (begin == std::string_view::npos)
        return std::nullopt;
    // "4711", or "4710/4711" where the process is printed, too.
    auto number = before.substr(begin + 1);
    if (auto const slash = number.find('/'); slash != std::string_view::npos)
        number.remove_prefix(slash + 1);
    // A thread that is gone when perf looks at it is ":-1    -1".
    bool const is_gone = number == "-1";
    auto const thread = is_gone ? 0U : take_number<std::uint32_t>(number);
    if (is_gone)
        number = {};
    auto rest = line.substr(*bracket + 2);
    auto const cpu = take_number<std::uint32_t>(rest);
    if (!thread || !number.empty() || !cpu)
        return std::nullopt;
    rest = trimmed(rest.substr(1));
    // Between them some versions print flags of interrupts: "d...".
    while (!rest.empty() && !is_digit(rest.front()) && rest.find(' ') != std::string_view::npos)
        rest = trimmed(rest.substr(rest.find(' ')));
    auto const time = take_time(rest);
    if (!time || !rest.starts_with(':'))
        return std::nullopt;
    rest = trimmed(rest.substr(1));
    // A number of events, which is 1, may stand before the name.
    if (auto const space = rest.find(' '); space != std::string_view::npos && is_digit(rest.front()))
        rest = trimmed(rest.substr(space));
    constexpr std::string_view subsystem = "sched:";
    if (rest.starts_with(subsystem))
        rest.remove_prefix(subsystem.size());
    auto const colon = rest.find(':');
    if (colon == std::string_view::npos)
        return std::nullopt;
    event.time_ns = *time;
    event.cpu = *cpu;
    event.running = *thread;
    event.running_name = trimmed(before.substr(0, begin));
    read_event(rest.substr(0, colon), trimmed(rest.substr(colon + 1)), event);
    return event;
}

}  // namespace parcast::trace
