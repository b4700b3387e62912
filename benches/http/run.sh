#!/bin/sh
# Requests a second and the 99th percentile of this server, of rmcp's, and of an axum handler that only echoes, on loopback.
#   benches/http/run.sh [ROUNDS] [SECONDS] [CONNECTIONS]
# Needs wrk (Debian: apt-get install wrk). The rounds take turns, so that a busy machine is busy for all; medians are told.
set -eu
cd "$(dirname "$0")"
rounds=${1:-5} seconds=${2:-5} connections=${3:-32}
wrk=${WRK:-wrk}
cargo build --release --quiet
bench=target/release/http-bench
results=$(mktemp)
trap 'rm -f "$results"' EXIT
for round in $(seq "$rounds"); do
  for what in floor ours rmcp; do
    address=$(mktemp -u)
    mkfifo "$address"
    "$bench" "$what" > "$address" &
    server=$!
    read -r url < "$address"
    rm "$address"
    told=$("$wrk" --threads 1 --connections "$connections" --duration "${seconds}s" --script call.lua "$url" | grep ^RESULT)
    kill "$server"
    wait "$server" 2>/dev/null || true
    echo "$what ${told#RESULT }" >> "$results"
  done
done
awk '
  function median(list, n,  i, j, t, a) {
    n = split(list, a, " ")
    for (i = 2; i <= n; i++) for (j = i; j > 1 && a[j - 1] + 0 > a[j] + 0; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return a[int((n + 1) / 2)]
  }
  { rate[$1] = rate[$1] " " $2; slow[$1] = slow[$1] " " $3; failed[$1] += $4 }
  END {
    floor = median(rate["floor"]); floor_slow = median(slow["floor"])
    printf "%-6s %10s %10s %10s %10s %8s\n", "", "requests/s", "of floor", "p99 us", "of floor", "failed"
    for (i = split("floor ours rmcp", names, " "); i > 0; i--) {
      name = names[i]
      printf "%-6s %10d %10.2f %10d %10.2f %8d\n", name, median(rate[name]), median(rate[name]) / floor,
        median(slow[name]), median(slow[name]) / floor_slow, failed[name]
    }
  }' "$results"
