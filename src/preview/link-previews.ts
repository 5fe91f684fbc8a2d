/*
 * Link previews: the server reads the title of a page for a user who saves its URL (contract, the other operations). The
 * folder holds the limits and the cache; `parse-page.ts` finds the details in a page, and `src/outbound/read-page.ts`
 * reads it. It knows no store and no HTTP server. It is loaded with the first preview. Start with `createLinkPreviews`.
 */
import { LRUCache } from 'lru-cache'
import { ApiError } from '../api-error.ts'
import { checkUrl, type DeliveryRules } from '../outbound/address-guard.ts'
import { createReadPage, type Page, type ReadPageOptions } from '../outbound/read-page.ts'
import { createSliceTimer } from '../scheduling.ts'
import { createPageParser, type PageDetails, type PageParser } from './parse-page.ts'

/** The options of link previews. */
export interface LinkPreviewOptions extends ReadPageOptions {
  /** A monotonic clock in milliseconds, for the cache and the hours; the system's by default. */
  readonly now?: () => number
}

/**
 * Reads the page of a URL for a user. A result is cached for an hour, for this user only, so that no user learns what
 * others save. A call for a URL that is being read for the same user waits for that result.
 * @throws ApiError `parameterInvalid` for a URL that the server may not read, `pageUnavailable`, `previewsBusy`,
 * `tooManyPreviews`
 */
export type PreviewLink = (userId: string, url: string) => Promise<PageDetails>

/** The limits of a process. A preview costs up to a megabyte while it runs, and about 10 KiB in the cache. */
const maxRunning = 8
const maxCached = 256
const maxHourlyPerUser = 60
const maxCountedUsers = 10_000
const hourMs = 3_600_000

/** Seconds after which many a running preview has ended; none takes more than 5 s. */
const busyRetrySeconds = 1

/** Creates the previews, with an empty cache. The rules name the allowed destinations outside the public internet. */
export const createLinkPreviews = (rules: DeliveryRules, options: LinkPreviewOptions): PreviewLink => {
  const now = options.now ?? (() => performance.now())
  const readPage = createReadPage(rules, options)
  const cached = new LRUCache<string, PageDetails>({ max: maxCached, ttl: hourMs, perf: { now } })
  const running = new Map<string, { readonly key: string; readonly result: Promise<PageDetails> }>()
  const countRequest = createHourlyLimit(now)

  const read = async (url: string): Promise<PageDetails> => {
    const outcome = await readPage(url, parsePage)
    if (outcome.kind === 'failed') throw new ApiError('pageUnavailable', { reason: outcome.reason })
    return outcome.result
  }

  return async (userId, url) => {
    const check = checkUrl(url, rules)
    if (check.kind === 'blocked') throw new ApiError('parameterInvalid', { parameter: 'url', reason: check.reason })
    const target = new URL(url)
    target.hash = ''
    const key = `${userId} ${target.href}`
    const known = cached.get(key)
    if (known !== undefined) return known
    const own = running.get(userId)
    if (own?.key === key) return own.result
    if (own !== undefined || running.size >= maxRunning) {
      throw new ApiError('previewsBusy', { retryAfterSeconds: busyRetrySeconds })
    }
    countRequest(userId)
    const result = read(target.href)
    running.set(userId, { key, result })
    try {
      const details = await result
      cached.set(key, details)
      return details
    } finally {
      running.delete(userId)
    }
  }
}

const parsePage = async ({ url, headers, body }: Page): Promise<PageDetails> => {
  const parser = createPageParser(url, headers)
  if (parser.needsBody) await parseBody(parser, body)
  return parser.end()
}

/** Small pieces are short work, and short texts whose memory is free again soon. */
const pieceBytes = 8_192

const parseBody = async (parser: PageParser, body: AsyncIterable<Uint8Array>): Promise<void> => {
  const timer = createSliceTimer()
  for await (const bytes of body) {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      if (timer.isDue()) await timer.yieldTurn()
      if (!parser.write(bytes.subarray(at, at + pieceBytes))) return
    }
  }
}

/** Creates a function that counts a request of a user. @throws ApiError `tooManyPreviews` above 60 within an hour */
const createHourlyLimit = (now: () => number): ((userId: string) => void) => {
  const hours = new LRUCache<string, { readonly endsAt: number; count: number }>({ max: maxCountedUsers })
  return (userId) => {
    const current = hours.get(userId)
    if (current === undefined || current.endsAt <= now()) {
      hours.set(userId, { endsAt: now() + hourMs, count: 1 })
      return
    }
    if (current.count >= maxHourlyPerUser) {
      const retryAfterSeconds = Math.max(1, Math.ceil((current.endsAt - now()) / 1000))
      throw new ApiError('tooManyPreviews', { max: maxHourlyPerUser, retryAfterSeconds })
    }
    current.count++
  }
}
