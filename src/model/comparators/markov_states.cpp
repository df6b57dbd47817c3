#include "model/comparators/markov_states.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "model/comparators/phases.h"

namespace parcast::model {

namespace {

// What is counted one by one before a count is given up: no more states than are solved.
constexpr std::size_t most_counted_states = most_markov_states;
constexpr std::size_t most_counted_steps = 8'000'000;
constexpr std::size_t most_words_at_once = std::size_t{1} << 26;

std::uint64_t hash_of(std::span<std::uint32_t const> words) {
    std::uint64_t hash = words.size();
    for (std::uint32_t const word : words) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    }
    return hash;
}

// C(n, 1) + ... + C(n, most)
double sets_of_at_most(std::uint32_t most, std::size_t n) {
    double sum = 0;
    double chosen = 1;
    double const all = static_cast<double>(n);
    for (double size = 1; size <= most && size <= all && std::isfinite(sum); ++size) {
        chosen *= (all - size + 1) / size;
        sum += chosen;
    }
    return sum;
}

std::size_t tasks_that_take_time(TaskGraph const& graph, TaskGroupId group) {
    return static_cast<std::size_t>(
        std::ranges::count_if(graph.times_of(group), [](double time) { return time > 0; }));
}

std::optional<double> states_of_phases(TaskGraph const& graph, std::uint32_t processors) {
    auto const phases = phases_of(graph);
    if (!phases)
        return std::nullopt;
    double states = 0;
    for (Phase const& phase : *phases) {
        std::size_t tasks = 0;
        for (TaskGroupId const group : phase.groups)
            tasks += tasks_that_take_time(graph, group);
        states += sets_of_at_most(processors, tasks);
    }
    return states;
}

// Groups that wait for the same ones become ready together.
double states_of_siblings(TaskGraph const& graph, std::uint32_t processors) {
    std::vector<std::vector<std::uint32_t>> before(graph.groups());
    for (std::size_t group = 0; group < graph.groups(); ++group)
        for (TaskGroupId const next : graph.successors_of(TaskGroupId(group)))
            before[next.index()].push_back(static_cast<std::uint32_t>(group));
    std::vector<std::size_t> order(graph.groups());
    for (std::size_t group = 0; group < order.size(); ++group)
        order[group] = group;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return before[a] < before[b]; });
    double states = 0;
    for (std::size_t i = 0; i < order.size();) {
        std::size_t tasks = 0;
        auto const& waited_for = before[order[i]];
        for (; i < order.size() && before[order[i]] == waited_for; ++i)
            tasks += tasks_that_take_time(graph, TaskGroupId(order[i]));
        states += sets_of_at_most(processors, tasks);
    }
    return states;
}

// Counts by making them, in layers of equally many done tasks.
class Count {
public:
    Count(TaskGraph const& graph, std::uint32_t processors)
        : tasks_(graph.tasks()), steps_(graph, processors) {}

    MarkovSize count() {
        enter(0, steps_.first());
        while (!layers_.empty() && layers_.begin()->first < tasks_) {
            auto const done = layers_.begin()->first;
            auto const states = std::move(layers_.extract(layers_.begin()).mapped());
            left_ += states.size();
            for (std::size_t i = 0; i < states.size(); ++i) {
                states.copy(i, state_);
                steps_.leave(state_);
                for (std::size_t which = 0; which < state_.running.size(); ++which)
                    enter(done, steps_.after(which));
                if (is_too_much())
                    return {static_cast<double>(found()), false};
            }
        }
        return {static_cast<double>(left_), true};
    }

private:
    void enter(std::size_t done, MarkovSteps::Step const& step) {
        layers_[done + step.ended].add(step.to);
        ++made_;
    }

    bool is_too_much() const {
        std::size_t words = 0;
        for (auto const& [done, states] : layers_)
            words += states.words();
        return made_ > most_counted_steps || words > most_words_at_once || found() > most_counted_states;
    }

    std::size_t found() const {
        std::size_t states = left_;
        for (auto const& [done, layer] : layers_)
            states += done < tasks_ ? layer.size() : 0;
        return states;
    }

    std::size_t tasks_;
    MarkovSteps steps_;
    std::map<std::size_t, MarkovStates> layers_;  // by number of done tasks
    MarkovState state_;
    std::size_t left_ = 0;
    std::size_t made_ = 0;
};

}  // namespace

void MarkovStates::copy(std::size_t state, MarkovState& to) const {
    auto const words = words_of(state);
    auto const queue = words.begin() + 1 + static_cast<std::ptrdiff_t>(words[0]);
    to.running.assign(words.begin() + 1, queue);
    to.queue.assign(queue, words.end());
}

std::size_t MarkovStates::add(MarkovState const& state) {
    if (2 * (size() + 1) > slots_.size())
        make_room();
    candidate_.assign(1, static_cast<std::uint32_t>(state.running.size()));
    candidate_.insert(candidate_.end(), state.running.begin(), state.running.end());
    candidate_.insert(candidate_.end(), state.queue.begin(), state.queue.end());
    auto const mask = slots_.size() - 1;
    auto slot = hash_of(candidate_) & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask)
        if (std::ranges::equal(words_of(slots_[slot] - 1), candidate_))
            return slots_[slot] - 1;
    begin_.push_back(words_.size());
    words_.insert(words_.end(), candidate_.begin(), candidate_.end());
    slots_[slot] = static_cast<std::uint32_t>(size());
    return size() - 1;
}

std::span<std::uint32_t const> MarkovStates::words_of(std::size_t state) const {
    auto const end = state + 1 < size() ? begin_[state + 1] : words_.size();
    return std::span(words_).subspan(begin_[state], end - begin_[state]);
}

