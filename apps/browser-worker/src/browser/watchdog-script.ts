/**
 * The watchdog's script. It is bash, which has a clock and a read with a timeout built in and needs 2 MB, where a Node process would need 40.
 * It starts no other program.
 *
 * Arguments: the browser's process group, and when the group's leader was started (field 22 of its `/proc/PID/stat`).
 * Input: lines, each the deadline of the browser (wall clock, ms), or `-` for none.
 * Output: `ready` when it is running.
 * It kills the group and exits when the deadline passes (exit code 3), when its input ends, and when it cannot parse its input.
 *
 * A deadline is converted to the machine's uptime when it is read: unlike the monotonic clock, uptime includes the time of a suspension, and
 * unlike the wall clock, nobody can set it.
 */
export const watchdogScript = `
trap '' HUP INT TERM
group=$1 started=$2 deadline= line=

uptime() {
  read -r now _ </proc/uptime || kill_browser
  now=$(( 10#\${now/./} * 10 ))
}

kill_browser() {
  local result=\${1:-0}
  # When the number belongs to another group by now, the browser is gone.
  if read -r stat 2>/dev/null </proc/"$group"/stat; then
    set -- \${stat##*) }
    [[ \${20} == "$started" ]] || exit "$result"
  fi
  kill -KILL -- "-$group" 2>/dev/null
  exit "$result"
}

echo ready
while :; do
  # Costs almost nothing, and notices quickly that a suspended machine was resumed.
  wait_ms=250
  uptime
  if [[ $deadline ]] && (( deadline - now < wait_ms )); then wait_ms=$(( deadline - now > 1 ? deadline - now : 1 )); fi
  printf -v wait '0.%03d' "$wait_ms"
  # The read may time out in the middle of a line: the part that was read is kept.
  IFS= read -r -t "$wait" part
  result=$?
  line+=$part
  uptime
  if [[ $deadline ]] && (( now >= deadline )); then kill_browser 3; fi
  if (( result > 128 )); then continue; fi
  if (( result != 0 )); then kill_browser; fi
  case $line in
    -) deadline= ;;
    '' | *[!0-9]*) kill_browser ;;
    *)
      wall=\${EPOCHREALTIME/[.,]/}
      uptime # read after the wall clock: the time between the two readings must not shorten the deadline
      deadline=$(( now + 10#$line - 10#$wall / 1000 ))
      ;;
  esac
  line=
done
`;
