import type { Row } from './row.ts'
import type { Ran } from './run-command.ts'

const looksLikeError = /error|exception|failed|panic|cannot|undefined|not found/i
const longest = 240

/** Why a command failed, in one line: the row's reason for what was printed, else the first line that looks like an error. */
export function explainFailure({ reasons = [] }: Pick<Row, 'reasons'>, { output, errors }: Ran): string | undefined {
  const printed = `${errors}\n${output}`
  const known = reasons.find((reason) => reason.printed.test(printed))
  if (known !== undefined) return known.because
  const lines = printed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^npm (warn|notice)/i.test(line))
  return (lines.find((line) => looksLikeError.test(line)) ?? lines[0])?.slice(0, longest)
}
