#!/usr/bin/env bash
# Runs the suite against the server as users install it: packs all packages, installs each in an empty folder, creates
# accounts with the server's commands, and runs the profiles core and full on every store. Another run goes through
# Prism, which checks the shape of every response against openapi.yaml. The script also tests the packed client, and
# prints a table of all runs. `scripts/run-suite.sh [json] [memory] [postgres] [prism]` runs only the named parts.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD
folder=$(mktemp -d)
server=''
prism=''
restarted=''
database=''
finish() {
  for process in $prism $server; do kill "$process" && wait "$process" || true; done
  [ -z "$restarted" ] || kill "$(cat "$restarted")" || true
  [ -z "$database" ] || { kill "$database" && wait "$database"; } || true
  rm -rf "$folder"
}
trap finish EXIT

install() {
  local name=$1
  shift
  # .npmrc turns install scripts off, and with them our own prepack, which builds.
  npm pack --silent --ignore-scripts=false --pack-destination "$folder/$name" "$@" >/dev/null
  (cd "$folder/$name" && npm init --yes >/dev/null && npm install --silent --omit=dev ./*.tgz)
}
mkdir "$folder/server" "$folder/client" "$folder/suite"
install server
install client --workspace client
install suite --workspace conformance
thingsync() { "$folder/server/node_modules/.bin/thingsync" "$@"; }
suite() { (cd "$folder/suite" && npx --no-install thingsync-conformance "$@"); }
# Sets the variables only for the suite, because the server reads some of the same names.
connected() {
  THINGSYNC_BASE_URL=$base_url THINGSYNC_CLIENT_ID=$client_id THINGSYNC_CLIENT_SECRET=$client_secret \
    THINGSYNC_USER=$'anna:correct horse\nbert:correct horse' suite "$@"
}
field() { node -p "JSON.parse(require('fs').readFileSync('$1', 'utf8')).$2"; }

# Commands of the suite that need no server.
suite --help >/dev/null
suite list --coverage | tail -n 1
suite explain SYNC-INCREMENTAL-02 >/dev/null

check() {
  local name=$1 profile=$2
  shift 2
  echo "--- $name, profile $profile"
  connected run --profile "$profile" --other-client "$other_client" --report json="$folder/report.json" "$@" \
    2>"$folder/progress" || {
    cat "$folder/progress"
    return 1
  }
  echo "$(field "$folder/report.json" verdict)|$name|$(field "$folder/report.json" 'ms') ms" >>"$folder/verdicts"
}

# Runs the restart rules: they kill the server (SIGKILL) and start it again on the same port and data.
check_restarts() {
  local name=$1 port=$2
  shift 2
  restarted=$folder/pid
  echo "$server" >"$restarted"
  cat >"$folder/restart.sh" <<EOF
set -e
kill -KILL "\$(cat '$restarted')"
while kill -0 "\$(cat '$restarted')" 2>/dev/null; do sleep 0.1; done
rm -f '$folder/ready-again'
'$folder/server/node_modules/.bin/thingsync' serve $(printf "'%s' " "$@") --port $port --no-first-run \\
  --ready-file '$folder/ready-again' --log-level warn &
echo "\$!" >'$restarted'
for _ in \$(seq 300); do [ -s '$folder/ready-again' ] && exit 0; sleep 0.1; done
exit 1
EOF
  check "store $name, killed and started again" full --rule RESTART --restart "bash '$folder/restart.sh'"
  wait "$server" || true
  server=''
  kill "$(cat "$restarted")"
  restarted=''
}

[ $# -gt 0 ] || set -- json memory postgres prism
for store in "$@"; do
  data=$folder/data-$store
  # A separate server, because the wrong credentials of three runs exceed the limit for one client address.
  kind=${store/prism/memory}
  location=(--data "$data")
  served=(--data "$data" --store "$kind")
  if [ "$store" = postgres ]; then
    # Not by npx, which does not forward the signal to stop.
    node --import tsx scripts/start-postgres.ts "$folder/database" &
    database=$!
    for _ in $(seq 600); do [ -s "$folder/database" ] && break; sleep 0.1; done
    location=(--store "$(cat "$folder/database")")
    served=("${location[@]}")
  fi
  "$folder/server/node_modules/.bin/thingsync" serve "${served[@]}" --port 0 --no-first-run \
    --ready-file "$folder/ready-$store" --log-level warn --delivery-allow 127.0.0.1 --link-preview-allow 127.0.0.1 &
  server=$!
  for _ in $(seq 300); do [ -s "$folder/ready-$store" ] && break; sleep 0.1; done
  for name in anna bert; do echo 'correct horse' | thingsync user add "$name" --password-stdin "${location[@]}"; done
  thingsync app add suite --format json "${location[@]}" >"$folder/app.json"
  thingsync app add other --format json "${location[@]}" >"$folder/other.json"
  other_client=$(field "$folder/other.json" client_id):$(field "$folder/other.json" client_secret)
  base_url=$(field "$folder/ready-$store" base_url)
  client_id=$(field "$folder/app.json" client_id)
  client_secret=$(field "$folder/app.json" client_secret)

  cp scripts/try-packed-client.mjs "$folder/client"
  node "$folder/client/try-packed-client.mjs" "$base_url" "$client_id" "$client_secret" anna 'correct horse'

  if [ "$store" != prism ]; then
    connected doctor
    check "store $store" core
    # On stores that persist deliveries, the suite also runs a webhook receiver and a push service, which mostly wait.
    if [ "$store" = memory ]; then check 'store memory' full; else check "store $store" full --webhook-listen 127.0.0.1:0; fi
    [ "$store" = memory ] || check_restarts "$store" "$(node -p "new URL('$base_url').port")" "${served[@]}"
  else
    port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")
    node "$project/node_modules/@stoplight/prism-cli/dist/index.js" proxy "$project/openapi.yaml" "${base_url%/}" \
      --host 127.0.0.1 --port "$port" >"$folder/prism.log" 2>&1 &
    prism=$!
    for _ in $(seq 300); do grep -q 'is listening' "$folder/prism.log" && break; sleep 0.1; done
    cat >"$folder/known.json" <<'EOF'
[
  {"id": "SYNC-COMPRESS-01", "reason": "Prism requests no compression from the server"},
  {"id": "WIRE-CHUNKS-01", "reason": "Prism forwards a chunked body with a Content-Length beside it"},
  {"id": "WIRE-PIECES-01", "reason": "Prism forwards a chunked body with a Content-Length beside it"},
  {"id": "FRAME-BODY-01", "reason": "Prism responds by itself to a content type that it cannot read"},
  {"id": "FLOW-META-01", "reason": "Prism forwards only requests below the base URL, and this URL is outside of it"},
  {"id": "FLOW-META-02", "reason": "Prism forwards only requests below the base URL, and this URL is outside of it"},
  {"id": "FLOW-AUTHORIZE-01", "reason": "Prism forwards only requests below the base URL, and this URL is outside of it"},
  {"id": "FLOW-AUTHORIZE-02", "reason": "Prism forwards only requests below the base URL, and this URL is outside of it"},
  {"id": "EVENTS-OPEN-01", "reason": "Prism forwards a response after its end, and a stream does not end"},
  {"id": "EVENTS-CHANGE-01", "reason": "Prism forwards a response after its end, and a stream does not end"},
  {"id": "EVENTS-OWN-01", "reason": "Prism forwards a response after its end, and a stream does not end"},
  {"id": "EVENTS-SEVERAL-01", "reason": "Prism forwards a response after its end, and a stream does not end"},
  {"id": "EVENTS-USER-01", "reason": "Prism forwards a response after its end, and a stream does not end"},
  {"id": "EVENTS-LAST-01", "reason": "Prism forwards a response after its end, and a stream does not end"},
  {"id": "EVENTS-TOKEN-02", "reason": "Prism forwards a response after its end, and a stream does not end"},
  {"id": "EVENTS-LIMIT-01", "reason": "Prism forwards a response after its end, and a stream does not end"}
]
EOF
    base_url=http://127.0.0.1:$port/ check "store $kind through Prism" full --expect "$folder/known.json"
    kill "$prism" && wait "$prism" || true
    prism=''
    seen=$(grep -c 'Request received' "$folder/prism.log") || { echo 'Prism saw no request'; exit 1; }
    # Violations in requests are expected, because the suite sends wrong requests.
    if grep -i 'violation: response' "$folder/prism.log"; then echo 'a response violates openapi.yaml'; exit 1; fi
    echo "Prism saw $seen requests and no response that violates openapi.yaml"
  fi

  [ -z "$server" ] || { kill "$server" && wait "$server"; }
  server=''
done
echo '--- all runs'
column -t -s '|' "$folder/verdicts" 2>/dev/null || cat "$folder/verdicts"
