#include "analysis/survey.h"

#include <algorithm>
#include <utility>

#include "analysis/kernel_time.h"
#include "timeline/event_sink.h"

namespace parcast::analysis {

namespace {

bool is_call(EventKind kind) {
    return kind != EventKind::thread_begin && kind != EventKind::thread_end &&
           kind != EventKind::process_exit;
}

std::size_t threads_of(Timeline const& recorded) {
    return std::max(recorded.catalogue.threads.size(), recorded.events.size());
}

}  // namespace

Duration Survey::cpu() const {
    Duration sum;
    for (ThreadProfile const& thread : profile.threads)
        sum += thread.cpu;
    return sum;
}

Surveyor::Surveyor(Timeline const& recorded)
    : provenance_(recorded.provenance),
      prices_(recording_prices(recorded)),
      profiler_(threads_of(recorded), recorded.catalogue.objects.size()),
      hand_outs_(threads_of(recorded)),
      timed_teams_(threads_of(recorded)),
      futexes_(recorded.catalogue) {}

void Surveyor::add(ThreadId thread, std::span<Event const> events) {
    if (thread != thread_)
        end_thread();
    thread_ = thread;
    for (Event const& event : events)
        add(event);
}

void Surveyor::add(Event const& event) {
    EventCost const cost = recording_cost(event, prices_);
    survey_.recording_cost_ns += cost.inside_ns + cost.outside_ns;
    survey_.file_ns += is_work_on_files(event.kind) ? event.cpu_inside_ns : 0;
    survey_.inside_ns += event.cpu_inside_ns;
    survey_.has_calls = survey_.has_calls || is_call(event.kind);
    count_children(event);
    profiler_.add(thread_, event);
    spinning_.add(event);
    spins_before_waits_.add(event);
    hand_outs_.add(thread_, event);
    phases_.add(event);
    regions_.add(thread_, event);
    timed_teams_.add(thread_, event);
    futexes_.add(event);
}

void Surveyor::add_shares(std::span<WorkShare const> shares) {
    for (WorkShare const& share : shares) {
        survey_.recording_cost_ns += recording_cost(share, prices_);
        functions_.add(share);
    }
}

// Waiting fails without a child.
void Surveyor::count_children(Event const& event) {
    if (event.outcome != Outcome::done)
        return;
    survey_.children += event.kind == EventKind::fork || event.kind == EventKind::spawn ? 1 : 0;
    if (event.kind != EventKind::wait_child)
        return;
    survey_.waits_for_children = true;
    survey_.waited_for_children.ns += event.blocked ? event.span_ns : 0;
}

void Surveyor::end_thread() {
    profiler_.end_thread();
    spinning_.end_thread(thread_);
    if (auto const found = spins_before_waits_.end_thread(thread_))
        survey_.spinning.push_back(*found);
    hand_outs_.end_thread();
    phases_.end_thread();
    regions_.end_thread();
    futexes_.end_thread();
}

Survey Surveyor::finish(Catalogue const& catalogue) {
    end_thread();
    survey_.profile = profiler_.finish();
    std::ranges::copy(spinning_.finish(), std::back_inserter(survey_.spinning));
    survey_.profile.functions = functions_.finish(catalogue, provenance_);
    survey_.uneven_teams = hand_outs_.finish(catalogue);
    survey_.uneven_phases = phases_.finish();
    survey_.uneven_regions = regions_.finish(catalogue);
    survey_.timed_teams = timed_teams_.finish(catalogue);
    survey_.futexes = futexes_.finish();
    return std::move(survey_);
}

Survey survey(Timeline const& recorded) {
    Surveyor surveyor(recorded);
    hand_over_events(recorded,
                     [&](ThreadId thread, std::span<Event const> events) { surveyor.add(thread, events); });
    hand_over_shares(recorded,
                     [&](ThreadId, std::span<WorkShare const> shares) { surveyor.add_shares(shares); });
    return surveyor.finish(recorded.catalogue);
}

}  // namespace parcast::analysis
