// Executions of task graphs for tests.

#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "machine/machine.h"
#include "model/deterministic/deterministic.h"

namespace parcast::model {

// What is unusual about an execution.
struct ExecutionSetting {
    Retire retire = Retire::one;
    Keep keep = Keep::totals;
    std::vector<double> fetch_ns = {};
    ContentionLaw const* contention = nullptr;
};

inline Result<GraphExecution> execute(TaskGraph const& graph, std::uint32_t processors,
                                      ReadyPolicy const& policy, ExecutionSetting const& setting = {}) {
    Machine machine;
    machine.cpus = processors;
    machine.ready_tasks = {policy, setting.retire, setting.fetch_ns};
    return execute(graph, machine, {setting.keep, setting.contention});
}

inline GraphExecution must_execute(TaskGraph const& graph, std::uint32_t processors,
                                   ReadyPolicy const& policy, ExecutionSetting const& setting = {}) {
    auto result = execute(graph, processors, policy, setting);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return result ? std::move(*result) : GraphExecution{};
}

inline ReadyPolicy policy(std::string_view text) {
    auto result = parse_ready_policy(text);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return *result;
}

}  // namespace parcast::model
