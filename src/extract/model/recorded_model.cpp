#include "extract/model/recorded_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/moments.h"
#include "extract/model/nonnegative_law.h"
#include "extract/model/segment_tree.h"

namespace parcast::extract {

namespace {

using Kind = Segments::Kind;

// Other counts are written as numbers: a model with dozens of parameters says less.
constexpr std::size_t most_parameters_of_a_kind = 3;
// Deeper parts are equations of their own.
constexpr std::size_t deepest = 5;

struct Unit {
    char const* name;
    double ns;
};

Unit unit_for(double span_ns) {
    if (span_ns >= 1e10)
        return {"s", 1e9};
    return span_ns >= 1e6 ? Unit{"ms", 1e6} : Unit{"us", 1e3};
}

// How segments differ from the mean of their round. They are a sample, so their variance grows by n /
// (n - 1). Rounds that differ from each other make no difference between the branches of one.
std::vector<double> deviations(std::vector<double> const& values) {
    double const count = static_cast<double>(values.size());
    double const mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    std::vector<double> result;
    for (double const value : values)
        result.push_back((value - mean) * std::sqrt(count / (count - 1)));
    return result;
}

std::vector<double> deviations_within(std::vector<std::vector<double>> const& rounds) {
    std::vector<double> result;
    for (auto const& round : rounds)
        if (round.size() > 1)
            std::ranges::copy(deviations(round), std::back_inserter(result));
    return result;
}

Moments moments_of(Segments const& work) {
    auto const times = all_times_ns(work);
    auto const [least, most] = std::ranges::minmax(times);
    if (least == most)
        return {least, 0, 0, 3};  // exactly: what repeats without spread is deterministic
    double const mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    auto spread = deviations_within(work.rounds_ns);
    if (spread.empty())
        spread = deviations(times);  // nothing is beside another
    double const count = static_cast<double>(spread.size());
    double second = 0;
    double third = 0;
    double fourth = 0;
    for (double const off : spread) {
        second += off * off / count;
        third += off * off * off / count;
        fourth += off * off * off * off / count;
    }
    if (second == 0)
        return {mean, 0, 0, 3};
    return {mean, second, third / std::pow(second, 1.5), fourth / (second * second)};
}

std::string number(double value) {
    return fmt::format("{:.10g}", value);
}

// A name of a file may hold the end of a line, and so of the comment.
std::string one_line(std::string text) {
    std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
}

// Gives the counts of loops their names: P, P2, ... and N, N2, ..., those that stand for the most work first.
class CountNames {
public:
    explicit CountNames(Segments const& root) {
        weigh(root);
        for (auto const kind : {Kind::parallel_loop, Kind::series_loop})
            name(kind, kind == Kind::parallel_loop ? "P" : "N");
    }

    std::string of(Segments const& loop) const {
        auto const found = names_.find({loop.kind, loop.count});
        return found == names_.end() ? std::to_string(loop.count) : found->second;
    }
    std::vector<RecordedModel::Parameter> const& parameters() const { return parameters_; }

private:
    using Count = std::pair<Kind, std::size_t>;

    double weigh(Segments const& segments) {
        double work_ns = 0;
        for (double const time : all_times_ns(segments))
            work_ns += time;
        for (auto const& part : segments.parts)
            work_ns += weigh(part);
        if (segments.kind == Kind::parallel_loop || segments.kind == Kind::series_loop)
            work_[{segments.kind, segments.count}] += work_ns;
        return work_ns;
    }

    void name(Kind kind, std::string const& letter) {
        std::vector<std::pair<double, std::size_t>> counts;
        for (auto const& [count, work_ns] : work_)
            if (count.first == kind)
                counts.emplace_back(-work_ns, count.second);
        std::sort(counts.begin(), counts.end());
        counts.resize(std::min(counts.size(), most_parameters_of_a_kind));
        for (std::size_t i = 0; i < counts.size(); ++i) {
            auto const name = i == 0 ? letter : letter + std::to_string(i + 1);
            names_[{kind, counts[i].second}] = name;
            parameters_.push_back({name, counts[i].second});
        }
    }

