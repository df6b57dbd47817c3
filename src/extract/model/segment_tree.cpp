#include "extract/model/segment_tree.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "program/lock_parameters.h"

namespace parcast::extract {

namespace {

using Kind = Segments::Kind;

constexpr double most_apart = 2;
constexpr double negligible_share = 0.005;  // of the critical path
constexpr double short_share = 0.0001;      // of the critical path
constexpr double most_in_short_parts = 0.01;
constexpr std::size_t least_short_parts = 3;
constexpr std::size_t longest_round = 64;
constexpr std::size_t least_rounds = 3;

double mean_ns(Segments const& work) {
    auto const times = all_times_ns(work);
    return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

void append_shape(Segments const& segments, std::string& shape) {
    if (segments.kind == Kind::work) {
        shape += 'w';
        for (auto const& use : segments.locks)
            shape += std::to_string(use.lock) + ',';
        return;
    }
    constexpr std::string_view names = "?spSP";
    shape += names[static_cast<std::size_t>(segments.kind)];
    if (segments.count != 1)
        shape += std::to_string(segments.count);
    shape += '(';
    for (auto const& part : segments.parts)
        append_shape(part, shape);
    shape += ')';
}

void append_means(Segments const& segments, std::vector<double>& means) {
    if (segments.kind == Kind::work)
        means.push_back(mean_ns(segments));
    for (auto const& part : segments.parts)
        append_means(part, means);
}

// What is compared of a tree, and the tree.
struct Described {
    Segments segments;
    std::uint32_t shape = 0;
    std::size_t count = 1;         // as many of it, side by side
    std::vector<double> means_ns;  // of its work, in the order of the text
};

enum class Place : std::uint8_t { beside, behind };

void take_in_times(Segments& into, Segments&& other, Place place) {
    if (place == Place::behind || into.rounds_ns.size() != other.rounds_ns.size()) {
        std::ranges::move(other.rounds_ns, std::back_inserter(into.rounds_ns));
        return;
    }
    for (std::size_t round = 0; round < into.rounds_ns.size(); ++round)
        into.rounds_ns[round].insert(into.rounds_ns[round].end(), other.rounds_ns[round].begin(),
                                     other.rounds_ns[round].end());
}

// REQUIRES: the same shape.
void take_in(Segments& into, Segments&& other, Place place) {
    if (into.kind == Kind::work) {
        auto const count = static_cast<double>(all_times_ns(into).size());
        auto const others = static_cast<double>(all_times_ns(other).size());
        for (std::size_t i = 0; i < into.locks.size(); ++i) {
            auto const share = others / (count + others);
            into.locks[i].visits += share * (other.locks[i].visits - into.locks[i].visits);
            into.locks[i].held_ns += share * (other.locks[i].held_ns - into.locks[i].held_ns);
        }
        take_in_times(into, std::move(other), place);
    }
    for (std::size_t i = 0; i < into.parts.size(); ++i)
        take_in(into.parts[i], std::move(other.parts[i]), place);
}

class Folding {
public:
    Folding(TaskGraph const& graph, double span_ns) : graph_(graph), span_ns_(span_ns) {
        for (std::size_t lock = 1; lock <= most_locks; ++lock) {
            auto const* rate = column(lock_rate(lock));
            auto const* hold = column(lock_hold(lock));
            if (rate != nullptr && hold != nullptr)
                locks_.push_back({static_cast<std::uint32_t>(lock - 1), rate, hold});
        }
    }

    Segments group(TaskGroupId group) {
        std::vector<Described> tasks;
        for (double const time : graph_.times_of(group))
            tasks.push_back(described(work(group, time)));
        return parallel(std::move(tasks));
    }

    // `spans_ns` are the critical paths of the parts.
    Segments series(std::vector<Segments>&& parts, std::vector<double> const& spans_ns) {
        return series(described(without_short_parts(std::move(parts), spans_ns)));
    }

    // Nested parallel compositions are one.
    Segments parallel(std::vector<Segments>&& parts) {
        std::vector<Described> list;
        for (auto& part : parts)
            append_branches(std::move(part), list);
        return parallel(std::move(list));
    }

    std::size_t short_parts() const { return short_parts_; }

private:
    struct Lock {
        std::uint32_t number;
        std::vector<double> const* rate;
        std::vector<double> const* hold_ns;
    };

    std::vector<double> const* column(std::string const& name) const {
        auto const found = std::ranges::find(graph_.resources, name, &ResourceUse::name);
        return found == graph_.resources.end() ? nullptr : &found->value;
    }

    Segments work(TaskGroupId group, double time_ns) const {
        Segments work;
        work.rounds_ns = {{time_ns}};
        for (auto const& lock : locks_) {
            double const visits = (*lock.rate)[group.index()] * time_ns;
            if (visits > 0)
                work.locks.push_back({lock.number, visits, visits * (*lock.hold_ns)[group.index()]});
        }
        return work;
    }

    Described described(Segments&& segments) {
        Described result;
        std::string shape;
        append_shape(segments, shape);
        append_means(segments, result.means_ns);
        result.shape =
            shapes_.try_emplace(std::move(shape), static_cast<std::uint32_t>(shapes_.size())).first->second;
        result.segments = std::move(segments);
        return result;
    }

    std::vector<Described> described(std::vector<Segments>&& parts) {
        std::vector<Described> list;
        for (auto& part : parts)
            list.push_back(described(std::move(part)));
        return list;
    }

    // Between barriers threads that came first have next to nothing to do, in some rounds nothing at all:
    // that hides which rounds are alike. In a sequence times add up in any order.
    std::vector<Segments> without_short_parts(std::vector<Segments>&& parts,
                                              std::vector<double> const& spans_ns) {
        auto const is_short = [&](double span_ns) { return span_ns <= short_share * span_ns_; };
        double sum_ns = 0;
        for (double const span_ns : spans_ns)
            sum_ns += is_short(span_ns) ? span_ns : 0;
        auto const count = static_cast<std::size_t>(std::ranges::count_if(spans_ns, is_short));
        if (count < least_short_parts || count == parts.size() || sum_ns > most_in_short_parts * span_ns_)
            return std::move(parts);
        short_parts_ += count;
        std::vector<Segments> kept;
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (!is_short(spans_ns[i]))
                kept.push_back(std::move(parts[i]));
        auto& last = kept.back();
        if (last.kind == Kind::work && all_times_ns(last).size() == 1 && last.locks.empty()) {
            last.rounds_ns.front().front() += sum_ns;
        } else {
            kept.emplace_back();
            kept.back().rounds_ns = {{sum_ns}};
        }
        return kept;
    }

    void append_branches(Segments&& part, std::vector<Described>& branches) {
        if (part.kind == Kind::parallel) {
            for (auto& branch : part.parts)
                append_branches(std::move(branch), branches);
        } else if (part.kind == Kind::parallel_loop) {
            branches.push_back(described(std::move(part.parts.front())));
            branches.back().count = part.count;
        } else {
            branches.push_back(described(std::move(part)));
        }
    }

    bool are_alike(double a, double b) const {
        return std::abs(a - b) <= negligible_share * span_ns_ || (a <= most_apart * b && b <= most_apart * a);
    }

    bool are_alike(Described const& a, Described const& b) const {
        return a.shape == b.shape && std::ranges::equal(a.means_ns, b.means_ns,
                                                        [&](double x, double y) { return are_alike(x, y); });
    }

    static Segments composed(Kind kind, std::vector<Segments>&& parts) {
        if (parts.size() == 1)
            return std::move(parts.front());
        return {kind, 1, std::move(parts), {}, {}};
    }

    // A loop of nothing but a loop is one.
    static Segments loop(Kind kind, std::size_t count, Segments&& body) {
        if (body.kind == kind) {
            body.count *= count;
            return std::move(body);
        }
        Segments loop{kind, count, {}, {}, {}};
        loop.parts.push_back(std::move(body));
        return loop;
    }

    // Each branch goes to the first one that it is like; as a rule those are few.
    Segments parallel(std::vector<Described>&& branches) {
        std::vector<Described> classes;
        std::multimap<std::uint32_t, std::size_t> by_shape;
        for (auto& branch : branches) {
            auto const [begin, end] = by_shape.equal_range(branch.shape);
            auto const found = std::find_if(
                begin, end, [&](auto const& entry) { return are_alike(classes[entry.second], branch); });
            if (found == end) {
                by_shape.emplace(branch.shape, classes.size());
                classes.push_back(std::move(branch));
            } else {
                classes[found->second].count += branch.count;
                take_in(classes[found->second].segments, std::move(branch.segments), Place::beside);
            }
        }
        std::vector<Segments> parts;
        for (auto& each : classes) {
            parts.push_back(each.count == 1
                                ? std::move(each.segments)
                                : loop(Kind::parallel_loop, each.count, std::move(each.segments)));
        }
        return composed(Kind::parallel, std::move(parts));
    }

    struct Rounds {
        std::size_t length = 1;
        std::size_t count = 1;
    };

    // The rounds that begin with the first part and cover the most.
    Rounds rounds_at(std::span<Described const> parts) const {
        Rounds best;
        for (std::size_t length = 1; length <= std::min(longest_round, parts.size() / least_rounds);
             ++length) {
            std::size_t same = length;
            while (same < parts.size() && are_alike(parts[same % length], parts[same]))
                ++same;
            std::size_t const count = same / length;
            if (count >= least_rounds && length * count > best.length * best.count)
                best = {length, count};
        }
        return best;
    }

    Segments series(std::vector<Described>&& list) {
        std::vector<Segments> parts;
        for (std::size_t i = 0; i < list.size();) {
            auto const rounds = rounds_at(std::span(list).subspan(i));
            if (rounds.count == 1) {
                parts.push_back(std::move(list[i].segments));
                ++i;
                continue;
            }
            for (std::size_t other = rounds.length; other < rounds.length * rounds.count; ++other)
                take_in(list[i + other % rounds.length].segments, std::move(list[i + other].segments),
                        Place::behind);
            std::vector<Segments> body;
            for (std::size_t part = 0; part < rounds.length; ++part)
                body.push_back(std::move(list[i + part].segments));
            parts.push_back(loop(Kind::series_loop, rounds.count, series(described(std::move(body)))));
            i += rounds.length * rounds.count;
        }
        return composed(Kind::series, std::move(parts));
    }

    TaskGraph const& graph_;
    double span_ns_;
    std::size_t short_parts_ = 0;
    std::vector<Lock> locks_;
    std::map<std::string, std::uint32_t> shapes_;
};

}  // namespace

std::vector<double> all_times_ns(Segments const& work) {
    std::vector<double> times;
    for (auto const& round : work.rounds_ns)
        times.insert(times.end(), round.begin(), round.end());
    return times;
}

Folded folded(TaskGraph const& graph, SeriesParallel const& structure) {
    auto const spans_ns = spans_of_nodes_ns(graph, structure);
    Folding folding(graph, spans_ns.back());
    std::vector<Segments> made;
    made.reserve(structure.nodes.size());
    for (auto const& node : structure.nodes) {
        std::vector<Segments> parts;
        std::vector<double> part_spans_ns;
        for (std::uint32_t const child : node.children) {
            parts.push_back(std::move(made[child]));
            part_spans_ns.push_back(spans_ns[child]);
        }
        switch (node.kind) {
            case SeriesParallel::Kind::group: made.push_back(folding.group(node.group)); break;
            case SeriesParallel::Kind::series:
                made.push_back(folding.series(std::move(parts), part_spans_ns));
                break;
            case SeriesParallel::Kind::parallel: made.push_back(folding.parallel(std::move(parts))); break;
        }
    }
    return {std::move(made.back()), folding.short_parts()};
}

}  // namespace parcast::extract
