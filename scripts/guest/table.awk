# SPDX-License-Identifier: GPL-2.0-only
# Input: lines "ENABLED PROGRAM TIME MOVES SHARE". Output: the table of their
# means before (llc_enabled 0) and after (1), and the verdict: with the feature
# on, no run had a smaller share of its time on one LLC than 95 %.

function row(name, sum, program) {
	printf "%-12s %-28s %10.1f %10.1f\n", program, name,
		sum[program, 0] / runs[program, 0],
		sum[program, 1] / runs[program, 1]
}

{
	if (!($2 in seen))
		order[++programs] = $2
	seen[$2]
	runs[$2, $1]++
	time[$2, $1] += $3 * 1000
	moves[$2, $1] += $4
	share[$2, $1] += $5
	if ($1 == 1 && $5 < 95)
		failed = failed " " $2 " " $5 " %,"
}

END {
	printf "\n%-12s %-28s %10s %10s\n", "", "mean of runs", "before", "after"
	for (i = 1; i <= programs; i++) {
		row("time, ms", time, order[i])
		row("cross-LLC migrations/s", moves, order[i])
		row("same-LLC share, %", share, order[i])
	}
	if (failed)
		print "FAILED: same-LLC share with the feature on:" failed \
			" expected at least 95 %"
	else
		print "SUCCESS"
	exit failed != ""
}
