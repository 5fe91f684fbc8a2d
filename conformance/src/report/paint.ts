/** Colors a text for a terminal, or leaves it as it is. */
export interface Paint {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly doubt: (text: string) => string
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
}

/** Creates a painter, with ANSI colors when `colors` is true. */
export function createPaint(colors: boolean): Paint {
  const wrap = (code: string) => (text: string) => (colors ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { good: wrap('32'), bad: wrap('31;1'), doubt: wrap('33'), strong: wrap('1'), faint: wrap('2') }
}

/** Decides whether to color: NO_COLOR (any value but empty) forbids, FORCE_COLOR forces it, or a terminal decides. */
export function wantsColors(isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  if (environment.NO_COLOR) return false
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== '0'
  return isTerminal && environment.TERM !== 'dumb'
}

/**
 * Escapes control characters and lone surrogates (`\u001b`), so that no response of a server can move a cursor or break
 * a file. Line ends and tabs stay.
 */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu, (found) =>
      found === '\n' || found === '\t' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
}
