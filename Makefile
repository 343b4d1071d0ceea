# SPDX-License-Identifier: GPL-2.0-only
# Public targets; each step is a script of its own. `make help` lists them.

export BASE_TARBALL FORCE INTO UNNAMED
export CPUS LLCS NODES THREADS MEM KERNEL KVM LIMIT APPEND ONLY TURN
export MINUTES SCENARIO KIND SEED
export QUICK CASES REPEATS STOCK SCHBENCH FRESH
export CONFIG DEBUG_INFO SUITE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help deps tree refresh kernel initramfs boot run series deb deb-check root check kunit mutants torture torture-all recheck bench bench-verdict clean

help:	## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | \
		awk -F '\t' '{ printf "  make %-13s %s\n", $$1, $$2 }'

deps:	## Install the Debian packages of configs/packages-debian.txt
	@scripts/deps.sh

tree:	## Unpack the base, lay overlay and series over it: build/linux
	@scripts/tree.sh

refresh:	## Write changes made in build/linux back into overlay and patches
	@scripts/refresh.sh

kernel: tree	## Build the kernel for x86-64: build/x86
	@scripts/kernel.sh x86

initramfs: tree	## Pack the guest's programs: build/initramfs.cpio.gz
	@scripts/initramfs.sh

boot: kernel initramfs	## A shell in the guest (CPUS=8 LLCS=2 NODES=1 THREADS=1 MEM=1024)
	@scripts/boot-guest.sh

run: deps tree	## The main job: hackbench and shared data on simulated caches, feature off and on
	@$(MAKE) --no-print-directory -C tools/sched/llcsim before-after

series: tree	## Export the series for git am: out/series
	@scripts/series.sh

deb: deps tree	## Debian packages of the kernel, llctop and llcctl: out/deb (CONFIG=FILE DEBUG_INFO=1)
	@scripts/deb.sh

deb-check: root deps tree	## Install them in a fresh Debian, boot it, remove them (SUITE=bookworm); takes long
	@scripts/check/deb.sh

root:
	@[ "$$(id -u)" = 0 ] || { echo 'root is needed to make a Debian in a folder; run: sudo make deb-check' >&2; exit 1; }

check: deps	## All tests; the last line is "N passed, N failed"
	@scripts/check.sh

kunit: tree	## The KUnit tests of the arithmetic and the decisions, in a guest
	@scripts/check/kunit.sh

mutants: tree	## Prove that selftests and storms can fail, on kernels made wrong on purpose (NAMES=)
	@scripts/mutants.sh $(NAMES)

torture: deps tree	## Storms in guests on a kernel with lockdep (MINUTES=1 SCENARIO= KIND= SEED=)
	@scripts/torture/run.sh

torture-all: deps tree	## The same on all kinds of kernels: hours
	@KIND="$$(sed '/^#/d; s/ .*//' configs/torture/kinds.txt)" scripts/torture/run.sh

recheck:	## Judge a torture run again (DIR=out/torture/DATE-TIME)
	@scripts/torture/recheck.sh "$(DIR)"

bench: deps tree	## Stock, off, on, pinned on simulated caches: out/bench (QUICK=1 CASES= REPEATS= STOCK= KERNEL= OUT= FRESH=1)
	@$(MAKE) --no-print-directory -C tools/sched/llcsim bench

bench-verdict:	## Whether the figures of make bench are as they must be (OUT=)
	@$(MAKE) --no-print-directory -C tools/sched/llcsim bench-verdict

clean:	## Remove build/ and out/
	rm -rf build out
