import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { localCertificate } from '../support/certificate.ts'
import { type FrontProxy, findProgram, type ProxyContext } from './proxies.ts'

/** Starts a proxy with our sample, changed as little as its context needs; it takes connections when this resolves. */
export const startProxy = async (
  proxy: FrontProxy,
  context: ProxyContext,
): Promise<{ readonly stop: () => Promise<void> }> => {
  const { folder, port } = context
  await writeFile(join(folder, 'chain.pem'), localCertificate.cert)
  await writeFile(join(folder, 'key.pem'), localCertificate.key)
  await writeFile(join(folder, 'all.pem'), `${localCertificate.cert}${localCertificate.key}`)
  const file = join(folder, proxy.sample)
  await writeFile(file, proxy.wrap(await readSample(proxy, context), context))
  const program = findProgram(proxy.program)
  if (program === undefined) throw new Error(`${proxy.name} is not installed`)
  const environment = { PATH: process.env.PATH ?? '', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(program, proxy.args(file, context), { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const keep = (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-4_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) throw new Error(`${proxy.name} did not start: ${said}`)
    await sleep(50)
  }
  return {
    stop: () => {
      child.kill()
      return ended
    },
  }
}

const readSample = async ({ name, sample, replacements }: FrontProxy, context: ProxyContext): Promise<string> => {
  let text = await readFile(fileURLToPath(new URL(`../../docs/proxies/${sample}`, import.meta.url)), 'utf8')
  for (const [from, to] of replacements(context)) {
    if (!text.includes(from)) throw new Error(`the sample for ${name} has no ${from} any more`)
    text = text.replaceAll(from, to)
  }
  return text
}

const takesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(false)
      else reject(error)
    })
  })
