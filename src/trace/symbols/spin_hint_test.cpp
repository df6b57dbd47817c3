#include "trace/symbols/spin_hint.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <link.h>
#include <x86intrin.h>

namespace parcast::trace {
namespace {

[[gnu::noinline]] std::uint64_t wait_with_pause(int const volatile& flag) {
    std::uint64_t here = 0;
    do {
        _mm_pause();
        asm volatile("lea 0(%%rip), %0" : "=r"(here));
    } while (flag == 0);
    return here;
}

[[gnu::noinline]] std::uint64_t wait_without(int const volatile& flag) {
    std::uint64_t here = 0;
    do {
        asm volatile("lea 0(%%rip), %0\n.nops 24" : "=r"(here));
    } while (flag == 0);
    return here;
}

std::vector<Module> modules_of_this_process() {
    std::vector<Module> modules;
    auto const add = [](dl_phdr_info* info, std::size_t, void* to) {
        std::string path = info->dlpi_name;
        if (path.empty())
            path = std::filesystem::read_symlink("/proc/self/exe");
        static_cast<std::vector<Module>*>(to)->push_back({path, "", info->dlpi_addr});
        return 0;
    };
    dl_iterate_phdr(add, &modules);
    return modules;
}

TEST(SpinHint, IsPauseInTheSameShortLoop) {
    int const flag = 1;
    // The second is 24 bytes of nothing away from what follows it, and nothing before it pauses.
    std::array const addresses = {wait_with_pause(flag), wait_without(flag) + 16};
    auto const found = are_beside_pause(modules_of_this_process(), addresses);
    EXPECT_TRUE(found[0]);
    EXPECT_FALSE(found[1]);
}

TEST(SpinHint, IsUnknownWhereNoFileIsLoaded) {
    std::array const addresses = {std::uint64_t{16}, ~std::uint64_t{0}};
    for (bool const found : are_beside_pause(modules_of_this_process(), addresses))
        EXPECT_FALSE(found);
    EXPECT_FALSE(are_beside_pause({{"/nowhere/at/all", "", 0}}, addresses)[0]);
}

}  // namespace
}  // namespace parcast::trace
