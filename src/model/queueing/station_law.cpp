#include "model/queueing/station_law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/queueing/finite_source.h"
#include "model/queueing/shared_bus.h"
#include "model/queueing/shared_network.h"
#include "program/lock_parameters.h"

namespace parcast::model {

namespace {

bool has(TaskGraph const& graph, std::string_view parameter) {
    return std::ranges::any_of(graph.resources,
                               [&](ResourceUse const& use) { return use.name == parameter; });
}

// The first group of a class, to name it.
std::string example_of(TaskGraph const& graph, ResourceClasses const& classes, std::size_t klass) {
    auto const first = std::ranges::find(classes.class_of_group, static_cast<std::uint32_t>(klass));
    return describe(graph, TaskGroupId(static_cast<std::size_t>(first - classes.class_of_group.begin())));
}

tl::unexpected<Error> too_much_of(std::string const& what, std::string const& task) {
    return fail(ErrorCode::inconsistent, task + " would spend more than its whole CPU time " + what +
                                             "; its rate is visits per ns of CPU time");
}

// The default of resources.accesses_per_us for a graph that does not say its rate of accesses.
Result<void> fill_in_rates(std::vector<Server> const& servers, TaskGraph const& graph,
                           SharedResources const& resources, ResourceClasses& classes) {
    for (std::size_t k = 0; k < servers.size(); ++k) {
        if (has(graph, servers[k].rate))
            continue;
        if (servers[k].rate != "memory.rate" || !resources.accesses_per_us) {
            return fail(ErrorCode::inconsistent,
                        "nothing says how often tasks use what is shared: the task graph has no \"" +
                            servers[k].rate + "\" (visits per ns of CPU time)");
        }
        for (auto& values : classes.value)
            values[k] = *resources.accesses_per_us / 1000;
    }
    return {};
}

Result<ContentionLaw> bus_law(TaskGraph const& graph, Bus const& bus, std::string const& name) {
    constexpr std::array<std::string_view, 4> parameters{"bus.rate", "bus.invalidate", "bus.write_back",
                                                         "bus.from_cache"};
    if (!has(graph, parameters[0])) {
        return fail(ErrorCode::inconsistent,
                    "the task graph has no \"bus.rate\" (requests to the bus per ns of CPU time)");
    }
    auto classes = classes_by(graph, parameters);
    for (std::size_t klass = 0; klass < classes.size(); ++klass) {
        if (std::ranges::any_of(classes.value[klass].begin() + 1, classes.value[klass].end(),
                                [](double share) { return share > 1; })) {
            return fail(ErrorCode::out_of_range, "a share of the bus requests of " +
                                                     example_of(graph, classes, klass) + " is above 1");
        }
    }
    ContentionLaw law;
    law.name = name.empty() ? "bus" : name;
    law.class_of_group = std::move(classes.class_of_group);
    law.assumptions = {"the bus serves running tasks that are all alike, with the mean of their requests"};
    BusTimes const times{bus.request_ns, bus.invalidate_ns, bus.write_back_ns, bus.response_ns,
                         bus.memory_ns,  bus.cache_ns,      bus.most_reads};
    law.solve = [times, uses = std::move(classes.value)](std::span<RunningClass const> running,
                                                         std::span<double> delay) -> Result<void> {
        std::uint32_t tasks = 0;
        BusRequests all;
        double reads = 0;
        for (RunningClass const& one : running) {
            auto const& use = uses[one.klass];
            double const rate = one.tasks * use[0];
            tasks += one.tasks;
            all.rate += rate;
            all.invalidate += rate * use[1];
            reads += rate * (1 - use[1]);
            all.write_back += rate * (1 - use[1]) * use[2];
            all.from_cache += rate * (1 - use[1]) * use[3];
        }
        std::ranges::fill(delay, 0);
        if (all.rate == 0)
            return {};
        BusRequests const mean{all.rate / tasks, all.invalidate / all.rate,
                               reads > 0 ? all.write_back / reads : 0,
                               reads > 0 ? all.from_cache / reads : 0};
        auto const solved = solve_shared_bus(times, mean, tasks);
        if (!solved)
            return pass_on(solved);
        for (std::size_t i = 0; i < running.size(); ++i)
            delay[i] = uses[running[i].klass][0] * solved->response;
        return {};
    };
    return law;
}

// `lock`: where in `uses` its rate is, before its time.
Result<void> add_waits_for_lock(std::vector<std::vector<double>> const& uses, std::size_t lock,
                                std::span<RunningClass const> running, std::span<double> delay) {
    std::uint32_t users = 0;
    double rate = 0;
    double held = 0;
    for (RunningClass const& one : running) {
        double const of_one = uses[one.klass][lock];
        users += of_one > 0 ? one.tasks : 0;
        rate += one.tasks * of_one;
        held += one.tasks * of_one * uses[one.klass][lock + 1];
    }
    if (held == 0)
        return {};
    double const hold = held / rate;
    auto const solved = solve(FiniteSource{1, users, std::max(0.0, users / rate - hold), hold});
    if (!solved)
        return pass_on(solved);
    for (std::size_t i = 0; i < running.size(); ++i)
        delay[i] += uses[running[i].klass][lock] * solved->wait;
    return {};
}

}  // namespace

Result<ContentionLaw> station_law(TaskGraph const& graph, SharedResources const& resources) {
    if (auto sound = check(resources); !sound)
        return pass_on(sound);
    if (resources.bus)
        return bus_law(graph, *resources.bus, resources.name);
    auto servers = servers_of(resources);
    std::vector<std::string_view> parameters;
    for (Server const& server : servers)
        parameters.push_back(server.rate);
    auto classes = classes_by(graph, parameters);
    if (auto filled = fill_in_rates(servers, graph, resources, classes); !filled)
        return pass_on(filled);
    std::vector<ClassUse> uses;
    for (std::size_t klass = 0; klass < classes.size(); ++klass) {
        uses.push_back(use_of(servers, std::move(classes.value[klass])));
        if (uses.back().think < 0)
            return too_much_of("at what it shares", example_of(graph, classes, klass));
    }
    ContentionLaw law;
    law.name = resources.name.empty() ? "shared stations" : resources.name;
    law.class_of_group = std::move(classes.class_of_group);
    law.assumptions = {
        "what tasks share is a closed queueing network with exponential times, in equilibrium whenever the "
        "running tasks change"};
    law.is_approximate = [servers, uses](std::span<RunningClass const> running) {
        return !is_solved_exactly(servers, uses, running);
    };
    law.solve = [servers = std::move(servers), uses = std::move(uses)](std::span<RunningClass const> running,
                                                                       std::span<double> delay) {
        return solve_stations(servers, uses, running, delay);
    };
    return law;
}

Result<ContentionLaw> lock_law(TaskGraph const& graph) {
    std::vector<std::string> names;
    for (std::size_t lock = 1; lock == 1 || (lock <= most_locks && has(graph, lock_rate(lock))); ++lock) {
        names.push_back(lock_rate(lock));
        names.push_back(lock_hold(lock));
    }
    for (auto const& name : names) {
        if (!has(graph, name)) {
            return fail(ErrorCode::inconsistent,
                        "the task graph has no \"" + name + "\", which says how a task uses the lock");
        }
    }
    auto classes = classes_by(graph, std::vector<std::string_view>(names.begin(), names.end()));
    for (std::size_t klass = 0; klass < classes.size(); ++klass) {
        auto const& use = classes.value[klass];
        constexpr double whole = 1 + 1e-9;  // of rates that round
        for (std::size_t lock = 0; lock < use.size(); lock += 2)
            if (use[lock] * use[lock + 1] > whole)
                return too_much_of("holding the lock", example_of(graph, classes, klass));
    }
    ContentionLaw law;
    law.name = names.size() == 2 ? "lock" : "locks";
    law.class_of_group = std::move(classes.class_of_group);
    law.assumptions = {
        "a lock is a queue M/M/1//K: tasks ask for it at random, and hold it for exponential times"};
    if (names.size() > 2)
        law.assumptions.emplace_back("each lock is waited for as if nobody waited for the others");
    law.solve = [uses = std::move(classes.value)](std::span<RunningClass const> running,
                                                  std::span<double> delay) -> Result<void> {
        std::ranges::fill(delay, 0);
        for (std::size_t lock = 0; lock < uses.front().size(); lock += 2)
            if (auto added = add_waits_for_lock(uses, lock, running, delay); !added)
                return added;
        return {};
    };
    return law;
}

Result<Rates> memory_rates(SharedResources const& resources, Rates const& others, std::uint32_t processors) {
    if (resources.bus) {
        return fail(ErrorCode::inconsistent,
                    "a recording does not say how its program uses a bus; task graphs do (\"bus.rate\")");
    }
    if (!resources.memory || !resources.accesses_per_us) {
        return fail(ErrorCode::inconsistent,
                    "a recording does not say how often its program accesses the memory: [memory] of a file "
                    "needs accesses_per_us, and a preset is written with them, as ddr4-2-channels:4.5");
    }
    if (auto sound = check(resources); !sound)
        return pass_on(sound);
    // A recording's CPU times were measured: what an access takes alone is in them.
    SharedResources measured = resources;
    measured.stations.clear();
    measured.memory->uncontended = UncontendedTime::in_cpu_time;
    auto const servers = servers_of(measured);
    double const accesses_per_ns = *resources.accesses_per_us / 1000;
    ClassUse const use = use_of(servers, {accesses_per_ns});
    double const share =
        accesses_per_ns * std::max(resources.memory->latency_ns, resources.memory->transfer_ns());
    if (share > 1 || use.think < 0) {
        return fail(ErrorCode::inconsistent,
                    "the program would spend more than its whole CPU time on the memory: accesses_per_us "
                    "times the latency "
                    "is above 1000 ns");
    }
    Rates rates = others;
    rates.memory_share = share;
    rates.memory.clear();
    for (std::uint32_t busy = 1; busy <= processors && share > 0; ++busy) {
        auto const delay = delay_of_one_class(servers, use, busy);
        if (!delay)
            return pass_on(delay);
        rates.memory.push_back(share / (share + *delay));
    }
    return rates;
}

}  // namespace parcast::model
