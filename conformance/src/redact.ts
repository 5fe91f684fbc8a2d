/** Replaces secrets in everything that is recorded; a replaced secret reads `${NAME}`. */
export interface Redactor {
  /** From now on every occurrence of the secret, raw or escaped for a URL, a form or JSON, reads `${name}`. */
  readonly hide: (name: string, secret: string) => void
  readonly redact: (text: string) => string
}

const escapedForms = (secret: string): string[] => {
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  return [secret, encodeURIComponent(secret), form, JSON.stringify(secret).slice(1, -1)]
}

// Named places are redacted whatever stands there, so that a secret that was never announced, or a very short one, stays out.
const namedFields =
  /((?:^|[?&])(?:access_token|request_token|refresh_token|client_secret|password|code)=)(?!\$\{)([^&#\s]+)/g
const namedJson =
  /("(?:access_token|request_token|refresh_token|client_secret|password|secret)"\s*:\s*")(?!\$\{)((?:[^"\\]|\\.)+)/g
const basic = /^(Basic )(?!\$\{)(.+)$/i

/** A shorter secret is hidden only where no letter or digit stands beside it: inside of words it would garble everything. */
const shortestInText = 4

const escapePattern = (text: string): string => {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return text.length < shortestInText ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal
}

/** Makes a redactor that knows no secret yet. */
export const createRedactor = (): Redactor => {
  const names = new Map<string, string>()
  let known: RegExp | undefined
  return {
    hide: (name, secret) => {
      if (secret === '' || names.has(secret)) return
      for (const form of escapedForms(secret)) if (!names.has(form)) names.set(form, name)
      const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length)
      known = new RegExp(longestFirst.map(escapePattern).join('|'), 'gu')
    },
    redact: (text) => {
      const result = known === undefined ? text : text.replace(known, (secret) => `\${${names.get(secret)}}`)
      return result
        .replace(namedFields, (_, start: string) => `${start}\${SECRET}`)
        .replace(namedJson, (_, start: string) => `${start}\${SECRET}`)
        .replace(basic, (_, start: string) => `${start}\${BASIC}`)
    },
  }
}
