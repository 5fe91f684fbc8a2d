import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openServer } from '../http/server.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { thingForm } from '../things/thing.ts'
import type { Gauges } from './metrics.ts'
import { createPromMetrics, openMetrics } from './metrics.ts'

const silent = pino({ level: 'silent' })

const allGauges: Required<Gauges> = {
  connections: () => 1,
  listeners: () => 2,
  openAccounts: () => 3,
  outboxEntries: async () => 4,
  journalBytes: async () => 5,
  certificateEnds: async () => 6,
}

/** Lists the names that a query can use: a histogram has three. */
const listNames = (shown: string): ReadonlySet<string> =>
  new Set(
    [...shown.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  )

const listRequested = (text: string): readonly string[] => [
  ...new Set(text.match(/\b(thingsync|nodejs|process)_[a-z0-9_]+\b/g) ?? []),
]

test.each(['alerts.yml', 'grafana.json'])('every metric that %s uses exists', async (file) => {
  const { metrics, show } = createPromMetrics('1.2.3')
  metrics.addGauges(allGauges)
  const requested = listRequested(await readFile(new URL(`../../docs/monitoring/${file}`, import.meta.url), 'utf8'))
  const names = listNames(await show())

  expect(requested.length).toBeGreaterThan(5)
  expect(requested.filter((name) => !names.has(name))).toEqual([])
})

test('the dashboard or an alert uses every metric of this program', async () => {
  const { metrics, show } = createPromMetrics('1.2.3')
  metrics.addGauges(allGauges)
  const files = await Promise.all(
    ['alerts.yml', 'grafana.json'].map((file) =>
      readFile(new URL(`../../docs/monitoring/${file}`, import.meta.url), 'utf8'),
    ),
  )
  const ours = [...(await show()).matchAll(/^# TYPE (thingsync_\S+)/gm)].map(([, name]) => name as string)

  expect(ours.filter((name) => !files.join().includes(name))).toEqual(['thingsync_info'])
})

const openCounted = async () => {
  const counting = await openMetrics({ host: '127.0.0.1', port: 0 }, silent)
  const store = await openMemoryStore({ form: thingForm })
  const settings = {
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 1_000_000,
    requestTimeoutSeconds: 60,
    corsOrigins: [],
    trustProxy: [],
  }
  const server = await openServer({ store, settings, log: silent, metrics: counting.metrics })
  onTestFinished(async () => {
    await server.close()
    await counting.close()
    await store.close()
  })
  const read = async () => (await fetch(`http://${counting.address}/metrics`)).text()
  return { server, counting, read }
}

test('requests are counted by operation and status, and error responses by error', async () => {
  const { server, read } = await openCounted()
  const send = async (path: string, init: RequestInit = {}) =>
    (await fetch(new URL(path, server.baseUrl), { ...init, headers: { connection: 'close' } })).text()
  const form = new URLSearchParams({
    grant_type: 'password',
    client_id: 'x',
    client_secret: 'x',
    username: 'anna',
    password: 'x',
  })

  await send('sync')
  await send('sync?wait=3')
  await send('nosuch')
  await send('/nosuch/anna')
  await send('/healthz')
  await send('token', { method: 'POST', body: form })
  const shown = await read()

  const lines = shown.split('\n').filter((line) => /^thingsync_(requests|rejections|failed)/.test(line))
  expect(lines.sort()).toEqual([
    'thingsync_failed_attempts_total{reason="client"} 1',
    'thingsync_rejections_total{kind="clientInvalid"} 1',
    'thingsync_rejections_total{kind="operationUnknown"} 2',
    'thingsync_rejections_total{kind="tokenMissing"} 2',
    'thingsync_requests_total{operation="healthz",status="200"} 1',
    'thingsync_requests_total{operation="sync",status="401"} 1',
    'thingsync_requests_total{operation="sync/wait",status="401"} 1',
    'thingsync_requests_total{operation="token",status="401"} 1',
    'thingsync_requests_total{operation="unknown",status="404"} 2',
  ])
  expect(shown).toMatch(/^thingsync_connections \d+$/m)
  expect(shown).toMatch(/^thingsync_listeners 0$/m)
  expect(shown).not.toContain('anna')
})

test('the server does not show the metrics, and their listener shows nothing else', async () => {
  const { server, counting } = await openCounted()

  const statuses = await Promise.all([
    fetch(new URL('/metrics', server.baseUrl)),
    fetch(`http://${counting.address}/`),
    fetch(`http://${counting.address}/metrics`, { method: 'POST' }),
  ])

  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 405])
})

test('counters that alert rules compare exist from the start, so that a rule sees the first failure', async () => {
  const shown = await createPromMetrics('1.2.3').show()

  const lines = shown.split('\n').filter((line) => /^thingsync_(deliveries|backups)_total/.test(line))
  expect(lines).toEqual([
    'thingsync_deliveries_total{outcome="delivered"} 0',
    'thingsync_deliveries_total{outcome="failed"} 0',
    'thingsync_deliveries_total{outcome="busy"} 0',
    'thingsync_backups_total{outcome="created"} 0',
    'thingsync_backups_total{outcome="failed"} 0',
  ])
})
