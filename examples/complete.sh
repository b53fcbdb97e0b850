#!/usr/bin/env bash
#
# Does the work of one tool call, and tells the agent how it ended: says that the work has begun, runs the command, and
# delivers the end of its output, as completed or as failed.
#
#   export PRISM_API_KEY=… HERM_SESSION=ses_01
#   TOOL_USE_ID=custom_toolu_01 ./complete.sh ./render.sh boat
#
# It exits with the status of the command, or of herm-tools where a result could not be delivered. A call that has its final
# is not worked on again: that is exit code 0 when it was completed, and 7 when it was not. TIMEOUT is how long to wait until
# the session is idle.
set -euo pipefail

: "${TOOL_USE_ID:?names the call to answer}"

# What ends this script ends the command with all that it started, and is told to the agent: from before the agent is told
# that the work has begun, so that no call is left as running.
signal=0
stop() {
  signal=$1
  if [ -n "${!:-}" ]; then
    kill -- "-$!" 2>/dev/null || true
    wait "$!" || true
  fi
}
trap 'stop 129' HUP
trap 'stop 130' INT
trap 'stop 143' TERM

# A wrong id or key ends it here, before any work is done. So does a call that takes no kickoff any more (exit code 7); when
# that is since it has its final, the journal knows the final now.
kickoff=0
herm-tools running --tool-use-id "$TOOL_USE_ID" --text 'The work has begun.' || kickoff=$?
# Ended with this script, it may have told the agent already.
if [ "$signal" -ne 0 ] && [ "$kickoff" -gt 128 ]; then kickoff=0; fi
if [ "$kickoff" -ne 0 ]; then
  [ "$kickoff" -eq 7 ] || exit "$kickoff"
  state=$(herm-tools jobs show "$TOOL_USE_ID" ${HERM_SESSION:+--session "$HERM_SESSION"} --field state) || exit "$kickoff"
  case $state in
    completed)
      echo 'The call is completed already; nothing is done again.' >&2
      exit 0
      ;;
    failed) echo 'The call has failed already; nothing is done again.' >&2 ;;
  esac
  exit "$kickoff"
fi

folder=$(mktemp -d)
output=$folder/output.txt
result=$folder/result.txt

# In a process group of its own, so that all of it can be ended, and without the key in its environment.
status=0
: >"$output"
if [ "$signal" -eq 0 ]; then
  set -m
  { env -u PRISM_API_KEY "$@" 2>&1 | tee "$output"; } </dev/null &
  set +m
  # The end may have been asked for just before there was a command to end.
  if [ "$signal" -ne 0 ]; then stop "$signal"; fi
  wait "$!" || status=$?
fi
if [ "$signal" -ne 0 ]; then status=$signal; fi
trap - HUP INT TERM

# The last 50,000 bytes, as text without NULs: iconv fails after it has left out what is no UTF-8, such as half a
# character; by way of UTF-16, in which there are no characters beyond those of Unicode.
{
  if [ "$status" -ne 0 ]; then printf 'It failed with exit status %s. The end of its output:\n\n' "$status"; fi
  tail -c 50000 "$output" | LC_ALL=C tr -d '\000' |
    iconv -c -f UTF-8 -t UTF-16LE | iconv -c -f UTF-16LE -t UTF-8 || true
} >"$result"
if ! grep -q '[^[:space:]]' "$result"; then echo 'It is done, and printed nothing.' >"$result"; fi

# In GitHub Actions, the result is an output of the step too.
if [ "$status" -eq 0 ]; then answer=complete; else answer=fail; fi
herm-tools "$answer" --tool-use-id "$TOOL_USE_ID" --file "$result" --timeout "${TIMEOUT:-10m}" ${GITHUB_OUTPUT:+--github} || {
  delivery=$?
  printf 'The result is kept: herm-tools %s --tool-use-id %q --file %q\n' "$answer" "$TOOL_USE_ID" "$result" >&2
  exit "$delivery"
}
rm -rf "$folder"
exit "$status"
