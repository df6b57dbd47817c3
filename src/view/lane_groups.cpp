#include "view/lane_groups.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "timeline/lanes.h"

namespace parcast::view {

namespace {

constexpr std::uint32_t alone = std::numeric_limits<std::uint32_t>::max();

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

// "worker-12" -> "worker-#"
std::string pattern_of(std::string_view name) {
    std::string pattern;
    for (char const letter : name)
        if (!is_digit(letter))
            pattern += letter;
        else if (!pattern.ends_with('#'))
            pattern += '#';
    return pattern;
}

// Numbers for keys, rising by their first use.
class Numbering {
public:
    std::uint32_t number_of(std::string key) {
        return numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(numbers_.size()))
            .first->second;
    }

private:
    std::map<std::string, std::uint32_t> numbers_;
};

// What is counted of a group.
enum class Doing : std::uint8_t { running, ready, waiting };
constexpr std::size_t doing_count = 3;

std::size_t doing_of(ThreadState state) {
    switch (state) {
        case ThreadState::running:
        case ThreadState::switching:
        case ThreadState::spinning:
        case ThreadState::communicating: return static_cast<std::size_t>(Doing::running);
        case ThreadState::ready: return static_cast<std::size_t>(Doing::ready);
        default: return static_cast<std::size_t>(Doing::waiting);
    }
}

using Counts = std::array<double, doing_count>;

// From when on so many threads of a group do what; the last step has none.
struct GroupSteps {
    std::vector<double> time;
    std::array<std::vector<float>, doing_count> threads;

    void add(double when, Counts const& counts) {
        time.push_back(when);
        for (std::size_t doing = 0; doing < doing_count; ++doing)
            threads[doing].push_back(static_cast<float>(counts[doing]));
    }
};

// The lanes of a group, and where their intervals lie.
struct GroupLanes {
    std::vector<std::uint32_t> const& members;
    std::vector<std::uint32_t> const& first;
    IntervalColumns const& rows;

    template <class Act>
    void each(Act const& act) const {
        for (auto const lane : members)
            for (std::size_t row = first[lane]; row < first[lane + 1]; ++row)
                act(rows.begin[row].ns, rows.end[row].ns, doing_of(rows.state[row]));
    }
};

void add_exact_steps(GroupSteps& steps, GroupLanes const& lanes) {
    struct Change {
        std::int64_t when;
        std::size_t doing;
        double by;
    };
    std::vector<Change> changes;
    lanes.each([&](std::int64_t begin, std::int64_t end, std::size_t doing) {
        changes.push_back({begin, doing, 1});
        changes.push_back({end, doing, -1});
    });
    std::ranges::stable_sort(changes, {}, &Change::when);
    Counts counts{};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        counts[changes[i].doing] += changes[i].by;
        bool const is_last_then = i + 1 == changes.size() || changes[i + 1].when != changes[i].when;
        if (is_last_then)
            steps.add(static_cast<double>(changes[i].when), counts);
    }
}

// Means over cells of equal length. An interval adds its parts of the cells in which it begins and ends, and
// one thread to each between, which are summed in the end.
void add_cells(GroupSteps& steps, GroupLanes const& lanes, std::int64_t begin, std::int64_t end) {
    auto const cells = most_group_steps - 1;
    double const length = static_cast<double>(end - begin) / static_cast<double>(cells);
    std::vector<Counts> part(cells, Counts{});
    std::vector<Counts> whole(cells + 1, Counts{});
    lanes.each([&](std::int64_t from, std::int64_t to, std::size_t doing) {
        double const first = static_cast<double>(from - begin) / length;
        double const last = static_cast<double>(to - begin) / length;
        auto const first_cell = std::min(static_cast<std::size_t>(first), cells - 1);
        auto const last_cell = std::min(static_cast<std::size_t>(last), cells - 1);
        if (first_cell == last_cell) {
            part[first_cell][doing] += last - first;
            return;
        }
        part[first_cell][doing] += static_cast<double>(first_cell + 1) - first;
        part[last_cell][doing] += last - static_cast<double>(last_cell);
        whole[first_cell + 1][doing] += 1;
        whole[last_cell][doing] -= 1;
    });
    Counts between{};
    for (std::size_t cell = 0; cell < cells; ++cell) {
        Counts counts{};
        for (std::size_t doing = 0; doing < doing_count; ++doing) {
            between[doing] += whole[cell][doing];
            counts[doing] = std::max(0.0, between[doing] + part[cell][doing]);
        }
        steps.add(static_cast<double>(begin) + length * static_cast<double>(cell), counts);
    }
    steps.add(static_cast<double>(end), Counts{});
}

