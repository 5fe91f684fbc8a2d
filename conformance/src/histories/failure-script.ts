import type { Anomaly, HeldField } from './find-anomaly.ts'
import { isRacing, replicaNames } from './plan.ts'
import type { Failure } from './play-plan.ts'
import {
  colorOf,
  encodeUploadStep,
  isSync,
  type SyncEvent,
  type Trace,
  type TraceEvent,
  titleOf,
  uploadOf,
} from './trace.ts'

const join = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')

const describeUpload = (event: SyncEvent, { mark, idOf }: Trace): string => {
  const { step } = event
  if (step.kind !== 'upload') return ''
  const quote = (version: (typeof step.creates)[number]): string =>
    `"${titleOf(version, mark).replace(`${mark} `, '')}"`
  const id = (thing: string): string => idOf.get(thing) ?? '(no _id)'
  const what = join([
    step.creates.length === 0 ? '' : `creates ${step.creates.map(quote).join(', ')}`,
    ...step.changes.map((version) => `changes "${version.thing}" (${id(version.thing)}) to ${quote(version)}`),
    ...step.deletes.map((thing) => `deletes "${thing}" (${id(thing)})`),
    ...step.tags.map((version) => `gives tag ${version.tag} color ${colorOf(version)}`),
  ])
  const ids = step.creates.map(({ thing }) => `"${thing}" is ${id(thing)}`)
  return ids.length === 0 || event.apiError !== undefined ? what : `${what} (${ids.join(', ')})`
}

const describeListed = ({ responses }: SyncEvent, { mark, idOf }: Trace): string => {
  const createdIds = new Set(idOf.values())
  const changed = responses.flatMap((response) =>
    [...response.changed].flatMap(([id, { title }]) => {
      const isOfHistory = createdIds.has(id) || title.startsWith(`${mark} `)
      return isOfHistory ? [`"${title.replace(`${mark} `, '')}"`] : []
    }),
  )
  const deleted = responses.flatMap((response) => [...response.deleted].filter((id) => createdIds.has(id)))
  const colors = responses.flatMap((response) =>
    [...response.colors].flatMap(([name, color]) =>
      name.startsWith(`${mark}-`) ? [`tag ${name.slice(mark.length + 1)} ${color}`] : [],
    ),
  )
  return join([
    changed.length === 0 ? '' : `listed ${changed.join(', ')}`,
    deleted.length === 0 ? '' : `deleted ${deleted.join(', ')}`,
    ...colors,
  ])
}

const describeFrom = ({ base }: SyncEvent, { events }: Trace): string => {
  const before = events.find(({ number }) => number === base)
  if (before === undefined || !isSync(before)) return 'everything'
  return `what changed since ${before.position} (line ${base})`
}

const describeEvent = (event: TraceEvent, trace: Trace): string => {
  if (!isSync(event)) return 'refreshes its tokens'
  const from = describeFrom(event, trace)
  const { step, apiError, position } = event
  const asks =
    step.kind === 'upload'
      ? `${describeUpload(event, trace)}${event.base === 0 ? ', without from' : ` from ${from.replace('what changed since ', '')}`}`
      : step.kind === 'pages'
        ? `asks for ${from} in pages of ${step.size} and keeps the pos of the ${step.keep} page`
        : `asks for ${from}`
  if (apiError !== undefined) return `${asks} → ${apiError}`
  const listed = describeListed(event, trace)
  return `${asks} → ${join([listed === '' && step.kind !== 'upload' ? 'nothing of this history' : listed, `pos ${position}`])}`
}

/** Describes a history in numbered lines: which replica did what, from which position, and what the response listed. */
export const describeHistory = (trace: Trace): string[] =>
  trace.events.map((event) => {
    const during = isSync(event) ? event.during : undefined
    const isPart = (other: TraceEvent): boolean => isSync(other) && other.during === event.number
    const together = trace.events.some((other) => other.who !== event.who && !isPart(other) && isAtOnce(other, event))
    const remark = during !== undefined ? ` (between the pages of line ${during})` : together ? ' (at once)' : ''
    return `${event.number}. ${event.who}${remark} ${describeEvent(event, trace)}`
  })

