#include "record/spinning_samples.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "trace/symbols/spin_hint.h"

namespace parcast::record {

namespace {

constexpr double notable_share = 0.01;  // of a thread's samples

struct OfThread {
    std::int64_t samples = 0;
    std::int64_t spinning = 0;
    std::int64_t first_ns = 0;                     // that spins; wall time since the start
    std::map<std::uint64_t, std::int64_t> places;  // where it does, with how many
};

std::uint64_t most_frequent(std::map<std::uint64_t, std::int64_t> const& places) {
    return std::ranges::max_element(places, {}, [](auto const& place) { return place.second; })->first;
}

}  // namespace

void add_spinning(Samples const& samples, wire::Header const& header, Timeline& recorded) {
    std::vector<std::uint64_t> addresses;
    for (auto const& stack : samples.stacks)
        addresses.push_back(stack.address);
    auto const is_spinning = trace::are_beside_pause(recorded.provenance.modules, addresses);
    auto const begin_ns = static_cast<std::int64_t>(header.begin.monotonic_ns);
    std::map<std::uint32_t, OfThread> threads;  // by the kernel's number
    for (Sample const& sample : samples.samples) {
        if (sample.process != header.process || sample.monotonic_ns < begin_ns)
            continue;
        auto& thread = threads[sample.kernel_thread];
        ++thread.samples;
        if (!is_spinning[sample.stack])
            continue;
        if (thread.spinning++ == 0)
            thread.first_ns = sample.monotonic_ns - begin_ns;
        ++thread.places[samples.stacks[sample.stack].address];
    }
    for (std::size_t number = 0; number < recorded.catalogue.threads.size(); ++number) {
        auto const found = threads.find(recorded.catalogue.threads[number].kernel_id);
        if (found == threads.end() || found->second.spinning < 2 ||
            static_cast<double>(found->second.spinning) <
                notable_share * static_cast<double>(found->second.samples))
            continue;
        SiteId const site(recorded.catalogue.sites.size());
        // Sites are return addresses, which name the instruction before them.
        recorded.catalogue.sites.push_back({most_frequent(found->second.places) + 1, 0, "", {}});
        recorded.provenance.busy_waits.push_back(
            {ThreadId(number), site, found->second.first_ns, found->second.spinning * samples.period_ns});
        threads.erase(found);  // threads in turn may have had the same number
    }
}

}  // namespace parcast::record
