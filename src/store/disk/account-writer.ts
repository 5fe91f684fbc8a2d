import { type AccountHead, beginBase } from '../record/account-record.ts'
import { type FilePlace, replaceFile } from './durable-json-file.ts'

// Not one `for await` over both: of a million steps each would cost a turn.
async function* fillLines(
  userId: string,
  head: AccountHead,
  steps: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<Buffer> {
  const base = beginBase(userId, head)
  if (Symbol.iterator in steps)
    for (const step of steps) {
      const full = base.take(step)
      if (full !== undefined) yield full
    }
  else
    for await (const step of steps) {
      const full = base.take(step)
      if (full !== undefined) yield full
    }
  yield base.end()
}

/**
 * Writes the file of an account out of steps, as JSON. It gets its name when all of it is on disk, and not before.
 * @throws SyncFailed, the system's error, or what the steps throw
 */
export const writeAccountFile = (
  place: FilePlace,
  userId: string,
  head: AccountHead,
  steps: Iterable<string> | AsyncIterable<string>,
): Promise<void> => replaceFile(place, fillLines(userId, head, steps))