const isAtOnce = (one: TraceEvent, other: TraceEvent): boolean => one.started < other.ended && other.started < one.ended

/** Describes the anomaly in one sentence, by its name. */
const describeAnomaly = ({ kind, event, expected, actual }: Anomaly): string =>
  `${kind} in line ${event.number}: expected ${expected}, but ${actual}`

// `@{` stands for the shell's `${`, which would be a substitution here.
const text = String.raw`set -u
: "@{THINGSYNC_BASE_URL:?base URL with the version segment, such as http://127.0.0.1:8484/v1/}"
: "@{THINGSYNC_CLIENT_ID:?}" "@{THINGSYNC_CLIENT_SECRET:?}" "@{THINGSYNC_USER:?NAME:PASSWORD, one a line}"
login=$(printf '%s\n' "$THINGSYNC_USER" | sed -n 1p)
base=@{THINGSYNC_BASE_URL%/}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# text NAME FILE: a text value of a JSON file
text() { sed -n 's/.*"'"$1"'" *: *"\([^"]*\)".*/\1/p' "$2" | sed 's,\\/,/,g' | tail -n 1; }

# grant WHO [PARAMETER...]: a pair of tokens for one replica
grant() {
  who=$1; shift
  curl -sS "$base/token" --data-urlencode "client_id=$THINGSYNC_CLIENT_ID" \
    --data-urlencode "client_secret=$THINGSYNC_CLIENT_SECRET" "$@" | tr -d '\r\n' > "$work/pair.$who"
  text access_token "$work/pair.$who" > "$work/token.$who"
  [ -s "$work/token.$who" ] || { echo "no token for $who" >&2; exit 2; }
}
log_in() {
  grant "$1" -d grant_type=password --data-urlencode "username=@{login%%:*}" \
    --data-urlencode "password=@{login#*:}"
}
refresh() { grant "$1" -d grant_type=refresh_token --data-urlencode "refresh_token=$(text request_token "$work/pair.$1")"; }

# ask LINE WHO get|post [PARAMETER...]: one sync; the response is stored under the number of the line
ask() {
  line=$1 who=$2 how=$3; shift 3
  for parameter do shift; set -- "$@" --data-urlencode "$parameter"; done
  [ "$how" = get ] && set -- -G "$@"
  curl -sS "$base/sync" "$@" --data-urlencode "access_token=$(cat "$work/token.$who")" | tr -d '\r\n' > "$work/$line.kept"
  cat "$work/$line.kept" >> "$work/$line.json"; echo >> "$work/$line.json"
}

# since LINE: the position in the response of the line
since() { echo "from=$(sed -n 's/.*"pos" *: *\([-+.0-9eE]*\).*/\1/p' "$work/$1.kept")"; }

# count LINE: the thingCount in the response of the line
count() { echo "0$(sed -n 's/.*"thingCount" *: *\([0-9]*\).*/\1/p' "$work/$1.kept")"; }

# pages LINE WHO first|last SIZE [FROM]: one listing in pages; between_LINE does what others do after each page, and the rest at the end
pages() {
  paged=$1 reader=$2 keep=$3 size=$4; shift 4
  page=0
  while [ "$page" -eq 0 ] || { [ "$page" -lt 99 ] && [ $((page * size)) -lt "$(count "$paged")" ]; }; do
    [ "$page" -eq 0 ] || "between_$paged" "$page"
    ask "$paged" "$reader" get "$@" "skip=$((page * size))" "limit=$size"
    [ "$page" -gt 0 ] || cp "$work/$paged.kept" "$work/$paged.first"
    page=$((page + 1))
  done
  while "between_$paged" "$page"; do page=$((page + 1)); done
  [ "$keep" = last ] || cp "$work/$paged.first" "$work/$paged.kept"
}

# tidy WHO LINE: deletes what the script created
tidy() {
  for file in "$work"/id.*; do
    if [ -s "$file" ]; then ask 0 "$1" post "$(since "$2")" "deleted_thing=$(cat "$file")"; fi
  done
}

# created LINE THING: stores the _id of a new thing; id THING: prints that _id
created() { text "$mark-$2" "$work/$1.json" > "$work/id.$2"; }
id() { cat "$work/id.$1" 2>/dev/null; }

# objects LINE: the responses of a line, an object on each line; listed LINE: the thing in question in them
objects() { tr '{' '\n' < "$work/$1.json" | sed 's/}.*//'; }
listed() { objects "$1" | grep "\"_id\" *: *\"$(id "$thing")\""; }
deletes() { tr -d ' ' < "$work/$1.json" | sed -n 's/.*"deleted":\[\([^]]*\)\].*/\1/p' | grep -q "\"$(id "$thing")\""; }

# hold LINE BEFORE [creates|changes|deletes TITLE]: what the replica holds of the thing after a line (BEFORE 0: a full sync)
hold() {
  known=gone
  [ "$2" = 0 ] || known=$(cat "$work/$2.held")
  case "@{3:-} $known" in creates* | 'changes '[!g]* | 'changes g'[!o]*) known=$4 ;; deletes*) known=gone ;; esac
  latest=$(listed "$1" | sed -n 's/.*"title" *: *"\([^"]*\)".*/\1/p' | tail -n 1)
  [ -z "$latest" ] || known=$latest
  if deletes "$1"; then known=gone; fi
  echo "$known" > "$work/$1.held"
}

# color LINE BEFORE [COLOR]: the same for the color of the tag in question
color() {
  known=none
  [ "$2" = 0 ] || known=$(cat "$work/$2.held")
  [ $# -lt 3 ] || known=$3
  latest=$(sed -n 's/.*"'"$mark-$tag"'" *: *{\([^}]*\)}.*/\1/p' "$work/$1.json" | sed -n 's/.*"color" *: *"\([^"]*\)".*/\1/p' | tail -n 1)
  [ -z "$latest" ] || known=$(echo "$latest" | tr 'A-F' 'a-f')
  echo "$known" > "$work/$1.held"
}

# wanted LINE VALUE...: fails unless the replica holds one of the values after the line
wanted() {
  held=$(cat "$work/$1.held"); shift
  for value do [ "$held" != "$value" ] || return 0; done
  echo "held: $held; expected: $*"
  return 1
}
`

