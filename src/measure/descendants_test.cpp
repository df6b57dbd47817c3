#include "measure/descendants.h"

#include <array>
#include <csignal>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parcast::measure {
namespace {

// A child that tells when it is what `become` makes of it, and then waits to be ended.
pid_t child_that(void (*become)(int ready)) {
    std::array<int, 2> pipe_ends{};
    EXPECT_EQ(pipe(pipe_ends.data()), 0);
    pid_t const child = fork();
    if (child == 0) {
        become(pipe_ends[1]);
        _exit(0);
    }
    close(pipe_ends[1]);
    char ready = 0;
    EXPECT_EQ(read(pipe_ends[0], &ready, 1), 1);
    close(pipe_ends[0]);
    return child;
}

void tell(int ready) {
    (void)!write(ready, "r", 1);
}

// As /proc shows it of a process whose name has neither brackets nor blanks.
char state_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string number;
    std::string name;
    char state = 0;
    file >> number >> name >> state;
    return state;
}

void end(pid_t child) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
}

TEST(Descendants, AreTheLivingOnesOfAllGenerations) {
    EXPECT_THAT(descendants_of(getpid()), testing::IsEmpty());
    pid_t const child = child_that([](int ready) {
        if (fork() == 0)
            tell(ready);
        pause();
    });
    auto const both = descendants_of(getpid());
    ASSERT_EQ(both.size(), 2U);
    EXPECT_THAT(both, testing::Contains(child));
    EXPECT_EQ(descendants_of(child).size(), 1U);
    Adoption const adoption;
    EXPECT_THAT(adoption.living(), testing::IsEmpty()) << "they are older than it";
    for (pid_t const process : both)
        kill(process, SIGKILL);
    waitpid(child, nullptr, 0);
}

TEST(Descendants, AProcessWhoseInitialThreadHasEndedIsAlive) {
    pid_t const child = child_that([](int ready) {
        static int descriptor;
        descriptor = ready;
        pthread_t other{};
        pthread_create(
            &other, nullptr,
            [](void*) -> void* {
                while (state_of(getpid()) != 'Z') {
                }
                tell(descriptor);
                pause();
                return nullptr;
            },
            nullptr);
        syscall(SYS_exit, 0);  // the thread alone; pthread_exit would unwind the test
    });
    EXPECT_THAT(descendants_of(getpid()), testing::ElementsAre(child));
    end(child);
    EXPECT_THAT(descendants_of(getpid()), testing::IsEmpty());
}

}  // namespace
}  // namespace parcast::measure
