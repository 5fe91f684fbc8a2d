import type { FoundFile } from '../store/tools/inspect/describe-files.ts'

/** What `verify` answers. */
export interface VerifyResult {
  /** The data folder, or the address of the database without its password. */
  readonly data: string
  /** How many files were read, or accounts and tables, and how many of them are damaged or missing. */
  readonly checked: number
  readonly damaged: number
  /** Where a repair kept what was damaged. */
  readonly kept_in: string | null
  readonly files: readonly FoundFile[]
}

/** True for what a server cannot use. */
export const isDamaged = ({ state }: FoundFile): boolean => state === 'damaged'

/** The answer as lines for people. `parts` are what was checked. */
export function describeVerify(
  { data, checked, damaged, files, kept_in: keptIn }: VerifyResult,
  parts: string,
): string {
  const lines = files
    .filter(({ state }) => state !== 'whole')
    .flatMap(({ file, state, says, repair: would }) => [
      `${state === 'note' ? 'note   ' : 'DAMAGED'} ${file}: ${says}`,
      ...(would === undefined || keptIn !== null ? [] : [`        --repair would: ${would}`]),
    ])
  const sum = keptIn === null ? `${checked} ${parts} checked, ${damaged} damaged` : `repaired; kept aside in ${keptIn}`
  return [...lines, `${data}: ${sum}`, ''].join('\n')
}
