// Laplace's equation by Jacobi iterations on an irregular domain: a square grid without two of its corners
// and with a round hole. The domain is bisected into parts with equally many points, one a thread. Threads
// share nothing but their mailboxes, as the nodes of a message-passing machine do. In each iteration a
// thread needs the values at the edges of its neighbours, and the largest change of all points. The naive
// way is that of a machine that has nothing but broadcasts: one thread after the other sends its edge and its
// change to every other. The other way sends edges to neighbours only, and changes up and down a tree.
// After the experiment of Marinescu, Rice and Vavalis 1990 (section 3.5).

#include <pthread.h>
#include <semaphore.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "arguments.h"
#include "work.h"

namespace {

constexpr double tolerance = 1e-12;

struct Point {
    std::size_t row;  // 1 to side inside; 0 and side + 1 on the edge of the square
    std::size_t column;
};

using Neighbours = std::array<Point, 4>;

Neighbours neighbours_of(Point at) {
    return {
        {{at.row - 1, at.column}, {at.row + 1, at.column}, {at.row, at.column - 1}, {at.row, at.column + 1}}};
}

// The points of a thread are one range of `points`.
struct Domain {
    std::size_t side;
    std::vector<Point> points;
    std::vector<std::size_t> first_point;  // first_point[thread], and the end of the last
    std::vector<std::size_t> places;       // places[row * (side + 2) + column] in `points`; or outside()

    Domain(std::size_t points_a_side, std::size_t threads)
        : side(points_a_side),
          first_point(threads + 1),
          places((points_a_side + 2) * (points_a_side + 2), outside()) {
        for (std::size_t row = 1; row <= side; ++row) {
            for (std::size_t column = 1; column <= side; ++column)
                if (is_inside({row, column}))
                    points.push_back({row, column});
        }
        first_point[threads] = points.size();
        bisect(0, threads, 0, points.size());
        for (std::size_t i = 0; i < points.size(); ++i)
            places[points[i].row * (side + 2) + points[i].column] = i;
    }

    static constexpr std::size_t outside() { return SIZE_MAX; }

    std::size_t place_of(Point at) const { return places[at.row * (side + 2) + at.column]; }

    std::size_t thread_of(std::size_t place) const {
        return static_cast<std::size_t>(std::ranges::upper_bound(first_point, place) - first_point.begin()) -
               1;
    }

    // x^2 - y^2, which the five-point stencil continues exactly into the interior.
    double exact(Point at) const {
        auto const [x, y] = coordinates(at);
        return x * x - y * y;
    }

private:
    std::pair<double, double> coordinates(Point at) const {
        double const step = 1 / static_cast<double>(side + 1);
        return {static_cast<double>(at.column) * step, static_cast<double>(at.row) * step};
    }

    bool is_inside(Point at) const {
        auto const [x, y] = coordinates(at);
        bool const is_in_a_corner = (x > 0.6 && y > 0.6) || x + y < 0.25;
        return !is_in_a_corner && std::hypot(x - 0.3, y - 0.4) > 0.15;
    }

