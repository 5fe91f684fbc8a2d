import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openWebApp, signInToApp, waitUntilSeen } from '../browser/open-web-app.ts'
import { interleave, type Row } from '../row.ts'

/** Everything that a browser does once with a large account, until it has all of it. */
export const webFirstListing: Row = {
  id: 'web-first-listing',
  work: 'web app: first listing of 100,000 things into IndexedDB, with the list and the search, from loading the page on',
  against: 'the same download with curl, and JSON.parse in Node',
  measured: 'ms',
  startsAnew: true,
  opensWebApp: true,
  figures: {
    listing: { title: 'everything is saved here', unit: 'x', goal: { is: 'most', limit: 3 } },
    first: { title: 'first things on the screen', unit: 'ms' },
  },
  open: async (bench) => {
    const app = await openWebApp(bench)
    const file = join(await bench.makeFolder(), 'listing.json')
    const download = async () => {
      const begun = performance.now()
      const header = `authorization: Bearer ${app.token}`
      await promisify(execFile)('curl', ['-sSf', '-o', file, '-H', header, `${app.home}v1/sync`])
      JSON.parse(await readFile(file, 'utf8'))
      return performance.now() - begun
    }
    const list = async () =>
      app.visit(await bench.makeFolder(), async (visit) => {
        await signInToApp(visit.page, app.home)
        return { first: await waitUntilSeen(visit.page, 'first'), saved: await waitUntilSeen(visit.page, 'saved') }
      })
    const round = async (index: number) => {
      const [floor, { first, saved }] = await interleave(index, download, list)
      return { listing: { value: saved / floor, candidate: saved, floor }, first: { value: first } }
    }
    // The server opens the account.
    await download()
    return { round, notes: [app.about] }
  },
}
