// Two gene sequences of length n aligned by dynamic programming: n rows of blocks, each block after its left
// and its upper neighbour, a row on one process. With 8 columns a block and one task that begins the row
// there are n (n / 8 + 1) + 3 tasks, rounded up: 1403 for 100, 32,003 for 500, as in figure 5.1 (e).

#include <array>

#include "generate/structures.h"

namespace parcast::generate {

TaskGraph dynprog(std::uint32_t length, Random random) {
    constexpr std::uint32_t block = 8;
    constexpr double mean_ns = 390 * microsecond_ns;  // of table 5.4: 0.7 s on 18 processors for 32,003 tasks
    auto const columns = (length + block - 1) / block + 1;
    TaskGraphBuilder builder;
    auto const read = builder.add_task(mean_ns);
    auto const start = builder.add_task(mean_ns);
    builder.precede(read, start);
    for (std::uint32_t row = 0; row < length; ++row) {
        auto const times = times_around(random, columns, mean_ns, 0.1);
        for (std::uint32_t column = 0; column < columns; ++column) {
            auto const task = builder.add_task(times[column]);
            builder.pin(task, std::array{row});
            if (row == 0 && column == 0)
                builder.precede(start, task);
            if (column > 0)
                builder.precede(TaskGroupId(task.index() - 1), task);
            if (row > 0)
                builder.precede(TaskGroupId(task.index() - columns), task);
        }
    }
    TaskGroupId const last(builder.groups() - 1);
    auto const end = builder.add_task(mean_ns);
    builder.precede(last, end);
    auto graph = std::move(builder).finish();
    graph.name = "dynprog, length " + std::to_string(length);
    graph.assumptions = {
        "The structure is that of DynProg in Adve (1993): a wavefront of rows of blocks, its number of "
        "tasks, a row pinned to "
        "one process. The tasks take about what table 5.4 says, and vary by up to 10 %."};
    return graph;
}

}  // namespace parcast::generate
