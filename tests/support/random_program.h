// Random thread programs for property tests: threads made as a tree and joined, critical sections that
// nest in the order of their numbers (so that they cannot deadlock), semaphores and conditions posted at
// least as often as they are awaited, sleeps, yields, priorities and affinity.

#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "support/program_builder.h"

namespace parcast {

class RandomProgram {
public:
    struct Shape {
        std::uint32_t threads = 6;
        int operations = 40;  // per thread, about
        std::int64_t unit_ns = 1;
        std::int64_t longest_work = 100'000;
        bool sleeps = true;
    };

    RandomProgram(std::uint64_t seed, Shape shape)
        : random_(seed), shape_(shape), program_(shape.threads, shape.unit_ns) {
        for (int index = 0; index < 3; ++index)
            mutexes_.push_back(program_.object(ObjectKind::mutex));
        shared_ = program_.object(ObjectKind::reader_writer_lock);
        semaphore_ = program_.object(ObjectKind::semaphore);
        condition_ = program_.object(ObjectKind::condition);
    }

    ThreadProgram make() {
        // Thread t creates 2t+1 and 2t+2, so that creation is a tree; the creator joins at its end.
        for (std::uint32_t number = 0; number < shape_.threads; ++number) {
            auto& thread = program_.thread(number);
            for (auto child : {2 * number + 1, 2 * number + 2})
                if (child < shape_.threads)
                    thread.work(below(1000)).create(child);
            for (int step = 0; step < shape_.operations; ++step)
                add_step(number);
            // Everybody posts before anybody waits: a wait needs no other thread's progress than that.
            thread.post(semaphore_, 3).add(OperationKind::condition_signal, condition_.value, 3);
            thread.work(below(1000)).wait(semaphore_).lock(mutexes_[0]);
            thread.add(OperationKind::condition_wait, condition_.value, mutexes_[0].value);
            thread.work(below(1000)).unlock(mutexes_[0]);
            for (auto child : {2 * number + 1, 2 * number + 2})
                if (child < shape_.threads)
                    thread.join(child);
            thread.work(below(1000));
        }
        return program_.finish();
    }

private:
    // The modulo's bias does not matter; std::uniform_int_distribution differs between libraries.
    std::int64_t below(std::int64_t limit) {
        return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
    }

    void add_step(std::uint32_t number) {
        auto& thread = program_.thread(number);
        // Every fourth piece of work takes no time: many events fall on one instant.
        thread.work(below(4) == 0 ? 0 : below(shape_.longest_work));
        switch (below(7)) {
            case 0: return add_sections(thread);
            case 1:
                thread.add(OperationKind::read_lock, shared_.value).work(below(shape_.longest_work));
                thread.add(OperationKind::read_write_unlock, shared_.value);
                return;
            case 2:
                thread.add(OperationKind::write_lock, shared_.value).work(below(shape_.longest_work));
                thread.add(OperationKind::read_write_unlock, shared_.value);
                return;
            case 3:
                if (shape_.sleeps)
                    thread.sleep(below(shape_.longest_work));
                return;
            case 4: thread.yield(); return;
            case 5: thread.post(semaphore_); return;
            default: thread.add(OperationKind::set_affinity, 0xffffffff, below(8)); return;
        }
    }

    void add_sections(ThreadBuilder& thread) {
        auto const first = static_cast<std::size_t>(below(static_cast<std::int64_t>(mutexes_.size())));
        for (auto index = first; index < mutexes_.size(); ++index)
            thread.lock(mutexes_[index]).work(below(shape_.longest_work));
        for (auto index = mutexes_.size(); index > first; --index)
            thread.unlock(mutexes_[index - 1]);
    }

    std::mt19937_64 random_;
    Shape shape_;
    ProgramBuilder program_;
    std::vector<ObjectId> mutexes_;
    ObjectId shared_;
    ObjectId semaphore_;
    ObjectId condition_;
};

}  // namespace parcast
