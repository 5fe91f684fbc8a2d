import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSettings, type SettingSources, SettingsInvalid } from './read-settings.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-config-'))
})

afterEach(() => rm(folder, { recursive: true }))

const nothing: SettingSources = { flags: {}, environment: {} }

async function findProblems(sources: SettingSources): Promise<readonly string[]> {
  try {
    await readSettings(sources)
  } catch (error) {
    if (error instanceof SettingsInvalid) return error.problems
    throw error
  }
  return []
}

test('a password in an invalid URL is not shown', async () => {
  const environment = { THINGSYNC_STORE: 'postgres://u:se/cret@host/db', THINGSYNC_LISTEN_URL: 'x://u:cret@host/db' }

  expect(await findProblems({ flags: {}, environment })).toEqual([
    'THINGSYNC_STORE: must be json, memory, or a URL like postgres://user@host/database, not "postgres://u:***@host/db"',
    'THINGSYNC_LISTEN_URL: must be a URL like postgres://user@host/database, not "x://u:***@host/db"',
  ])
})

test('without any source every setting has its default', async () => {
  const { settings, origins } = await readSettings(nothing)

  expect(settings).toEqual({
    data: resolve('data'),
    store: 'json',
    listenUrl: undefined,
    storeConnections: 10,
    host: '127.0.0.1',
    port: 8484,
    socket: undefined,
    socketMode: '660',
    tlsCert: undefined,
    tlsKey: undefined,
    baseUrl: undefined,
    trustProxy: [],
    corsOrigins: [],
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    passwordGrant: true,
    queryToken: true,
    quotaThings: undefined,
    quotaBytes: undefined,
    quotaTags: 10_000,
    quotaHooks: 20,
    authHeader: undefined,
    authCreate: false,
    oidcIssuer: undefined,
    oidcClientId: undefined,
    oidcClientSecretFile: undefined,
    oidcName: 'single sign-on',
    oidcUser: 'preferred_username',
    web: true,
    extension: true,
    openRegistration: false,
    deliveryAllow: [],
    linkPreview: true,
    linkPreviewAllow: [],
    maxBodyBytes: 33_554_432,
    requestTimeoutSeconds: 60,
    backupEvery: undefined,
    backupFolder: undefined,
    backupKeep: 14,
    backupCommand: undefined,
    firstRun: true,
    owner: 'owner',
    ownerPasswordFile: undefined,
    ownerPassword: undefined,
    readyFile: undefined,
    logLevel: 'info',
    logFormat: 'auto',
  })
  expect(new Set(Object.values(origins))).toEqual(new Set(['default']))
})

test('a flag wins over the environment, the environment over the file, the file over the default', async () => {
  const file = join(folder, 'thingsync.json')
  await writeFile(file, '{"port":1,"host":"file","log_level":"warn"}')

  const { settings, origins } = await readSettings({
    flags: { data: folder, port: '3' },
    environment: { THINGSYNC_PORT: '2', THINGSYNC_HOST: 'environment' },
  })

  const { port, host, logLevel, maxBodyBytes } = settings
  expect({ port, host, logLevel, maxBodyBytes }).toEqual({
    port: 3,
    host: 'environment',
    logLevel: 'warn',
    maxBodyBytes: 33_554_432,
  })
  expect([origins.port, origins.host, origins.log_level, origins.max_body_bytes]).toEqual([
    '--port',
    'THINGSYNC_HOST',
    `${file}: log_level`,
    'default',
  ])
})

