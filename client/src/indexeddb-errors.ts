import { ClientError, type ClientErrorCode } from './client-error.ts'

type Known = Readonly<Record<string, readonly [code: ClientErrorCode, message: string]>>

const full: Known[string] = ['store_full', 'the device has no room left; nothing of this write was kept']
const forbidden: Known[string] = ['store_forbidden', 'the browser does not let this page keep anything']

/** What is said to a program that opens a store; browsers have several words for a window that may keep nothing. */
const whileOpening: Known = {
  QuotaExceededError: full,
  SecurityError: forbidden,
  NotAllowedError: forbidden,
  InvalidStateError: forbidden,
  UnknownError: forbidden,
  VersionError: ['store_newer', 'a newer version of the program has used this store; reload the page'],
}

const gone: Known[string] = [
  'store_gone',
  'another tab has deleted or changed this store, or it was closed; open it anew',
]

const whileOpen: Known = { QuotaExceededError: full, InvalidStateError: gone, NotFoundError: gone }

const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : ''

const throwAs =
  (known: Known) =>
  (error: unknown): never => {
    const [code, message] = known[nameOf(error)] ?? []
    if (code === undefined || message === undefined) throw error
    throw new ClientError(code, message, { cause: error })
  }

/** What opening or deleting throws, as a ClientError where a program can do something about it; the rest is thrown on. */
export const throwWhileOpening = throwAs(whileOpening)

/** The same for what an open store throws. */
export const throwWhileOpen = throwAs(whileOpen)

/** The error of a store that was taken from its program. */
export const storeGone = (): ClientError => new ClientError(gone[0], gone[1])

/** The error of a store that another tab holds. */
export const storeBlocked = (): ClientError =>
  new ClientError('store_blocked', 'another tab holds this store and does not let go of it; close or reload that tab')
