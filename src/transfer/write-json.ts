import { fieldNames } from '../thing-table.ts'
import type { TransferContent, TransferThing, WriteFormat } from './transfer.ts'

/** Our own JSON, one thing a line, lossless; `docs/transfer.schema.json` describes it. */
export const writeJson: WriteFormat = {
  name: 'json',
  extension: 'json',
  mediaType: 'application/json',
  write,
}

async function* write({ tags, things }: TransferContent): AsyncGenerator<string, void, undefined> {
  // fromEntries: a tag may be called __proto__.
  yield `{"format":"thingsync","version":1,"tags":${JSON.stringify(Object.fromEntries(tags))},"things":[`
  let separator = '\n'
  for await (const thing of things) {
    yield separator + JSON.stringify(toReturnedForm(thing))
    separator = ',\n'
  }
  yield '\n]}\n'
}

/** The returned form of interface 2.1, whose order of keys it keeps. */
const toReturnedForm = (thing: TransferThing): object => {
  const form: Record<string, unknown> = { _id: thing.id }
  for (const name of fieldNames) form[name] = name === 'archived' ? thing.archived || undefined : thing[name]
  return form
}