    std::map<Count, double> work_;
    std::map<Count, std::string> names_;
    std::vector<RecordedModel::Parameter> parameters_;
};

class Writer {
public:
    Writer(Segments const& root, Unit unit, std::optional<std::uint32_t> cpus)
        : unit_(unit), counts_(root), cpus_(cpus) {
        main_ = process(root, 0, {});
    }

    std::string text(std::vector<std::string> const& lines) const {
        std::string text;
        for (auto const& line : lines)
            text += "% " + one_line(line) + "\n";
        text += fmt::format("% times in {}\n\n", unit_.name);
        for (auto const& parameter : counts_.parameters())
            text += fmt::format("numeric parameter {} = {}\n", parameter.name, parameter.value);
        if (cpus_)
            text += fmt::format("numeric parameter CPUS = {}\n", *cpus_);
        text += counts_.parameters().empty() && !cpus_ ? "" : "\n";
        text += times_ + (times_.empty() ? "" : "\n");
        for (std::uint32_t lock = 0; lock < locks_; ++lock)
            text += fmt::format("resource {} = fcfs({},1)\n", lock_name(lock), lock);
        if (cpus_)
            text += fmt::format("resource cpu = fcfs({},CPUS)\n", locks_);
        text += locks_ > 0 || cpus_ ? "\n" : "";
        for (auto const& part : parts_)
            text += part + "\n\n";
        return text + "process main = " + main_ + "\n";
    }

    std::vector<RecordedModel::Parameter> parameters() const {
        auto parameters = counts_.parameters();
        if (cpus_)
            parameters.push_back({"CPUS", *cpus_});
        return parameters;
    }
    std::size_t named_times() const { return named_times_; }

private:
    struct Depth {
        std::size_t indentation = 0;
        std::size_t loops = 0;  // around, of both kinds
    };

    static std::string lock_name(std::uint32_t lock) {
        return lock == 0 ? "lock" : "lock" + std::to_string(lock + 1);
    }

    static std::string line_at(Depth depth) { return "\n" + std::string(4 * depth.indentation, ' '); }

    // Unlike in all loops around it.
    static std::string index_name(Kind kind, Depth depth) {
        return (kind == Kind::parallel_loop ? "p" : "i") + std::to_string(depth.loops + 1);
    }

    std::string process(Segments const& segments, std::size_t nested, Depth depth) {
        if (nested >= deepest && segments.kind != Kind::work) {
            std::string text = process(segments, 0, {});
            auto const name = "part" + std::to_string(parts_.size() + 1);
            parts_.push_back("process " + name + " = " + text);
            return name;
        }
        switch (segments.kind) {
            case Kind::work: return work(segments, depth);
            case Kind::series: return composed(segments, ";", nested, depth);
            case Kind::parallel: return composed(segments, " ||", nested, depth);
            case Kind::series_loop: return loop(segments, "seq", nested, depth);
            case Kind::parallel_loop: return loop(segments, "par", nested, depth);
        }
        return {};
    }

    std::string composed(Segments const& segments, char const* sign, std::size_t nested, Depth depth) {
        Depth const inner{depth.indentation + 1, depth.loops};
        std::string text = "{";
        for (auto const& part : segments.parts) {
            text += (text.size() > 1 ? sign : "") + line_at(inner);
            text += process(part, nested + 1, inner);
        }
        return text + line_at(depth) + "}";
    }

    std::string loop(Segments const& segments, char const* word, std::size_t nested, Depth depth) {
        auto const head =
            fmt::format("{} ({} = 1, {}) ", word, index_name(segments.kind, depth), counts_.of(segments));
        return head + process(segments.parts.front(), nested + 1, {depth.indentation, depth.loops + 1});
    }

    // A time as it is written in place; a new equation, if it has moments.
    std::string time(Moments const& moments, Segments const& work, std::string const& remark) {
        if (moments.variance == 0)
            return number(moments.mean);
        auto const of_ns = all_times_ns(work);
        auto const [low, high] = std::ranges::minmax(of_ns);
        auto const name = "t" + std::to_string(++named_times_);
        times_ +=
            fmt::format("numeric {} = moments({},{},{},{})  % {} segments, {:.4g} to {:.4g}{}\n", name,
                        number(moments.mean), number(moments.variance), number(moments.skewness),
                        number(moments.kurtosis), of_ns.size(), low / unit_.ns, high / unit_.ns, remark);
        return name;
    }