test('all problems of all sources are named at once, each with its source', async () => {
  const file = join(folder, 'thingsync.json')
  await writeFile(file, '{"port":"8484","prot":1,"data":"/x","cors_origins":["https://a.example/path"]}')

  const problems = await findProblems({
    flags: { data: folder, log_level: 'loud' },
    flagProblems: ['--prot: is not known; did you mean --port?'],
    environment: { THINGSYNC_MAX_BODY_BYTES: '32MB', THINGSYNC_LOGLEVEL: 'info', THINGSYNC_TRUST_PROXY: 'yes' },
  })

  expect(problems).toEqual([
    '--prot: is not known; did you mean --port?',
    'THINGSYNC_LOGLEVEL: is not known; did you mean THINGSYNC_LOG_LEVEL?',
    'THINGSYNC_TRUST_PROXY: must be the addresses or CIDR ranges of your proxies, or loopback, linklocal, uniquelocal, separated by commas (not true: it would trust everything that a client writes), not "yes"',
    'THINGSYNC_MAX_BODY_BYTES: must be a whole number from 1024 to 1073741824, not "32MB"',
    '--log-level: must be trace, debug, info, warn, error, fatal or silent, not "loud"',
    `${file}: port: must be a whole number from 0 to 65535, not "8484"`,
    `${file}: prot: is not known; did you mean port?`,
    `${file}: data: cannot be set inside the data folder`,
    `${file}: cors_origins: must be origins like https://app.example (scheme, host and port only), or *, not ["https://a.example/path"]`,
  ])
})

test('the variables of the conformance suite are ignored', async () => {
  const suite = 'CLIENT_ID CLIENT_SECRET USER PROFILE RULE LEVEL HISTORIES SEED JOBS WIPE AUTH_HEADER REPORT EXPECT'
  const environment = Object.fromEntries(suite.split(' ').map((name) => [`THINGSYNC_${name}`, 'x']))

  expect(await findProblems({ flags: {}, environment })).toEqual([])
})

test('an empty variable counts as not set', async () => {
  const { settings } = await readSettings({ flags: {}, environment: { THINGSYNC_PORT: '' } })

  expect(settings.port).toBe(8484)
})

test('a base URL always ends in /v1/ and keeps its path prefix', async () => {
  const read = async (text: string) =>
    (await readSettings({ flags: { base_url: text }, environment: {} })).settings.baseUrl

  expect(await read('https://x.example')).toBe('https://x.example/v1/')
  expect(await read('https://x.example/things')).toBe('https://x.example/things/v1/')
  expect(await read('https://x.example:8443/things/v1')).toBe('https://x.example:8443/things/v1/')
  expect(await read('https://x.example/v1/')).toBe('https://x.example/v1/')
  expect(await findProblems({ flags: { base_url: 'ftp://x/?a=1' }, environment: {} })).toHaveLength(1)
})

test('settings that contradict one another are named, each with what is missing', async () => {
  const find = (flags: Record<string, string>) => findProblems({ flags, environment: {} })
  const socket = '/run/thingsync.sock'
  const address = 'https://things.example/'

  expect(await find({ socket })).toEqual([
    'socket: also needs base_url: the path of a socket does not tell which URL clients use',
  ])
  expect(await find({ tls_cert: 'chain.pem' })).toEqual([
    'tls_cert: also needs tls_key: a certificate and its key go together',
  ])
  expect(await find({ socket, base_url: address, tls_cert: 'chain.pem', tls_key: 'key.pem' })).toEqual([
    'socket: takes no tls_cert: on a Unix socket the proxy before it has the certificate',
  ])
  const provider = { oidc_issuer: 'https://id.example/', oidc_client_id: 'things' }
  expect(await find(provider)).toEqual([
    'oidc_issuer: also needs base_url: the provider sends users back to the registered redirect URI',
  ])
  expect(await find({ ...provider, base_url: address })).toEqual([])
  expect(await find({ backup_every: '24h' })).toEqual(['backup_every: needs either backup_folder or backup_command'])
  expect(await find({ backup_every: '1m', backup_folder: '/x' })).toEqual([
    '--backup-every: must be a duration like 90m, 24h or 7d, from 5m to 366d, not "1m"',
  ])
  expect(await find({ socket_mode: '999' })).toEqual(['--socket-mode: must be a file mode like 660, not "999"'])
  expect(await find({ socket, base_url: address, socket_mode: '0600' })).toEqual([])
})

test('a named configuration file must exist, and relative paths in it start at its folder', async () => {
  const file = join(folder, 'my.json')
  const missing = await findProblems({ ...nothing, configFile: file })
  await writeFile(file, '{"data":"things"}')
  const { settings } = await readSettings({ flags: {}, environment: { THINGSYNC_CONFIG: file } })

  expect(missing).toEqual([`${file}: cannot be read (ENOENT)`])
  expect(settings.data).toBe(join(folder, 'things'))
})

