# SPDX-License-Identifier: GPL-2.0-only
# Input: lines "ENABLED PROGRAM TIME MOVES SHARE". Output: the table of their
# means before (llc_enabled 0) and after (1), and the verdict: with the feature
# on, no run had a smaller share of its time on one LLC than 95 %.

function row(program, name, format, sum) {
	printf "%-12s %-24s %10s %10s\n", program, name,
		sprintf(format, sum[program, 0] / runs[program, 0]),
		sprintf(format, sum[program, 1] / runs[program, 1])
}

{
	if (!($2 in seen))
		order[++programs] = $2
	seen[$2]
	runs[$2, $1]++
	time[$2, $1] += $3
	moves[$2, $1] += $4
	share[$2, $1] += $5
	if ($1 == 1 && $5 < 95)
		failed = failed ", " $2 " " $5 " %"
}

END {
	printf "\n%-12s %-24s %10s %10s\n", "", "mean of runs", "before", "after"
	for (i = 1; i <= programs; i++) {
		row(order[i], "time, s", "%.2f", time)
		row(order[i], "cross-LLC migrations/s", "%.1f", moves)
		row(order[i], "same-LLC share, %", "%.1f", share)
	}
	if (failed)
		print "FAILED: same-LLC share with the feature on below 95 %" failed
	else
		print "SUCCESS"
	exit failed != ""
}