    std::string work(Segments const& work, Depth depth) {
        auto moments = moments_of(work);
        std::size_t visits = 0;
        for (auto const& use : work.locks) {
            moments.mean -= use.held_ns;
            visits += times_taken(use);
        }
        moments.mean /= unit_.ns;
        moments.variance /= unit_.ns * unit_.ns;
        moments = nonnegative(moments);
        return visits == 0 ? computing(time(moments, work, "")) : with_locks(work, moments, visits, depth);
    }

    // What needs a CPU.
    std::string computing(std::string const& time) const {
        return cpus_ ? "use(cpu," + time + ")" : "delay(" + time + ")";
    }

    static std::size_t times_taken(MeanLockUse const& use) {
        return static_cast<std::size_t>(std::max(1.0, std::round(use.visits)));
    }

    // A segment has one draw: of independent parts between the uses none could have the segment's variance,
    // and be a time. What nearly all draws have is spread evenly between the uses, the rest goes before them.
    std::string with_locks(Segments const& work, Moments moments, std::size_t visits, Depth depth) {
        double const spread = visits == 1 ? 0 : certain_part(moments);
        moments.mean = moments.variance == 0 && spread > 0 ? 0 : moments.mean - spread;
        auto const between = spread > 0 ? computing(number(spread / static_cast<double>(visits))) + "; " : "";
        auto const remark = spread > 0 ? fmt::format(", less {:.4g} between {} uses of locks", spread, visits)
                            : visits > 1 ? fmt::format(", before {} uses of locks", visits)
                                         : "";
        auto text =
            moments.mean > 0 ? "{ " + computing(time(moments, work, remark)) + "; " : std::string("{ ");
        for (auto const& use : work.locks) {
            locks_ = std::max(locks_, use.lock + 1);
            auto const taken = times_taken(use);
            auto const held = number(use.held_ns / unit_.ns / static_cast<double>(taken));
            text += &use == work.locks.data() ? "" : "; ";
            if (taken > 1)
                text += fmt::format("seq ({} = 1, {}) {{ ", index_name(Kind::series_loop, depth), taken);
            text += fmt::format("{}use({},{})", between, lock_name(use.lock), held);
            text += taken > 1 ? " }" : "";
        }
        return text + " }";
    }

    Unit unit_;
    CountNames counts_;
    std::optional<std::uint32_t> cpus_;
    std::string times_;
    std::size_t named_times_ = 0;
    std::uint32_t locks_ = 0;
    std::vector<std::string> parts_;
    std::string main_;
};

std::vector<std::string> left_out(TaskGraph const& graph) {
    std::vector<std::string> names;
    for (auto const& resource : graph.resources) {
        auto const name = resource.name.substr(0, resource.name.find('.'));
        if (name.starts_with("lock") || std::ranges::find(names, name) != names.end())
            continue;
        names.push_back(name);
    }
    return names;
}

}  // namespace

RecordedModel model_of(TaskGraph const& graph, SeriesParallel const& structure,
                       std::vector<std::string> const& lines, std::optional<std::uint32_t> cpus) {
    auto const unit = unit_for(span_ns(graph, structure));
    auto all_lines = lines;
    auto const missing = left_out(graph);
    for (auto const& name : missing)
        all_lines.push_back("the use of '" + name + "' is left out");
    if (structure.nodes.empty())
        return {"process main = delay(0)\n", {}, unit.name, unit.ns, 0, missing};
    auto const [root, short_parts] = folded(graph, structure);
    if (short_parts > 0)
        all_lines.push_back(
            fmt::format("{} short parts of sequences are one delay at their ends", short_parts));
    Writer const writer(root, unit, cpus);
    return {.text = writer.text(all_lines),
            .parameters = writer.parameters(),
            .unit = unit.name,
            .unit_ns = unit.ns,
            .times = writer.named_times(),
            .left_out = missing};
}

}  // namespace parcast::extract