/** Shell functions of every script. They need only a POSIX shell, curl, sed, grep and tr. */
const scriptFunctions = text.replaceAll('@{', '${')

/** Returns the syncs that led to the state of a replica after a line, oldest first. */
const chainOf = (number: number, trace: Trace): SyncEvent[] => {
  const event = trace.events.find((each) => each.number === number)
  if (event === undefined || !isSync(event)) return []
  return [...(event.base === 0 ? [] : chainOf(event.base, trace)), event]
}

const quoteTitle = (title: string): string => (title === 'gone' ? 'gone' : `"$mark ${title}"`)

const writeHolds = (number: number, thing: string, trace: Trace): string[] =>
  chainOf(number, trace).map((event) => {
    const upload = uploadOf(event)
    const uploaded = (['creates', 'changes'] as const).flatMap((kind) =>
      (upload?.[kind] ?? [])
        .filter((version) => version.thing === thing)
        .map((version) => ` ${kind} "${titleOf(version, '$mark')}"`),
    )
    const deleted = upload?.deletes.includes(thing) === true ? [' deletes gone'] : []
    return `  hold ${event.number} ${event.base}${[...uploaded, ...deleted][0] ?? ''}`
  })

const writeColors = (number: number, tag: string, trace: Trace): string[] =>
  chainOf(number, trace).map((event) => {
    const own = uploadOf(event)
      ?.tags.filter((version) => tag.endsWith(`-${version.tag}`))
      .at(-1)
    return `  color ${event.number} ${event.base}${own === undefined ? '' : ` '${colorOf(own)}'`}`
  })

