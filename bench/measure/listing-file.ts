import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { getJob } from './requests.ts'

/** The full listing of an account, as it came over HTTP. */
export interface ListingFile {
  readonly file: string
  readonly bytes: number
}

/** Downloads a full listing into a file of the row. */
export const saveListing = async (
  bench: Bench,
  account: { readonly port: number; readonly token: string },
): Promise<ListingFile> => {
  const file = join(await bench.makeFolder(), 'listing.json')
  const job = getJob(account.port, account.token, '/v1/sync')
  await bench.load({ ...job, connections: 1, count: 1, saveTo: file })
  return { file, bytes: (await stat(file)).size }
}

/** The ids of its things, in its order: every `stride`-th. */
export const readIds = async ({ file }: ListingFile, stride: number): Promise<string[]> => {
  // As latin1: a listing of a million things is longer than the longest string when every byte is looked at as UTF-8.
  const text = (await readFile(file)).toString('latin1')
  const ids: string[] = []
  let index = 0
  for (const [, id] of text.matchAll(/"_id": ?"([A-Za-z0-9]+)"/g)) if (index++ % stride === 0 && id) ids.push(id)
  return ids
}
