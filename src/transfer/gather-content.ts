import type { ReadItem, TransferContent, TransferTagSettings, TransferThing } from './transfer.ts'

/** What a reader of a file without problems gives, as a writer takes it. @throws Error when there is a problem */
export const gatherContent = async (items: AsyncGenerator<ReadItem, void, undefined>): Promise<TransferContent> => {
  const tags = new Map<string, TransferTagSettings>()
  let next = await items.next()
  while (!next.done && next.value.kind === 'tag') {
    tags.set(next.value.name, next.value.settings)
    next = await items.next()
  }
  return { tags, things: listThings(next.done ? undefined : next.value, items) }
}

async function* listThings(
  first: ReadItem | undefined,
  rest: AsyncGenerator<ReadItem, void, undefined>,
): AsyncGenerator<TransferThing, void, undefined> {
  if (first !== undefined) yield thingOf(first)
  for await (const item of rest) yield thingOf(item)
}

const thingOf = (item: ReadItem): TransferThing => {
  if (item.kind === 'thing') return item.thing
  throw new Error(item.kind === 'tag' ? 'a tag came behind the things' : `line ${item.line}: ${item.reason}`)
}