void add_group_steps(GroupSteps& steps, GroupLanes const& lanes) {
    std::size_t intervals = 0;
    auto begin = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = 0;
    lanes.each([&](std::int64_t from, std::int64_t to, std::size_t) {
        ++intervals;
        begin = std::min(begin, from);
        end = std::max(end, to);
    });
    if (2 * intervals <= most_group_steps)
        add_exact_steps(steps, lanes);
    else
        add_cells(steps, lanes, begin, end);
}

}  // namespace

AlikeLanes alike_ranks(std::size_t ranks, std::size_t lanes, std::span<std::uint32_t const> node_of_rank) {
    Numbering nodes;
    AlikeLanes alike;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        auto const number =
            nodes.number_of(node_of_rank.empty() ? std::string() : std::to_string(node_of_rank[rank]));
        alike.insert(alike.end(), lanes, number);
    }
    return alike;
}

AlikeLanes alike_threads(Catalogue const& catalogue) {
    Numbering numbering;
    AlikeLanes alike;
    for (std::size_t i = 0; i < catalogue.threads.size(); ++i) {
        Thread const& thread = catalogue.threads[i];
        // "thread 4 (compress_thread)": what it is called beside its number.
        auto const number = "thread " + std::to_string(i);
        auto const label = display_name(catalogue, ThreadId(i));
        alike.push_back(numbering.number_of(!thread.name.empty()
                                                ? pattern_of(thread.name) + '\n' + thread.function
                                            : label.starts_with(number) ? label.substr(number.size())
                                                                        : label));
    }
    return alike;
}

AlikeLanes alike_tasks(TaskGraph const& graph) {
    bool const by_name = graph.groups() > most_task_lanes && !graph.group_names.empty();
    Numbering numbering;
    AlikeLanes alike;
    alike.reserve(graph.tasks());
    for (std::uint32_t group = 0; group < graph.groups(); ++group) {
        auto const number = by_name ? numbering.number_of(pattern_of(graph.group_names[group])) : group;
        alike.insert(alike.end(), graph.first_task[group + 1] - graph.first_task[group], number);
    }
    return alike;
}

void add_lane_groups(SectionWriter& writer, AlikeLanes const& alike, IntervalColumns const& rows,
                     Accounts const& accounts) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> members;
    for (std::uint32_t lane = 0; lane < alike.size(); ++lane)
        members[alike[lane]].push_back(lane);
    std::erase_if(members, [](auto const& entry) { return entry.second.size() < 2; });
    std::vector<std::uint32_t> of(accounts.threads.size(), alone);
    auto const first = lane_first(rows, accounts.threads.size());
    GroupSteps steps;
    std::vector<std::uint32_t> step_first{0};
    std::uint32_t group = 0;
    for (auto const& [number, lanes] : members) {
        for (auto const lane : lanes)
            of[lane] = group;
        add_group_steps(steps, {lanes, first, rows});
        step_first.push_back(static_cast<std::uint32_t>(steps.time.size()));
        ++group;
    }
    writer.add("group.of", of);
    writer.add("group.step.first", step_first);
    writer.add("group.time", steps.time);
    writer.add("group.running", steps.threads[static_cast<std::size_t>(Doing::running)]);
    writer.add("group.ready", steps.threads[static_cast<std::size_t>(Doing::ready)]);
    writer.add("group.waiting", steps.threads[static_cast<std::size_t>(Doing::waiting)]);
}

}  // namespace parcast::view