void MarkovStates::make_room() {
    slots_.assign(std::max<std::size_t>(16, 2 * slots_.size()), 0);
    auto const mask = slots_.size() - 1;
    for (std::size_t state = 0; state < size(); ++state) {
        auto slot = hash_of(words_of(state)) & mask;
        while (slots_[slot] != 0)
            slot = (slot + 1) & mask;
        slots_[slot] = static_cast<std::uint32_t>(state + 1);
    }
}

MarkovSteps::MarkovSteps(TaskGraph const& graph, std::uint32_t processors)
    : graph_(graph),
      processors_(processors),
      group_of_(group_of_each_task(graph)),
      words_((graph.groups() + 63) / 64),
      before_(graph.groups() * words_),
      has_tasks_of_no_time_(std::ranges::find(graph.cpu_ns, 0.0) != graph.cpu_ns.end()),
      present_in_from_(words_),
      present_(words_) {
    for (TaskGroupId const group : topological_order(graph)) {
        for (TaskGroupId const next : graph.successors_of(group)) {
            auto* const row = &before_[next.index() * words_];
            row[group.index() / 64] |= std::uint64_t{1} << group.index() % 64;
            for (std::size_t word = 0; word < words_; ++word)
                row[word] |= before_[group.index() * words_ + word];
        }
    }
}

MarkovSteps::Step MarkovSteps::first() {
    now_ = {};
    std::ranges::fill(present_, 0);
    auto const before = predecessor_groups(graph_);
    for (std::size_t group = 0; group < graph_.groups(); ++group)
        if (before[group] == 0)
            enqueue(TaskGroupId(group));
    return settle(0);
}

void MarkovSteps::leave(MarkovState const& state) {
    from_ = state;
    std::ranges::fill(present_in_from_, 0);
    auto const note = [&](std::uint32_t task) {
        auto const group = group_of_[task].index();
        present_in_from_[group / 64] |= std::uint64_t{1} << group % 64;
        return graph_.first_task[group + 1];
    };
    std::ranges::for_each(from_.running, note);
    for (std::size_t i = 0; i < from_.queue.size(); i += 2)
        for (auto task = from_.queue[i]; task < from_.queue[i + 1];)
            task = note(task);
}

MarkovSteps::Step MarkovSteps::after(std::size_t which) {
    now_ = from_;
    present_ = present_in_from_;
    end_task(which);
    return settle(1);
}

// Fills idle processors, and ends what takes no time.
MarkovSteps::Step MarkovSteps::settle(std::size_t ended) {
    for (;;) {
        dispatch();
        auto const takes_no_time = [&](std::uint32_t task) { return graph_.cpu_ns[task] == 0; };
        auto const which =
            has_tasks_of_no_time_ ? std::ranges::find_if(now_.running, takes_no_time) : now_.running.end();
        if (which == now_.running.end())
            return {now_, ended};
        end_task(static_cast<std::size_t>(which - now_.running.begin()));
        ++ended;
    }
}

void MarkovSteps::dispatch() {
    std::size_t range = 0;
    while (now_.running.size() < processors_ && range < now_.queue.size()) {
        auto const task = now_.queue[range]++;
        now_.running.insert(std::ranges::lower_bound(now_.running, task), task);
        range += now_.queue[range] == now_.queue[range + 1] ? 2 : 0;
    }
    now_.queue.erase(now_.queue.begin(), now_.queue.begin() + static_cast<std::ptrdiff_t>(range));
}

void MarkovSteps::end_task(std::size_t which) {
    TaskGroupId const group = group_of_[now_.running[which]];
    now_.running.erase(now_.running.begin() + static_cast<std::ptrdiff_t>(which));
    if (has_task_of(group))
        return;
    present_[group.index() / 64] &= ~(std::uint64_t{1} << group.index() % 64);
    for (TaskGroupId const next : graph_.successors_of(group))
        if (!awaits_another(next))
            enqueue(next);
}

void MarkovSteps::enqueue(TaskGroupId group) {
    auto const first = graph_.first_task[group.index()];
    auto const end = graph_.first_task[group.index() + 1];
    if (!now_.queue.empty() && now_.queue.back() == first)
        now_.queue.back() = end;
    else
        now_.queue.insert(now_.queue.end(), {first, end});
    present_[group.index() / 64] |= std::uint64_t{1} << group.index() % 64;
}

bool MarkovSteps::has_task_of(TaskGroupId group) const {
    auto const first = graph_.first_task[group.index()];
    auto const end = graph_.first_task[group.index() + 1];
    auto const running = std::ranges::lower_bound(now_.running, first);
    if (running != now_.running.end() && *running < end)
        return true;
    for (std::size_t i = 0; i < now_.queue.size(); i += 2)
        if (now_.queue[i] < end && first < now_.queue[i + 1])
            return true;
    return false;
}

// Whatever is not done runs, is queued, or comes after something that does.
bool MarkovSteps::awaits_another(TaskGroupId group) const {
    for (std::size_t word = 0; word < words_; ++word)
        if ((before_[group.index() * words_ + word] & present_[word]) != 0)
            return true;
    return false;
}

MarkovSize markov_size_by_formula(TaskGraph const& graph, std::uint32_t processors) {
    if (auto const states = states_of_phases(graph, processors))
        return {*states, true};
    return {states_of_siblings(graph, processors), false};
}

MarkovSize markov_size(TaskGraph const& graph, std::uint32_t processors) {
    auto const least = markov_size_by_formula(graph, processors);
    if (least.is_exact || least.states > static_cast<double>(most_counted_states))
        return least;
    auto counted = Count(graph, processors).count();
    counted.states = std::max(counted.states, least.states);
    return counted;
}

}  // namespace parcast::model
