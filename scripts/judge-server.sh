#!/usr/bin/env bash
# Starts the server and judges it as a user would: both packages packed and installed in an empty folder, an account of
# its own, the profiles core and full on every store. Then once more through Prism, which checks every answer's shape.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
server=''
finish() {
  if [ -n "$server" ]; then kill "$server" && wait "$server" || true; fi
  rm -rf "$folder"
}
trap finish EXIT

npm pack --silent --pack-destination "$folder" >/dev/null
npm pack --silent --pack-destination "$folder" --workspace conformance >/dev/null
mkdir "$folder/user"
cd "$folder/user"
npm init --yes >/dev/null
npm install --silent --omit=dev "$folder"/thingsync-[0-9]*.tgz "$folder"/thingsync-conformance-*.tgz

for store in json memory; do
  data=$folder/data-$store
  ./node_modules/.bin/thingsync serve --data "$data" --port 0 --store "$store" --no-first-run \
    --ready-file "$folder/ready-$store" --log-level warn &
  server=$!
  for _ in $(seq 100); do [ -s "$folder/ready-$store" ] && break; sleep 0.1; done
  base_url=$(node -p "JSON.parse(require('fs').readFileSync('$folder/ready-$store', 'utf8')).base_url")
  for name in anna bert; do echo 'correct horse' | npx --no-install thingsync user add "$name" --password-stdin --data "$data"; done
  app=$(npx --no-install thingsync app add suite --format json --data "$data")
  for profile in core full; do
    npx --no-install thingsync-conformance run --base-url "$base_url" --profile "$profile" \
      --client-id "$(node -p "JSON.parse(process.argv[1]).client_id" "$app")" \
      --client-secret "$(node -p "JSON.parse(process.argv[1]).client_secret" "$app")" \
      --user 'anna:correct horse' --user 'bert:correct horse'
  done
  kill "$server"
  wait "$server"
  server=''
done
