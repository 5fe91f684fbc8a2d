import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { PageResult } from './page.ts'

/**
 * Does what a form asks for once, however often the very same form is sent within ten minutes (a double click, a reload):
 * the others get what the first got. Only where the first led on to another page; a form that was refused may be sent
 * again. Each form that is shown has a token of its own, so the same form is not the same wish twice.
 */
export const createSentOnce = (now: () => number = () => performance.now()) => {
  const results = new LRUCache<string, Promise<PageResult>>({
    max: 1_000,
    ttl: 10 * 60 * 1000,
    ttlResolution: 0,
    perf: { now },
  })

  return (secret: string, path: string, body: Buffer, work: () => Promise<PageResult>): Promise<PageResult> => {
    const key = hash('sha256', `${secret} ${path} ${hash('sha256', body, 'hex')}`, 'hex')
    const known = results.get(key)
    if (known !== undefined) return known
    const forget = () => results.get(key) === result && results.delete(key)
    const result = work()
    results.set(key, result)
    result.then((answer) => 'see' in answer || forget(), forget)
    return result
  }
}
