# SPDX-License-Identifier: GPL-2.0-only
# Drops the reports of KCSAN in which no function of a list takes part, and says
# how many. A report stands between two lines of "=".
# usage: awk -f scripts/torture/races.awk SYMBOLS CONSOLE

NR == FNR { ours[$1] = 1; next }

function of_ours(text,	words, n, i, name)
{
	n = split(text, words, /[ \n\/]+/)
	for (i = 1; i <= n; i++) {
		name = words[i]
		sub(/\+0x.*/, "", name)
		if (name in ours || name ~ /^sched_cache_/)
			return 1
	}
	return 0
}

/={40}/ || /==========================================/ {
	if (!inside) {
		inside = 1
		text = $0
		next
	}
	if (text ~ /KCSAN:/ && !of_ours(text))
		others++
	else
		print text "\n" $0
	inside = 0
	next
}
inside { text = text "\n" $0; next }
{ print }

END {
	if (inside)
		print text
	if (others)
		print others " data races of others left out"
}
