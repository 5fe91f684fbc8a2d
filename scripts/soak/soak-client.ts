import { setTimeout as sleep } from 'node:timers/promises'
import { createOfflineClient, type OfflineClient } from '../../test/support/offline-client.ts'
import type { Body } from '../../test/support/test-request.ts'

/** Asks `/sync`; a server that cannot be reached is asked the same again until it answers. */
export type Sync = (upload?: object) => Promise<Body>

/** How to ask as the bearer of a token. @throws on any answer but 200 */
export const createSync = (baseUrl: string, token: string, noteLost: () => void): Sync => {
  const attempt = async (upload: object): Promise<Body | undefined> => {
    try {
      const response = await fetch(`${baseUrl}sync`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(upload),
        signal: AbortSignal.timeout(20_000),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`sync was answered with ${response.status}: ${text}`)
      return JSON.parse(text) as Body
    } catch (error) {
      // What fetch throws when the connection cannot be made or breaks.
      if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) return undefined
      throw error
    }
  }

  return async (upload = {}) => {
    for (;;) {
      const answer = await attempt(upload)
      if (answer !== undefined) return answer
      noteLost()
      await sleep(100)
    }
  }
}

const maxThings = 200

/** Works and syncs until told to stop; gives how often it synced. */
export const workUntil = async (client: OfflineClient, name: string, isOver: () => boolean): Promise<number> => {
  let syncs = 0
  const random = (end: number): number => Math.floor(Math.random() * end)
  while (!isOver()) {
    for (let actions = random(4); actions > 0; actions -= 1) {
      const kind = random(10)
      if (kind < 4) client.create({ title: `${name} ${syncs}`, tags: random(2) === 0 ? 'home' : '', date: syncs })
      else if (kind < 8)
        client.change(random(1000), { title: `${name} changed ${syncs}`, html: '<p>ü</p>'.repeat(1 + random(40)) })
      else if (kind < 9) client.remove(random(1000))
      else client.setTag('home', { favorite: random(2) === 0, todo: random(2) === 0 })
    }
    while (client.replica.things.size > maxThings) client.remove(random(1000))
    // Now and then an answer that arrived is taken for lost, and the upload is repeated.
    await client.sync(random(10) === 0)
    syncs += 1
    await sleep(random(50))
  }
  return syncs
}

/** A client that never lost its replica, on a way to ask. */
export const openSoakClient = (sync: Sync): OfflineClient => createOfflineClient({ sync })