    // Deals points[begin, end) to `count` threads, by cuts across the longer side.
    void bisect(std::size_t first_thread, std::size_t count, std::size_t begin, std::size_t end) {
        first_point[first_thread] = begin;
        if (count == 1)
            return;
        std::size_t const left = count / 2;
        std::size_t const middle = begin + (end - begin) * left / count;
        auto const at = [&](std::size_t i) { return points.begin() + static_cast<std::ptrdiff_t>(i); };
        auto const extent = [&](std::size_t Point::* along) {
            auto const [least, most] = std::minmax_element(
                at(begin), at(end), [along](Point a, Point b) { return a.*along < b.*along; });
            return begin == end ? 0 : (*most).*along - (*least).*along;
        };
        bool const is_tall = extent(&Point::row) > extent(&Point::column);
        std::nth_element(at(begin), at(middle), at(end), [is_tall](Point a, Point b) {
            return is_tall ? std::tie(a.row, a.column) < std::tie(b.row, b.column)
                           : std::tie(a.column, a.row) < std::tie(b.column, b.row);
        });
        bisect(first_thread, left, begin, middle);
        bisect(first_thread + left, count - left, middle, end);
    }
};

struct Message {
    double change = 0;
    std::vector<double> edge;  // as edge_of() has the sender's points
};

// A thread's mail, in two slots for each sender: one who is a message ahead uses the other.
class Mailbox {
public:
    explicit Mailbox(std::size_t threads) : messages_{Messages(threads), Messages(threads)} {
        for (sem_t& filled : filled_)
            sem_init(&filled, 0, 0);
    }
    ~Mailbox() {
        for (sem_t& filled : filled_)
            sem_destroy(&filled);
    }
    Mailbox(Mailbox const&) = delete;
    Mailbox& operator=(Mailbox const&) = delete;

    void send(std::size_t slot, std::size_t sender, Message const& message) {
        messages_[slot][sender] = message;
        sem_post(&filled_[slot]);
    }

    // Waits for so many messages; by sender. For the owner.
    std::vector<Message> const& receive(std::size_t slot, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            sem_wait(&filled_[slot]);
        return messages_[slot];
    }

private:
    using Messages = std::vector<Message>;

    std::array<Messages, 2> messages_;
    std::array<sem_t, 2> filled_;
};

enum class Exchange { naive, tree };

struct Solver {
    Domain domain;
    std::size_t threads;
    Exchange exchange;
    long iterations;
    long rounds;  // of work a point: the coefficients of an equation that depend on the place
    std::vector<std::optional<Mailbox>> edges;    // edges[thread]: for the tree
    std::vector<std::optional<Mailbox>> changes;  // changes[thread]
    pthread_barrier_t all_have_mailboxes;
    std::vector<double> solution;       // solution[place]
    std::vector<std::uint64_t> stamps;  // stamps[thread]: of the work done
    double largest_change = 0;          // of the last iteration

