#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-only
# Merges our MAINTAINERS entries (first file) into the kernel's MAINTAINERS
# (second file): each before the first entry whose title sorts after its own.
# usage: awk -f scripts/maintainers.awk OURS KERNEL'S

function flush(	i)
{
	if (title == "")
		return
	for (i = count; i > 0 && toupper(titles[i]) > toupper(title); i--) {
		titles[i + 1] = titles[i]
		bodies[i + 1] = bodies[i]
	}
	titles[i + 1] = title
	bodies[i + 1] = body
	count++
	title = body = ""
}

FNR == 1 { file++ }

file == 1 && /^#/ { next }
file == 1 && /^$/ { flush(); next }
file == 1 {
	if (title == "")
		title = $0
	body = body $0 "\n"
	next
}

file == 2 && FNR == 1 { flush(); next_entry = 1 }

# A title is known by the line after it, so lines are held back by one.
file == 2 {
	if (have) {
		if ($0 ~ /^[A-Z]:\t/ && held !~ /^[A-Z]:\t/ && held != "") {
			while (next_entry <= count && toupper(titles[next_entry]) < toupper(held))
				printf "%s\n", bodies[next_entry++]
		}
		print held
	}
	held = $0
	have = 1
}

END {
	if (have)
		print held
	while (next_entry <= count)
		printf "\n%s", bodies[next_entry++]
}
