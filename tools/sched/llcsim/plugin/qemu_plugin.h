/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llcsim, see tools/sched/llcsim/README.rst: the part of QEMU's TCG plugin
 * interface that is used. Distributions do not package qemu-plugin.h with every
 * version. API is the interface: 1 for QEMU before 8.2, 4 from 9.0 on.
 */
#ifndef LLCSIM_QEMU_PLUGIN_H
#define LLCSIM_QEMU_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QP_EXPORT	__attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_scoreboard;
struct qemu_plugin_hwaddr;

typedef struct qemu_info_t {
	const char *target_name;
	struct {
		int min, cur;
	} version;
	bool system_emulation;
	union {
		struct {
			int smp_vcpus, max_vcpus;
		} system;
	};
} qemu_info_t;

typedef struct {
	struct qemu_plugin_scoreboard *score;
	size_t offset;
} qemu_plugin_u64;

enum { QP_CB_NO_REGS, QP_CB_R_REGS, QP_CB_RW_REGS };
enum { QP_MEM_R = 1, QP_MEM_W, QP_MEM_RW };
enum { QP_ADD_U64, QP_STORE_U64 };
enum { QP_NEVER, QP_ALWAYS, QP_EQ, QP_NE, QP_LT, QP_LE, QP_GT, QP_GE };

typedef void (*qp_vcpu_cb)(qemu_plugin_id_t id, unsigned int vcpu);
typedef void (*qp_end_cb)(qemu_plugin_id_t id, void *data);
typedef void (*qp_exec_cb)(unsigned int vcpu, void *data);
typedef void (*qp_mem_cb)(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr,
			  void *data);
typedef void (*qp_tb_cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qp_vcpu_cb cb);
void qemu_plugin_register_vcpu_idle_cb(qemu_plugin_id_t id, qp_vcpu_cb cb);
void qemu_plugin_register_vcpu_resume_cb(qemu_plugin_id_t id, qp_vcpu_cb cb);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qp_tb_cb cb);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qp_end_cb cb, void *data);

void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qp_exec_cb cb,
					  int flags, void *data);
void qemu_plugin_register_vcpu_tb_exec_cond_cb(struct qemu_plugin_tb *tb, qp_exec_cb cb,
					       int flags, int cond, qemu_plugin_u64 entry,
					       uint64_t imm, void *data);
void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(struct qemu_plugin_tb *tb, int op,
						       qemu_plugin_u64 entry, uint64_t imm);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qp_exec_cb cb,
					    int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qp_mem_cb cb,
				      int flags, int rw, void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t nr);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
#if API == 1
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
#else
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t len);
#endif

unsigned int qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t info, uint64_t vaddr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *hw);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *hw);

struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t size);
void *qemu_plugin_scoreboard_find(struct qemu_plugin_scoreboard *board, unsigned int vcpu);

#endif
