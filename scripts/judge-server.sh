#!/usr/bin/env bash
# Starts the server and judges it as a user would: both packages packed and installed in an empty folder, an account of
# its own, the profiles core and full on every store, and the packed client. Then once more through Prism, which checks
# every answer's shape.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD
folder=$(mktemp -d)
server=''
prism=''
finish() {
  for process in $prism $server; do kill "$process" && wait "$process" || true; done
  rm -rf "$folder"
}
trap finish EXIT

npm pack --silent --pack-destination "$folder" >/dev/null
npm pack --silent --pack-destination "$folder" --workspace conformance >/dev/null
mkdir "$folder/user"
cd "$folder/user"
npm init --yes >/dev/null
npm install --silent --omit=dev "$folder"/thingsync-[0-9]*.tgz "$folder"/thingsync-conformance-*.tgz

judge() {
  local base_url=$1 profile=$2
  npx --no-install thingsync-conformance run --base-url "$base_url" --profile "$profile" \
    --client-id "$client_id" --client-secret "$client_secret" \
    --user 'anna:correct horse' --user 'bert:correct horse'
}

for store in json memory; do
  data=$folder/data-$store
  ./node_modules/.bin/thingsync serve --data "$data" --port 0 --store "$store" --no-first-run \
    --ready-file "$folder/ready-$store" --log-level warn &
  server=$!
  for _ in $(seq 300); do [ -s "$folder/ready-$store" ] && break; sleep 0.1; done
  base_url=$(node -p "JSON.parse(require('fs').readFileSync('$folder/ready-$store', 'utf8')).base_url")
  for name in anna bert; do echo 'correct horse' | npx --no-install thingsync user add "$name" --password-stdin --data "$data"; done
  app=$(npx --no-install thingsync app add suite --format json --data "$data")
  client_id=$(node -p "JSON.parse(process.argv[1]).client_id" "$app")
  client_secret=$(node -p "JSON.parse(process.argv[1]).client_secret" "$app")
  cp "$project/scripts/try-packed-client.mjs" .
  node try-packed-client.mjs "$base_url" "$client_id" "$client_secret" anna 'correct horse'
  for profile in core full; do judge "$base_url" "$profile"; done

  if [ "$store" = memory ]; then
    prism_port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")
    node "$project/node_modules/@stoplight/prism-cli/dist/index.js" proxy "$project/openapi.yaml" "${base_url%/}" \
      --host 127.0.0.1 --port "$prism_port" >"$folder/prism.log" 2>&1 &
    prism=$!
    for _ in $(seq 300); do grep -q 'is listening' "$folder/prism.log" && break; sleep 0.1; done
    judge "http://127.0.0.1:$prism_port/" core
    kill "$prism" && wait "$prism" || true
    prism=''
    grep -q 'Request received' "$folder/prism.log" || { echo 'Prism saw no request'; exit 1; }
    # Violations of requests are meant: the suite sends wrong ones.
    if grep -i 'violation: response' "$folder/prism.log"; then echo 'an answer breaks openapi.yaml'; exit 1; fi
  fi

  kill "$server"
  wait "$server"
  server=''
done
