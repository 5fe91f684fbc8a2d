import { isObject, parseJson } from './encoding.ts'
import type { Exchange } from './result.ts'

/** Headers that curl sends by itself, or that only describe the connection. */
const unneeded = new Set(['content-length', 'accept', 'connection', 'host'])

const quote = (text: string): string => {
  const quoted = `'${text.replaceAll("'", "'\\''")}'`
  // A redacted secret becomes a shell variable of that name.
  return quoted.replace(/\$\{([A-Z][A-Z0-9_]*)\}/g, `'"$\{$1}"'`).replace(/^''(?=")|(?<=")''$/g, '')
}

const quoteForm = (body: string): string[] => {
  const pairs = [...new URLSearchParams(body)]
  // A body can be written pair by pair only if it parses back to the same pairs.
  if (
    new URLSearchParams(pairs).toString() !== body.replaceAll(/\$\{/g, '%24%7B').replaceAll(/(%24%7B\w+)\}/g, '$1%7D')
  ) {
    return [`--data-raw ${quote(body)}`]
  }
  return pairs.map(([name, value]) => `--data-urlencode ${quote(`${encodeURIComponent(name)}=${value}`)}`)
}

/** Writes a shell command that repeats the exchange; it reads secrets from variables such as `$ACCESS_TOKEN`. */
export const writeCurl = (exchange: Exchange): string => {
  const headers = Object.entries(exchange.requestHeaders).filter(([name]) => !unneeded.has(name.toLowerCase()))
  const isForm = exchange.requestHeaders['content-type'] === 'application/x-www-form-urlencoded'
  const body = exchange.requestBody
  // A stream of events has no end of its own.
  const isStream = exchange.requestHeaders.accept === 'text/event-stream'
  const parts = [
    `curl -sS${exchange.method === (body === undefined ? 'GET' : 'POST') ? '' : ` -X ${exchange.method}`}`,
    ...(isStream ? ["-N --max-time 10 -H 'accept: text/event-stream'"] : []),
    quote(exchange.url),
    ...headers
      .filter(([name]) => !(isForm && name.toLowerCase() === 'content-type'))
      .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    // Without data curl would send a GET.
    ...(body === undefined ? [] : isForm && body !== '' ? quoteForm(body) : [`--data-raw ${quote(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** The rule and its finding, for the head of the script. */
interface RepeatedRule {
  readonly id: string
  readonly title: string
  readonly expected: string
  readonly actual: string
}

const comment = (text: string): string => `# ${text.replaceAll(/\p{Cc}|\p{Zl}|\p{Zp}/gu, ' ')}`

const preamble = String.raw`set -u
: "@{THINGSYNC_BASE_URL:?}" "@{THINGSYNC_CLIENT_ID:?}" "@{THINGSYNC_CLIENT_SECRET:?}" "@{THINGSYNC_USER:?NAME:PASSWORD, one a line}"
base=@{THINGSYNC_BASE_URL%/}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
CLIENT_SECRET=$THINGSYNC_CLIENT_SECRET
user() { printf '%s\n' "$THINGSYNC_USER" | sed -n "$1p"; }
PASSWORD=$(user 1 | sed 's/^[^:]*://') PASSWORD_2=$(user 2 | sed 's/^[^:]*://')

# value NAME FILE: a value of a JSON file; log_in NUMBER FIELD: a token of the user
value() { sed -n 's/.*"'"$1"'" *: *"\{0,1\}\([^",}]*\).*/\1/p' "$2" | sed 's,\\/,/,g' | head -n 1; }
log_in() {
  curl -sS "$base/token" -d grant_type=password --data-urlencode "client_id=$THINGSYNC_CLIENT_ID" \
    --data-urlencode "client_secret=$CLIENT_SECRET" --data-urlencode "username=$(user "$1" | sed 's/:.*//')" \
    --data-urlencode "password=$(user "$1" | sed 's/^[^:]*://')" | tr -d '\r\n' > "$work/pair"
  value "$2" "$work/pair"
}
`.replaceAll('@{', '${')

const jsonOf = ({ responseBody }: Exchange) => {
  const json = parseJson(responseBody ?? '')
  return isObject(json) ? json : undefined
}

const replaceIds = (text: string, ids: ReadonlyMap<string, string>): string =>
  [...ids].reduce((all, [id, name]) => (id.length < 4 ? all : all.replaceAll(id, `\${${name}}`)), text)

/** Replaces the URL of the suite's receiver in a script: the receiver is gone by then. */
const receiverVariable = '@{WEBHOOK_URL}'.replace('@', '$')

const needsReceiver = ': "@{WEBHOOK_URL:?a URL of yours where you see what arrives}"'.replace('@', '$')

/** Names the variable of a device's own token: a response may depend on the session. */
const ownToken = (name: string, who: string): string => `${name}_OF_${who.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`

const accessTokens = /\$\{(ACCESS_TOKEN(?:_2)?)\}/g

/** Returns the exchange with the token of its sender; a request of the suite itself keeps its user's token. */
const withOwnToken = (exchange: Exchange): Exchange => {
  if (exchange.who === 'suite') return exchange
  const name = (text: string): string =>
    text.replaceAll(accessTokens, (_, token: string) => `\${${ownToken(token, exchange.who)}}`)
  const headers = Object.entries(exchange.requestHeaders).map(([header, value]) => [header, name(value)])
  const { requestBody: body } = exchange
  const request = { url: name(exchange.url), requestHeaders: Object.fromEntries(headers) }
  return { ...exchange, ...request, ...(body === undefined ? {} : { requestBody: name(body) }) }
}

/**
 * Writes a shell script that repeats a rule up to the decisive exchange, from the first request on. The data of the run
 * is gone by then: the script takes IDs and positions from its own responses, and secrets from variables.
 */
export const writeRepeatScript = (
  exchanges: readonly Exchange[],
  { id, title, expected, actual }: RepeatedRule,
  receiverUrl?: string,
): string => {
  const ids = new Map<string, string>()
  const positions = new Map<string, string>()
  const replaceReceiver = (text: string): string =>
    receiverUrl === undefined
      ? text
      : [receiverUrl, encodeURIComponent(receiverUrl)].reduce(
          (all, at) => all.replaceAll(at, () => receiverVariable),
          text,
        )
  const steps = exchanges.map(withOwnToken).flatMap((exchange, index) => {
    const number = index + 1
    const fill = (text: string): string =>
      replaceIds(replaceReceiver(text), ids).replaceAll(/(?<=[?&]from=|^from=)[\d.]+/g, (from) => {
        const name = positions.get(from)
        return name === undefined ? from : `\${${name}}`
      })
    const body = exchange.requestBody
    const request = { ...exchange, url: fill(exchange.url), ...(body === undefined ? {} : { requestBody: fill(body) }) }
    const response = jsonOf(exchange)
    const created =
      isObject(response?.things) && isObject(response.things.new) ? Object.entries(response.things.new) : []
    const assignments = created.map(([localId, createdId]) => {
      const name = `ID${ids.size + 1}`
      ids.set(String(createdId), name)
      return `${name}=$(value '${localId.replaceAll(/[^\w-]/g, '.')}' "$work/${number}")`
    })
    const [, position] = /"pos"\s*:\s*([\d.]+)/.exec(exchange.responseBody ?? '') ?? []
    if (position !== undefined) {
      positions.set(position, `POS${number}`)
      assignments.push(`POS${number}=$(value pos "$work/${number}")`)
    }
    return [
      '',
      comment(
        `${number}. ${exchange.who}: ${exchange.method} ${new URL(exchange.url).pathname}; response then: ${exchange.status ?? 'none'} ${(exchange.responseBody ?? '').slice(0, 200)}`,
      ),
      `${writeCurl(request)} > "$work/${number}"`,
      `printf '%s\\n' "${number}. $(cat "$work/${number}")"`,
      ...assignments,
    ]
  })
  const text = steps.join('\n')
  const names = new Set([...text.matchAll(/\$\{((?:ACCESS|REQUEST)_TOKEN\w*)\}/g)].map(([, name = '']) => name))
  const tokens = [...names].map((name) => {
    const user = /_TOKEN_2(?:_|$)/.test(name) ? 2 : 1
    return [name, `${user} ${name.startsWith('ACCESS') ? 'access_token' : 'request_token'}`]
  })
  const deletions = [...ids.values()].map((name) => `--data-urlencode "deleted_thing[]=\${${name}:-}"`)
  return [
    '#!/bin/sh',
    comment(`${id}  ${title}`),
    comment(`expected: ${expected}`),
    comment(`actual: ${actual}`),
    '# Repeats the rule step by step, and prints each response.',
    '# Set THINGSYNC_BASE_URL, THINGSYNC_CLIENT_ID, THINGSYNC_CLIENT_SECRET and THINGSYNC_USER.',
    preamble,
    ...(text.includes(receiverVariable) ? [needsReceiver] : []),
    ...tokens.map(([name, from]) => `${name}=$(log_in ${from})`),
    text,
    ...(deletions.length === 0
      ? []
      : [
          '',
          '# deletes what the script created',
          `curl -sS "$base/sync" --data-urlencode "access_token=$(log_in 1 access_token)" ${deletions.join(' ')} > /dev/null`,
        ]),
    '',
  ].join('\n')
}
