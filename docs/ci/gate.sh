#!/usr/bin/env bash
# Judges an evaluation. Every gate that is asked for runs, the summary holds what each found, and
# the status is that of the first gate that did not pass.
set -uo pipefail
summary="${GITHUB_STEP_SUMMARY:-/dev/stdout}"
status=0

judge() {
    local ended=0
    kofn "$@" --format md >>"$summary" || ended=$?
    [ "$status" -ne 0 ] || status=$ended
}

expect=()
[ -z "${EXPECT:-}" ] || expect=(--expect "$EXPECT" --margin "${MARGIN:-0.01}")
kofn report "$REPORT" ${expect[@]+"${expect[@]}"} --format html -o "${HTML:-kofn-report.html}" --force || status=$?
[ -z "${FAIL_UNDER:-}" ] || judge scorecard "$REPORT" --fail-under "$FAIL_UNDER"
[ -z "${BASELINE:-}" ] || judge compare "$BASELINE" "$REPORT" --margin "${MARGIN:-0.01}"
[ -z "${REQUIRE:-}" ] || judge questions "$REPORT" --require "$REQUIRE"
[ -z "${EXPECT:-}" ] || judge trust "$REPORT" "${expect[@]}"
[ -z "${FAIL_DOUBTFUL:-}" ] || judge trust "$REPORT" --fail-doubtful "$FAIL_DOUBTFUL"
exit "$status"
