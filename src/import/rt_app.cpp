#include "import/rt_app.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "import/json_text.h"
#include "import/rt_app_tasks.h"

namespace parcast {

namespace {

constexpr std::size_t widest_line = 100;
constexpr std::size_t longest_loop = 64;  // events that are looked at for a repetition
constexpr std::size_t fewest_saved = 4;   // events, for which a phase of its own is worth its lines

struct Phase {
    std::span<RtAppEvent const> events;
    std::size_t loop = 1;
};

// The longest repetition of what comes first; loop 1: there is none that is worth it.
Phase repetition(std::span<RtAppEvent const> events) {
    Phase best{events.first(1), 1};
    std::size_t most_saved = fewest_saved - 1;
    for (std::size_t length = 1; length <= longest_loop && 2 * length <= events.size(); ++length) {
        std::size_t same = 0;
        while (same + length < events.size() && events[same] == events[same + length])
            ++same;
        auto const saved = same / length * length;
        if (saved > most_saved) {
            most_saved = saved;
            best = {events.first(length), 1 + same / length};
        }
    }
    return best;
}

std::vector<Phase> phases_of(std::span<RtAppEvent const> events) {
    std::vector<Phase> phases;
    std::size_t written = 0;
    std::size_t next = 0;
    auto const write_up_to = [&](std::size_t end) {
        if (end > written)
            phases.push_back({events.subspan(written, end - written)});
        written = end;
    };
    while (next < events.size()) {
        auto const found = repetition(events.subspan(next));
        if (found.loop > 1) {
            write_up_to(next);
            phases.push_back(found);
            written += found.events.size() * found.loop;
        }
        next += found.events.size() * found.loop;
    }
    write_up_to(events.size());
    return phases;
}

bool is_duration(RtAppWord word) {
    return word == RtAppWord::run || word == RtAppWord::sleep;
}

class RtAppWriter {
public:
    explicit RtAppWriter(RtAppTasks const& tasks) : tasks_(tasks) {}

    RtAppWorkload write() {
        workload_.text =
            "{\n \"global\": {\"duration\": -1, \"calibration\": \"CPU0\", "
            "\"default_policy\": \"SCHED_OTHER\", \"lock_pages\": false,\n"
            "  \"log_size\": \"disable\"},\n";
        write_mutexes();
        add(" \"tasks\": {");
        for (RtAppTask const& task : tasks_.tasks) {
            add(workload_.tasks++ == 0 ? "\n  " : ",\n  ");
            write_task(task);
        }
        add("\n }\n}\n");
        workload_.notes = tasks_.notes;
        return std::move(workload_);
    }

private:
    // rt-app declares no other resources that we use.
    void write_mutexes() {
        std::set<std::int64_t> mutexes;
        for (RtAppTask const& task : tasks_.tasks)
            for (RtAppStretch const& stretch : task.stretches)
                for (RtAppEvent const event : stretch.events)
                    if (event.word == RtAppWord::lock)
                        mutexes.insert(event.value);
        add(" \"resources\": {");
        bool is_first = true;
        for (auto const mutex : mutexes) {
            add(is_first ? "\n  " : ",\n  ");
            add(resource(mutex) + ": {\"type\": \"mutex\"}");
            is_first = false;
        }
        add(is_first ? "},\n" : "\n },\n");
    }

    // Phases name the CPUs, not the task: without a name they are all.
    void write_task(RtAppTask const& task) {
        add(json_text(task.name) + ": {");
        if (!task.runs)
            add("\"instance\": 0, ");
        if (auto const priority = task.stretches.front().priority; priority && *priority != Priority{})
            add(policy(*priority));
        add("\"loop\": 1, \"phases\": {");
        std::size_t number = 0;
        for (RtAppStretch const& stretch : task.stretches) {
            auto const phases = phases_of(stretch.events);
            for (std::size_t i = 0; i < phases.size(); ++i) {
                add(number == 0 ? "\n   " : ",\n   ");
                auto const changed = i == 0 && number > 0 ? stretch.priority : std::nullopt;
                write_phase(phases[i], number++, stretch.cpus, changed);
            }
        }
        add("\n  }}");
    }

    void write_phase(Phase const& phase, std::size_t number, RtAppCpus cpus,
                     std::optional<Priority> priority) {
        line_begin_ = workload_.text.size();
        add("\"phase" + std::to_string(number) + "\": {");
        if (cpus.bits != 0)
            add("\"cpus\": [" + cpus_text(cpus) + "], ");
        if (priority)
            add(policy(*priority));
        if (phase.loop > 1)
            add("\"loop\": " + std::to_string(phase.loop) + ", ");
        for (std::size_t i = 0; i < phase.events.size(); ++i)
            write_event(phase.events[i], i);
        add("}");
        workload_.events += phase.events.size();
    }

    void write_event(RtAppEvent event, std::size_t number) {
        auto const text = '"' + std::string(rt_app_words[static_cast<std::size_t>(event.word)]) +
                          std::to_string(number) + "\": " + value_text(event);
        bool const is_full = workload_.text.size() - line_begin_ + text.size() + 2 > widest_line;
        if (number > 0)
            add(is_full ? ",\n    " : ", ");
        if (number > 0 && is_full)
            line_begin_ = workload_.text.size();
        add(text);
    }

    std::string value_text(RtAppEvent event) const {
        if (event.word == RtAppWord::timer)
            return R"({"ref": "unique", "mode": "absolute", "period": )" + std::to_string(event.value) + '}';
        if (event.word == RtAppWord::yield)
            return "\"\"";
        return is_duration(event.word) ? std::to_string(event.value) : resource(event.value);
    }

    // Of fair threads the priority is the nice value.
    static std::string policy(Priority priority) {
        std::string_view const name = priority.scheduling_class == SchedulingClass::fair ? "SCHED_OTHER"
                                      : priority.takes_turns                             ? "SCHED_RR"
                                                                                         : "SCHED_FIFO";
        return "\"policy\": \"" + std::string(name) + "\", \"priority\": " + std::to_string(priority.level) +
               ", ";
    }

    static std::string cpus_text(RtAppCpus cpus) {
        std::string text;
        for (std::uint32_t bit = 0; bit < 64; ++bit)
            if ((cpus.bits >> bit & 1) != 0)
                text += (text.empty() ? "" : ", ") + std::to_string(64 * cpus.word + bit);
        return text;
    }

    std::string resource(std::int64_t number) const {
        return json_text(tasks_.resources[static_cast<std::size_t>(number)]);
    }

    void add(std::string_view text) { workload_.text += text; }

    RtAppTasks const& tasks_;
    RtAppWorkload workload_;
    std::size_t line_begin_ = 0;
};

}  // namespace

Result<RtAppWorkload> to_rt_app(ThreadProgram const& program) {
    auto const tasks = rt_app_tasks(program);
    if (!tasks)
        return pass_on(tasks);
    return RtAppWriter(*tasks).write();
}

}  // namespace parcast
