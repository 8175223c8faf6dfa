#!/usr/bin/env bash
# Smoke test on the supported versions of Node: `npm ci` without warnings, `npm start`, a short journey, Ctrl-C.
#
#   test/nodes.sh               Node 22, 24 and 26
#   test/nodes.sh 24.1.0 26     these versions
#
# Downloads each Node from the npm registry into a scratch folder and works on a copy of the files that Git tracks.
# Takes about two minutes a version. Run it before a release; `npm test` does not.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/resort-nodes-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
failed=0
pid= # the running system, which the trap below ends

fail() { # <log file> <what>
  echo "  FAILED: $2"
  tail -n 30 "$1" | sed 's/^/    /'
  failed=1
}

# Waits for a line in a log; gives up when the process has ended or after 180 s.
wait_for() { # <log file> <pattern> <pid>
  for _ in $(seq 1 900); do
    grep -q "$2" "$1" && return 0
    kill -0 "$3" 2>/dev/null || return 1
    sleep 0.2
  done
  return 1
}

smoke() { # <version>
  local work="$scratch/$1" started log
  mkdir -p "$work/node" "$work/app"
  log="$work/log"
  (cd "$work/node" && echo '{"private":true,"allowScripts":{"node":true}}' >package.json &&
    npm install --no-audit --no-fund "node@$1") >"$log" 2>&1 || { fail "$log" "install node@$1"; return; }
  (cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -xf - -C "$work/app"
  export PATH="$work/node/node_modules/node/bin:$PATH"
  cd "$work/app" || return
  echo "Node $(node -v), npm $(npm -v 2>/dev/null)"

  started=$SECONDS
  npm ci --no-audit --no-fund >"$log" 2>&1 || { fail "$log" 'npm ci'; return; }
  echo "  npm ci: $((SECONDS - started)) s"
  # A setting in the user's own .npmrc is none of this project's business.
  if grep -i 'warn' "$log" | grep -v 'Unknown user config' >"$work/warnings"; then
    fail "$work/warnings" 'npm ci printed warnings'
  fi

  export DATA_DIR="$work/data" PORT=0 REALTIME_PORT=0 SANDBOX_PORT=0
  started=$SECONDS
  set -m # the system gets a process group of its own, as in a terminal, which Ctrl-C is sent to
  npm start >"$log" 2>&1 &
  pid=$!
  set +m
  trap '[ -z "$pid" ] || kill -TERM -- "-$pid" 2>/dev/null' EXIT
  trap 'exit 130' INT TERM
  if wait_for "$log" '^ready' "$pid"; then
    echo "  npm start: $((SECONDS - started)) s"
    grep -o 'WebSocket transport: [^"]*' "$log" | sed 's/^/  /'
    started=$SECONDS
    if node dist/test/smoke/journey.js >"$work/journey" 2>&1; then
      echo "  journey: $((SECONDS - started)) s"
    else
      fail "$work/journey" 'the journey'
    fi
  else
    fail "$log" 'npm start'
  fi
  grep -i 'warning:' "$log" | sort -u | sed 's/^/  /'

  started=$SECONDS
  kill -INT -- "-$pid" || fail "$log" 'Ctrl-C: the system was gone before'
  for _ in $(seq 1 300); do kill -0 -- "-$pid" 2>/dev/null || break; sleep 0.1; done
  if kill -0 -- "-$pid" 2>/dev/null; then
    fail "$log" 'Ctrl-C did not end every process within 30 s'
    kill -KILL -- "-$pid"
  else
    wait "$pid"
    local code=$?
    pid=
    echo "  Ctrl-C: $((SECONDS - started)) s, exit code $code"
  fi
  if pgrep -fl -- "$work/" >"$work/left"; then fail "$work/left" 'processes are left over'; fi
  if grep -q '"level":\(50\|60\)' "$log"; then grep '"level":\(50\|60\)' "$log" >"$work/errors"; fail "$work/errors" 'errors in the log'; fi
}

[ $# -gt 0 ] || set -- 22 24 26
for version in "$@"; do
  (smoke "$version"; exit $failed) || failed=1
done
exit $failed
