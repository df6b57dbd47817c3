// Bodies in a periodic box that attract each other, a force computed once for both: a thread adds it to its
// own body i, and its opposite to body j, which others write to as well. Either body j has a lock, taken once
// for every pair (millions of locks a second, nearly never contended), or each thread adds up its forces in
// an array of its own, and adds that to the others' under one lock at the end of a step. The work is the
// same.

#include <pthread.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#include "arguments.h"

namespace {

using Vector = std::array<double, 3>;
// In units of 2^-32: sums of whole numbers do not depend on their order.
using Force = std::array<std::int64_t, 3>;

constexpr double box = 1;

void add(Force& sum, Force const& force, int sign) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        sum[axis] += sign * force[axis];
}

struct alignas(64) Body {
    Vector position = {};
    Force force = {};
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
};

// From the other body and its seven nearest images on the far sides of the box.
Force attraction(Vector const& from, Vector const& to) {
    constexpr double softening = 1e-3;
    Vector sum = {};
    for (unsigned image = 0; image < 8; ++image) {
        Vector distance = {};
        double square = softening;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double const near = to[axis] - from[axis];
            distance[axis] = image >> axis & 1 ? near - std::copysign(box, near) : near;
            square += distance[axis] * distance[axis];
        }
        double const strength = 1 / (square * std::sqrt(square));
        for (std::size_t axis = 0; axis < 3; ++axis)
            sum[axis] += strength * distance[axis];
    }
    Force force = {};
    for (std::size_t axis = 0; axis < 3; ++axis)
        force[axis] = std::llrint(std::ldexp(sum[axis], 32) * 1e-6);
    return force;
}

struct System {
    System(std::size_t count, std::size_t team) : bodies(count), threads(team) {
        std::uint64_t state = 1;
        for (Body& body : bodies) {
            for (double& coordinate : body.position) {
                state = state * 6364136223846793005 + 1442695040888963407;
                coordinate = std::ldexp(static_cast<double>(state >> 11), -53) * box;
            }
        }
        pthread_barrier_init(&step_end, nullptr, static_cast<unsigned>(team));
    }

    std::vector<Body> bodies;
    std::size_t threads;
    pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
    pthread_barrier_t step_end = {};
};

// Every threads-th body is this thread's, so that long and short rows are shared alike.
template <class AddOpposite>
void attract(System const& system, std::size_t self, AddOpposite add_opposite) {
    for (std::size_t i = self; i < system.bodies.size(); i += system.threads) {
        Force own = {};
        for (std::size_t j = i + 1; j < system.bodies.size(); ++j) {
            Force const force = attraction(system.bodies[i].position, system.bodies[j].position);
            add(own, force, -1);
            add_opposite(j, force);
        }
        add_opposite(i, own);
    }
}

void step_with_a_lock_a_body(System& system, std::size_t self) {
    attract(system, self, [&](std::size_t j, Force const& force) {
        pthread_mutex_lock(&system.bodies[j].mutex);
        add(system.bodies[j].force, force, -1);
        pthread_mutex_unlock(&system.bodies[j].mutex);
    });
}

void step_with_private_sums(System& system, std::size_t self) {
    std::vector<Force> sums(system.bodies.size());
    attract(system, self, [&](std::size_t j, Force const& force) { add(sums[j], force, -1); });
    pthread_mutex_lock(&system.all);
    for (std::size_t j = 0; j < sums.size(); ++j)
        add(system.bodies[j].force, sums[j], 1);
    pthread_mutex_unlock(&system.all);
}

// Actions and reactions cancel out: exactly, in whole numbers.
bool is_balanced(System const& system) {
    Force sum = {};
    bool has_forces = false;
    for (Body const& body : system.bodies) {
        add(sum, body.force, 1);
        has_forces = has_forces || body.force[0] != 0;
    }
    return has_forces && sum == Force{};
}

}  // namespace

int main(int argc, char** argv) {
    Argument arguments[] = {
        {"threads", "threads", 8, 1, 1024},
        {"bodies", "number of bodies", 1024, 2, 1000000},
        {"steps", "steps", 12, 1, 1000000},
        {"private", "1: sums of its own for each thread; 0: a lock for every pair", 0, 0, 1},
    };
    read_arguments(argc, argv, "Forces between bodies in a periodic box.", arguments, 4);
    auto const threads = static_cast<std::size_t>(arguments[0].value);
    System system(static_cast<std::size_t>(arguments[1].value), threads);
    auto const step = arguments[3].value ? step_with_private_sums : step_with_a_lock_a_body;
    {
        std::vector<std::jthread> team;
        for (std::size_t self = 0; self < threads; ++self) {
            team.emplace_back([&, self] {
                for (long i = 0; i < arguments[2].value; ++i) {
                    step(system, self);
                    pthread_barrier_wait(&system.step_end);
                }
            });
        }
    }
    bool const is_right = is_balanced(system);
    std::printf("%zu bodies, %ld steps, %zu threads: forces %s\n", system.bodies.size(), arguments[2].value,
                threads, is_right ? "balanced" : "WRONG");
    return is_right ? 0 : 1;
}
