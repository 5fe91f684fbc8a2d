import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { findProgram, haproxy } from '../proxies/proxies.ts'

const configure = (port: number, ports: readonly number[]): string => `
defaults
    mode http
    timeout connect 5s
    timeout client 90s
    timeout server 90s
    timeout http-keep-alive 3s
    http-reuse never
    # A client that leaves a stream frees its slot at once, and not at the next keep-alive comment.
    option abortonclose
frontend things
    bind 127.0.0.1:${port}
    http-request del-header X-Forwarded-For
    option forwardfor
    default_backend things
backend things
    balance roundrobin
    # A process that has just been killed: the request goes to another one, which is safe before it was sent.
    option redispatch
    retries 2
${ports.map((each) => `    server thingsync${each} 127.0.0.1:${each} check inter 500ms fall 1 rise 1`).join('\n')}
`

const takesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/**
 * Starts HAProxy before processes on these ports, which get each request in turn; it ends with the test. Gives its port.
 * @throws Error when it is not installed, or does not start
 */
export const startBalancer = async (ports: readonly number[]): Promise<number> => {
  const program = findProgram(haproxy.program)
  if (program === undefined) throw new Error('HAProxy is not installed (apt-get install haproxy)')
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-balancer-'))
  const port = await findFreePort()
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configure(port, ports))
  const child = spawn(program, [...haproxy.args(file, { folder, port, root: '', below: '' })], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-4_000)
  })
  onTestFinished(async () => {
    const isRunning = child.exitCode === null
    child.kill()
    if (isRunning) await once(child, 'close')
    await rm(folder, { recursive: true })
  })
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) throw new Error(`HAProxy did not start: ${said}`)
    await sleep(50)
  }
  return port
}
