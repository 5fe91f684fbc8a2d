import type { Send } from '../../client/src/api.ts'
import type { SyncResponse } from '../../generated/types.ts'
import type { TestServer } from './open-test-server.ts'

/**
 * Makes of our server one that keeps the interface and takes none of this project's decisions: it lists own uploads,
 * does not recognise an upload that is repeated, does not repeat submitted tags, and writes `pos` last.
 */
export const createCoreServerSend =
  (server: TestServer, userName: string): Send =>
  async (request) => {
    if (!new URL(request.url).pathname.endsWith('/sync')) return fetch(request)
    const body = request.method === 'POST' ? new URLSearchParams(await request.clone().text()) : undefined
    const [writer, reader] = [await server.openDevice(userName), await server.openDevice(userName)]
    request.headers.set('authorization', `Bearer ${writer.token}`)
    const response = await fetch(request)
    if (!response.ok || body === undefined) return response

    const uploaded: SyncResponse = JSON.parse(await response.text())
    const { things, tags, pos } = await reader.sync({ from: Number(body.get('from')) })
    const changed = things?.changed as unknown as object[] | undefined
    const known = [...Object.values(things?.deleted ?? {}), ...(uploaded.things?.deleted ?? [])]
    const deleted = known.length > 0 ? [...new Set(known)] : undefined
    const listed = { changed, deleted, new: uploaded.things?.new }
    const hasThings = Object.values(listed).some((part) => part !== undefined)
    return Response.json({ ...(hasThings ? { things: listed } : {}), tags, pos })
  }
