import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import fc from 'fast-check'
import type { Logger } from 'pino'
import { expect, test } from 'vitest'
import { createLogTo } from '../log/log.ts'
import { createRequestLog } from './request-log.ts'

/** A request as the log sees it. */
interface LoggedRequest {
  readonly method?: string | undefined
  readonly url?: string
  readonly address?: string
  readonly user?: unknown
  readonly rejected?: unknown
  readonly requestId?: string
  readonly status?: number | undefined
  readonly isWhole?: boolean
}

/** Logs a request that gets its response at once. */
const logOne = (log: Logger, { address = '', requestId = '', ...request }: LoggedRequest): void => {
  const { method, url, user, rejected, status, isWhole = true } = request
  const res = Object.assign(new EventEmitter(), {
    headersSent: status !== undefined,
    statusCode: status,
    writableFinished: isWhole,
  })
  const logRequest = createRequestLog(
    { log },
    () => requestId,
    () => address,
  )
  logRequest({
    req: { method, url } as IncomingMessage,
    res: res as unknown as ServerResponse,
    state: { userId: user, errorKind: rejected },
  })
  res.emit('close')
}

const hideTimes = (line: string) => line.replace(/"time":"[^"]+"/, '"time":"T"').replace(/"ms":[\d.]+/, '"ms":0')

const lines: string[] = []
const log = createLogTo({ write: (line) => void lines.push(line) }, 'info')
/** It logs by pino alone: the child of a log has no direct output. */
const pinoLog = log.child({})

const readLines = (to: Logger, request: LoggedRequest): readonly string[] => {
  logOne(to, request)
  return lines.splice(0).map(hideTimes)
}
const logDirectly = (request: LoggedRequest) => readLines(log, request)
const logByPino = (request: LoggedRequest) => readLines(pinoLog, request)

const plain: LoggedRequest = {
  method: 'GET',
  url: '/v1/sync?from=1&access_token=S3CRET',
  address: '2001:db8::1',
  user: 'V1StGXR8Z5jdHi6BmyT0',
  requestId: '0123456789ab-7',
  status: 200,
}

const pieces = [
  ...['"', '\\', '\n', '\r', '\t', '\0', '\x1f', '\x7f', '\x80', '\u2028', '\u2029', '\ud800', '\udfff', 'ä', '😀'],
  ...['token=S3CRET', 'password: S3CRET', '"secret":"S3CRET', 'cookie:S3CRET', '?code=S3CRET', 'Authorization', '='],
  ...['token', '&', '#', '/', ' ', '%00', '<b>', '{"level":', '__proto__', 'a'.repeat(150)],
] as const
const text = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 8 })
    .map((parts) => parts.join('')),
  fc.stringMatching(/^[ -~]{0,250}$/),
)
const address = fc.oneof(text, fc.ipV4(), fc.ipV6())
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })

test('a line is, byte for byte, the line that pino writes and masks, for hostile values as well', () => {
  fc.assert(
    fc.property(
      fc.record({
        method: maybe(text),
        url: text,
        address,
        user: maybe(fc.oneof(text, fc.integer(), fc.constant(null))),
        rejected: maybe(text),
        requestId: text,
        status: maybe(fc.integer({ min: 100, max: 599 })),
        isWhole: fc.boolean(),
      }),
      (request) => {
        expect(Buffer.from(logDirectly(request).join(''))).toEqual(Buffer.from(logByPino(request).join('')))
      },
    ),
    { numRuns: 2_000 },
  )
})

test.each(Object.keys(plain))('each value of %s is escaped and masked as pino does, among plain values', (name) => {
  fc.assert(
    fc.property(name === 'status' ? fc.integer() : text, (value) => {
      const request = { ...plain, [name]: value }

      expect(logDirectly(request)).toEqual(logByPino(request))
    }),
  )
})

test('a plain request has the fields in this order, and no query', () => {
  expect(logDirectly({ ...plain, rejected: 'quotaThings', isWhole: false })).toEqual([
    '{"level":"info","time":"T","method":"GET","path":"/v1/sync","status":200,"ms":0,"address":"2001:db8::1","user":"V1StGXR8Z5jdHi6BmyT0","rejected":"quotaThings","requestId":"0123456789ab-7","isComplete":false}\n',
  ])
})

test('a plain line is written past pino, and any other line by pino', () => {
  const direct: string[] = []
  const watched = createLogTo({ write: (line) => void direct.push(line) }, 'info')
  const byPino: unknown[] = []
  watched.info = (entry: unknown) => void byPino.push(entry)

  logOne(watched, plain)
  logOne(watched, { ...plain, url: '/token=S3CRET' })
  logOne(watched, { ...plain, user: 'ä' })

  expect(direct.map(hideTimes)).toEqual(logByPino(plain))
  expect(byPino).toMatchObject([{ path: '/token=S3CRET' }, { user: 'ä' }])
})

test('below the level of the log nothing is written', () => {
  const quiet: string[] = []

  logOne(createLogTo({ write: (line) => void quiet.push(line) }, 'warn'), plain)

  expect(quiet).toEqual([])
})
