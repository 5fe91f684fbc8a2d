import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { getJob } from '../candidate/measure.ts'
import type { RunningServer } from '../candidate/server.ts'
import { readCpuSeconds } from '../machine/processes.ts'
import { type BenchDatabase, describeSettings, openBenchDatabase } from '../postgres/open-database.ts'
import { findMedian } from '../report/results.ts'
import { interleave, type Row } from '../row.ts'

/** Number of things in each account. */
const thingsEach = 20

/** The personal access token of an account. */
const tokenOf = (number: number): string => `bench-token-of-account-${number}`

/**
 * Returns SQL that creates the accounts numbered `first` to `last` as the server stores them: a user with a personal
 * access token, and 20 things of about 300 bytes.
 */
const createAccountsSql = (first: number, last: number): string => `
  create temp table made on commit drop as
    select number, 'user' || number as id, 'session' || number as session,
      translate(rtrim(encode(sha256(convert_to('bench-token-of-account-' || number, 'UTF8')), 'base64'), '='), '+/', '-_') as hash
    from generate_series(${first}, ${last}) as number;
  insert into users (id, name, folded_name, item)
    select to_json(id), to_json(id), to_json(id),
      json_build_object('id', id, 'name', id, 'passwordHash', 'none', 'createdAt', 1700000000)
    from made;
  insert into session (account, id, item)
    select to_json(id), to_json(session), json_build_object('id', session, 'userId', id, 'clientId', session,
      'createdAt', 1700000000, 'pairs', json_build_array(),
      'personal', json_build_object('name', 'bench', 'hash', hash, 'isReadOnly', false),
      'lastUsedAt', extract(epoch from now())::bigint)
    from made;
  insert into session_hash (hash, kind, account, session)
    select to_json(hash), 'access', to_json(id), to_json(session) from made;
  insert into account (id, epoch, position, revision, writer) select id, 1, ${thingsEach}, 1, session from made;
  insert into item (account, key, position, step)
    select id, 'thing=t' || number || 'x' || position, position,
      '{"thing":{"_id":"t' || number || 'x' || position || '","title":"paper bridge river ' || position ||
      '","tags":"morning, letter","date":' || 1700000000 + position || ',"url":"https://example.org/window/' || position ||
      '","html":"<p>' || repeat('garden orange ', position * 8 / ${thingsEach}) || '</p>"},"at":[' || position || ',' || position ||
      ',0],"by":"' || session || '"}'
    from made cross join generate_series(1, ${thingsEach}) as position;`

/** Number of accounts that one transaction creates. */
const accountsAtOnce = 10_000

const fewAccounts = 1_000
const clientCount = 64
const coldSyncs = 50

interface Filled {
  readonly name: string
  readonly url: string
  readonly accounts: number
}

const fill = async (bench: Bench, postgres: BenchDatabase, name: string, accounts: number): Promise<Filled> => {
  const url = postgres.create(name)
  // A server on an empty database creates the tables.
  const server = await bench.start({ folder: join(await bench.createFolder(), 'none'), store: url, core: 'any' })
  await server.stop()
  for (let first = 1; first <= accounts; first += accountsAtOnce) {
    bench.say(`creating accounts from ${first.toLocaleString('en')} of ${accounts.toLocaleString('en')}`)
    postgres.runSql(name, `begin; ${createAccountsSql(first, Math.min(accounts, first + accountsAtOnce - 1))} commit;`)
  }
  postgres.runSql(name, 'vacuum analyze; checkpoint')
  return { name, url, accounts }
}

const sizeOf = (postgres: BenchDatabase, name: string, tables: string): number =>
  Number(
    postgres.runSql(
      name,
      `select sum(pg_total_relation_size(oid)) from pg_class where relkind = 'r' and relname ~ '^(${tables})(_[0-9]+)?$'`,
    ),
  )

