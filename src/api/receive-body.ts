import { findSession } from '../accounts/sessions.ts'
import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import type { Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { createTokenSearch } from '../wire/credentials.ts'
import { hasBody, isCompressed, longBytes, readBody } from '../wire/request-body.ts'
import type { BodyBudgets, HeldBody, Limits } from './limits.ts'
import {
  type ApiRequest,
  bodyTypeOf,
  createMediaTypeError,
  decodeBody,
  type Fields,
  findTokens,
  formType,
  jsonType,
  noFields,
} from './request.ts'
import type { Route } from './routes.ts'

/** A body, decoded, and whose it is. */
export interface ReceivedBody {
  readonly fields: Fields
  /** Undefined for an operation without a token. */
  readonly session: Session | undefined
  /** To be called when its request is answered, as often as one likes. */
  readonly release: () => void
}

/** A long body that has arrived. */
interface LongBody {
  readonly bytes: Buffer
  readonly type: string
  readonly session: Session
  readonly release: () => void
}

/** Decodes a long body when it has its turn, which it keeps until it is released. */
const decodeLongBody = async (
  { limits, bodyBudgets }: { readonly limits: Limits; readonly bodyBudgets: BodyBudgets },
  { bytes, type, session, release }: LongBody,
): Promise<ReceivedBody> => {
  const size = bytes.length
  await bodyBudgets.longBodies.acquire(session.userId, size)
  let isInside = true
  const leave = (): void => {
    release()
    if (isInside) bodyBudgets.longBodies.release(size)
    isInside = false
  }
  try {
    return { fields: await decodeBody(bytes, type, limits.maxFormFields, limits), session, release: leave }
  } catch (error) {
    leave()
    throw error
  }
}

/** What receiving a body needs of the API. */
interface ReceiveContext {
  readonly store: Store
  readonly environment: Environment
  readonly limits: Limits
  readonly bodyBudgets: BodyBudgets
}

const ignoreEviction = () => undefined

/** Receives the body of an operation whose sender is known, or that asks nobody who they are. */
export const receiveBody = async (
  receiving: ReceiveContext,
  request: ApiRequest,
  { needsToken, bodyTypes }: Route,
  session: Session | undefined,
): Promise<ReceivedBody> => {
  const { limits, bodyBudgets } = receiving
  const type = bodyTypeOf(request)
  if (type !== '' && !bodyTypes.includes(type)) throw createMediaTypeError(type, bodyTypes)
  const maxBytes = needsToken ? limits.maxBodyBytes : limits.maxGrantBodyBytes
  const maxFields = needsToken ? limits.maxFormFields : limits.maxGrantFields
  const budget = session === undefined ? bodyBudgets.unauthenticated : bodyBudgets.users
  const held: HeldBody =
    session === undefined
      ? budget.open(request.address, (errorKind) => reading.fail(errorKind))
      : budget.open(session.userId, ignoreEviction)
  const reading = readBody(request.message, maxBytes, {
    onAccepted: request.continueBody,
    onChunk: (chunk) => budget.add(held, chunk.length),
  })
  try {
    const bytes = await reading.body
    if (type === '' && bytes.length > 0) throw createMediaTypeError(type, bodyTypes)
    const release = () => budget.release(held)
    if (bytes.length >= longBytes && session !== undefined) {
      return await decodeLongBody(receiving, { bytes, type, session, release })
    }
    const decoded = type === '' ? noFields : decodeBody(bytes, type, maxFields, limits)
    return { fields: decoded instanceof Promise ? await decoded : decoded, session, release }
  } catch (error) {
    budget.release(held)
    throw error
  }
}

/**
 * Receives the body of a sender who is known only by the access token in it (contract, order of judging). A JSON body is
 * small. A form is searched for its token while it arrives, and not decoded before the token was judged; once it is, the
 * form is its user's, however much is still to come.
 */
export const receiveUnauthenticatedBody = async (
  receiving: ReceiveContext,
  request: ApiRequest,
  { bodyTypes }: Route,
): Promise<ReceivedBody> => {
  const { message } = request
  const type = bodyTypeOf(request)
  // There can be no token in such a body.
  if (!hasBody(message) || isCompressed(message) || !bodyTypes.includes(type)) throw new ApiError('tokenMissing')
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
  onDrop: (errorKind: ApiError) => void
  readonly become: (session: Session) => void
}

const createOwner = ({ bodyBudgets }: ReceiveContext, address: string): Owner => {
  let budget = bodyBudgets.unauthenticated
  let held = budget.open(address, (errorKind) => owner.onDrop(errorKind))
  let isReleased = false
  const owner: Owner = {
    add: (bytes) => budget.add(held, bytes),
    heldBytes: () => held.bytes,
    release: () => {
      isReleased = true
      budget.release(held)
    },
    onDrop: ignoreEviction,
    become: ({ userId }) => {
      // The token was judged when the body had been refused already.
      if (isReleased) return
      const own = bodyBudgets.users.open(userId, ignoreEviction)
      bodyBudgets.users.add(own, held.bytes)
      budget.release(held)
      held = own
      budget = bodyBudgets.users
    },
  }
  return owner
}

type Identify = (receiving: ReceiveContext, request: ApiRequest, owner: Owner) => Promise<ReceivedBody>

const identifyJson: Identify = async ({ limits, bodyBudgets, store, environment }, request, owner) => {
  const maxBytes = limits.maxUnauthenticatedJsonBytes
  if (Number(request.message.headers['content-length'] ?? 0) > maxBytes) {
    throw new ApiError('bodyTooLargeUnknown', { maxBytes })
  }
  const reading = readBody(request.message, limits.maxBodyBytes, {
    onAccepted: request.continueBody,
    onChunk: (chunk) => {
      owner.add(chunk.length)
      bodyBudgets.throttle.count(request.message, chunk.length)
      if (owner.heldBytes() > maxBytes) throw new ApiError('bodyTooLargeUnknown', { maxBytes })
    },
  })
  owner.onDrop = reading.fail
  const fields = await decodeBody(await reading.body, jsonType, limits.maxFormFields, limits)
  const token = findTokens(fields).find((presented) => presented !== '')
  if (token === undefined) throw new ApiError('tokenMissing')
  const session = await findSession(store, token, environment)
  owner.become(session)
  return { fields, session, release: owner.release }
}

const identifyForm: Identify = async (receiving, request, owner) => {
  const { limits, bodyBudgets, store, environment } = receiving
  const search = createTokenSearch()
  let judging: Promise<Session> | undefined
  const begin = (token: string): Promise<Session> =>
    findSession(store, token, environment).then((session) => {
      owner.become(session)
      return session
    })

  const maxBytes = limits.maxUnauthenticatedFormBytes
  const searchChunk = (chunk: Buffer): void => {
    owner.add(chunk.length)
    if (judging !== undefined) return
    bodyBudgets.throttle.count(request.message, chunk.length)
    const token = search.add(chunk)
    if (token !== undefined) {
      judging = begin(token)
      judging.catch(reading.fail)
    } else if (owner.heldBytes() > maxBytes) throw new ApiError('bodyTooLargeUnknown', { maxBytes })
  }
  const reading = readBody(request.message, limits.maxBodyBytes, {
    onAccepted: request.continueBody,
    onChunk: searchChunk,
    isUnauthenticated: true,
  })
  owner.onDrop = reading.fail

  const bytes = await reading.body
  const last = judging === undefined ? search.end() : undefined
  if (last !== undefined) judging = begin(last)
  if (judging === undefined) throw new ApiError('tokenMissing')
  const session = await judging
  const { release } = owner
  if (bytes.length >= longBytes) return decodeLongBody(receiving, { bytes, type: formType, session, release })
  return { fields: await decodeBody(bytes, formType, limits.maxFormFields, limits), session, release }
}
