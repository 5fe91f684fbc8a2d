import type { Session } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import { readBody } from '../wire/read-body.ts'
import type { World } from '../world.ts'
import type { BodyRoom, HeldBody } from './body-room.ts'
import type { Limits } from './limits.ts'
import { type ApiRequest, bodyTypeOf, decodeBody, type Fields, noFields, refuseType } from './read-request.ts'
import type { Rooms } from './rooms.ts'
import type { Route } from './routes.ts'

/** What receiving a body needs of the API. */
export interface Receiving {
  readonly store: Store
  readonly world: World
  readonly limits: Limits
  readonly rooms: Rooms
}

/** A body, decoded, and whose it is. */
export interface ReceivedBody {
  readonly fields: Fields
  /** Undefined for an operation without a token. */
  readonly session: Session | undefined
  readonly held: HeldBody
  /** Where the body is to be given back when its request is answered. */
  readonly room: BodyRoom
}

const keep = () => undefined

/** Receives the body of an operation whose sender is known, or that asks nobody who they are. */
export const receiveKnown = async (
  { limits, rooms }: Receiving,
  request: ApiRequest,
  { needsToken, bodyTypes }: Route,
  session: Session | undefined,
): Promise<ReceivedBody> => {
  const type = bodyTypeOf(request)
  if (type !== '' && !bodyTypes.includes(type)) throw refuseType(type)
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
    if (type === '' && bytes.length > 0) throw refuseType(type)
    const decoded = type === '' ? noFields : decodeBody(bytes, type, maxFields, limits)
    return { fields: decoded instanceof Promise ? await decoded : decoded, session, held, room }
  } catch (error) {
    room.release(held)
    throw error
  }
}
