// Processor sharing: n running threads progress at rate min(1, P/n) each, as if slices were infinitely
// small, slowed down by the rate law. Ignores affinity, priorities, costs and spinning. At one instant
// threads act in the order of their ids.
//
// Cost: O(log threads) an operation; an operation that comes before every other event costs O(1).

#include "simulate/run_under.h"

#include "core/tournament.h"
#include "simulate/event_key.h"
#include "simulate/replay.h"
#include "simulate/virtual_clock.h"

namespace parcast::simulate {

namespace {

class IdealReplay {
public:
    IdealReplay(ThreadProgram const& program, Machine const& machine, ReplayOptions const& options)
        : replay_(program, machine, Ledger::Sharing::shared, options),
          clock_(machine.cpus, machine.rates),
          completions_(program.lists.size()) {}

    Run run() {
        for (ThreadId const initial : replay_.begin())
            start(initial, 0);
        while (!replay_.is_over()) {
            auto const completion = completions_.first();
            auto const timer = replay_.timers().first();
            if (completion.is_never() && timer.is_never())
                break;
            auto const when =
                completion.is_never() ? timer.time : clock_.real(VirtualClock::time(completion));
            if (timer.time <= when) {
                replay_.timers().pop();
                ThreadId const thread(timer.slot());
                replay_.resume_after_delay(thread, timer.time);
                start(thread, timer.time);
            } else {
                execute(ThreadId(completion.slot()), VirtualClock::time(completion), when);
            }
        }
        return replay_.finish();
    }

private:
    void start(ThreadId thread, std::int64_t now) {
        clock_.set_running(clock_.running() + 1, now);
        replay_.ledger().runs(thread, now, CpuId::none());
        completions_.set(thread.index(),
                         VirtualClock::key(clock_.after(now, replay_.work_ns(thread)), thread.value));
    }

    // Executes the thread's operation, whose work is done at `end`, which rounded up is `now`, and those
    // after it that come before every other event. Each follows the exact end of the one before.
    void execute(ThreadId thread, VirtualTime end, std::int64_t now) {
        Lead<EventKey> lead(completions_, thread.index());
        for (;;) {
            auto const progress = replay_.execute(thread, now);
            bool const goes_on =
                progress != Progress::blocks && progress != Progress::delays && progress != Progress::ends;
            if (!goes_on) {
                clock_.set_running(clock_.running() - 1, now);
                completions_.clear(thread.index());
            }
            for (auto const released : replay_.released())
                start(released, now);
            if (!goes_on)
                return;
            if (!replay_.released().empty())
                lead = {completions_, thread.index()};

            end += VirtualClock::span(replay_.work_ns(thread));
            auto const next = VirtualClock::key(end, thread.value);
            // The end of other work than the first may lie beyond what a real time can hold.
            auto const when = lead.reaches(next) ? clock_.real(VirtualClock::time(next)) : EventKey{}.time;
            if (when >= replay_.timers().first().time) {
                completions_.set(thread.index(), next);
                return;
            }
            now = when;
        }
    }

    Replay replay_;
    VirtualClock clock_;
    Tournament<EventKey> completions_;  // by thread, in virtual time
};

}  // namespace

template <>
Run run_under(IdealScheduler const& /*scheduler*/, ThreadProgram const& program, Machine const& machine,
              ReplayOptions const& options) {
    return IdealReplay(program, machine, options).run();
}

}  // namespace parcast::simulate