/** The number of stored accounts must not matter: the server finds an account by an index and reads it on demand. */
export const postgresMany: Row = {
  id: 'postgres-many-accounts',
  work: '{large} accounts of 20 things, created in bulk, on PostgreSQL',
  against: '1,000 accounts of 20 things',
  measured: 'ms from the command to the first request accepted · µs of CPU, of server and database, per small sync',
  figures: {
    start: { title: 'start', unit: 'x', goal: { is: 'most', limit: 1.2 } },
    sync: { title: 'small sync, 64 accounts that are in memory', unit: 'x', goal: { is: 'most', limit: 1.3 } },
    cold: { title: 'first incremental sync, account not in memory', unit: 'ms', goal: { is: 'most', limit: 50 } },
    thing: { title: 'of a thing on the disk, with its indexes', unit: 'bytes' },
    account: { title: 'of an account on the disk, with its user and one session', unit: 'bytes' },
  },
  open: async (bench) => {
    const postgres = await openBenchDatabase(bench)
    const few = await fill(bench, postgres, 'few', fewAccounts)
    const many = await fill(bench, postgres, 'many', bench.sizes.large)
    const start = async ({ url }: Filled) => {
      const begin = performance.now()
      const server = await bench.start({ folder: join(await bench.createFolder(), 'none'), store: url, core: 'any' })
      return { server, ms: performance.now() - begin }
    }
    const pick = ({ accounts }: Filled): string => tokenOf(1 + Math.floor(Math.random() * accounts))
    const measureSync = async ({ port, pid }: RunningServer, tokens: readonly string[]): Promise<number> => {
      const headersByConnection = tokens.map((token) => ({ authorization: `Bearer ${token}` }))
      const job = { ...getJob(port, '', `/v1/sync?from=${thingsEach}`), headersByConnection, connections: clientCount }
      await bench.load({ ...job, count: 10 * clientCount })
      const readCpu = async () => (await readCpuSeconds(pid)) + (await postgres.readCpuSeconds())
      const before = await readCpu()
      const { count } = await bench.load({ ...job, seconds: bench.rateSeconds, sleepsWhileWaiting: true })
      return ((await readCpu()) - before) * (1e6 / count)
    }
    const measure = async (filled: Filled) => {
      const { server, ms } = await start(filled)
      const tokens = Array.from({ length: clientCount }, () => pick(filled))
      const cpu = await measureSync(server, tokens)
      const colds: number[] = []
      for (let count = 0; count < coldSyncs; count += 1) {
        const job = getJob(server.port, pick(filled), `/v1/sync?from=${thingsEach - 1}`)
        colds.push((await bench.load({ ...job, connections: 1, count: 1 })).maxMs)
      }
      await server.stop()
      return { ms, cpu, cold: findMedian(colds) }
    }
    const round = async (index: number) => {
      const [baseline, thingsync] = await interleave(
        index,
        () => measure(few),
        () => measure(many),
      )
      const sizes = {
        thing: sizeOf(postgres, many.name, 'item') / (many.accounts * thingsEach),
        account: sizeOf(postgres, many.name, 'account|users|session|session_hash') / many.accounts,
      }
      return {
        start: { value: thingsync.ms / baseline.ms, candidate: thingsync.ms, baseline: baseline.ms },
        sync: { value: thingsync.cpu / baseline.cpu, candidate: thingsync.cpu, baseline: baseline.cpu },
        cold: { value: thingsync.cold, candidate: thingsync.cold, baseline: baseline.cold },
        ...{ thing: { value: sizes.thing }, account: { value: sizes.account } },
      }
    }
    const step = Number(postgres.runSql(many.name, 'select avg(length(step)) from item where account like $$user1%$$'))
    return {
      round,
      notes: [
        `${(many.accounts * thingsEach).toLocaleString('en')} things, a row of one holds ${Math.round(step)} bytes of JSON; the median of ${coldSyncs} first incremental syncs in each round`,
        describeSettings,
      ],
    }
  },
}
