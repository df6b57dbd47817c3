// Programs for tests, as the papers write them: builder.thread(0).work(3).lock(m).work(1).unlock(m).
// One unit of work is `unit` nanoseconds, so that thirds and quarters of a unit are whole.

#pragma once

#include <cstdint>
#include <vector>

#include "program/thread_program.h"
#include "support/edited_list.h"

namespace parcast {

class ProgramBuilder;

class ThreadBuilder {
public:
    ThreadBuilder(ProgramBuilder& builder, std::uint32_t thread) : builder_(builder), thread_(thread) {}

    ThreadBuilder& work(std::int64_t units);
    ThreadBuilder& lock(ObjectId mutex) { return add(OperationKind::lock, mutex.value); }
    ThreadBuilder& unlock(ObjectId mutex) { return add(OperationKind::unlock, mutex.value); }
    ThreadBuilder& wait(ObjectId semaphore) { return add(OperationKind::semaphore_wait, semaphore.value); }
    ThreadBuilder& post(ObjectId semaphore, std::int64_t units = 1) {
        return add(OperationKind::semaphore_post, semaphore.value, units);
    }
    ThreadBuilder& create(std::uint32_t thread) { return add(OperationKind::create, thread); }
    ThreadBuilder& join(std::uint32_t thread) { return add(OperationKind::join, thread); }
    ThreadBuilder& join_any() { return add(OperationKind::join_any); }
    ThreadBuilder& activate(std::uint32_t thread) { return add(OperationKind::activate, thread); }
    ThreadBuilder& accept() { return add(OperationKind::accept); }
    ThreadBuilder& yield() { return add(OperationKind::yield); }
    ThreadBuilder& sleep(std::int64_t units);
    ThreadBuilder& add(OperationKind kind, std::uint32_t object = 0xffffffff, std::int64_t value = 0);
    // Real-time level and the only processor that it may use.
    ThreadBuilder& bind(int level, unsigned processor);

private:
    ProgramBuilder& builder_;
    std::uint32_t thread_;
    std::int64_t pending_work_ns_ = 0;
    friend class ProgramBuilder;
};

class ProgramBuilder {
public:
    static constexpr std::int64_t default_unit_ns = 3'000'000;

    explicit ProgramBuilder(std::uint32_t threads, std::int64_t unit_ns = default_unit_ns);

    ThreadBuilder& thread(std::uint32_t number) { return threads_[number]; }
    ObjectId object(ObjectKind kind, std::int64_t initial_count = 0);
    ObjectId memory_map();
    std::int64_t unit_ns() const { return unit_ns_; }

    // Every thread ends. `created_at_start`: thread 0 creates all others before it does anything.
    ThreadProgram finish() const;
    ThreadProgram finish_with_all_created() const;

private:
    friend class ThreadBuilder;
    ThreadProgram program_;
    std::vector<ThreadBuilder> threads_;
    std::int64_t unit_ns_;
};

inline ThreadBuilder& ThreadBuilder::work(std::int64_t units) {
    pending_work_ns_ += units * builder_.unit_ns_;
    return *this;
}

inline ThreadBuilder& ThreadBuilder::sleep(std::int64_t units) {
    return add(OperationKind::delay, 0xffffffff, units * builder_.unit_ns_);
}

inline ThreadBuilder& ThreadBuilder::add(OperationKind kind, std::uint32_t object, std::int64_t value) {
    auto const site = SiteId(builder_.program_.catalogue.sites.size());
    builder_.program_.catalogue.sites.emplace_back();
    builder_.program_.lists[thread_].push_back(make_operation(kind, pending_work_ns_, object, value, site));
    pending_work_ns_ = 0;
    return *this;
}

inline ThreadBuilder& ThreadBuilder::bind(int level, unsigned processor) {
    builder_.program_.parameters[thread_] = {std::uint64_t{1} << processor,
                                             {SchedulingClass::real_time, level}};
    return *this;
}

inline ProgramBuilder::ProgramBuilder(std::uint32_t threads, std::int64_t unit_ns) : unit_ns_(unit_ns) {
    program_.catalogue.threads.resize(threads);
    program_.lists.resize(threads);
    program_.parameters.resize(threads);
    for (std::uint32_t number = 0; number < threads; ++number)
        threads_.emplace_back(*this, number);
}

inline ObjectId ProgramBuilder::object(ObjectKind kind, std::int64_t initial_count) {
    Object object;
    object.kind = kind;
    program_.catalogue.objects.push_back(object);
    program_.objects.push_back({initial_count, false, {}});
    return ObjectId(program_.objects.size() - 1);
}

inline ObjectId ProgramBuilder::memory_map() {
    auto const map = object(ObjectKind::reader_writer_lock);
    program_.objects.back().kernel_lock = KernelLock::memory_map;
    return map;
}

inline ThreadProgram ProgramBuilder::finish() const {
    auto finished = program_;
    for (auto const& thread : threads_)
        finished.lists[thread.thread_].push_back(make_operation(OperationKind::end, thread.pending_work_ns_));
    return finished;
}

inline ThreadProgram ProgramBuilder::finish_with_all_created() const {
    auto finished = finish();
    std::vector<Operation> first;
    for (std::uint32_t number = 1; number < threads_.size(); ++number)
        first.push_back(make_operation(OperationKind::create, 0, number));
    insert(finished.lists[0], 0, first);
    return finished;
}

}  // namespace parcast
