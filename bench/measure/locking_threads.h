// A program for benchmarks: threads that work for themselves and, in between, take one of as many locks for a
// short time. Some 4 % of the operations wait.

#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "program/thread_program.h"

namespace parcast::bench {

// Critical sections under a lock are in a function of their own: "function3" for the third lock.
inline ThreadProgram locking_threads(std::uint32_t threads, std::int64_t operations) {
    std::mt19937_64 random(2002);
    auto const up_to = [&](std::uint64_t limit) { return static_cast<std::int64_t>(random() % limit); };
    ThreadProgram program;
    program.catalogue.threads.resize(threads);
    program.catalogue.objects.resize(threads);
    program.catalogue.sites.resize(threads);
    for (std::size_t site = 0; site < program.catalogue.sites.size(); ++site)
        program.catalogue.sites[site].frames = {{"function" + std::to_string(site), "program.c", 10}};
    program.parameters.resize(threads);
    program.objects.resize(threads);
    program.lists.resize(threads);
    for (std::uint32_t thread = 1; thread < threads; ++thread)
        program.lists[0].push_back(make_operation(OperationKind::create, 100, thread));
    for (auto& list : program.lists) {
        list.reserve(static_cast<std::size_t>(operations / threads) + threads);
        for (std::int64_t pair = 0; pair < operations / threads / 2; ++pair) {
            auto const lock = static_cast<std::uint32_t>(random() % threads);
            list.push_back(make_operation(OperationKind::lock, up_to(10'000), lock, 0, SiteId(lock)));
            list.push_back(make_operation(OperationKind::unlock, up_to(1'000), lock, 0, SiteId(lock)));
        }
        list.push_back(make_operation(OperationKind::end, 0));
    }
    return program;
}

}  // namespace parcast::bench
