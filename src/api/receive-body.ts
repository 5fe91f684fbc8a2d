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

/** A decoded body with the session of its sender. */
export interface ReceivedBody {
  readonly fields: Fields
  /** Undefined for an operation without a token. */
  readonly session: Session | undefined
  /** Frees the body's bytes. Call it when the response is known; calling it again does nothing. */
  readonly release: () => void
}

/** A long body that has arrived and is not decoded yet. */
interface LongBody {
  readonly bytes: Buffer
  readonly type: string
  readonly session: Session
  readonly release: () => void
}

/** Decodes a long body when the semaphore has room. It keeps that room until `release`. */
const decodeLongBody = async (
  { limits, bodyBudgets }: { readonly limits: Limits; readonly bodyBudgets: BodyBudgets },
  { bytes, type, session, release }: LongBody,
): Promise<ReceivedBody> => {
  const size = bytes.length
  await bodyBudgets.longBodies.acquire(session.userId, size)
  let isHeld = true
  const releaseBoth = (): void => {
    release()
    if (isHeld) bodyBudgets.longBodies.release(size)
    isHeld = false
  }
  try {
    return { fields: await decodeBody(bytes, type, limits.maxFormFields, limits), session, release: releaseBoth }
  } catch (error) {
    releaseBoth()
    throw error
  }
}

/** The part of the API that receiving a body needs. */
interface ReceiveContext {
  readonly store: Store
  readonly environment: Environment
  readonly limits: Limits
  readonly bodyBudgets: BodyBudgets
}

const ignoreEviction = () => undefined

/**
 * Receives the body of an operation whose sender is known, or that needs no token.
 * @throws ApiError
 */
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
      ? budget.open(request.address, (error) => reading.fail(error))
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
 * Receives a body that contains the access token of its sender (contract, order of checks). A JSON body must be small.
 * A form is searched for its token while it arrives, and decoded only after the token was checked. After the check the
 * form counts for its user, however many bytes are still to arrive.
 * @throws ApiError
 */
export const receiveUnauthenticatedBody = async (
  receiving: ReceiveContext,
  request: ApiRequest,
  { bodyTypes }: Route,
): Promise<ReceivedBody> => {
  const { message } = request
  const type = bodyTypeOf(request)
  // Such a body cannot contain a token.
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

/** The owner that a body counts for: first its sender's address, later a user. */
interface Owner {
  readonly add: (bytes: number) => void
  readonly heldBytes: () => number
  readonly release: () => void
  /** Called when the body is evicted in favor of another. */
  onEvicted: (error: ApiError) => void
  /** Moves the body to the budget of the session's user. */
  readonly become: (session: Session) => void
}

const createOwner = ({ bodyBudgets }: ReceiveContext, address: string): Owner => {
  let budget = bodyBudgets.unauthenticated
  let held = budget.open(address, (error) => owner.onEvicted(error))
  let isReleased = false
  const owner: Owner = {
    add: (bytes) => budget.add(held, bytes),
    heldBytes: () => held.bytes,
    release: () => {
      isReleased = true
      budget.release(held)
    },
    onEvicted: ignoreEviction,
    become: ({ userId }) => {
      // The body was rejected before the check of the token ended.
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
  owner.onEvicted = reading.fail
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
  let sessionCheck: Promise<Session> | undefined
  const beginCheck = (token: string): Promise<Session> =>
    findSession(store, token, environment).then((session) => {
      owner.become(session)
      return session
    })

  const maxBytes = limits.maxUnauthenticatedFormBytes
  const searchChunk = (chunk: Buffer): void => {
    owner.add(chunk.length)
    if (sessionCheck !== undefined) return
    bodyBudgets.throttle.count(request.message, chunk.length)
    const token = search.add(chunk)
    if (token !== undefined) {
      sessionCheck = beginCheck(token)
      sessionCheck.catch(reading.fail)
    } else if (owner.heldBytes() > maxBytes) throw new ApiError('bodyTooLargeUnknown', { maxBytes })
  }
  const reading = readBody(request.message, limits.maxBodyBytes, {
    onAccepted: request.continueBody,
    onChunk: searchChunk,
    isUnauthenticated: true,
  })
  owner.onEvicted = reading.fail

  const bytes = await reading.body
  const last = sessionCheck === undefined ? search.end() : undefined
  if (last !== undefined) sessionCheck = beginCheck(last)
  if (sessionCheck === undefined) throw new ApiError('tokenMissing')
  const session = await sessionCheck
  const { release } = owner
  if (bytes.length >= longBytes) return decodeLongBody(receiving, { bytes, type: formType, session, release })
  return { fields: await decodeBody(bytes, formType, limits.maxFormFields, limits), session, release }
}
