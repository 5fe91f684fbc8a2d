import type { Exchange } from './result.ts'

/** Headers that curl sends by itself or that only describe the connection. */
const unneeded = new Set(['content-length', 'accept', 'connection', 'host'])

const quote = (text: string): string => {
  const quoted = `'${text.replaceAll("'", "'\\''")}'`
  // A redacted secret becomes a shell variable of that name.
  return quoted.replace(/\$\{([A-Z][A-Z0-9_]*)\}/g, `'"$\{$1}"'`).replace(/^''(?=")|(?<=")''$/g, '')
}

const quoteForm = (body: string): string[] => {
  const pairs = [...new URLSearchParams(body)]
  // Only a body that reads back to the same pairs can be written pair by pair.
  if (
    new URLSearchParams(pairs).toString() !== body.replaceAll(/\$\{/g, '%24%7B').replaceAll(/(%24%7B\w+)\}/g, '$1%7D')
  ) {
    return [`--data-raw ${quote(body)}`]
  }
  return pairs.map(([name, value]) => `--data-urlencode ${quote(`${encodeURIComponent(name)}=${value}`)}`)
}

/** A shell command that repeats the exchange; secrets are read from variables such as `$ACCESS_TOKEN`. */
export const writeCurl = (exchange: Exchange): string => {
  const headers = Object.entries(exchange.requestHeaders).filter(([name]) => !unneeded.has(name.toLowerCase()))
  const isForm = exchange.requestHeaders['content-type'] === 'application/x-www-form-urlencoded'
  const body = exchange.requestBody
  // A stream of events ends when the client has seen enough.
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
