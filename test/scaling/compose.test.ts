import { access, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '../../src/config/read-settings.ts'

const folder = new URL('../../docs/scaling/', import.meta.url)

interface Service {
  readonly image?: string
  readonly build?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: readonly string[]
  readonly networks?: { readonly things?: { readonly ipv4_address: string } }
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
}

const readText = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8')

const readCompose = async (): Promise<Compose> => {
  const text = await readText('compose.yaml')
  // As Compose does it: what has to be given is given here.
  const filled = text.replaceAll(/\$\{(\w+)(?::[?-][^}]*)?\}/g, 'x').replaceAll('$$', '$')
  return parse(filled, { merge: true })
}

const addressOf = ({ networks }: Service): string | undefined => networks?.things?.ipv4_address

test('what the compose file mounts and builds from is there, or is a volume that it names', async () => {
  const { services, volumes } = await readCompose()
  const sources = Object.values(services)
    .flatMap((service) => service.volumes ?? [])
    .map((entry) => entry.split(':')[0])
  const files = sources.filter((source) => source?.startsWith('.'))

  expect(files).toHaveLength(3)
  for (const file of files) await access(new URL(String(file), folder))
  expect(sources.filter((source) => !source?.startsWith('.')).sort()).toEqual(Object.keys(volumes).sort())
  for (const { build, image } of Object.values(services)) {
    expect([build, image].filter((source) => source !== undefined)).toHaveLength(1)
    if (build !== undefined) await access(fileURLToPath(new URL(`${build}/Dockerfile`, folder)))
  }
  for (const { depends_on: needed = [] } of Object.values(services))
    for (const name of needed) expect(services).toHaveProperty([name])
})

test('the settings that it gives the three servers are settings, which a server takes', async () => {
  const { services } = await readCompose()
  const servers = Object.values(services).filter(({ image }) => image === 'thingsync')

  expect(servers).toHaveLength(3)
  for (const { environment = {} } of servers) {
    const { settings, warnings } = await readSettings({ flags: {}, environment })
    expect(warnings).toEqual([])
    expect(settings).toMatchObject({ store: 'postgres://things:x@10.0.0.10:5000/things', trustProxy: ['10.0.0.10'] })
  }
})

test('servers and databases are where haproxy.cfg looks for them, and etcd where Patroni does', async () => {
  const { services } = await readCompose()
  const haproxy = await readText('haproxy.cfg')
  const looked = [...haproxy.matchAll(/^ +server \w+ ([\d.]+):/gm)].map(([, address]) => address)
  const of = (isSelected: (service: Service, name: string) => boolean) =>
    Object.entries(services).flatMap(([name, service]) => (isSelected(service, name) ? [addressOf(service)] : []))
  const databases = Object.values(services).filter(({ environment }) => environment && 'PATRONI_NAME' in environment)
  const members = of((_service, name) => name.startsWith('etcd-'))

  expect(looked).toEqual([...of(({ image }) => image === 'thingsync'), ...databases.map(addressOf)])
  expect(databases).toHaveLength(2)
  expect(members).toHaveLength(3)
  for (const database of databases) {
    const { environment = {} } = database
    expect(environment.PATRONI_ETCD3_HOSTS?.split(',')).toEqual(members.map((address) => `${address}:2379`))
    expect(environment.PATRONI_POSTGRESQL_CONNECT_ADDRESS).toBe(`${addressOf(database)}:5432`)
    expect(environment.PATRONI_RESTAPI_CONNECT_ADDRESS).toBe(`${addressOf(database)}:8008`)
  }
  for (const [name, { environment, ...service }] of Object.entries(services))
    if (name.startsWith('etcd-')) {
      expect(environment?.ETCD_INITIAL_ADVERTISE_PEER_URLS).toBe(`http://${addressOf(service)}:2380`)
      expect(environment?.ETCD_ADVERTISE_CLIENT_URLS).toBe(`http://${addressOf(service)}:2379`)
      expect(environment?.ETCD_INITIAL_CLUSTER).toContain(`${environment?.ETCD_NAME}=http://${addressOf(service)}:2380`)
    }
})
