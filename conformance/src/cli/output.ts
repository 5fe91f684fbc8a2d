import type { Paint } from '../report/paint.ts'
import type { RuleResult } from '../result.ts'
import type { Rule } from '../rule.ts'

/** The environment of a command, so that a command can run without a process of its own. */
export interface CommandContext {
  readonly environment: NodeJS.ProcessEnv
  /** Receives the verdict and the requested output. */
  readonly output: Output
  /** Receives progress and errors. */
  readonly errors: Output
  /** Where the user confirms something; absent without a terminal. */
  readonly input?: Input
  /** Ends a run early: Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal
  readonly rules: readonly Rule[]
}

/** A terminal that a command reads from. */
export interface Input {
  /** Resolves to true when the user presses Enter, to false when the input ends or the signal is aborted before. */
  readonly waitForEnter: (signal: AbortSignal) => Promise<boolean>
}

/** A stream that a command writes to. */
export interface Output {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** Width in characters, when it is a terminal. */
  readonly columns: number
}

/** Shows the progress of a run. */
interface Progress {
  readonly show: (result: RuleResult) => void
  /** Clears the line for the text that is printed next. */
  readonly end: () => void
}

/** Creates a progress display: one line that is rewritten on a terminal, otherwise ten plain lines for a CI log. */
export function createProgress(output: Output, total: number, paint: Paint): Progress {
  return output.isTerminal ? createLine(output, total, paint) : createLog(output, total)
}

function createLine(output: Output, total: number, paint: Paint): Progress {
  let done = 0
  let failedCount = 0
  return {
    show: (result) => {
      done += 1
      if (result.status === 'failed') failedCount += 1
      const failures = failedCount === 0 ? '' : `  ${failedCount} failed`
      const text = `${done}/${total}${failures}  last: ${result.id}`.slice(0, Math.max(20, output.columns - 1))
      output.write(`\r\u001b[K${failedCount === 0 ? text : paint.bad(text)}`)
    },
    end: () => output.write('\r\u001b[K'),
  }
}

function createLog(output: Output, total: number): Progress {
  const lines = 10
  let done = 0
  let failedCount = 0
  const tenthsOf = (count: number) => Math.floor((count * lines) / total)
  return {
    show: ({ id, status }) => {
      done += 1
      if (status === 'failed') failedCount += 1
      if (tenthsOf(done) === tenthsOf(done - 1)) return
      const failures = failedCount === 0 ? '' : `  ${failedCount} failed`
      output.write(`${String(done).padStart(String(total).length)}/${total}${failures}  last: ${id}\n`)
    },
    end: () => output.write('\n'),
  }
}
