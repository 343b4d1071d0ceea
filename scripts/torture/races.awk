# SPDX-License-Identifier: GPL-2.0-only
# Drops the reports of KCSAN in which no function of a list takes part, and says
# how many. A report stands between two lines of "=".
# usage: awk -f scripts/torture/races.awk SYMBOLS CONSOLE

NR == FNR { ours[$1] = 1; next }

# The functions of a report stand in its first line and, with an offset, in those of
# the calls; "read" and "write" elsewhere are words.
function of_ours(line,	words, n, i)
{
	if (!sub(/.*data-race in /, "", line) && line !~ /\+0x/)
		return 0
	n = split(line, words, /[ \/]+/)
	for (i = 1; i <= n; i++) {
		sub(/\+0x.*/, "", words[i])
		if (words[i] in ours || words[i] ~ /^sched_cache_/)
			return 1
	}
	return 0
}

/={40}/ || /==========================================/ {
	if (!inside) {
		inside = 1
		text = $0
		is_ours = 0
		next
	}
	if (text ~ /KCSAN:/ && !is_ours)
		others++
	else
		print text "\n" $0
	inside = 0
	next
}
inside {
	text = text "\n" $0
	is_ours = is_ours || of_ours($0)
	next
}
{ print }

END {
	if (inside)
		print text
	if (others)
		print others " data races of others left out"
}
