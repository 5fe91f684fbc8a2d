import type { Account, BeginLoading } from '../../image/account.ts'
import { isErrandChange } from '../../record/change.ts'
import { encodeWholes } from '../database/encode-array.ts'
import type { Database, Run } from '../database/open-database.ts'
import { findAccount, listChanges, listItemPage, listItemsAt, listTagPositions } from '../statements/accounts.ts'
import {
  type AccountNews,
  type AccountPlace,
  type ChangedRow,
  type ItemRow,
  parseStep,
  placeOfNew,
  putItems,
  readNews,
} from './changed-rows.ts'

/** An account as it was at one moment, out of the database. */
export interface LoadedAccount {
  readonly account: Account
  readonly place: AccountPlace
  readonly errands: ReadonlyMap<string, number>
}

/** So many positions are asked for in one go. */
const pageItems = 5000

/** So many tags: they are asked for by their positions. */
const pageTags = 1000

const isTagStep = ({ step }: ItemRow): boolean => step.startsWith('{"tag":')

const putRest = (news: AccountNews, begin: BeginLoading, put: (loading: ReturnType<BeginLoading>) => void): Account => {
  const loading = begin(news.position)
  put(loading)
  for (const step of news.records) {
    const change = parseStep(step)
    if (!isErrandChange(change)) loading.put(change)
  }
  return loading.finish()
}

const loadSmall = (news: AccountNews, begin: BeginLoading): Account =>
  putRest(news, begin, (loading) => {
    // The tags first: they say how the things are shown.
    putItems(loading, news.items.filter(isTagStep))
    putItems(
      loading,
      news.items.filter((item) => !isTagStep(item)),
    )
  })

/** Reads a large account page by page, so that memory holds one of them beside what is made of it. */
const loadPages = async (run: Run, userId: string, place: AccountPlace, begin: BeginLoading) => {
  const loading = begin(place.position)
  // The tags first, as above.
  const tags = await run<Pick<ItemRow, 'place'>>(listTagPositions, [userId])
  for (let start = 0; start < tags.length; start += pageTags) {
    const positions = tags.slice(start, start + pageTags).map(({ place: position }) => position)
    putItems(loading, await run<ItemRow>(listItemsAt, [userId, encodeWholes(positions)]))
  }
  for (let after = 0, isLast = false; !isLast; ) {
    const page = await run<ItemRow>(listItemPage, [userId, after, pageItems])
    putItems(
      loading,
      page.filter((item) => !isTagStep(item)),
    )
    after = page.at(-1)?.place ?? after
    isLast = page.length < pageItems
  }
  const rest = readNews(await run<ChangedRow>(listChanges, [userId, place.position, 0]))
  for (const step of rest?.records ?? []) loading.put(parseStep(step))
  return { account: loading.finish(), place, errands: rest?.errands ?? new Map<string, number>() }
}

/** Loads an account; `findRaised` says by how much the positions of a new one are raised. @throws StoreFailed */
export const loadAccount = async (
  database: Database,
  userId: string,
  begin: BeginLoading,
  findRaised: () => Promise<number>,
): Promise<LoadedAccount> => {
  const beginNew = async (): Promise<LoadedAccount> => {
    const place = placeOfNew(await findRaised())
    return { account: begin(place.position).finish(), place, errands: new Map() }
  }

  const [found] = await database.run<AccountPlace>(findAccount, [userId])
  if (found === undefined) return beginNew()
  if (found.position > pageItems)
    return database.readAtOneMoment(async (run) => {
      const [place] = await run<AccountPlace>(findAccount, [userId])
      return place === undefined ? beginNew() : loadPages(run, userId, place, begin)
    })
  const news = readNews(await database.run<ChangedRow>(listChanges, [userId, 0, 0]))
  if (news === undefined) return beginNew()
  return { account: loadSmall(news, begin), place: news, errands: news.errands }
}
