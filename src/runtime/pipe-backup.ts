import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type WrittenBackup, writeBackupTo } from '../store/tools/backup/write-backup.ts'
import { CommandFailed } from './command-failed.ts'

const mostShownCharacters = 500

/**
 * Gives a backup to a command of the shell, on its standard input. It is made when the command has read all of it and
 * ended with 0.
 * @throws CommandFailed with what the command said
 */
export async function pipeBackup(
  shellCommand: string,
  items: AsyncIterable<string>,
  createdAt: number,
): Promise<WrittenBackup> {
  const child = spawn('/bin/sh', ['-c', shellCommand], { stdio: ['pipe', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-mostShownCharacters)
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  // Each write is told; a command that ended early fails them.
  child.stdin.on('error', () => undefined)
  const write = (bytes: Buffer) =>
    new Promise<void>((resolve, reject) => {
      child.stdin.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  const written = await writeBackupTo(write, items, createdAt).catch((error: NodeJS.ErrnoException) => {
    child.stdin.destroy()
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return undefined
    child.kill()
    throw error
  })
  child.stdin.end()
  const [exitCode] = await ended
  if (exitCode !== 0 || written === undefined) {
    const why = said.trim() === '' ? '' : `: ${said.trim()}`
    throw new CommandFailed(
      `backup_command ended with ${exitCode ?? 'a signal'}${written ? '' : ' before its input did'}${why}`,
    )
  }
  return written
}
