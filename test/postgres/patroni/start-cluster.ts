import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '../../free-port.ts'
import { openCuttingProxy } from '../cutting-proxy.ts'
import { findPostgres, postgresMissing } from '../find-postgres.ts'
import { findPatroni, patroniMissing } from './find-patroni.ts'
import { crashPostgres, createUserFolder, programUser, type RunningProgram, startProgram } from './node-program.ts'

/** Two PostgreSQL under Patroni with `synchronous_mode`, and a way to whichever is the primary. */
export interface Cluster {
  readonly url: string
  /** The standby becomes the primary, and the primary a standby. */
  readonly switchOver: () => Promise<void>
  /** Kills the primary and its Patroni, and brings both back when the standby has taken over. */
  readonly losePrimary: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface Node {
  readonly name: string
  readonly port: number
  readonly restPort: number
  readonly data: string
  readonly start: () => void
  readonly crash: () => Promise<void>
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

const lookMilliseconds = 200

/** Sends a request as a balancer does; undefined when no response comes in time. */
const request = async (node: Node, path: string, init: RequestInit = {}): Promise<Response | undefined> => {
  try {
    return await fetch(`http://127.0.0.1:${node.restPort}${path}`, { ...init, signal: AbortSignal.timeout(20_000) })
  } catch {
    return undefined
  }
}

const openNode = async (folder: string, name: string, etcdPort: number): Promise<Node> => {
  const [programs, found] = [findPostgres(), findPatroni()]
  if (programs === undefined || found === undefined) throw new Error(`${postgresMissing}; ${patroniMissing}`)
  const own = createUserFolder(join(folder, name))
  const [port, restPort, data] = [await findFreePort(), await findFreePort(), join(own, 'data')]
  const user = { username: 'thingsync' }
  const config = {
    ...{ scope: 'thingsync', name },
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...{ ttl: 10, loop_wait: 1, retry_timeout: 3, synchronous_mode: true },
        postgresql: { use_pg_rewind: true, parameters: { fsync: 'off', max_connections: 100, shared_buffers: '32MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}` },
      ...{ data_dir: data, bin_dir: programs, pgpass: join(own, 'pgpass') },
      authentication: { superuser: user, replication: user, rewind: user },
      parameters: { unix_socket_directories: own },
    },
  }
  // JSON is YAML.
  writeFileSync(join(own, 'patroni.yml'), JSON.stringify(config))
  let running: RunningProgram | undefined
  return {
    ...{ name, port, restPort, data },
    start: () => {
      running = startProgram(own, found.patroni, ['patroni.yml'])
    },
    crash: async () => {
      await running?.kill()
      crashPostgres(data)
    },
  }
}

/** Starts it in a temporary folder. @throws Error when programs are missing */
export const startCluster = async (): Promise<Cluster> => {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-patroni-'))
  if (programUser !== undefined) chownSync(folder, programUser.uid, programUser.gid)
  const [etcdPort, clusterPort] = [await findFreePort(), await findFreePort()]
  const [address, clusterUrl] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${clusterPort}`]
  const nodes = [await openNode(folder, 'one', etcdPort), await openNode(folder, 'other', etcdPort)]
  const etcd = startProgram(createUserFolder(join(folder, 'etcd')), findPatroni()?.etcd ?? '', [
    ...['--data-dir', 'data', '--name', 'one', '--initial-cluster', `one=${clusterUrl}`, '--unsafe-no-fsync'],
    ...['--listen-client-urls', address, '--advertise-client-urls', address],
    ...['--listen-peer-urls', clusterUrl, '--initial-advertise-peer-urls', clusterUrl],
  ])
  let primary: Node | undefined
  const proxy = await openCuttingProxy(() => primary?.port ?? 0)

  // As a balancer does: connections to what is no primary any more are cut.
  const look = async (): Promise<void> => {
    const responses = await Promise.all(nodes.map((node) => request(node, '/primary')))
    const found = nodes.find((_, index) => responses[index]?.status === 200)
    if (found !== primary) {
      primary = found
      proxy.cut()
    }
  }
  let isStopped = false
  const looking = (async () => {
    while (!isStopped) {
      await look()
      await wait(lookMilliseconds)
    }
  })()

  /** Resolves with the primary when both work, the standby synchronously. */
  const awaitWhole = async (): Promise<Node> => {
    for (;;) {
      const response = primary && (await request(primary, '/cluster'))
      const { members = [] } = ((await response?.json()) ?? {}) as { readonly members?: readonly Member[] }
      const hasSync = members.some(({ role, state }) => role === 'sync_standby' && /running|streaming/.test(state))
      const leader = members.find(({ role, state }) => role === 'leader' && state === 'running')
      const node = nodes.find(({ name }) => name === leader?.name)
      if (hasSync && node !== undefined && node === primary) return node
      await wait(lookMilliseconds)
    }
  }

  for (const node of nodes) node.start()
  await awaitWhole()
  return {
    url: `postgres://thingsync@127.0.0.1:${proxy.port}/postgres`,
    switchOver: async () => {
      const leader = await awaitWhole()
      while (primary === undefined || primary === leader) {
        const body = JSON.stringify({ leader: leader.name, candidate: nodes.find((node) => node !== leader)?.name })
        await request(leader, '/switchover', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
        await wait(lookMilliseconds)
      }
      await awaitWhole()
    },
    losePrimary: async () => {
      const leader = await awaitWhole()
      await leader.crash()
      while (primary === undefined || primary === leader) await wait(lookMilliseconds)
      leader.start()
      await awaitWhole()
    },
    stop: async () => {
      isStopped = true
      await looking
      await proxy.close()
      for (const node of nodes) await node.crash()
      await etcd.kill()
      rmSync(folder, { recursive: true, maxRetries: 50, retryDelay: 100 })
    },
  }
}
