import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { ownFolder } from '../../src/folder/own-folder.ts'
import { bundleModules } from '../support/bundle-modules.ts'

const modules = await bundleModules(['folder/own-folder.ts'])
const built = modules.urlOf('folder/own-folder.ts')
afterAll(modules.remove)

const separate = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc']
const canSeparate = spawnSync('unshare', [...separate, 'true']).status === 0

// Without them nothing here is shown, so where everything is to be shown their lack is a failure.
test.runIf(process.env.CI === 'true')('this machine has namespaces for processes and networks', () => {
  expect(canSeparate).toBe(true)
})

const createFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-namespace-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A process in its own namespaces that owns the folder; for each line of input it prints whether it still does. */
const startOwner = async (folder: string) => {
  const program = `
    import { ownFolder } from ${JSON.stringify(built)}
    const owned = await ownFolder(${JSON.stringify(folder)}, { onCommand: async () => undefined })
    console.log('owned by ' + process.pid)
    process.stdin.on('data', async () => console.log(await owned.isHeld()))`
  const args = ['--input-type=module', '--eval', program]
  const child = spawn('unshare', [...separate, process.execPath, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const readLine = async () => (await lines.next()).value
  return { child, said: await readLine(), readLine, pid: await findOwnPid(child) }
}

/** The number that a process has here whose parent this one is. */
const findOwnPid = async ({ pid }: ChildProcess): Promise<number> =>
  Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim())

const own = async (folder: string, waits: string[] = []) => {
  const onWait = (sentence: string) => void waits.push(sentence)
  const owned = await ownFolder(folder, { onCommand: async () => undefined, onWait })
  if ('owner' in owned) throw new Error(`owned by ${owned.owner.pid}`)
  onTestFinished(owned.release)
  return owned
}

test.runIf(canSeparate)(
  'an owner in another container is seen, and the second process fails with what to do',
  async () => {
    const folder = await createFolder()
    const { said } = await startOwner(folder)

    // The same number as all first processes have.
    expect(said).toBe('owned by 1')
    await expect(own(folder)).rejects.toThrow(
      /is in use by thingsync process 1 on .*, in another container or on another machine; stop it first, or run this command there$/,
    )
  },
)

test.runIf(canSeparate)(
  'a killed owner of another container is waited for, an owner of this one not',
  async () => {
    const folder = await createFolder()
    const { child } = await startOwner(folder)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    const waits: string[] = []

    const owned = await own(folder, waits)

    expect(waits).toEqual([expect.stringMatching(/was not released by process 1 on .*; waiting 10 s for a heartbeat$/)])
    expect(owned.mayHavePreviousOwner).toBe(true)
    await owned.release()
    expect((await own(folder, waits)).mayHavePreviousOwner).toBe(false)
    expect(waits).toHaveLength(1)
  },
  300_000,
)

test.runIf(canSeparate)(
  'an owner that was suspended for longer finds that another one took over',
  async () => {
    const folder = await createFolder()
    const { child, pid, readLine } = await startOwner(folder)
    child.stdin.write('?\n')
    const before = await readLine()
    process.kill(pid, 'SIGSTOP')

    const owned = await own(folder)
    process.kill(pid, 'SIGCONT')
    child.stdin.write('?\n')

    expect([before, await readLine(), await owned.isHeld()]).toEqual(['true', 'false', true])
  },
  300_000,
)
