import type { Paint } from '../report/paint.ts'
import type { RuleResult } from '../result.ts'

/** Where a command writes. */
export interface Output {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** Width in characters, when it is a terminal. */
  readonly columns: number
}

/** Says how far a run is. */
export interface Progress {
  readonly show: (result: RuleResult) => void
  /** Leaves the place clean for what is printed next. */
  readonly end: () => void
}

/** One line that is rewritten on a terminal; otherwise ten plain lines in all, as a log of CI wants. */
export function createProgress(output: Output, total: number, paint: Paint): Progress {
  return output.isTerminal ? createLine(output, total, paint) : createLog(output, total)
}

function createLine(output: Output, total: number, paint: Paint): Progress {
  let done = 0
  let notKept = 0
  return {
    show: (result) => {
      done += 1
      if (result.status === 'failed') notKept += 1
      const failures = notKept === 0 ? '' : `  ${notKept} not kept`
      const text = `${done}/${total}${failures}  ${result.id}`.slice(0, Math.max(20, output.columns - 1))
      output.write(`\r\u001b[K${notKept === 0 ? text : paint.bad(text)}`)
    },
    end: () => output.write('\r\u001b[K'),
  }
}

function createLog(output: Output, total: number): Progress {
  const lines = 10
  let done = 0
  let notKept = 0
  const tenthsOf = (count: number) => Math.floor((count * lines) / total)
  return {
    show: ({ id, status }) => {
      done += 1
      if (status === 'failed') notKept += 1
      if (tenthsOf(done) === tenthsOf(done - 1)) return
      const failures = notKept === 0 ? '' : `  ${notKept} not kept`
      output.write(`${String(done).padStart(String(total).length)}/${total}${failures}  ${id}\n`)
    },
    end: () => output.write('\n'),
  }
}
