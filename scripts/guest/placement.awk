# SPDX-License-Identifier: GPL-2.0-only
# Input: lines "llc CPU LIST", then the kernel's histograms of run time by CPU
# and of migrations by pair of CPUs. Output: migrations between LLCs per second
# (from begin to end) and the per cent of run time on the LLC used most.

{ gsub(/[{}:,]/, " ") }

$1 == "llc" { llc[$2] = $3 }

$1 == "common_cpu" && $5 == "runtime" {
	time[llc[$2]] += $6
	total += $6
}

$1 == "orig_cpu" && $3 == "dest_cpu" && llc[$2] != llc[$4] { moves += $6 }

END {
	for (l in time)
		if (time[l] > most)
			most = time[l]
	if (total && end > begin)
		printf "%.1f %.1f\n", moves / (end - begin), 100 * most / total
}
