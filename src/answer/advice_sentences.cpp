#include "answer/advice_sentences.h"

#include <algorithm>
#include <cmath>

#include "core/counted.h"
#include "core/path.h"
#include "core/percent_text.h"

namespace parcast {

namespace {

constexpr double least_leading_share = 0.05;
constexpr double tried_in_sentences = 0.5;
constexpr double least_told_delays = 0.25;
constexpr double all_but_rounding = 0.9995;
constexpr double nearly_all = 0.99;

// "histogram.c:34"; empty: unknown.
std::string source_line(Catalogue const& catalogue, SiteId site) {
    if (site.is_none() || site.index() >= catalogue.sites.size())
        return {};
    auto const& frames = catalogue.sites[site.index()].frames;
    bool const has_line = !frames.empty() && frames.front().line != 0;
    return has_line ? file_name(frames.front().file) + ":" + std::to_string(frames.front().line) : "";
}

double share_of_busiest_thread(std::span<ChangeableWork const> work) {
    double all_ns = 0;
    double most_ns = 0;
    for (auto const& each : work)
        if (each.kind == OwnerKind::thread) {
            all_ns += each.self_ns;
            most_ns = std::max(most_ns, each.self_ns);
        }
    return all_ns > 0 ? most_ns / all_ns : 0;
}

}  // namespace

std::string named_object(Catalogue const& catalogue, ObjectId object) {
    if (object.is_none() || object.index() >= catalogue.objects.size())
        return "unknown object";
    Object const& entry = catalogue.objects[object.index()];
    if (entry.kind == ObjectKind::message)
        return entry.name;
    std::string const kind = name_of(entry.kind);
    if (entry.kind == ObjectKind::descriptor)
        return kind + " " + std::to_string(entry.address);
    return kind + (entry.name.empty() ? " #" + std::to_string(object.value) : " " + entry.name);
}

std::string placed_object(Catalogue const& catalogue, ObjectId object) {
    auto label = named_object(catalogue, object);
    if (object.is_none() || object.index() >= catalogue.objects.size())
        return label;
    SiteId const site = catalogue.objects[object.index()].first_site;
    if (site.is_none() || site.index() >= catalogue.sites.size())
        return label;
    auto const line = source_line(catalogue, site);
    return label + " (" + (line.empty() ? display_name(catalogue, site) : line) + ")";
}

std::string work_label(Catalogue const& catalogue, ChangeableWork const& work) {
    if (work.kind == OwnerKind::lock)
        return "the work under " +
               (work.locks.size() == 1 ? placed_object(catalogue, work.locks.front()) : work.name);
    if (work.kind == OwnerKind::group)
        return (work.calls == 1 ? "task " : "group ") + work.name;
    bool const has_place = work.name.starts_with("lambda in ") && work.name.ends_with(')');
    auto const line = has_place ? std::string() : source_line(catalogue, work.site);
    return work.name + (line.empty() ? "" : " (" + line + ")");
}

bool works_in_one_thread(std::span<ChangeableWork const> work) {
    return share_of_busiest_thread(work) >= nearly_all;
}

double decided_share(AdviceOnCpus const& at, AdviceRow const& row) {
    return at.completion_ns > 0 ? row.decided_ns / at.completion_ns : 0;
}

// Work and delays together decide all of it: the completion is a sum of them, each times its weight. All work
// is some thread's or, in a graph, some group's.
double delay_share(AdviceOnCpus const& at, std::span<ChangeableWork const> work) {
    if (at.completion_ns <= 0 || at.rows.empty())
        return 0;
    double decided_ns = 0;
    for (auto const& row : at.rows)
        if (auto const kind = work[row.work].kind; kind == OwnerKind::thread || kind == OwnerKind::group)
            decided_ns += row.decided_ns;
    return std::max(0.0, 1 - decided_ns / at.completion_ns);
}

std::optional<TriedChange> tried_at(AdviceRow const& row, double factor) {
    auto const found = std::ranges::find(row.tried, factor, &TriedChange::factor);
    return found == row.tried.end() || !found->time_ns ? std::nullopt : std::optional(*found);
}

double gain(AdviceOnCpus const& at, TriedChange const& tried) {
    return 1 - *tried.time_ns / *at.time_ns;
}

std::string gain_text(double gain, std::optional<Range> const& range) {
    auto const text = percent_text(gain);
    if (!range)
        return text;
    return text + " (" + std::to_string(std::lround(100 * range->low)) + " to " + percent_text(range->high) +
           ")";
}

std::string gain_text(AdviceOnCpus const& at, TriedChange const& tried) {
    return gain_text(gain(at, tried), tried.gain_range);
}

bool has_leader(AdviceOnCpus const& at) {
    if (!at.first)
        return false;
    auto const& row = at.rows[*at.first];
    auto const tried = tried_at(row, tried_in_sentences);
    bool const brings = !tried || !at.time_ns || gain(at, *tried) >= least_leading_share / 2;
    return decided_share(at, row) >= least_leading_share && brings;
}

namespace {

bool has_same_leader(AdviceOnCpus const& a, AdviceOnCpus const& b) {
    return a.rows.empty() == b.rows.empty() && has_leader(a) == has_leader(b) &&
           (!has_leader(a) || a.rows[*a.first].work == b.rows[*b.first].work);
}

std::string counts_of_leader(std::uint32_t first, std::uint32_t last, bool is_last) {
    if (is_last && first != last)
        return "From " + counted(first, "CPU") + " on";
    return "On " + (first == last ? counted(first, "CPU")
                                  : std::to_string(first) + " to " + std::to_string(last) + " CPUs");
}

std::string nothing_leads(std::span<ChangeableWork const> work) {
    bool const has_groups = !work.empty() && work.front().kind == OwnerKind::group;
    return std::string(has_groups ? "no group of tasks is worth a change: none decides "
                                  : "no function and no lock is worth a change: none decides ") +
           percent_text(least_leading_share) + " of the time and brings something when it is tried";
}

std::string delays_sentence(std::span<ChangeableWork const> work, AdviceOnCpus const& at,
                            std::string const& where) {
    auto const share = delay_share(at, work);
    return share < least_told_delays ? ""
                                     : " Waiting for devices and sleeping decide " + percent_text(share) +
                                           " of the time" + where + ".";
}

std::string overtaken_sentence(std::span<ChangeableWork const> work, AdviceOnCpus const& at,
                               Catalogue const& catalogue) {
    if (!at.overtaken || !at.overtaken->by)
        return {};
    return " Once " + percent_text(1 - at.overtaken->factor) + " of it is gone, " +
           work_label(catalogue, work[*at.overtaken->by]) + " comes first.";
}

std::string half_sentence(AdviceOnCpus const& at, TriedChange const& tried, std::string const& where) {
    bool const may_be_nothing = tried.gain_range && tried.gain_range->low <= 0;
    return " Half of that work takes " + gain_text(at, tried) + " off the time" + where +
           (may_be_nothing ? ": it may bring nothing." : ".");
}

// All numbers of CPUs are alike.
std::string one_thread_sentence(std::span<ChangeableWork const> work, AdviceOnCpus const& at,
                                Catalogue const& catalogue) {
    bool const is_all = share_of_busiest_thread(work) >= all_but_rounding;
    std::string text = std::string("One thread does ") + (is_all ? "" : "nearly ") +
                       "all of the work: more CPUs make it faster only if some of it moves to other threads.";
    auto const delays = delays_sentence(work, at, "");
    if (!has_leader(at))
        return text + " As it is, " + nothing_leads(work) + "." + delays;
    auto const& row = at.rows[*at.first];
    text += " " + percent_text(decided_share(at, row)) + " of the time is decided by " +
            work_label(catalogue, work[row.work]) + ".";
    if (auto const tried = tried_at(row, tried_in_sentences); tried && at.time_ns)
        text += half_sentence(at, *tried, "");
    return text + overtaken_sentence(work, at, catalogue) + delays;
}

std::string leader_sentence(std::span<ChangeableWork const> work, std::span<AdviceOnCpus const> counts,
                            bool is_last, Catalogue const& catalogue) {
    auto const& at = counts.back();
    auto const lead = counts_of_leader(counts.front().cpus, at.cpus, is_last);
    bool const is_one = counts.size() == 1;
    auto const delays = delays_sentence(work, at,
                                        is_one           ? ""
                                        : has_leader(at) ? " there"
                                                         : " on " + counted(at.cpus, "CPU"));
    if (!has_leader(at))
        return lead + ", " + nothing_leads(work) + "." + delays;
    auto const& row = at.rows[*at.first];
    auto text = lead + ", change " + work_label(catalogue, work[row.work]) + " first: it decides " +
                percent_text(decided_share(at, row)) + " of the time" +
                (is_one ? "" : " on " + counted(at.cpus, "CPU")) + ".";
    if (auto const tried = tried_at(row, tried_in_sentences); tried && at.time_ns)
        text += half_sentence(at, *tried, is_one ? "" : " there");
    return text + overtaken_sentence(work, at, catalogue) + delays;
}

}  // namespace

std::vector<LeaderSentence> leader_sentences(std::span<ChangeableWork const> work,
                                             std::span<AdviceOnCpus const> counts,
                                             Catalogue const& catalogue) {
    auto const has_rows = [](AdviceOnCpus const& at) { return !at.rows.empty(); };
    auto const last = std::ranges::find_if(counts.rbegin(), counts.rend(), has_rows);
    if (works_in_one_thread(work) && last != counts.rend())
        return {{last->cpus, one_thread_sentence(work, *last, catalogue)}};
    std::vector<LeaderSentence> sentences;
    for (std::size_t first = 0, end = 0; first < counts.size(); first = end) {
        for (end = first + 1; end < counts.size(); ++end)
            if (!has_same_leader(counts[first], counts[end]))
                break;
        bool const is_last = end == counts.size() && first > 0;
        if (!counts[first].rows.empty())
            sentences.push_back(
                {counts[end - 1].cpus,
                 leader_sentence(work, counts.subspan(first, end - first), is_last, catalogue)});
    }
    return sentences;
}

}  // namespace parcast
