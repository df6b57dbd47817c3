// A QEMU plugin that makes of N virtual CPUs on any number of host CPUs an N-processor machine with a clock
// of its own: one instruction a nanosecond on each, no caches, no bandwidth limit.
//
// 1. From the begin mark to the end mark, every virtual CPU executes `round` instructions, then waits for the
// others.
// 2. No virtual CPU halts: the guest's kernel runs with idle=poll. A poll (PAUSE in the kernel) counts as
// many
//    instructions, because QEMU leaves its translated code at each.
// 3. A repeated string instruction counts once for each repetition, as QEMU's own instruction counting does.
// 4. In free run, a CPU that polls sleeps, so that the others can boot.
//
// A mark is an 8-byte no-operation with a number in it (guest/span.c). Each writes a line "begin NS" or "end
// NS", with the virtual time, to the file `marks`; "end" adds the number of broken rounds.
//
// Use: LD_PRELOAD=lockstep.so qemu-system-x86_64 -plugin lockstep.so,round=5000,marks=FILE ...

#include "qemu_plugin.h"
#include "round_barrier.h"
#include "virtual_time.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <string_view>

namespace {

using namespace oracle;

constexpr std::string_view begin_mark("\x0f\x1f\x84\x00\x78\x56\x34\x12", 8);
constexpr std::string_view end_mark("\x0f\x1f\x84\x00\x79\x56\x34\x12", 8);
constexpr std::string_view pause_instruction("\xf3\x90", 2);
constexpr uint64_t first_kernel_address = UINT64_C(1) << 63;
constexpr uint64_t polls_a_round = 8;

struct Lockstep {
    uint64_t round_ns = 5000;
    std::FILE* marks = nullptr;
    qemu_plugin_scoreboard* scoreboard = nullptr;
    std::atomic<uint32_t> cpus = 0;
    RoundBarrier barrier;
    std::mutex marking;
};
Lockstep lockstep;

VirtualCpu& virtual_cpu(unsigned vcpu) {
    return *static_cast<VirtualCpu*>(qemu_plugin_scoreboard_find(lockstep.scoreboard, vcpu));
}

void end_round(unsigned vcpu, void*) {
    VirtualCpu& cpu = virtual_cpu(vcpu);
    this_virtual_cpu = &cpu;
    if (!virtual_time.is_lockstep()) {
        cpu = {};
        return;
    }
    if (cpu.joined == 0)
        cpu = {.executed = lockstep.round_ns, .joined = 1};
    lockstep.barrier.arrive(lockstep.cpus, [] { virtual_time.add_round(lockstep.round_ns); });
    cpu.executed -= lockstep.round_ns;
}

void poll(unsigned vcpu, void*) {
    if (virtual_time.is_lockstep()) {
        virtual_cpu(vcpu).executed += lockstep.round_ns / polls_a_round;
        return;
    }
    timespec const pause = {0, 1'000'000};
    nanosleep(&pause, nullptr);
}

void begin(unsigned vcpu, void*) {
    std::lock_guard const lock(lockstep.marking);
    if (virtual_time.is_lockstep())
        return;
    virtual_cpu(vcpu) = {.executed = 0, .joined = 1};
    virtual_time.begin_lockstep();
    std::fprintf(lockstep.marks, "begin %lu\n", virtual_time.now_ns(&virtual_cpu(vcpu)));
}

void end(unsigned vcpu, void*) {
    std::lock_guard const lock(lockstep.marking);
    if (!virtual_time.is_lockstep())
        return;
    std::fprintf(lockstep.marks, "end %lu %lu\n", virtual_time.now_ns(&virtual_cpu(vcpu)),
                 lockstep.barrier.broken_rounds());
    std::fflush(lockstep.marks);
    virtual_time.end_lockstep();
    lockstep.barrier.release();
}

// rep movs and rep stos, which write memory once a repetition; those that only read are rare, and short.
bool is_repeated_store(std::string_view code) {
    if (code.empty() || (code[0] != '\xf3' && code[0] != '\xf2'))
        return false;
    code.remove_prefix(1);
    while (code.size() > 1 && (code[0] == '\x66' || (code[0] & '\xf0') == '\x40'))  // operand size, REX
        code.remove_prefix(1);
    return code == "\xa4" || code == "\xa5" || code == "\xaa" || code == "\xab";
}

qemu_plugin_u64 executed_instructions() {
    return {lockstep.scoreboard, offsetof(VirtualCpu, executed)};
}

void instrument_instruction(qemu_plugin_insn* instruction) {
    char bytes[16];
    std::string_view const code(bytes, qemu_plugin_insn_data(instruction, bytes, sizeof bytes));
    if (code == begin_mark) {
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, begin, QEMU_PLUGIN_CB_NO_REGS, nullptr);
    } else if (code == end_mark) {
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, end, QEMU_PLUGIN_CB_NO_REGS, nullptr);
    } else if (code == pause_instruction && qemu_plugin_insn_vaddr(instruction) >= first_kernel_address) {
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, poll, QEMU_PLUGIN_CB_NO_REGS, nullptr);
    } else if (is_repeated_store(code)) {
        qemu_plugin_register_vcpu_mem_inline_per_vcpu(instruction, QEMU_PLUGIN_MEM_W,
                                                      QEMU_PLUGIN_INLINE_ADD_U64, executed_instructions(), 1);
    }
}

void instrument_block(qemu_plugin_id_t, qemu_plugin_tb* block) {
    size_t const instructions = qemu_plugin_tb_n_insns(block);
    for (size_t index = 0; index < instructions; ++index)
        instrument_instruction(qemu_plugin_tb_get_insn(block, index));
    qemu_plugin_u64 const executed = executed_instructions();
    qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(block, QEMU_PLUGIN_INLINE_ADD_U64, executed,
                                                      instructions);
    qemu_plugin_register_vcpu_tb_exec_cond_cb(block, end_round, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_COND_GE,
                                              executed, lockstep.round_ns, nullptr);
}

void begin_virtual_cpu(qemu_plugin_id_t, unsigned vcpu) {
    virtual_cpu(vcpu) = {};
    ++lockstep.cpus;
}

bool read_argument(std::string_view argument) {
    if (argument.starts_with("round=")) {
        lockstep.round_ns = std::strtoull(argument.data() + 6, nullptr, 10);
        return lockstep.round_ns >= polls_a_round;
    }
    if (argument.starts_with("marks=")) {
        lockstep.marks = std::fopen(argument.data() + 6, "w");
        return lockstep.marks != nullptr;
    }
    return false;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int qemu_plugin_version = 4;

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, qemu_info_t const*,
                                                               int count, char** arguments) {
    for (int index = 0; index < count; ++index) {
        if (!read_argument(arguments[index])) {
            std::fprintf(stderr, "lockstep: bad argument '%s'\n", arguments[index]);
            return 1;
        }
    }
    if (lockstep.marks == nullptr) {
        std::fprintf(stderr, "lockstep: argument marks=FILE is missing\n");
        return 1;
    }
    lockstep.scoreboard = qemu_plugin_scoreboard_new(sizeof(VirtualCpu));
    replace_host_clocks();
    qemu_plugin_register_vcpu_init_cb(id, begin_virtual_cpu);
    qemu_plugin_register_vcpu_tb_trans_cb(id, instrument_block);
    return 0;
}

}  // extern "C"
