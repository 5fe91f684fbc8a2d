/** What became of the answers that went through the proxy. */
export interface WatchedAnswers {
  /** Reads a line of Prism's log, and says what to show of it. */
  readonly readLine: (line: string) => string | undefined
  readonly summary: () => { readonly answers: number; readonly violations: number }
}

/**
 * Watches Prism's log for what is wrong with answers. What Prism says against requests is left out: it does not know the
 * JSON inside of forms, nor an access token in a form, which are both allowed (interface 4.3, 5.3).
 */
export const watchAnswers = (): WatchedAnswers => {
  let answers = 0
  let violations = 0
  const readLine = (line: string): string | undefined => {
    const started = / is listening on (\S+)/.exec(line)?.[1]
    if (started !== undefined) return `listening on ${started}`
    const returned = /The upstream call to (.*) has returned (\d+)/.exec(line)
    if (returned !== null) {
      answers += 1
      return `${returned[1]?.replace(/access_token=[^&]*/, 'access_token=…')} ${returned[2]}`
    }
    const violation = /Violation: response\.?(\S*) (.*)/.exec(line)
    if (violation !== null) {
      violations += 1
      const [, place = '', what = ''] = violation
      return `  BREAKS THE DOCUMENT ${place === '' ? what : `${place}: ${what}`}`
    }
    return line.includes('Violation:') || / info /.test(line) || line.includes('Starting Prism') ? undefined : line
  }
  return { readLine, summary: () => ({ answers, violations }) }
}
