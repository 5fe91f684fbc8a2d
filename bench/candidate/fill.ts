import { makeThings } from './make-things.ts'

/** What the server lets one request hold is 100,000; this keeps a body at 30 MB. */
const mostPerUpload = 100_000

/** Uploads a body of `POST /sync` as JSON. `limit=0`: nothing is to be listed in answer. Tells the position reached. */
export const upload = async (port: number, token: string, body: object): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ limit: 0, ...body }),
  })
  if (!answer.ok)
    throw new Error(`an upload was answered with ${answer.status}: ${(await answer.text()).slice(0, 200)}`)
  return ((await answer.json()) as { pos: number }).pos
}

/** Uploads `count` things over HTTP, in as few requests as the server allows. */
export const fill = async (port: number, token: string, count: number): Promise<void> => {
  for (let done = 0; done < count; ) {
    const size = Math.min(count - done, mostPerUpload, Math.max(1_000, count / 10))
    await upload(port, token, { new_thing: makeThings(done, size) })
    done += size
  }
}

/** Changes `count` things that were listed, each once: their titles are replaced by ones of the same length. */
export const changeThings = async (port: number, token: string, ids: readonly string[]): Promise<void> => {
  for (let done = 0; done < ids.length; done += mostPerUpload) {
    const changed = ids.slice(done, done + mostPerUpload)
    await upload(port, token, { changed_thing: changed.map((id) => ({ _id: id, title: 'changed since the start' })) })
  }
}

/** Changes one thing again and again. */
export const changeOne = async (port: number, token: string, id: string, times: number): Promise<void> => {
  for (let done = 0; done < times; done += mostPerUpload) {
    const count = Math.min(times - done, mostPerUpload)
    const changes = Array.from({ length: count }, (_, index) => ({ _id: id, title: `change ${done + index}` }))
    await upload(port, token, { changed_thing: changes })
  }
}

/** Ids of the things of one page, in the order of their last change. */
export const listIds = async (
  port: number,
  token: string,
  page: { skip: number; limit: number },
): Promise<string[]> => {
  const query = new URLSearchParams({ skip: String(page.skip), limit: String(page.limit) })
  const answer = await fetch(`http://127.0.0.1:${port}/v1/sync?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { things } = (await answer.json()) as { things?: { changed?: { _id: string }[] } }
  return (things?.changed ?? []).map((thing) => thing._id)
}

/** The position that the account is at. */
export const readPosition = (port: number, token: string): Promise<number> => upload(port, token, {})
