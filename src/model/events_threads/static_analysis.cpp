#include "model/events_threads/static_analysis.h"

#include <algorithm>

#include "model/deterministic/allocation.h"
#include "program/condensed_graph.h"

namespace parcast::model {

namespace {

// A thread whose last operation is no event ends with one.
void add_end(MappedThread& thread, bool ends_with_event) {
    if (!ends_with_event)
        ++thread.events;
}

void add_transfer(MappedThread& thread, std::uint64_t bytes) {
    ++thread.events;
    ++thread.transfers;
    thread.data_bytes += static_cast<double>(bytes);
}

// Pairs of who has data of whom, as lists without repetitions.
class DataOwners {
public:
    explicit DataOwners(std::uint32_t ranks) : owned_(ranks) {
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            owned_[rank].push_back(rank);
    }
    void add(std::uint32_t owner, std::uint32_t subdomain) {
        auto& owned = owned_[owner];
        auto const place = std::ranges::lower_bound(owned, subdomain);
        if (place == owned.end() || *place != subdomain)
            owned.insert(place, subdomain);
    }
    DataMapping take() { return std::move(owned_); }

private:
    DataMapping owned_;
};

// What rank does the operation: operations lie rank after rank.
template <class Function>
void for_each_operation(MessageProgram const& program, Function const& function) {
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
        for (auto place = program.first_operation[rank]; place < program.first_operation[rank + 1]; ++place)
            function(rank, std::size_t{place});
}

}  // namespace

std::vector<MappedThread> mapped_threads(TaskGraph const& graph, std::span<std::uint32_t const> process,
                                         std::uint32_t threads) {
    std::vector<MappedThread> mapped(threads);
    for (std::size_t task = 0; task < graph.tasks(); ++task) {
        ++mapped[process[task]].tasks;
        mapped[process[task]].work_ns += graph.cpu_ns[task];
    }
    auto const order = order_of_tasks(graph);
    auto const segments = condensed(graph, {process, order});
    // What a thread does between two synchronisations is a segment: it begins after an event.
    for (auto const thread : segments.process)
        ++mapped[thread].events;
    return mapped;
}

std::vector<MappedThread> mapped_threads(StepProgram const& program) {
    std::vector<MappedThread> mapped(program.ranks);
    std::vector<char> ends_with_event(program.ranks);
    for (std::size_t step = 0; step < program.steps(); ++step) {
        auto const compute = program.compute_of(step);
        for (std::uint32_t rank = 0; rank < program.ranks; ++rank) {
            if (compute[rank] == 0)
                continue;
            ++mapped[rank].tasks;
            mapped[rank].work_ns += static_cast<double>(compute[rank]);
            ends_with_event[rank] = 0;
        }
        for (auto const& message : program.messages_of(step)) {
            add_transfer(mapped[message.to], message.bytes);
            ends_with_event[message.to] = 1;
        }
    }
    for (std::uint32_t rank = 0; rank < program.ranks; ++rank)
        add_end(mapped[rank], ends_with_event[rank] != 0);
    return mapped;
}

std::vector<MappedThread> mapped_threads(MessageProgram const& program) {
    std::vector<MappedThread> mapped(program.ranks());
    std::vector<char> ends_with_event(program.ranks());
    for_each_operation(program, [&](std::uint32_t rank, std::size_t place) {
        auto& thread = mapped[rank];
        auto const operation = program.kind[place].operation();
        if (operation == MessageOperation::calc) {
            ++thread.tasks;
            thread.work_ns += static_cast<double>(program.amount[place]);
        } else if (operation == MessageOperation::receive) {
            add_transfer(thread, program.amount[place]);
        } else if (operation == MessageOperation::collective) {
            auto const& call = program.collectives[program.amount[place]];
            add_transfer(thread, std::max(call.sent_bytes, call.received_bytes));
        }
        ends_with_event[rank] =
            operation == MessageOperation::receive || operation == MessageOperation::collective;
    });
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
        add_end(mapped[rank], ends_with_event[rank] != 0);
    return mapped;
}

std::vector<std::uint32_t> computation_mapping(StepProgram const& program) {
    std::vector<std::uint32_t> threads;
    for (std::size_t place = 0; place < program.compute_ns.size(); ++place)
        if (program.compute_ns[place] != 0)
            threads.push_back(static_cast<std::uint32_t>(place % program.ranks));
    return threads;
}

std::vector<std::uint32_t> computation_mapping(MessageProgram const& program) {
    std::vector<std::uint32_t> threads;
    for_each_operation(program, [&](std::uint32_t rank, std::size_t place) {
        if (program.kind[place].operation() == MessageOperation::calc)
            threads.push_back(rank);
    });
    return threads;
}

DataMapping data_mapping(StepProgram const& program) {
    DataOwners owners(program.ranks);
    for (auto const& message : program.messages)
        owners.add(message.to, message.from);
    return owners.take();
}

DataMapping data_mapping(MessageProgram const& program) {
    DataOwners owners(program.ranks());
    for_each_operation(program, [&](std::uint32_t rank, std::size_t place) {
        if (program.kind[place].operation() == MessageOperation::send)
            owners.add(program.peer[place], rank);
    });
    return owners.take();
}

}  // namespace parcast::model
