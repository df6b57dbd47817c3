// A small execution for the tests of the writers of foreign formats: three threads on two processors, with
// every state, releases and creations, and names that no format may stumble over.

#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/exports/execution.h"
#include "trace/exports/output.h"

namespace parcast::trace {

inline std::string written_by(void (*write)(Execution const&, Output&), Execution const& execution) {
    std::string bytes;
    Output output([&](std::string_view piece) -> Result<void> {
        bytes += piece;
        return {};
    });
    write(execution, output);
    auto const count = output.finish();
    EXPECT_TRUE(count && *count == bytes.size());
    return bytes;
}

class SmallExecution {
public:
    SmallExecution() {
        name_everything();
        // main creates both others at 10 and 20, holds the lock until 60, sleeps, and reads.
        add(0, 0, 40, ThreadState::running, first_cpu);
        add(0, 40, 45, ThreadState::switching, first_cpu);
        add(0, 45, 70, ThreadState::running, first_cpu);
        add(0, 70, 80, ThreadState::sleeping);
        add(0, 80, 95, ThreadState::input_output);
        add(0, 95, 100, ThreadState::running, first_cpu);
        // The first worker waits for the lock and is released at 60.
        add(1, 10, 30, ThreadState::running, second_cpu);
        add(1, 30, 60, ThreadState::blocked, CpuId::none(), lock);
        released_by(0);
        add(1, 60, 65, ThreadState::ready);
        add(1, 65, 90, ThreadState::running, second_cpu);
        // The second one spins for it first, and is released by the first where that ends a running row.
        add(2, 20, 30, ThreadState::ready);
        add(2, 30, 50, ThreadState::spinning, second_cpu, lock);
        add(2, 50, 90, ThreadState::blocked, CpuId::none(), lock);
        released_by(1);
        add(2, 90, 100, ThreadState::running, second_cpu);
        timeline.critical_path = {{ThreadId(std::size_t{0}), {0}, {60}},
                                  {ThreadId(std::size_t{1}), {60}, {90}},
                                  {ThreadId(std::size_t{2}), {90}, {100}}};
        timeline.cpus = 2;
        timeline.length = {100};
        timeline.origin = Origin::predicted;
        execution.title = "./a\"b<script> on 2 CPUs, predicted";
        execution.timeline = &timeline;
        execution.parallelism = {{{0}, 1, 0}, {{10}, 2, 0}, {{20}, 2, 1}, {{100}, 0, 0}};
    }
    SmallExecution(SmallExecution const&) = delete;
    SmallExecution& operator=(SmallExecution const&) = delete;

    void add_marks() {
        execution.mark_names = mark_names;
        execution.marks = [](ThreadId thread) {
            if (thread != ThreadId(std::size_t{1}))
                return std::vector<Mark>{};
            return std::vector<Mark>{
                {.when = {30}, .object = lock, .site = SiteId(std::size_t{0}), .kind = 0},
                {.when = {90}, .object = lock, .kind = 1}};
        };
    }

    Timeline timeline;
    Execution execution;

private:
    static constexpr CpuId first_cpu{std::size_t{0}};
    static constexpr CpuId second_cpu{std::size_t{1}};
    static constexpr ObjectId lock{std::size_t{0}};
    static constexpr char const* mark_names[] = {"lock", "unlock"};

    void name_everything() {
        auto& catalogue = timeline.catalogue;
        catalogue.threads.resize(3);
        catalogue.threads[0].name = "main \"quoted\", with comma\nand line";
        catalogue.threads[1].name = "<b>worker</b>\xff\xfe \xed\xa0\x80";
        catalogue.threads[2].name = "=1+1;" + std::string(100'000, 'x');
        catalogue.threads[1].parent = catalogue.threads[2].parent = ThreadId(std::size_t{0});
        catalogue.objects.resize(1);
        catalogue.objects[0].name = "queue\\lock";
        catalogue.sites.push_back({0, 0, "", {{"put</script>", "buffer \xc3\xa4.cpp", 41}}});
        timeline.intervals.emplace();
    }

    void add(std::size_t thread, std::int64_t begin, std::int64_t end, ThreadState state,
             CpuId cpu = CpuId::none(), ObjectId object = ObjectId::none()) {
        auto& rows = *timeline.intervals;
        bool const waits = state == ThreadState::blocked;
        rows.thread.push_back(ThreadId(thread));
        rows.begin.push_back({begin});
        rows.end.push_back({end});
        rows.state.push_back(state);
        rows.cpu.push_back(cpu);
        rows.object.push_back(object);
        rows.releaser.push_back(ThreadId::none());
        rows.site.push_back(waits ? SiteId(std::size_t{0}) : SiteId::none());
    }
    void released_by(std::size_t thread) { timeline.intervals->releaser.back() = ThreadId(thread); }
};

}  // namespace parcast::trace