// A field that is not listed is false for `archived`, and none for any other field.
const writeField = (number: number, [name, value]: HeldField): string => {
  const listed = `listed ${number} | grep -q '"${name}" *: *`
  if (value === undefined || value === false) return `[ -z "$(listed ${number})" ] || ! ${listed}[^f]' || return 1`
  const text = JSON.stringify(value).replaceAll('/', '\\\\*/')
  return `[ -z "$(listed ${number})" ] || ${listed}${text}' || return 1`
}

const writeCheck = ({ event: { number, step }, proof }: Anomaly, trace: Trace): string[] => {
  switch (proof.kind) {
    case 'holds':
      return [
        `  thing=${proof.thing}`,
        ...writeHolds(number, proof.thing, trace),
        `  wanted ${number} ${proof.wanted.map(quoteTitle).join(' ')}`,
      ]
    case 'same':
      return [
        `  thing=${proof.thing}`,
        ...writeHolds(number, proof.thing, trace),
        ...writeHolds(proof.other, proof.thing, trace),
        `  wanted ${number} "$(cat "$work/${proof.other}.held")" || return 1`,
        ...proof.fields.map((field) => `  ${writeField(number, field)}`),
      ]
    case 'color':
      return [
        `  tag=${proof.tag.replace(/^.*-/, '')}`,
        ...writeColors(number, proof.tag, trace),
        `  wanted ${number} ${proof.wanted.map((color) => `'${color}'`).join(' ')}`,
      ]
    case 'unlisted':
      return [`  thing=${proof.thing}`, `  [ -z "$(listed ${number})" ]`]
    case 'silent':
      return [`  thing=${proof.thing}`, `  [ -z "$(listed ${number})" ] && ! deletes ${number}`]
    case 'once':
      return [
        `  thing=${proof.title.split(' ')[0]}`,
        `  strange=$(objects ${number} | grep "\\"title\\" *: *\\"$mark ${proof.title}\\"" | grep -vc "\\"$(id "$thing")\\"")`,
        `  times=$(tr '{[,' '\\n\\n\\n' < "$work/${number}.json" | grep -v "$mark-" | grep -c "\\"$(id "$thing")\\"")`,
        '  [ "$strange" -eq 0 ] && [ "$times" -le 1 ]',
      ]
    case 'accepted': {
      const created = step.kind === 'upload' ? step.creates.map(({ thing }) => ` && [ -n "$(id ${thing})" ]`) : []
      return [`  [ "$(since ${number})" != from= ] && ! grep -q '"error"' "$work/${number}.json"${created.join('')}`]
    }
    case 'apart':
      return [`  [ "$(id ${proof.things[0]})" != "$(id ${proof.things[1]})" ]`]
  }
}

/** Writes the shell function `fine`, which fails when the script finds the anomaly. */
const writeProof = (trace: Trace, anomaly: Anomaly): string[] => ['fine() {', ...writeCheck(anomaly, trace), '}']

/** Number of attempts for a history whose requests race; a single attempt may miss the anomaly. */
const maxRacingAttempts = 40

const quote = (text: string): string =>
  `'${text.replaceAll("'", "'\\''")}'`
    .replaceAll('@mark@', `'"$mark"'`)
    .replaceAll(/@id:([^@]+)@/g, `'"$(id $1)"'`)
    .replaceAll(/^''(?=")|(?<=")''$/g, '')

// Text of the server appears in comments only, and must not break out of them.
const comment = (text: string): string => `# ${text.replaceAll(/\p{Cc}|\p{Zl}|\p{Zp}/gu, ' ')}`

const writeUpload = (event: SyncEvent): string[] => {
  if (event.step.kind !== 'upload') return []
  return encodeUploadStep(event.step, { mark: '@mark@', idOf: (thing) => `@id:${thing}@` }).map(([name, value]) =>
    // curl encodes what follows the first "=" only.
    quote(`${name.replaceAll('[', '%5B').replaceAll(']', '%5D')}=${value}`),
  )
}

