const secretName = /token|password|secret|authorization|cookie/i
const secretPair = /((?:token|password|secret|[?&]code)["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi
const authorization = /((?:authorization|cookie)["']?\s*[=:]).+/gi
const suspicious = /token|password|secret|code|authorization|cookie/i
const mask = '[redacted]'

/** A copy of a log entry in which whatever is named like a secret is masked, at any depth. Numbers and booleans stay. */
export function redactEntry(entry: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, redactValue(name, value, 0)]))
}

function redactValue(name: string, value: unknown, depth: number): unknown {
  if (secretName.test(name) && value !== null && (typeof value === 'string' || typeof value === 'object')) return mask
  if (typeof value === 'string') return redactText(value)
  // Errors keep their own form until their serializer writes them.
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (depth > 8) return '[deep]'
  if (Array.isArray(value)) return value.map((item) => redactValue('', item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValue(key, item, depth + 1)]))
}

/** A text in which the values of `access_token=…`, `Authorization: Bearer …` and their like are masked. */
export function redactText(text: string): string {
  // One look is all that most texts need; every pattern below holds one of these words.
  if (!suspicious.test(text)) return text
  return text.replace(authorization, `$1 ${mask}`).replace(secretPair, `$1${mask}`)
}
