#include "record/memory_map_events.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/kernel_locks.h"

namespace parcast::record {

namespace {

constexpr double least_share = 0.0005;
constexpr double least_cost_of_notes = 0.002;
// Whoever fills memory goes on with the next page, or with one of the next four (glibc's large copies), and
// may fill several arrays in turn.
constexpr std::uint64_t near_bytes = 4 * 4096;
constexpr std::size_t remembered_faults = 8;

// The last page faults of a thread.
class LastFaults {
public:
    bool are_near(std::uint64_t address) const {
        return std::ranges::any_of(addresses_, [&](std::uint64_t last) {
            return std::max(address, last) - std::min(address, last) <= near_bytes;
        });
    }
    void add(std::uint64_t address) { addresses_[next_++ % remembered_faults] = address; }

private:
    std::array<std::uint64_t, remembered_faults> addresses_{};
    std::size_t next_ = 0;
};

// Threads in turn may have had the same number: the last one.
std::unordered_map<std::uint32_t, std::size_t> threads_by_kernel_id(Catalogue const& catalogue) {
    std::unordered_map<std::uint32_t, std::size_t> threads;
    for (std::size_t thread = 0; thread < catalogue.threads.size(); ++thread)
        threads[catalogue.threads[thread].kernel_id] = thread;
    return threads;
}

// Threads meet at the lock, or one touched pages first that others use.
bool matters(std::vector<std::vector<MemoryMapEvents::Section>> const& threads, std::int64_t cpu_ns) {
    int users = 0;
    std::int64_t held_ns = 0;
    for (auto const& sections : threads) {
        users += sections.empty() ? 0 : 1;
        for (auto const& section : sections)
            held_ns += section.holds_ns;
    }
    return users >= 2 && static_cast<double>(held_ns) >= least_share * static_cast<double>(cpu_ns);
}

// What the notes took is taken out with the events that were noted.
bool cost_much(std::vector<std::vector<MemoryMapEvents::Section>> const& threads, MemoryMapCosts const& costs,
               std::int64_t cpu_ns) {
    std::int64_t cost_ns = 0;
    for (auto const& sections : threads)
        for (auto const& section : sections)
            cost_ns += section.is_shared ? costs.fault_note_ns : costs.change_note_ns;
    return static_cast<double>(cost_ns) >= least_cost_of_notes * static_cast<double>(cpu_ns);
}

Event event_of_lock(EventKind kind, std::int64_t wall_ns, std::int64_t cpu_ns, ObjectId lock) {
    Event event;
    event.kind = kind;
    event.wall_ns = wall_ns;
    event.cpu_ns = cpu_ns;
    event.object = lock;
    return event;
}

// The CPU time in each gap between those moments: a thread that was switched out in between was so in as few
// and long gaps as possible. Cost: O(gaps + those that are shortened * log(gaps)).
std::vector<std::int64_t> cpu_times_between(std::span<std::int64_t const> moments, std::int64_t cpu_ns) {
    std::vector<std::int64_t> gaps;
    for (std::size_t i = 1; i < moments.size(); ++i)
        gaps.push_back(moments[i] - moments[i - 1]);
    std::int64_t beyond = std::accumulate(gaps.begin(), gaps.end(), -cpu_ns);
    std::vector<std::size_t> order(gaps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto const is_shorter_or_later = [&](std::size_t one, std::size_t other) {
        return std::pair(gaps[one], other) < std::pair(gaps[other], one);
    };
    std::ranges::make_heap(order, is_shorter_or_later);
    for (; beyond > 0; order.pop_back()) {
        std::ranges::pop_heap(order, is_shorter_or_later);
        auto& longest = gaps[order.back()];
        auto const off = std::min(longest, beyond);
        longest -= off;
        beyond -= off;
    }
    gaps.back() -= beyond;
    return gaps;
}

}  // namespace

void append_with_sections(Event event, std::span<MemoryMapEvents::Section const> sections,
                          std::int64_t end_ns, MemoryMapEvents::Locks const& locks,
                          std::vector<Event>& events) {
    if (!sections.empty()) {
        std::vector<std::int64_t> moments = {std::min(end_ns, event.wall_ns)};
        for (auto const& section : sections)
            moments.push_back(std::clamp(section.wall_ns, moments.back(), event.wall_ns));
        moments.push_back(event.wall_ns);
        auto const cpu_ns = cpu_times_between(moments, event.cpu_ns);
        std::optional<std::int64_t> holds_on_ns;  // from the moment before on
        for (std::size_t i = 0; i <= sections.size(); ++i) {
            auto gap_ns = cpu_ns[i];
            if (holds_on_ns) {
                auto const held_ns = std::min(gap_ns, *std::exchange(holds_on_ns, std::nullopt));
                auto const end_of_it_ns = std::min(moments[i] + held_ns, moments[i + 1]);
                events.push_back(
                    event_of_lock(EventKind::read_write_unlock, end_of_it_ns, held_ns, locks.faults));
                gap_ns -= held_ns;
            }
            if (i == sections.size()) {
                event.cpu_ns = gap_ns;
            } else if (sections[i].is_shared) {
                events.push_back(event_of_lock(EventKind::read_lock, moments[i + 1], gap_ns, locks.faults));
                events.back().value = sections[i].is_near ? 1 : 0;
                holds_on_ns = sections[i].holds_ns;
            } else {
                auto const held_ns = std::min(gap_ns, sections[i].holds_ns);
                events.push_back(
                    event_of_lock(EventKind::write_lock, moments[i + 1], gap_ns - held_ns, locks.changes));
                events.push_back(
                    event_of_lock(EventKind::read_write_unlock, moments[i + 1], held_ns, locks.changes));
            }
        }
    }
    events.push_back(event);
}

void MemoryMapEvents::add(MemoryMapUses const& uses, wire::Header const& header, Timeline& recorded) {
    if (recorded.provenance.call_probes)
        return;
    recorded.provenance.lost_events += uses.lost;
    auto const begin_ns = static_cast<std::int64_t>(header.begin.monotonic_ns);
    auto const end_ns = static_cast<std::int64_t>(header.end.monotonic_ns);
    auto const known = threads_by_kernel_id(recorded.catalogue);
    std::vector<std::vector<Section>> threads(recorded.catalogue.threads.size());
    std::vector<LastFaults> last_faults(threads.size());
    for (MemoryMapUse const& use : uses.uses) {
        bool const is_own = use.process == header.process && use.monotonic_ns >= begin_ns &&
                            (end_ns == 0 || use.monotonic_ns <= end_ns);
        auto const thread = known.find(use.kernel_thread);
        if (!is_own || thread == known.end())
            continue;
        auto& last = last_faults[thread->second];
        bool const is_near = use.is_fault && last.are_near(use.address);
        if (use.is_fault)
            last.add(use.address);
        threads[thread->second].push_back({use.monotonic_ns - begin_ns,
                                           use.is_fault ? uses.costs.fault_ns : uses.costs.change_ns,
                                           use.is_fault, is_near});
    }
    if (!matters(threads, recorded.provenance.cpu_ns) &&
        !cost_much(threads, uses.costs, recorded.provenance.cpu_ns))
        return;
    threads_ = std::move(threads);
    auto const add_lock = [&](KernelLock lock) {
        recorded.catalogue.objects.push_back(
            {ObjectKind::reader_writer_lock, 0, std::string(name_of(lock)), SiteId::none(), std::nullopt});
        return ObjectId(recorded.catalogue.objects.size() - 1);
    };
    locks_.changes = add_lock(KernelLock::memory_map);
    locks_.faults = uses.faults_share_lock ? locks_.changes : add_lock(KernelLock::memory_areas);
    recorded.provenance.map_change_note_ns = static_cast<double>(uses.costs.change_note_ns);
    recorded.provenance.map_fault_note_ns = static_cast<double>(uses.costs.fault_note_ns);
}

// Those in a call are left out: its CPU time is not divided.
RecordingSink MemoryMapEvents::inserted(RecordingSink const& take) const {
    if (locks_.changes.is_none())
        return take;
    struct Progress {
        ThreadId thread;
        std::size_t sections = 0;
        std::int64_t end_ns = 0;
        std::vector<Event> events;
    };
    return {[this, &take, at = Progress{}](ThreadId thread, std::span<Event const> events) mutable {
                if (thread != at.thread)
                    at = Progress{thread, 0, 0, {}};
                at.events.clear();
                std::span const sections(threads_[thread.index()]);
                for (Event const& event : events) {
                    while (at.sections < sections.size() && sections[at.sections].wall_ns < at.end_ns)
                        ++at.sections;
                    auto const first = at.sections;
                    while (at.sections < sections.size() && sections[at.sections].wall_ns <= event.wall_ns)
                        ++at.sections;
                    append_with_sections(event, sections.subspan(first, at.sections - first), at.end_ns,
                                         locks_, at.events);
                    at.end_ns = event.wall_ns + event.span_ns;
                }
                take.events(thread, at.events);
            },
            take.shares};
}

}  // namespace parcast::record
