import type { AccountDocument } from '../account/account-document.ts'

/**
 * The same account, `by` positions further on, where no client was given any before (see `chooseDistance`). Every thing,
 * deletion and tag setting counts as changed by somebody else since, so that clients that knew later states are listed
 * all of it; `createdPosition` stays, so that those who knew a thing hear of its deletion.
 */
export const raiseContent = (document: AccountDocument, by: number): AccountDocument => {
  const { position, things, tombstones, tags, records } = document
  const raise = <Item extends { readonly position: number }>(item: Item): Item => ({
    ...item,
    position: item.position + by,
  })
  return {
    position: position + by,
    things: Array.from(things, (thing) => ({ ...raise(thing), othersPosition: thing.position + by })),
    tombstones: Array.from(tombstones, raise),
    tags: Array.from(tags, raise),
    records,
  }
}
