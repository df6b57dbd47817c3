#include "analysis/measured_otherwise.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/percent_text.h"
#include "core/time_text.h"

namespace parcast::analysis {

namespace {

bool is_slower(MeasuredCheck const& check) {
    return check.measured.speed_up < check.predicted;
}

// How much a part did towards the difference.
double towards(MeasuredCheck const& check, Deviation const& cause) {
    return (is_slower(check) ? 1 : -1) * cause.share;
}

bool is_work(Deviation const& cause) {
    return cause.part == DeviationPart::user || cause.part == DeviationPart::system;
}

// The parts that did most, and what did at least half as much. That CPUs idle is what a slow run looks like
// from everywhere, so that work that grew goes before it.
std::vector<DeviationPart> main_parts(MeasuredCheck const& check) {
    double most = 0;
    for (auto const& cause : check.causes)
        most = std::max(most, towards(check, cause));
    std::vector<DeviationPart> parts;
    for (auto const& cause : check.causes)
        if (is_work(cause) && towards(check, cause) > most / 2)
            parts.push_back(cause.part);
    if (parts.empty())
        parts.push_back(DeviationPart::idle);
    return parts;
}

std::string growth_text(Sensed const& growth) {
    return fmt::format("{:.1f}", growth.value);
}

std::string own_code_text(MeasuredSpeedUp const& measured) {
    return "Its own code takes " + growth_text(measured.own_growth) +
           " times the CPU time there: CPUs wait for memory, or for lines of it that several of them write "
           "(false sharing, a counter or lock that all use). Keep what each thread writes 64 bytes apart "
           "from what others use, sum up in variables of its own, take locks for larger pieces of work; work "
           "on pieces that fit a cache.";
}

std::string system_text(MeasuredSpeedUp const& measured) {
    return "The kernel's work for it takes " + growth_text(measured.system_growth) +
           " times the CPU time there: threads put each other to sleep and wake each other at locks that "
           "several CPUs want at the same moment, or meet at locks in the kernel. Take locks less often and "
           "for larger pieces of work; give threads arenas (MALLOC_ARENA_MAX, another allocator), streams "
           "and files of their own.";
}

std::string idle_text(MeasuredSpeedUp const& measured) {
    auto const cpus = static_cast<double>(measured.cpus);
    double const idle =
        1 - to_real(measured.many.user + measured.many.system).ns / (cpus * to_real(measured.many.wall).ns);
    return "The CPUs idle " + percent_text(std::max(0.0, idle)) +
           " of the time there: threads wait for something that the recording does not show, or that takes "
           "longer with several CPUs (a lock that is handed over all the time, a device, another process" +
           (measured.others > measured_least_apart
                ? "; other programs had " + percent_text(measured.others) + " of the time"
                : std::string()) +
           ").";
}

std::string faster_text(DeviationPart part) {
    if (part == DeviationPart::user || part == DeviationPart::system)
        return "It takes less CPU time than predicted: recording it, or sharing one cache, cost it more than "
               "parcast knows.";
    return "The prediction waits where the program does not: it replays naps and waits as they were on one "
           "CPU. Or the program makes more threads where it sees more CPUs: tell it their number, or record "
           "with --pretend-cpus.";
}

std::string cause_text(MeasuredCheck const& check) {
    std::string text;
    for (auto const part : main_parts(check)) {
        bool const is_own = part == DeviationPart::user;
        bool const is_system = part == DeviationPart::system;
        text += text.empty() ? "" : " ";
        if (!is_slower(check))
            return faster_text(part);
        text += is_own      ? own_code_text(check.measured)
                : is_system ? system_text(check.measured)
                            : idle_text(check.measured);
    }
    return text;
}

}  // namespace

Finding measured_otherwise(MeasuredCheck const& check) {
    auto const& measured = check.measured;
    bool const is_far = check.verdict == MeasuredVerdict::far_off;
    return {
        FindingKind::measured_otherwise,
        Severity::warning,
        fmt::format("Measured on {}, the program is {:.2f} times as fast as on one ({:.2f} - {:.2f}), and "
                    "predicted {:.2f}. {}{}",
                    counted(static_cast<std::int64_t>(measured.cpus), "CPU"), measured.speed_up,
                    measured.range.low, measured.range.high, check.predicted, cause_text(check),
                    is_far ? "" : " Ranges are widened by that."),
        ThreadId::none(),
        SiteId::none(),
        is_far};
}

Finding measured_otherwise_on_one(double predicted_ns, MeasuredSpeedUp const& measured) {
    auto const text = [](double time_ns) { return time_text(Duration{std::llround(time_ns)}); };
    return {FindingKind::measured_otherwise, Severity::warning,
            "Measured on one CPU without the recorder, the program takes " + time_text(measured.one.wall) +
                ", and predicted " + text(predicted_ns) +
                ": recording changed it, or other programs did. All times are off by that; their ranges are "
                "widened.",
            ThreadId::none(), SiteId::none()};
}

}  // namespace parcast::analysis
