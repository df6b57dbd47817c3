// A plan for threads on its way into a host program: which the binder reads there, and where it counts.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/notice.h"
#include "core/result.h"
#include "machine/thread_plan.h"
#include "record/preloaded_library.h"
#include "record/recording_folder.h"

namespace parcast::wire {
struct PlanTable;
}

namespace parcast::record {

class ThreadBinder {
public:
    // `program`: a path. `cpus`: of the host; the plan's CPU k is the k-th of them. Errors: unasked (a CPU
    // that is not there, with the entry's place; a text that is too long), not_recorded (a binder that is
    // missing, no memory).
    static Result<ThreadBinder> create(ThreadPlan const& plan, std::string const& program,
                                       std::vector<unsigned> const& cpus);

    // What the program gets. It names a file of this process, which must be there when the program starts.
    Environment environment() const;
    // For another run: the next process that loads the binder is planned.
    void start_again();
    // What became of the plan in the process that has ended: who could not be named, and what the kernel
    // refused.
    std::vector<Notice> notices() const;

private:
    struct Unmap {
        void operator()(wire::PlanTable* table) const;
    };
    class Descriptor {
    public:
        explicit Descriptor(int number) : number_(number) {}
        Descriptor(Descriptor&& other) noexcept;
        Descriptor& operator=(Descriptor&&) = delete;
        ~Descriptor();
        int number() const { return number_; }

    private:
        int number_;
    };

    ThreadBinder(ThreadPlan plan, std::string library, std::optional<RecordingFolder> folder, Descriptor file)
        : plan_(std::move(plan)),
          library_(std::move(library)),
          folder_(std::move(folder)),
          file_(std::move(file)) {}

    ThreadPlan plan_;
    std::string library_;
    std::optional<RecordingFolder> folder_;  // for a library whose path ld.so does not take
    Descriptor file_;
    std::unique_ptr<wire::PlanTable, Unmap> table_;
};

}  // namespace parcast::record
