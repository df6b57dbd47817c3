#include "generate/threads.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "generate/random.h"

namespace parcast::generate {

namespace {

constexpr std::int64_t unit_ns = 1'000;

// Steps of threads that are there from the start.
class ThreadSteps {
public:
    std::uint32_t add_thread(std::string name) {
        auto const number = static_cast<std::uint32_t>(program_.lists.size());
        program_.catalogue.threads.emplace_back().name = std::move(name);
        program_.lists.emplace_back();
        program_.parameters.emplace_back().at_start = true;
        pending_ns_.push_back(0);
        return number;
    }
    ObjectId add_object(ObjectKind kind, std::string name) {
        auto& object = program_.catalogue.objects.emplace_back();
        object.kind = kind;
        object.name = std::move(name);
        program_.objects.emplace_back();
        return ObjectId(program_.objects.size() - 1);
    }

    void work(std::uint32_t thread, std::int64_t units) { pending_ns_[thread] += units * unit_ns; }
    void step(std::uint32_t thread, OperationKind kind, std::uint32_t object = Operation::no_object,
              std::int64_t value = 0) {
        program_.lists[thread].push_back(
            make_operation(kind, std::exchange(pending_ns_[thread], 0), object, value));
    }
    void create(std::uint32_t creator, std::uint32_t thread) {
        step(creator, OperationKind::create, thread);
        program_.parameters[thread].at_start = false;
    }
    // So that threads run where there is only one processor as they were recorded there.
    void set_level(std::uint32_t thread, int level) {
        program_.parameters[thread].priority = {SchedulingClass::real_time, level};
    }

    ThreadProgram finish(std::string name, std::string assumption) && {
        for (std::uint32_t thread = 0; thread < program_.lists.size(); ++thread)
            step(thread, OperationKind::end);
        program_.name = std::move(name);
        program_.assumptions.push_back(std::move(assumption));
        return std::move(program_);
    }

private:
    ThreadProgram program_;
    std::vector<std::int64_t> pending_ns_;  // work before a thread's next step
};

// Papers IV, section 5, and V, section 3.2. Threads and critical sections belong to groups. A thread works,
// then enters a section of its group that is numbered above all that it holds, or leaves the one that it
// entered last; it ends with probability 1/16 each time.
class Transactions {
public:
    Transactions(std::uint32_t threads, Random random) : threads_(threads), random_(random) {}

    ThreadProgram make() {
        auto const groups = 1 + random_.below(std::max<std::size_t>(1, threads_ / 2));
        auto const sections = 2 * threads_ + random_.below(threads_ + 1);
        of_group_.resize(groups);
        for (std::size_t number = 0; number < sections; ++number)
            of_group_[random_.below(groups)].push_back(
                steps_.add_object(ObjectKind::mutex, "section-" + std::to_string(number)));
        for (std::uint32_t number = 0; number < threads_; ++number)
            add_thread(steps_.add_thread("T" + std::to_string(number + 1)), of_group_[random_.below(groups)]);
        return std::move(steps_).finish(
            "transactions of " + std::to_string(threads_) + " threads",
            "Threads, critical sections, groups and times are random, as Broberg (2002, papers IV and V) "
            "draws "
            "them. He leaves open how threads and sections are given to groups, and which section of several "
            "is entered: all are as likely here.");
    }

private:
    void add_thread(std::uint32_t thread, std::vector<ObjectId> const& sections) {
        std::vector<std::size_t> held;  // rising
        do {
            work(thread);
            if (random_.below(2) == 0)
                enter(thread, sections, held);
            else if (!held.empty())
                leave(thread, sections, held);
        } while (random_.below(16) != 0);
        while (!held.empty()) {
            work(thread);
            leave(thread, sections, held);
        }
        work(thread);
    }

    void work(std::uint32_t thread) { steps_.work(thread, std::int64_t{1} << random_.below(16)); }

    void enter(std::uint32_t thread, std::vector<ObjectId> const& sections, std::vector<std::size_t>& held) {
        auto const first = held.empty() ? 0 : held.back() + 1;
        if (first >= sections.size())
            return;
        held.push_back(first + random_.below(sections.size() - first));
        steps_.step(thread, OperationKind::lock, sections[held.back()].value);
    }

    void leave(std::uint32_t thread, std::vector<ObjectId> const& sections, std::vector<std::size_t>& held) {
        steps_.step(thread, OperationKind::unlock, sections[held.back()].value);
        held.pop_back();
    }

