// Bytes of a program from anywhere: they are refused, or a program that can be replayed, changed and weighed.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "view/program_bytes.h"
#include "view/replay_on_demand.h"
#include "view/work_weights.h"

namespace {

// A replay of years in slices of a microsecond ends, but not today.
bool is_short(parcast::ThreadProgram const& program) {
    constexpr std::int64_t longest_ns = 10'000'000;
    std::int64_t total_ns = work_ns(program);
    for (auto const& list : program.lists)
        for (auto const& operation : list)
            total_ns += is_delay(operation.kind()) ? operation.value : 0;
    return total_ns <= longest_ns;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    parcast::view::Bytes bytes(size);  // aligned, unlike the fuzzer's
    if (size > 0)
        std::memcpy(bytes.data(), data, size);
    auto const read = parcast::view::read_program(bytes);
    if (!read || !is_short(read->program))
        return 0;
    for (auto const* const scenario : {"", "thread:0*0.5,lock:table/2"})
        (void)parcast::view::replay(read->program, read->machine, read->pairing,
                                    {.cpus = 3, .scenario = scenario});
    std::uint32_t const counts[] = {1, 3};
    if (auto const weights = parcast::view::WorkWeights::of(read->program, read->pairing, read->machine)) {
        (void)(*weights)->by_owner(counts);
        (void)(*weights)->by_operation(3);
    }
    return 0;
}
