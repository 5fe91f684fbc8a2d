import { randomBytes } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createWhole } from './create-whole.ts'
import { FolderRefused, withFolderAdvice } from './folder-refused.ts'

/** How the processes that use one data folder recognize each other. */
export interface Control {
  /** The folder's path without links, and what the file system calls it: a copy of a folder is another folder. */
  readonly folder: { readonly path: string; readonly device: string; readonly inode: string }
  /** 32 bytes that only those know who may read the folder. */
  readonly key: Buffer
}

const about = 'by this file commands and the running server know each other; never delete it while one runs'

/**
 * Reads `control.json` of a data folder; the first one to come makes it, at once and whole, readable by its owner only.
 * @throws FolderRefused when it cannot be read, written or understood
 */
export async function readControlFile(folder: string): Promise<Control> {
  return withFolderAdvice(folder, async () => {
    const path = await realpath(folder)
    const file = join(path, 'control.json')
    const text = (await readIfThere(file)) ?? (await createControlFile(file))
    const { dev, ino } = await stat(path, { bigint: true })
    return { folder: { path, device: String(dev), inode: String(ino) }, ...parseControl(file, text) }
  })
}

/**
 * In which way `control.json` of a data folder is damaged; undefined when it is right, or not there.
 * @throws FolderRefused when it cannot be read
 */
export async function findControlDamage(folder: string): Promise<string | undefined> {
  const file = join(folder, 'control.json')
  const text = await withFolderAdvice(folder, () => readIfThere(file))
  try {
    if (text !== undefined) parseControl(file, text)
    return undefined
  } catch (error) {
    if (error instanceof FolderRefused) return error.message
    throw error
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    if (!(await stat(file)).isFile())
      throw new FolderRefused(`${file} is no file; when no thingsync uses the folder, delete it`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function createControlFile(file: string): Promise<string> {
  const key = randomBytes(32).toString('base64url')
  try {
    await createWhole(file, () => `${JSON.stringify({ about, key })}\n`)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    throw new FolderRefused(`data folder: ${dirname(file)} takes no files; choose another one with THINGSYNC_DATA`)
  }
  return readFile(file, 'utf8')
}

function parseControl(file: string, text: string): Pick<Control, 'key'> {
  const damaged = new FolderRefused(`${file} is damaged; when no thingsync uses the folder, delete this file`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged
    throw error
  }
  if (typeof value !== 'object' || value === null || !('key' in value) || typeof value.key !== 'string') throw damaged
  const key = Buffer.from(value.key, 'base64url')
  if (key.length !== 32) throw damaged
  return { key }
}
