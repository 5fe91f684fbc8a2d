import type { Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { longBytes, readBody } from '../wire/read-body.ts'
import type { World } from '../world.ts'
import type { HeldBody } from './body-room.ts'
import { decodeInTurn, type ReceivedBody } from './decode-in-turn.ts'
import type { Limits } from './limits.ts'
import { type ApiRequest, bodyTypeOf, decodeBody, noFields, refuseType } from './read-request.ts'
import type { Rooms } from './rooms.ts'
import type { Route } from './routes.ts'

/** What receiving a body needs of the API. */
export interface Receiving {
  readonly store: Store
  readonly world: World
  readonly limits: Limits
  readonly rooms: Rooms
}

const keep = () => undefined

/** Receives the body of an operation whose sender is known, or that asks nobody who they are. */
export const receiveKnown = async (
  receiving: Receiving,
  request: ApiRequest,
  { needsToken, bodyTypes }: Route,
  session: Session | undefined,
): Promise<ReceivedBody> => {
  const { limits, rooms } = receiving
  const type = bodyTypeOf(request)
  if (type !== '' && !bodyTypes.includes(type)) throw refuseType(type, bodyTypes)
  const maxBytes = needsToken ? limits.maxBodyBytes : limits.grantBodyBytes
  const maxFields = needsToken ? limits.formFields : limits.grantFields
  const room = session === undefined ? rooms.unknown : rooms.users
  const held: HeldBody =
    session === undefined
      ? room.open(request.address, (refusal) => reading.refuse(refusal))
      : room.open(session.userId, keep)
  const reading = readBody(request.message, maxBytes, {
    onBegin: request.continueBody,
    onChunk: (chunk) => room.add(held, chunk.length),
  })
  try {
    const bytes = await reading.whole
    if (type === '' && bytes.length > 0) throw refuseType(type, bodyTypes)
    const release = () => room.release(held)
    if (bytes.length >= longBytes && session !== undefined) {
      return await decodeInTurn(receiving, { bytes, type, session, release })
    }
    const decoded = type === '' ? noFields : decodeBody(bytes, type, maxFields, limits)
    return { fields: decoded instanceof Promise ? await decoded : decoded, session, release }
  } catch (error) {
    room.release(held)
    throw error
  }
}
