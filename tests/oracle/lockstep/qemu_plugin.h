// The part of QEMU's plugin interface (version 4, QEMU 9.1 and later) that lock-step needs. Debian ships no
// header for it; names and types are those of QEMU's documentation ("QEMU TCG Plugins").

#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

using qemu_plugin_id_t = uint64_t;
struct qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_scoreboard;
struct qemu_plugin_u64 {
    qemu_plugin_scoreboard* score;
    size_t offset;
};

enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W };
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_cond {
    QEMU_PLUGIN_COND_NEVER,
    QEMU_PLUGIN_COND_ALWAYS,
    QEMU_PLUGIN_COND_EQ,
    QEMU_PLUGIN_COND_NE,
    QEMU_PLUGIN_COND_LT,
    QEMU_PLUGIN_COND_LE,
    QEMU_PLUGIN_COND_GT,
    QEMU_PLUGIN_COND_GE,
};

qemu_plugin_scoreboard* qemu_plugin_scoreboard_new(size_t element_size);
void* qemu_plugin_scoreboard_find(qemu_plugin_scoreboard*, unsigned vcpu);

size_t qemu_plugin_tb_n_insns(qemu_plugin_tb const*);
qemu_plugin_insn* qemu_plugin_tb_get_insn(qemu_plugin_tb const*, size_t index);
size_t qemu_plugin_insn_data(qemu_plugin_insn const*, void* bytes, size_t size);
uint64_t qemu_plugin_insn_vaddr(qemu_plugin_insn const*);

using qemu_plugin_vcpu_cb = void (*)(qemu_plugin_id_t, unsigned vcpu);
using qemu_plugin_vcpu_udata_cb = void (*)(unsigned vcpu, void* data);
using qemu_plugin_tb_cb = void (*)(qemu_plugin_id_t, qemu_plugin_tb*);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t, qemu_plugin_vcpu_cb);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, qemu_plugin_tb_cb);
void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn*, qemu_plugin_vcpu_udata_cb,
                                            qemu_plugin_cb_flags, void* data);
void qemu_plugin_register_vcpu_mem_inline_per_vcpu(qemu_plugin_insn*, qemu_plugin_mem_rw, qemu_plugin_op,
                                                   qemu_plugin_u64, uint64_t add);
void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(qemu_plugin_tb*, qemu_plugin_op, qemu_plugin_u64,
                                                       uint64_t add);
void qemu_plugin_register_vcpu_tb_exec_cond_cb(qemu_plugin_tb*, qemu_plugin_vcpu_udata_cb,
                                               qemu_plugin_cb_flags, qemu_plugin_cond, qemu_plugin_u64,
                                               uint64_t compared_with, void* data);
}
