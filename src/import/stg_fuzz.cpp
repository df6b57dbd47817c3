// Any text as a standard task graph: no crash, every error says what is wrong; what is accepted is a sound
// task graph that survives being written and read.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ensure.h"
#include "import/readers.h"
#include "import/taskgraph_json.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const graph = task_graph_from_stg(text, "fuzz");
    if (!graph) {
        ensure(!graph.error().message.empty(), "an error says what is wrong");
        return 0;
    }
    ensure(check(*graph).has_value(), "what is accepted keeps the invariants");
    auto const again = task_graph_from_json(to_json(*graph), "fuzz");
    ensure(again.has_value(), "a task graph that was just written can be read");
    ensure(again->cpu_ns == graph->cpu_ns && again->successors == graph->successors, "and is the same");
    return 0;
}
