import { findSession } from '../accounts/find-session.ts'
import { Refused } from '../refused.ts'
import type { Session } from '../store/registry/registry.ts'
import { hasBody, isCompressed, longBytes, readBody } from '../wire/read-body.ts'
import { createTokenSearch } from '../wire/search-form-token.ts'
import { decodeInTurn, type ReceivedBody } from './decode-in-turn.ts'
import { type ApiRequest, bodyTypeOf, decodeBody, formType, jsonType, tokensIn } from './read-request.ts'
import type { Receiving } from './receive-body.ts'
import type { Route } from './routes.ts'

const keep = () => undefined

/**
 * Receives the body of a sender who is known only by the access token in it (contract, order of judging). A JSON body is
 * small. A form is searched for its token while it arrives, and not decoded before the token was judged; once it is, the
 * form is its user's, however much is still to come.
 */
export const receiveUnknown = async (
  receiving: Receiving,
  request: ApiRequest,
  { bodyTypes }: Route,
): Promise<ReceivedBody> => {
  const { message } = request
  const type = bodyTypeOf(request)
  // There can be no token in such a body.
  if (!hasBody(message) || isCompressed(message) || !bodyTypes.includes(type)) throw new Refused('tokenMissing')
  const owner = createOwner(receiving, request.address)
  try {
    const identify = type === jsonType ? identifyJson : identifyForm
    return await identify(receiving, request, owner)
  } catch (error) {
    owner.release()
    throw error
  }
}

/** Who pays for a body: its sender's address, and from a moment on a user. */
interface Owner {
  readonly add: (bytes: number) => void
  readonly heldBytes: () => number
  readonly release: () => void
  /** Told when the body has to make room for another. */
  onDrop: (refusal: Refused) => void
  readonly become: (session: Session) => void
}

const createOwner = ({ rooms }: Receiving, address: string): Owner => {
  let room = rooms.unknown
  let held = room.open(address, (refusal) => owner.onDrop(refusal))
  let isReleased = false
  const owner: Owner = {
    add: (bytes) => room.add(held, bytes),
    heldBytes: () => held.bytes,
    release: () => {
      isReleased = true
      room.release(held)
    },
    onDrop: keep,
    become: ({ userId }) => {
      // The token was judged when the body had been refused already.
      if (isReleased) return
      const own = rooms.users.open(userId, keep)
      rooms.users.add(own, held.bytes)
      room.release(held)
      held = own
      room = rooms.users
    },
  }
  return owner
}

type Identify = (receiving: Receiving, request: ApiRequest, owner: Owner) => Promise<ReceivedBody>

const identifyJson: Identify = async ({ limits, rooms, store, world }, request, owner) => {
  const maxBytes = limits.unknownJsonBytes
  if (Number(request.message.headers['content-length'] ?? 0) > maxBytes) {
    throw new Refused('bodyTooLargeUnknown', { maxBytes })
  }
  const reading = readBody(request.message, limits.maxBodyBytes, {
    onBegin: request.continueBody,
    onChunk: (chunk) => {
      owner.add(chunk.length)
      rooms.pace.count(request.message, chunk.length)
      if (owner.heldBytes() > maxBytes) throw new Refused('bodyTooLargeUnknown', { maxBytes })
    },
  })
  owner.onDrop = reading.refuse
  const fields = await decodeBody(await reading.whole, jsonType, limits.formFields, limits)
  const token = tokensIn(fields).find((presented) => presented !== '')
  if (token === undefined) throw new Refused('tokenMissing')
  const session = await findSession(store, token, world)
  owner.become(session)
  return { fields, session, release: owner.release }
}

const identifyForm: Identify = async (receiving, request, owner) => {
  const { limits, rooms, store, world } = receiving
  const search = createTokenSearch()
  let judging: Promise<Session> | undefined
  const begin = (token: string): Promise<Session> =>
    findSession(store, token, world).then((session) => {
      owner.become(session)
      return session
    })

  const maxBytes = limits.unknownFormBytes
  const searchChunk = (chunk: Buffer): void => {
    owner.add(chunk.length)
    if (judging !== undefined) return
    rooms.pace.count(request.message, chunk.length)
    const token = search.add(chunk)
    if (token !== undefined) {
      judging = begin(token)
      judging.catch(reading.refuse)
    } else if (owner.heldBytes() > maxBytes) throw new Refused('bodyTooLargeUnknown', { maxBytes })
  }
  const reading = readBody(request.message, limits.maxBodyBytes, {
    onBegin: request.continueBody,
    onChunk: searchChunk,
    isStranger: true,
  })
  owner.onDrop = reading.refuse

  const bytes = await reading.whole
  const last = judging === undefined ? search.end() : undefined
  if (last !== undefined) judging = begin(last)
  if (judging === undefined) throw new Refused('tokenMissing')
  const session = await judging
  const { release } = owner
  if (bytes.length >= longBytes) return decodeInTurn(receiving, { bytes, type: formType, session, release })
  return { fields: await decodeBody(bytes, formType, limits.formFields, limits), session, release }
}
