#include "import/task_graph_format.h"

#include <gtest/gtest.h>

#include <string>

namespace parcast {
namespace {

TEST(TaskGraphFormat, IsToldByTheContent) {
    EXPECT_EQ(task_graph_format(R"( {"schema": "parcast.taskgraph/2"})"), TaskGraphFormat::json);
    EXPECT_EQ(task_graph_format(R"({"groups": []})"), TaskGraphFormat::json)
        << "its reader says what it lacks";
    EXPECT_EQ(task_graph_format(R"({"name": "x", "workflow": {}})"), TaskGraphFormat::wfformat);
    EXPECT_EQ(task_graph_format("\n   4\n 0 0 0\n"), TaskGraphFormat::stg);
    EXPECT_EQ(task_graph_format("   4  2\n 1 5 0\n"), TaskGraphFormat::stg);
    EXPECT_EQ(task_graph_format("# a comment\n\n# another\n 4\n 0 0 0\n"), TaskGraphFormat::stg);
    EXPECT_EQ(task_graph_format("# 4\n"), std::nullopt);
    EXPECT_EQ(task_graph_format("# by a preprocessor\ndigraph {}"), TaskGraphFormat::dot);
    EXPECT_EQ(task_graph_format("// made by hand\nstrict digraph G {}"), TaskGraphFormat::dot);
    EXPECT_EQ(task_graph_format("4 tasks"), std::nullopt);
    EXPECT_EQ(task_graph_format("  \n"), std::nullopt);
    EXPECT_EQ(task_graph_format("\x1f\x8b"), std::nullopt);
}

std::string message(std::string const& text, ImportOptions const& options = {}) {
    auto const graph = import_task_graph(text, "file", options);
    return graph ? "" : describe(graph.error());
}

TEST(TaskGraphFormat, AnOptionThatTheFormDoesNotHaveIsRefused) {
    ImportOptions options;
    options.given.set("n", 3);
    EXPECT_EQ(message("1\n0 0 0\n1 5 1 0\n2 0 1 1\n", options),
              "file: --set: only a task graph in parcast's JSON has parameters");
    EXPECT_EQ(message(R"({"schema": "parcast.taskgraph/2", "groups": [{"time": 1}]})",
                      {.given = {}, .unit_ns = 1e3}),
              "file: --unit: the file says its unit itself");
    EXPECT_EQ(
        message("", {}),
        "file: this is not a task graph: it is neither JSON nor a standard task graph (STG) nor Graphviz "
        "(digraph)");
}

TEST(TaskGraphFormat, EachIsRead) {
    ImportOptions const in_us{.given = {}, .unit_ns = 1e3};
    EXPECT_EQ(work_ns(*import_task_graph("1\n0 0 0\n1 5 1 0\n2 0 1 1\n", "file", in_us)), 5e3);
    EXPECT_EQ(work_ns(*import_task_graph("digraph { a [time=5] }", "file", in_us)), 5e3);
    EXPECT_EQ(
        work_ns(*import_task_graph(R"({"schema": "parcast.taskgraph/2", "groups": [{"time": 5}]})", "file")),
        5);
    EXPECT_EQ(
        work_ns(*import_task_graph(R"({"workflow": {"tasks": [{"name": "a", "runtime": 5}]}})", "file")),
        5e9);
}

}  // namespace
}  // namespace parcast
