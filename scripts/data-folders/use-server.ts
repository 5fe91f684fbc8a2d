import { setTimeout as sleep } from 'node:timers/promises'

/** What a server lists of a user, with nothing in it that depends on positions or the order of equals. */
export interface Kept {
  readonly things: readonly { readonly _id: string }[]
  readonly tags: unknown
  readonly favorite: unknown
  readonly other: unknown
}

/** A person with an app that knows the password. */
export interface Person {
  readonly client_id: string
  readonly client_secret: string
  readonly username: string
  readonly password: string
}

type Fields = Readonly<Record<string, string>>

/** Calls of one person at a server. */
export interface Calls {
  readonly post: (path: string, fields: Fields) => Promise<Record<string, unknown>>
  readonly list: () => Promise<Kept>
}

/** Signs a person in. @throws when the server refuses */
export const signIn = async (baseUrl: string, person: Person): Promise<Calls> => {
  const call = async (path: string, fields?: Fields, token?: string) => {
    const answer = await fetch(new URL(path, baseUrl), {
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const { access_token: token } = await call('token', { grant_type: 'password', ...person })
  return {
    post: (path, fields) => call(path, fields, token),
    list: async () => {
      const { things, tags } = await call('sync', undefined, token)
      const { favorite, other } = await call('tags/get', undefined, token)
      const byId = (a: { _id: string }, b: { _id: string }) => (a._id < b._id ? -1 : 1)
      return { things: [...(things?.changed ?? [])].sort(byId), tags, favorite, other }
    },
  }
}

/** Waits until a server has written that it is ready, or has ended. */
export const untilReady = async (read: () => Promise<string>, hasEnded: () => boolean): Promise<string> => {
  for (;;) {
    const text = await read().catch(() => '')
    if (text !== '') return JSON.parse(text).base_url
    if (hasEnded()) throw new Error('the server ended before it was ready')
    await sleep(50)
  }
}
