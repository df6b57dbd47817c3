#include "record/sampled_work.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/path.h"
#include "trace/symbols/symbolize.h"

namespace parcast::record {

namespace {

constexpr std::uint32_t none = 0xffffffff;
constexpr std::string_view recorder_name = "libparcast-recorder.so";

// Threads in turn may have had the same number.
std::unordered_map<std::uint32_t, ThreadId> threads_by_kernel_id(Catalogue const& catalogue) {
    std::unordered_map<std::uint32_t, ThreadId> threads;
    for (std::size_t thread = 0; thread < catalogue.threads.size(); ++thread)
        threads[catalogue.threads[thread].kernel_id] = ThreadId(thread);
    return threads;
}

// The stacks of an image, as functions of its catalogue.
class FunctionStacks {
public:
    FunctionStacks(std::vector<SampledStack> const& sampled, std::vector<Sample> const& samples,
                   Timeline& recorded)
        : sampled_(sampled), recorded_(recorded), numbers_(sampled.size()), sites_(sampled.size(), none) {
        mark_used(samples);
        name_addresses();
    }

    // Hooks of the recorder are no functions of the program.
    bool is_in_recorder(std::uint32_t sampled) const {
        return file_name(named_.catalogue.sites[sites_[sampled]].module) == recorder_name;
    }

    StackId function_stack(std::uint32_t sampled) {
        auto& known = numbers_[sampled];
        if (known)
            return *known;
        auto const caller = sampled_[sampled].caller;
        StackId stack = caller == none ? StackId::none() : function_stack(caller);
        Site const& site = named_.catalogue.sites[sites_[sampled]];
        // What frame pointers lead to is no code where they are not kept.
        if (site.module.empty() && site.frames.empty() && caller == none) {
            known = StackId::none();
            return *known;
        }
        if (is_in_recorder(sampled)) {
            known = stack;
            return stack;
        }
        if (site.frames.empty())
            stack = called(stack, without_symbols(site), site, 0);
        for (std::size_t frame = site.frames.size(); frame-- > 0;)
            stack = called(stack, site.frames[frame].function, site, frame);
        known = stack;
        return stack;
    }

private:
    void mark_used(std::vector<Sample> const& samples) {
        for (Sample const& sample : samples) {
            bool is_innermost = true;
            for (auto stack = sample.stack; stack != none; stack = sampled_[stack].caller) {
                if (sites_[stack] == none) {
                    sites_[stack] = static_cast<std::uint32_t>(named_.catalogue.sites.size());
                    // Sites are return addresses, which name the call before them.
                    named_.catalogue.sites.push_back(
                        {sampled_[stack].address + (is_innermost ? 1 : 0), 0, "", {}});
                }
                is_innermost = false;
            }
        }
    }

    void name_addresses() {
        named_.catalogue.threads.resize(1);
        named_.provenance.modules = recorded_.provenance.modules;
        named_.provenance.process = recorded_.provenance.process;  // whose compiled code has a map
        trace::symbolize(named_);
    }

    static std::string without_symbols(Site const& site) {
        return site.module.empty() ? "unknown" : file_name(site.module);
    }

    StackId called(StackId caller, std::string const& function, Site const& site, std::size_t frame) {
        auto const name = function.empty() ? without_symbols(site) : function;
        auto const place = places_.find(name);
        SiteId const at = place == places_.end() ? add_place(name, site, frame) : place->second;
        auto const [found, is_new] =
            stacks_.try_emplace({caller.value, at.value}, StackId(recorded_.catalogue.stacks.size()));
        if (is_new)
            recorded_.catalogue.stacks.push_back({caller, at});
        return found->second;
    }

    // A function stands where it was seen first.
    SiteId add_place(std::string const& name, Site const& site, std::size_t frame) {
        Site place{site.address, site.module_offset, site.module, {}};
        if (frame < site.frames.size())
            place.frames.push_back(site.frames[frame]);
        else
            place.frames.push_back({"", "", 0});
        place.frames.front().function = name;
        SiteId const at(recorded_.catalogue.sites.size());
        recorded_.catalogue.sites.push_back(std::move(place));
        places_.emplace(name, at);
        return at;
    }

    std::vector<SampledStack> const& sampled_;
    Timeline& recorded_;
    Timeline named_;                               // its sites are the addresses
    std::vector<std::optional<StackId>> numbers_;  // by sampled stack
    std::vector<std::uint32_t> sites_;             // likewise, in named_
    std::map<std::string, SiteId> places_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, StackId> stacks_;
};

std::vector<Sample> samples_of(Samples const& all, wire::Header const& header) {
    auto const begin_ns = static_cast<std::int64_t>(header.begin.monotonic_ns);
    auto const end_ns = static_cast<std::int64_t>(header.end.monotonic_ns);
    std::vector<Sample> own;
    for (Sample const& sample : all.samples)
        if (sample.process == header.process && sample.monotonic_ns >= begin_ns &&
            (end_ns == 0 || sample.monotonic_ns <= end_ns))
            own.push_back(sample);
    return own;
}

}  // namespace

void SampledWork::add(Samples const& samples, wire::Header const& header, Timeline& recorded) {
    auto const own = samples_of(samples, header);
    if (samples.period_ns == 0 || recorded.provenance.call_probes)
        return;
    recorded.provenance.sampling =
        Sampling{samples.period_ns, static_cast<std::int64_t>(own.size()), samples.lost};
    period_ns_ = samples.period_ns;
    threads_.resize(recorded.catalogue.threads.size());
    FunctionStacks stacks(samples.stacks, own, recorded);
    auto const threads = threads_by_kernel_id(recorded.catalogue);
    for (Sample const& sample : own)
        if (auto const thread = threads.find(sample.kernel_thread);
            thread != threads.end() && !stacks.is_in_recorder(sample.stack))
            threads_[thread->second.index()].push_back(
                {sample.monotonic_ns - static_cast<std::int64_t>(header.begin.monotonic_ns),
                 stacks.function_stack(sample.stack)});
    for (auto& thread : threads_)
        std::ranges::stable_sort(thread, {}, &OfThread::wall_ns);
}

// A sample is of the work before the first event that ends after it.
RecordingSink SampledWork::divided(RecordingSink const& take) {
    if (period_ns_ == 0)
        return take;
    struct Progress {
        ThreadId thread;
        std::uint32_t events = 0;
        std::size_t samples = 0;
        std::vector<WorkShare> shares;
    };
    return {[this, &take, at = Progress{}](ThreadId thread, std::span<Event const> events) mutable {
                if (thread != at.thread)
                    at = Progress{thread, 0, 0, {}};
                take.events(thread, events);
                at.shares.clear();
                auto const& samples = threads_[thread.index()];
                for (Event const& event : events) {
                    std::size_t const first = at.shares.size();
                    for (; at.samples < samples.size() &&
                           samples[at.samples].wall_ns <= event.wall_ns + event.span_ns;
                         ++at.samples) {
                        auto const of_piece = std::span(at.shares).subspan(first);
                        auto const known =
                            std::ranges::find(of_piece, samples[at.samples].stack, &WorkShare::stack);
                        if (known == of_piece.end())
                            at.shares.push_back({at.events, samples[at.samples].stack, period_ns_, 0, 0});
                        else
                            known->ns += period_ns_;
                    }
                    if (at.shares.size() > first)  // nobody knows the stack that makes the call
                        at.shares.push_back({at.events, StackId::none(), 0, 0, 0});
                    ++at.events;
                }
                if (!at.shares.empty() && take.shares)
                    take.shares(thread, at.shares);
            },
            {}};
}

}  // namespace parcast::record
