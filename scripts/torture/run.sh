#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Boots scenarios of configs/torture/scenarios on kinds of kernels, runs storms in
# them and judges what they leave in out/torture/DATE-TIME. Modelled on rcutorture's
# kvm.sh. Exit status 0 only if every pair ended as it must. Ends with its guest
# when it is stopped.
# usage: [MINUTES=1] [SCENARIO="NAME..."] [KIND="NAME..."] [LIMIT=] [SEED=1] scripts/torture/run.sh
#   MINUTES   of storms, at least, by the guest's clock; emulated, that takes some times as long
#   SCENARIO  those of configs/torture/scenarios (all; broken on the first kind only)
#   KIND      those of configs/torture/kinds.txt (lockdep)
#   GUEST_SECONDS  instead of MINUTES, for a short run
#   LIMIT     seconds that a guest may take
#   SEED      another number makes another run of the same storms
#   RUN       another folder than out/torture/DATE-TIME
#   BUILT, STORMS  as pair.sh has them, for all pairs

set -eu
. "$(dirname "$0")/../lib.sh"
need setpriv stress-ng
seconds=${GUEST_SECONDS:-$((${MINUTES:-1} * 60))}
all=$(cd configs/torture/scenarios && echo *)
kinds=${KIND:-lockdep}
run=${RUN:-out/torture/$(date +%Y%m%d-%H%M%S)}

for kind in $kinds; do
	grep -q "^$kind " configs/torture/kinds.txt || die "no kind $kind in configs/torture/kinds.txt"
done
for scenario in ${SCENARIO:-$all}; do
	[ -e "configs/torture/scenarios/$scenario" ] || die "no scenario $scenario; there are: $all"
done

# That a failure is seen has to be shown once.
pairs()
{
	for kind in $kinds; do
		for scenario in ${SCENARIO:-$all}; do
			[ "$scenario" = broken ] || echo "$scenario $kind"
		done
	done
	case " ${SCENARIO:-$all} " in
	*' broken '*) echo "broken ${kinds%% *}" ;;
	esac
}

scripts/initramfs.sh torture stress-ng setpriv
mkdir -p "$run"
pairs >"$run/pairs"
number=0
while read -r scenario kind <&3; do
	number=$((number + 1))
	say "torture: $scenario.$kind, $number of $(wc -l <"$run/pairs")"
	setpriv --pdeathsig TERM scripts/torture/pair.sh "$scenario" "$kind" "$seconds" "$run" 3<&- ||
		say "torture: $scenario.$kind did not end well"
done 3<"$run/pairs"
scripts/torture/recheck.sh "$run"
