/** Colours a text for a terminal, or leaves it as it is. */
export interface Paint {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly doubt: (text: string) => string
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
}

/** Paints with ANSI colours when `colours` is true. */
export function createPaint(colours: boolean): Paint {
  const wrap = (code: string) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { good: wrap('32'), bad: wrap('31;1'), doubt: wrap('33'), strong: wrap('1'), faint: wrap('2') }
}

/** Whether to colour: NO_COLOR (any value but empty) forbids, FORCE_COLOR asks, otherwise a terminal decides. */
export function wantsColours(isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  if (environment.NO_COLOR) return false
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== '0'
  return isTerminal && environment.TERM !== 'dumb'
}
