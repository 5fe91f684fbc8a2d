import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

/** What a sample is changed into, to run for any user, beside others, and with servers of the test. */
export interface ProxyContext {
  readonly folder: string
  readonly port: number
  /** Where the server listens that has the whole host, and the one below a path: a Unix socket, or `127.0.0.1:PORT`. */
  readonly root: string
  readonly below: string
}

/** A program that stands before the server, with our sample for it. */
export interface FrontProxy {
  readonly name: string
  /** As Debian calls the package and the program. */
  readonly package: string
  readonly program: string
  /** In `docs/proxies/`. */
  readonly sample: string
  /** Our sample speaks to the server by a Unix socket, not by a port. */
  readonly usesSocket: boolean
  /** What of the sample is replaced, and by what; each must be there. */
  readonly replacements: (context: ProxyContext) => readonly (readonly [string, string])[]
  /** The sample as the whole configuration that the program is started with. */
  readonly wrap: (sample: string, context: ProxyContext) => string
  readonly args: (file: string, context: ProxyContext) => readonly string[]
}

const isRoot = process.getuid?.() === 0

export const nginx: FrontProxy = {
  name: 'nginx',
  package: 'nginx-light',
  program: 'nginx',
  sample: 'nginx.conf',
  usesSocket: true,
  replacements: ({ folder, port, root, below }) => [
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['/etc/ssl/things.example', folder],
    ['/run/thingsync/thingsync.sock', root],
    ['/run/thingsync-below/thingsync.sock', below],
  ],
  wrap: (sample, { folder }) => {
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/nginx-${kind};`)
    // Debian's user may not enter the folders of tests.
    const user = isRoot ? 'user root;' : ''
    return `daemon off; ${user} pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off; ${temporary.join(' ')}
${sample}}`
  },
  args: (file, { folder }) => ['-e', 'stderr', '-p', folder, '-c', file],
}

export const caddy: FrontProxy = {
  name: 'Caddy',
  package: 'caddy',
  program: 'caddy',
  sample: 'Caddyfile',
  usesSocket: false,
  replacements: ({ folder, port, root, below }) => [
    ['things.example {', `https://127.0.0.1:${port} {\n\ttls ${folder}/chain.pem ${folder}/key.pem`],
    ['127.0.0.1:8484', root],
    ['127.0.0.1:8485', below],
  ],
  wrap: (sample) => `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${sample}`,
  args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
}

const apacheModules = ['mpm_event', 'authz_core', 'socache_shmcb', 'reqtimeout', 'ssl', 'proxy', 'proxy_http']

export const apache: FrontProxy = {
  name: 'Apache',
  package: 'apache2',
  program: 'apache2',
  sample: 'apache.conf',
  usesSocket: false,
  replacements: ({ folder, port, root, below }) => [
    ['*:443', `127.0.0.1:${port}`],
    ['/etc/ssl/things.example', folder],
    ['127.0.0.1:8484', root],
    ['127.0.0.1:8485', below],
  ],
  wrap: (sample, { folder, port }) => {
    const modules = apacheModules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
    const user = isRoot ? 'User nobody\nGroup nogroup\n' : ''
    return `ServerRoot ${folder}
${modules.join('\n')}
${user}Mutex pthread
PidFile ${folder}/apache.pid
ErrorLog ${folder}/apache.log
Listen 127.0.0.1:${port}
ServerName 127.0.0.1
${sample}`
  },
  args: (file) => ['-D', 'FOREGROUND', '-f', file],
}

export const haproxy: FrontProxy = {
  name: 'HAProxy',
  package: 'haproxy',
  program: 'haproxy',
  sample: 'haproxy.cfg',
  usesSocket: true,
  replacements: ({ folder, port, root, below }) => [
    ['bind :443', `bind 127.0.0.1:${port}`],
    ['/etc/ssl/things.example', folder],
    ['/run/thingsync/thingsync.sock', root],
    ['/run/thingsync-below/thingsync.sock', below],
  ],
  wrap: (sample) => `global\n    maxconn 200\n${sample}`,
  args: (file) => ['-db', '-f', file],
}

export const allProxies: readonly FrontProxy[] = [nginx, caddy, apache, haproxy]

/** Where a program is; Debian keeps some of these where only root looks. */
export const findProgram = (program: string): string | undefined =>
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch (error) {
        if (error instanceof Error && 'code' in error) return false
        throw error
      }
    })
