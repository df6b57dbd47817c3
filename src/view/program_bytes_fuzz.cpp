// Bytes of a program from anywhere: they are refused, or a program that can be replayed.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "view/program_bytes.h"
#include "view/replay_on_demand.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    parcast::view::Bytes bytes(size);  // aligned, unlike the fuzzer's
    if (size > 0)
        std::memcpy(bytes.data(), data, size);
    auto const read = parcast::view::read_program(bytes);
    if (read)
        (void)parcast::view::replay(read->program, read->machine, read->pairing, {.cpus = 3});
    return 0;
}