    std::uint32_t threads_;
    Random random_;
    ThreadSteps steps_;
    std::vector<std::vector<ObjectId>> of_group_;
};

ThreadProgram transactions(std::uint32_t threads, Random random) {
    return Transactions(threads, random).make();
}

// Paper VII: the first process sends the numbers from 2 on, each a unit of work. A filter spends a unit on
// every number that it receives; the first is its prime, and what that does not divide goes on.
ThreadProgram prime_filter(std::uint32_t last, Random) {
    ThreadSteps steps;
    auto const channel = [&](std::uint32_t prime) {
        return steps.add_object(ObjectKind::semaphore, "to-" + std::to_string(prime)).value;
    };
    auto const source = steps.add_thread("numbers");
    std::vector<std::uint32_t> numbers;
    auto next = channel(2);
    for (std::uint32_t number = 2; number <= last; ++number) {
        numbers.push_back(number);
        steps.work(source, 1);
        steps.step(source, OperationKind::semaphore_post, next, 1);
    }
    while (!numbers.empty()) {
        auto const prime = numbers.front();
        auto const own = next;
        auto const filter = steps.add_thread("filter-" + std::to_string(prime));
        std::vector<std::uint32_t> passed;
        std::ranges::copy_if(numbers, std::back_inserter(passed),
                             [&](std::uint32_t number) { return number % prime != 0; });
        if (!passed.empty())
            next = channel(passed.front());
        for (auto const number : numbers) {
            steps.step(filter, OperationKind::semaphore_wait, own);
            steps.work(filter, 1);
            if (number % prime != 0)
                steps.step(filter, OperationKind::semaphore_post, next, 1);
        }
        numbers = std::move(passed);
    }
    return std::move(steps).finish("prime filters up to " + std::to_string(last),
                                   "Every number costs each process that sees it one unit, 1 us, as in "
                                   "Broberg (2002, paper VII); sending "
                                   "costs nothing, and channels have room for all numbers.");
}

// Paper VIII: clients ask a server, which answers in the order in which one processor served them, on which
// the server had the highest priority and the first client the next. On several, another client may be first:
// then the replay deadlocks, as the paper says.
ThreadProgram rendezvous(std::uint32_t clients, Random random) {
    ThreadSteps steps;
    auto const server = steps.add_thread("server");
    std::vector<std::uint32_t> all;
    for (std::uint32_t number = 1; number <= clients; ++number)
        all.push_back(steps.add_thread("client-" + std::to_string(number)));
    for (auto const client : all) {
        steps.create(server, client);
        steps.work(server, 1);
    }
    for (auto const client : all) {
        steps.step(server, OperationKind::accept);
        steps.work(server, 2);
        steps.step(server, OperationKind::activate, client);
        steps.work(server, 1);
        steps.work(client, 1 + static_cast<std::int64_t>(random.below(12)));
        steps.step(client, OperationKind::activate, server);
        steps.work(client, 1);
        steps.step(client, OperationKind::accept);
        steps.work(client, 1);
    }
    for (std::uint32_t thread = 0; thread <= clients && thread < 98; ++thread)
        steps.set_level(thread, static_cast<int>(99 - thread));
    return std::move(steps).finish(
        "rendezvous of a server and " + std::to_string(clients) + (clients == 1 ? " client" : " clients"),
        "The server answers its clients in the order in which one processor served them, as the direct model "
        "of "
        "Broberg (2002, paper VIII) replays it: on several processors that can deadlock. Clients work for 1 "
        "to 12 us before they ask.");
}

}  // namespace

std::optional<ThreadStructure> thread_structure_named(std::string_view name) {
    auto const found = std::ranges::find(thread_structures, name, &ThreadStructure::name);
    return found == thread_structures.end() ? std::nullopt : std::optional(*found);
}

Result<ThreadProgram> thread_program(std::string_view structure, std::uint32_t size, std::uint64_t seed) {
    auto const limits = *thread_structure_named(structure);
    if (size < limits.least_size || size > limits.most_size) {
        return fail(ErrorCode::out_of_range, std::string(limits.name) + ": the size, which is " +
                                                 (limits.name == "prime-filter" ? "" : "the number of ") +
                                                 std::string(limits.size) + ", is from " +
                                                 std::to_string(limits.least_size) + " to " +
                                                 std::to_string(limits.most_size));
    }
    Random const random(seed);
    if (limits.name == "transactions")
        return transactions(size, random);
    return limits.name == "prime-filter" ? prime_filter(size, random) : rendezvous(size, random);
}

}  // namespace parcast::generate
