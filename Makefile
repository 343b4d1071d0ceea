# SPDX-License-Identifier: GPL-2.0-only
# Public targets; each step is a script of its own. `make help` lists them.

export BASE_TARBALL FORCE UNNAMED INTO

.DEFAULT_GOAL := help

.PHONY: help
help:	## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | \
		awk -F '\t' '{ printf "  make %-10s %s\n", $$1, $$2 }'

.PHONY: tree
tree:	## Unpack the base and lay overlay and series over it: build/linux
	@scripts/tree.sh

.PHONY: refresh
refresh:	## Write changes made in build/linux back into overlay and patches
	@scripts/refresh.sh