test('a file that is no JSON object is named', async () => {
  const file = join(folder, 'my.json')
  await writeFile(file, '[]')
  const array = await findProblems({ ...nothing, configFile: file })
  await writeFile(file, '{"__proto__":{"port":1},')
  const broken = await findProblems({ ...nothing, configFile: file })

  expect(array).toEqual([`${file}: must hold a JSON object`])
  expect(broken[0]).toMatch(`${file}: is not JSON: `)
})

/** Runs work as the user `nobody`: root may enter every folder. */
const asOneWhoMayNot = async <T>(work: () => Promise<T>): Promise<T> => {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

test('a data folder that this user must not enter is named, and not a file in it', async () => {
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0 })

  const problems = await asOneWhoMayNot(() => findProblems({ ...nothing, flags: { data } }))

  expect(problems).toEqual([
    `data folder: ${data} may not be entered by this user; change its owner or mode, or choose another folder with --data or THINGSYNC_DATA`,
  ])
})

test('origins are a list in every source', async () => {
  const { settings } = await readSettings({
    flags: { cors_origins: 'https://a.example, http://localhost:3000' },
    environment: {},
  })

  expect(settings.corsOrigins).toEqual(['https://a.example', 'http://localhost:3000'])
})

test('proxies are named by address, range or a word, and a value that would trust everyone is rejected', async () => {
  const file = join(folder, 'thingsync.json')
  const read = async (text: string) =>
    (await readSettings({ flags: { trust_proxy: text }, environment: {} })).settings.trustProxy
  const readFile = async (json: string) => {
    await writeFile(file, `{"trust_proxy":${json}}`)
    return (await readSettings({ flags: { data: folder }, environment: {} })).settings.trustProxy
  }

  expect(await read('loopback, 10.0.0.0/8,2001:db8::1')).toEqual(['loopback', '10.0.0.0/8', '2001:db8::1'])
  expect(await readFile('["uniquelocal","192.0.2.1"]')).toEqual(['uniquelocal', '192.0.2.1'])
  expect([await read('false'), await readFile('false')]).toEqual([[], []])
  for (const text of ['true', '1', 'proxy.example', '10.0.0.0/33', '10.0.0', 'loopback,*']) {
    expect(await findProblems({ flags: { trust_proxy: text }, environment: {} })).toEqual([
      expect.stringMatching(/^--trust-proxy: must be the addresses .* \(not true: it would trust everything/),
    ])
  }
  await expect(readFile('true')).rejects.toThrow('trust_proxy: must be the addresses')
})

test('delivery targets are hosts, addresses and networks, and the error for a bad one names the setting', async () => {
  const read = async (text: string) =>
    (await readSettings({ flags: { delivery_allow: text }, environment: {} })).settings.deliveryAllow
  const file = join(folder, 'thingsync.json')
  await writeFile(file, '{"delivery_allow":["reader.lan:8080","fd00::/8"]}')
  const ofFile = await readSettings({ flags: { data: folder }, environment: {} })
  const says = 'must be hosts like reader.lan or reader.lan:8080, addresses, or networks like 10.0.0.0/8'

  expect(await read('reader.lan, 10.0.0.0/8,::1')).toEqual(['reader.lan', '10.0.0.0/8', '::1'])
  expect(ofFile.settings.deliveryAllow).toEqual(['reader.lan:8080', 'fd00::/8'])
  for (const text of ['*', 'http://reader.lan', '10.0.0.0/33', 'reader.lan,true/1']) {
    const flag = await findProblems({ flags: { delivery_allow: text }, environment: {} })
    const environment = await findProblems({ flags: {}, environment: { THINGSYNC_DELIVERY_ALLOW: text } })
    expect(flag).toEqual([expect.stringContaining(`--delivery-allow: ${says}`)])
    expect(environment).toEqual([expect.stringContaining(`THINGSYNC_DELIVERY_ALLOW: ${says}`)])
  }
})
