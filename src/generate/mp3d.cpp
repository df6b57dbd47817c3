// A wind tunnel with particles: five loops one after another, in chunks of 8 indices that are a task each;
// the one that moves the particles has over 90 % of the work. One iteration, as in figure 5.1 (a).

#include <array>

#include "generate/structures.h"

namespace parcast::generate {

namespace {

struct Loop {
    char const* name;
    std::uint32_t particles_a_task;
    double mean_ns;
    double spread;          // small but significant, as in the thesis
    double cycles_between;  // requests to the bus: of his phases Res-Move and Res-Coll
};

// "move": 8 particles a task; the others go over cells.
constexpr std::array loops = {
    Loop{"reset", 64, 30 * microsecond_ns, 0.05, 182},   Loop{"move", 8, 400 * microsecond_ns, 0.15, 236.9},
    Loop{"collide", 64, 150 * microsecond_ns, 0.2, 182}, Loop{"boundary", 128, 40 * microsecond_ns, 0.1, 182},
    Loop{"count", 128, 20 * microsecond_ns, 0.05, 182},
};

}  // namespace

TaskGraph mp3d(std::uint32_t particles, Random random) {
    TaskGraphBuilder builder;
    std::vector<TaskGroupId> last = {add(builder, "start", {50 * microsecond_ns})};
    for (auto const& loop : loops) {
        auto const tasks = (particles + loop.particles_a_task - 1) / loop.particles_a_task;
        last = {add(builder, loop.name, times_around(random, tasks, loop.mean_ns, loop.spread), last)};
        use_bus(builder, last.front(), loop.cycles_between);
        last = {add(builder, std::string(loop.name) + " done", {10 * microsecond_ns}, last)};
    }
    auto graph = std::move(builder).finish();
    graph.name = "mp3d, " + std::to_string(particles) + " particles";
    graph.assumptions = {
        "The structure is that of MP3D in Adve (1993): five loops, static and cyclic, one with over 90 % of "
        "the work. "
        "The times of the tasks are made up. bus.rate is what he measured of two of its phases."};
    return graph;
}

}  // namespace parcast::generate
