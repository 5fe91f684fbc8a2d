import type { Account, Thing } from './world.ts'

/** The other operations (contract, the other operations). */
export const rightOperations = {
  /** The living things that tags/get counts. */
  countsThing: (thing: Thing): boolean => !thing.deleted,
  tagsGetReadsFrom: true,
  favoritesApart: true,
  /** thing/add takes an address in the title for the url. */
  urlFromTitle: true,
  preventsDuplicates: true,
  /** Operations on single things that take a position. */
  operationMoves: ['add', 'change', 'delete'] as readonly string[],
  /** thing/change leaves absent fields alone. */
  operationKeepsAbsent: true,
  /** What things/get lists. */
  getsThing: (thing: Thing, archived: string | undefined): boolean =>
    archived === 'include' || thing.fields.archived === (archived === 'true'),
  thingsGetReads: ['archived', 'tag', 'skip', 'limit'] as readonly string[],
  userName: (account: Account): string => account.username,
  events: ['new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any'] as readonly string[],
}