    Solver(std::size_t side, std::size_t thread_count, Exchange how, long most_iterations, long work_rounds)
        : domain(side, thread_count),
          threads(thread_count),
          exchange(how),
          iterations(most_iterations),
          rounds(work_rounds),
          edges(thread_count),
          changes(thread_count),
          solution(domain.points.size()),
          stamps(thread_count) {
        pthread_barrier_init(&all_have_mailboxes, nullptr, static_cast<unsigned>(thread_count));
    }
    ~Solver() { pthread_barrier_destroy(&all_have_mailboxes); }
    Solver(Solver const&) = delete;
    Solver& operator=(Solver const&) = delete;
};

std::size_t parent_of(std::size_t thread) {
    return (thread - 1) / 2;
}

std::vector<std::size_t> children_of(Solver const& solver, std::size_t thread) {
    std::vector<std::size_t> children;
    for (std::size_t child = 2 * thread + 1; child <= 2 * thread + 2 && child < solver.threads; ++child)
        children.push_back(child);
    return children;
}

// The points of a thread beside those of others.
std::vector<std::size_t> edge_of(Domain const& domain, std::size_t thread) {
    std::vector<std::size_t> edge;
    for (std::size_t place = domain.first_point[thread]; place < domain.first_point[thread + 1]; ++place) {
        auto const is_of_another = [&](Point at) {
            std::size_t const there = domain.place_of(at);
            return there != Domain::outside() && domain.thread_of(there) != thread;
        };
        if (std::ranges::any_of(neighbours_of(domain.points[place]), is_of_another))
            edge.push_back(place);
    }
    return edge;
}

// A neighbour's edge: what of it belongs where in Part::values.
struct NeighbourEdge {
    std::size_t thread;
    std::vector<std::pair<std::size_t, std::size_t>> needed;  // place in the message, place in `values`
};

// What a thread knows: its points, those of its neighbours beside them, and the boundary's.
struct Part {
    std::size_t first;
    std::vector<std::array<std::size_t, 4>> stencils;  // stencils[own point]: places in `values`
    std::vector<double> values;
    std::vector<std::size_t> edge;  // places in `values`
    std::vector<NeighbourEdge> neighbours;
};

Part part_of(Domain const& domain, std::size_t self) {
    std::size_t const end = domain.first_point[self + 1];
    Part part{domain.first_point[self], {}, {}, {}, {}};
    part.values.resize(end - part.first);
    std::map<std::size_t, std::size_t> known;  // a neighbour's point -> its place in `values`
    std::set<std::size_t> neighbours;
    for (std::size_t place = part.first; place < end; ++place) {
        std::array<std::size_t, 4> stencil{};
        std::ranges::transform(neighbours_of(domain.points[place]), stencil.begin(), [&](Point at) {
            std::size_t const there = domain.place_of(at);
            if (there >= part.first && there < end)
                return there - part.first;
            if (auto const found = known.find(there); found != known.end())
                return found->second;
            bool const is_outside = there == Domain::outside();
            part.values.push_back(is_outside ? domain.exact(at) : 0);
            if (!is_outside) {
                known[there] = part.values.size() - 1;
                neighbours.insert(domain.thread_of(there));
            }
            return part.values.size() - 1;
        });
        part.stencils.push_back(stencil);
    }
    for (std::size_t const place : edge_of(domain, self))
        part.edge.push_back(place - part.first);
    for (std::size_t const thread : neighbours) {
        NeighbourEdge& neighbour = part.neighbours.emplace_back(NeighbourEdge{thread, {}});
        auto const edge = edge_of(domain, thread);
        for (std::size_t i = 0; i < edge.size(); ++i)
            if (auto const found = known.find(edge[i]); found != known.end())
                neighbour.needed.emplace_back(i, found->second);
    }
    return part;
}

// Returns the largest change.
double relax(Part& part, std::vector<double>& next) {
    double largest = 0;
    for (std::size_t i = 0; i < next.size(); ++i) {
        auto const [north, south, west, east] = part.stencils[i];
        double const* const value = part.values.data();
        next[i] = (value[north] + value[south] + value[west] + value[east]) / 4;
        largest = std::max(largest, std::abs(next[i] - value[i]));
    }
    std::ranges::copy(next, part.values.begin());
    return largest;
}

Message message_of(Part const& part, double change) {
    Message message{change, {}};
    for (std::size_t const place : part.edge)
        message.edge.push_back(part.values[place]);
    return message;
}

void take_edges(Part& part, std::vector<Message> const& messages) {
    for (NeighbourEdge const& neighbour : part.neighbours)
        for (auto const& [from, to] : neighbour.needed)
            part.values[to] = messages[neighbour.thread].edge[from];
}

// Threads broadcast in turn: each when it has the messages of those before it. Returns the largest change of
// all threads.
double exchange_naively(Solver& solver, std::size_t self, std::size_t slot, Part& part, double change) {
    Mailbox& mail = *solver.changes[self];
    Message const own = message_of(part, change);
    mail.receive(slot, self);
    for (std::size_t thread = 0; thread < solver.threads; ++thread)
        if (thread != self)
            solver.changes[thread]->send(slot, self, own);
    auto const& messages = mail.receive(slot, solver.threads - 1 - self);
    take_edges(part, messages);
    for (std::size_t thread = 0; thread < solver.threads; ++thread)
        change = thread == self ? change : std::max(change, messages[thread].change);
    return change;
}

// The same, with edges for neighbours only.
double exchange_by_tree(Solver& solver, std::size_t self, std::size_t slot, Part& part, double change) {
    constexpr std::size_t up = 0;
    constexpr std::size_t down = 1;
    Message const own = message_of(part, change);
    for (NeighbourEdge const& neighbour : part.neighbours)
        solver.edges[neighbour.thread]->send(slot, self, own);
    take_edges(part, solver.edges[self]->receive(slot, part.neighbours.size()));
    Mailbox& mail = *solver.changes[self];
    auto const children = children_of(solver, self);
    auto const& from_below = mail.receive(up, children.size());
    for (std::size_t const child : children)
        change = std::max(change, from_below[child].change);
    if (self != 0) {
        solver.changes[parent_of(self)]->send(up, self, {change, {}});
        change = mail.receive(down, 1)[parent_of(self)].change;
    }
    for (std::size_t const child : children)
        solver.changes[child]->send(down, self, {change, {}});
    return change;
}

void solve_as(Solver& solver, std::size_t self) {
    Part part = part_of(solver.domain, self);
    solver.changes[self].emplace(solver.threads);
    if (solver.exchange == Exchange::tree)
        solver.edges[self].emplace(solver.threads);
    pthread_barrier_wait(&solver.all_have_mailboxes);
    std::vector<double> next(part.stencils.size());
    double largest = 2 * tolerance;
    for (long iteration = 0; iteration < solver.iterations && largest > tolerance; ++iteration) {
        for (std::size_t i = 0; i < next.size(); ++i) {
            std::size_t const update =
                static_cast<std::size_t>(iteration) * solver.solution.size() + part.first + i;
            solver.stamps[self] ^= work(update, solver.rounds);
        }
        double const change = relax(part, next);
        auto const slot = static_cast<std::size_t>(iteration % 2);
        largest = solver.exchange == Exchange::naive ? exchange_naively(solver, self, slot, part, change)
                                                     : exchange_by_tree(solver, self, slot, part, change);
    }
    std::ranges::copy(next, solver.solution.begin() + static_cast<std::ptrdiff_t>(part.first));
    if (self == 0)
        solver.largest_change = largest;
}

// Threads start their children in the tree, so that the last one starts after log2(threads) creations.
void run(Solver& solver, std::size_t self) {
    std::vector<std::jthread> children;
    for (std::size_t const child : children_of(solver, self))
        children.emplace_back([&solver, child] { run(solver, child); });
    solve_as(solver, self);
}

// To the bit what one thread computes; and where it has converged, the exact solution.
bool is_right(Solver const& solver) {
    Domain const& domain = solver.domain;
    Solver alone(domain.side, 1, solver.exchange, solver.iterations, 0);
    run(alone, 0);
    bool const has_converged = solver.largest_change <= tolerance;
    return std::ranges::all_of(domain.points, [&](Point at) {
        double const value = solver.solution[domain.place_of(at)];
        return value == alone.solution[alone.domain.place_of(at)] &&
               (!has_converged || std::abs(value - domain.exact(at)) < 1e-6);
    });
}

}  // namespace

int main(int argc, char** argv) {
    Argument arguments[] = {
        {"threads", "threads", 8, 1, 1024},
        {"naive|tree", "who sends to whom", 0, 0, 1},
        {"side", "points a side of the square", 33, 8, 2000},
        {"iterations", "iterations at most", 10, 1, 1000000},
        {"rounds", "rounds of work a point and iteration", 2000, 0, 1000000},
    };
    read_arguments(argc, argv, "Jacobi iterations with a global exchange each.", arguments, 5);
    Solver solver(static_cast<std::size_t>(arguments[2].value), static_cast<std::size_t>(arguments[0].value),
                  arguments[1].value == 0 ? Exchange::naive : Exchange::tree, arguments[3].value,
                  arguments[4].value);
    run(solver, 0);
    std::uint64_t stamp = 0;
    for (std::uint64_t const each : solver.stamps)
        stamp ^= each;
    bool const all_is_right = is_right(solver);
    std::printf("Jacobi on %zu points, %zu threads: change %.6e, stamp %016llx, %s\n", solver.solution.size(),
                solver.threads, solver.largest_change, static_cast<unsigned long long>(stamp),
                all_is_right ? "as one thread has it" : "WRONG");
    return all_is_right ? 0 : 1;
}
