# SPDX-License-Identifier: GPL-2.0-only
# Whether every storm of a list got on between any two of the four reports in a
# console. Prints what each got done and, as FAIL:, what is wrong.
# usage: awk -f scripts/torture/progress.awk STORMS CONSOLE
#   STORMS  a storm a line, with what it must get done at least (1)

NR == FNR {
	order[++storms] = $1
	least[$1] = $2
	next
}

/^storms at [0-9]+ s:/ {
	reports++
	for (i = 5; i < NF; i += 2) {
		if (reports > 1 && $(i + 1) + 0 <= last[$i] + 0)
			still[$i] = still[$i] " " $3
		last[$i] = $(i + 1)
	}
}

END {
	if (!storms || reports != 4)
		print "FAIL: " reports + 0 " reports of " storms + 0 " storms"
	for (i = 1; i <= storms; i++) {
		storm = order[i]
		if (!(storm in last))
			print "FAIL: " storm " was not started"
		else if (storm in still)
			print "FAIL: " storm " stands still (at" still[storm] " s)"
		else if (last[storm] < least[storm] + 0)
			print "FAIL: " storm " got " last[storm] " done of " least[storm]
		got = got " " storm " " last[storm]
	}
	print "got:" got
}