const writeEvent = (event: TraceEvent): string[] => {
  if (!isSync(event)) return [`refresh ${event.who}`]
  const { step, number, who, base } = event
  const from = base === 0 ? '' : ` "$(since ${base})"`
  if (step.kind === 'list') return [`ask ${number} ${who} get${from}`]
  if (step.kind === 'upload') {
    const created = step.creates.map(({ thing }) => `created ${number} ${thing}`)
    return [[`ask ${number} ${who} post${from}`, ...writeUpload(event)].join(' \\\n    '), ...created]
  }
  return [`pages ${number} ${who} ${step.keep} ${step.size}${from}`]
}

/** Writes the shell function that does what others do between the pages of a listing. */
const writeBetween = ({ number }: TraceEvent, trace: Trace): string[] => {
  const parts = trace.events.filter((other) => isSync(other) && other.during === number)
  const cases = parts.map((part, index) => `    ${index + 1}) ${writeEvent(part).join('\n      ')} ;;`)
  return [`between_${number}() {`, '  case $1 in', ...cases, '    *) return 1 ;;', '  esac', '}']
}

const writeRound = (events: readonly TraceEvent[]): string[] => {
  const sequences = replicaNames
    .map((who) => events.filter((event) => event.who === who).flatMap(writeEvent))
    .filter((sequence) => sequence.length > 0)
  if (sequences.length === 1) return sequences.flat()
  return [...sequences.map((sequence) => `(\n    ${sequence.join('\n    ')}\n  ) &`), 'wait']
}

/**
 * Writes a shell script that plays the history again on the server that its environment names, and looks for the
 * anomaly. It ends with 1 when it finds the anomaly, 0 when it does not, 2 when it cannot check. Secrets come from
 * variables only.
 */
export const writeScript = ({ plan, trace, anomaly }: Failure): string => {
  const main = trace.events.filter((event) => !isSync(event) || event.during === undefined)
  const rounds = [...new Set(main.map(({ round }) => round))]
  const body = rounds.flatMap((round) => writeRound(main.filter((event) => event.round === round)))
  const last = trace.events.filter(isSync).findLast(({ position }) => position !== undefined)
  const used = replicaNames.filter((name) => trace.events.some(({ who }) => who === name))
  const attempts = isRacing(plan) ? maxRacingAttempts : 3
  return [
    '#!/bin/sh',
    comment(`Shows an anomaly of a server of the thingsync protocol: ${describeAnomaly(anomaly)}`),
    ...describeHistory(trace).map((line) => comment(`  ${line}`)),
    '# Ends with 1 when it happens again, 0 when it does not, 2 when it cannot be checked.',
    '# Set THINGSYNC_BASE_URL, THINGSYNC_CLIENT_ID, THINGSYNC_CLIENT_SECRET and THINGSYNC_USER (NAME:PASSWORD, the first line).',
    scriptFunctions,
    ...main.filter(({ step }) => step.kind === 'pages').flatMap((event) => writeBetween(event, trace)),
    'play() {',
    '  mark="again$(date +%s)x$$x$attempt"',
    '  rm -f "$work"/[0-9]* "$work"/id.*',
    ...body.map((line) => `  ${line}`),
    '}',
    '',
    ...writeProof(trace, anomaly),
    '',
    ...used.map((who) => `log_in ${who}`),
    'attempt=1',
    `while [ "$attempt" -le ${attempts} ]; do`,
    '  play',
    '  fine && shown=no || shown=yes',
    `  tidy ${last?.who} ${last?.number}`,
    `  if [ $shown = yes ]; then echo "${anomaly.kind}: found in attempt $attempt"; exit 1; fi`,
    '  attempt=$((attempt + 1))',
    'done',
    `echo "${anomaly.kind}: not found in ${attempts} attempts"`,
  ]
    .join('\n')
    .concat('\n')
}
