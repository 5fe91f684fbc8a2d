import type { ItemToImport } from '../things/import-things.ts'

/** Brings a piece of an import to where it is made. */
export type SendPiece<Outcome> = () => Promise<Outcome>

/** Puts the items of an import together to pieces. */
export interface ImportPieces<Outcome> {
  readonly add: (item: ItemToImport) => void
  /** A piece that is full, or undefined while there is none. */
  readonly takeFull: () => SendPiece<Outcome> | undefined
  /** What is left, at the end. */
  readonly takeRest: () => SendPiece<Outcome>
}

// What fits a question to the owner of the folder (1 MiB) once it is sealed, which makes four bytes of three: in UTF-8 a
// character may be three.
const mostQuestionCharacters = 240 * 1024

/** Pieces for another process: JSON lines, cut anywhere. */
export const createTextPieces = <Outcome>(send: (text: string) => Promise<Outcome>): ImportPieces<Outcome> => {
  let text = ''
  const take = (length: number): SendPiece<Outcome> => {
    const piece = text.slice(0, length)
    text = text.slice(length)
    return () => send(piece)
  }
  return {
    add: (item) => {
      text += `${JSON.stringify(item)}\n`
    },
    takeFull: () => (text.length < mostQuestionCharacters ? undefined : take(mostQuestionCharacters)),
    takeRest: () => take(text.length),
  }
}

// Each becomes one write: a larger one is held in memory as a whole, and a smaller one waits as long for the disk.
const mostHeldCharacters = 256 * 1024
/** What an item takes beside its texts, in characters. */
const itemCharacters = 100

/** What an item takes, in characters. */
export const countCharacters = (item: ItemToImport): number => {
  if (item.kind === 'tag') return itemCharacters
  const { title, tags, url = '', html = '' } = item.thing
  return itemCharacters + title.length + tags.length + url.length + html.length
}

/** Pieces for this process: the items as they are. */
export const createItemPieces = <Outcome>(
  send: (items: readonly ItemToImport[]) => Promise<Outcome>,
): ImportPieces<Outcome> => {
  let items: ItemToImport[] = []
  let held = 0
  const take = (): SendPiece<Outcome> => {
    const piece = items
    items = []
    held = 0
    return () => send(piece)
  }
  return {
    add: (item) => {
      items.push(item)
      held += countCharacters(item)
    },
    takeFull: () => (held < mostHeldCharacters ? undefined : take()),
    takeRest: take,
  }
}
