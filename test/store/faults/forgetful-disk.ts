import type { FileHandle } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { FileOperations } from '../../../src/store/disk/files.ts'
import type { Random } from './random.ts'

interface FileNode {
  readonly number: bigint
  content: Buffer
  /** What of it a sync has confirmed. */
  synced: Buffer
}

interface FolderNode {
  readonly number: bigint
  readonly entries: Map<string, DiskNode>
  readonly synced: Map<string, DiskNode>
}

type DiskNode = FileNode | FolderNode

/** A change of names that no sync has confirmed yet. */
interface NameChange {
  readonly folders: readonly FolderNode[]
  readonly confirm: () => void
}

/** A disk in memory that knows what was synced, and forgets the rest, or some of it, when its power is cut. */
export interface ForgetfulDisk {
  readonly files: FileOperations
  /** Resolves when the power is cut. From then on no operation ends. */
  readonly cut: Promise<void>
  /** Cuts the power at the n-th step from now on that changes the disk. */
  readonly cutAt: (step: number) => void
  /** The disk as it is found when the power is back. */
  readonly restart: (random: Random) => ForgetfulDisk
}

const sectorBytes = 512

const isFolder = (node: DiskNode): node is FolderNode => 'entries' in node

const fail = (code: string, path: string): never => {
  throw Object.assign(new Error(`${code}: ${path}`), { code, errno: -1, syscall: 'disk', path })
}

/** What is found of a file: of what was not synced any sector may be there, the length that it made too. */
const recall = ({ content, synced }: FileNode, random: Random): Buffer => {
  if (content.equals(synced) || random.below(4) === 0) return synced
  const length = Math.min(synced.length, content.length)
  const end = random.below(3) === 0 ? content.length : length + random.below(Math.max(0, content.length - length) + 1)
  const found = Buffer.alloc(end)
  synced.copy(found, 0, 0, Math.min(length, end))
  for (let at = length; at < end; ) {
    const next = Math.min(end, (Math.floor(at / sectorBytes) + 1) * sectorBytes)
    if (random.below(4) > 0) content.copy(found, at, at, next)
    at = next
  }
  return found
}

const createFolderNode = (): FolderNode => ({ number: process.hrtime.bigint(), entries: new Map(), synced: new Map() })

/** A disk with an empty folder `/`, or with what is in `root`. */
export const createForgetfulDisk = (root: FolderNode = createFolderNode()): ForgetfulDisk => {
  let pending: NameChange[] = []
  let stepsLeft = Number.POSITIVE_INFINITY
  let isCut = false
  let endPower = (): void => undefined
  const cut = new Promise<void>((resolve) => {
    endPower = resolve
  })

  const pass = async (): Promise<void> => {
    if (isCut) await new Promise(() => undefined)
  }

  const step = async (): Promise<void> => {
    await pass()
    stepsLeft -= 1
    if (stepsLeft > 0) return
    isCut = true
    endPower()
    await pass()
  }

  const find = (path: string): DiskNode | undefined =>
    path
      .split('/')
      .filter((name) => name !== '')
      .reduce<DiskNode | undefined>((node, name) => (node && isFolder(node) ? node.entries.get(name) : undefined), root)

  const findFolder = (path: string): FolderNode => {
    const node = find(path)
    return node !== undefined && isFolder(node) ? node : fail('ENOENT', path)
  }

  const findFile = (path: string): FileNode => {
    const node = find(path) ?? fail('ENOENT', path)
    return isFolder(node) ? fail('EISDIR', path) : node
  }

  const name = (path: string, node: DiskNode | undefined): NameChange => {
    const folder = findFolder(dirname(path))
    const change = (entries: Map<string, DiskNode>): unknown =>
      node === undefined ? entries.delete(basename(path)) : entries.set(basename(path), node)
    change(folder.entries)
    return { folders: [folder], confirm: () => void change(folder.synced) }
  }

  const createFile = (path: string): FileNode => {
    const node = { number: process.hrtime.bigint(), content: Buffer.alloc(0), synced: Buffer.alloc(0) }
    pending.push(name(path, node))
    return node
  }

  const syncNames = (folder: FolderNode): void => {
    for (const { folders, confirm } of pending) if (folders.includes(folder)) confirm()
    pending = pending.filter(({ folders }) => !folders.includes(folder))
  }

  const openFile = (node: FileNode): Partial<FileHandle> => {
    const sync = async (): Promise<void> => {
      await step()
      node.synced = node.content
    }
    return {
      appendFile: async (data) => {
        await step()
        node.content = Buffer.concat([node.content, Buffer.from(data as string)])
      },
      truncate: async (length = 0) => {
        await step()
        node.content = node.content.subarray(0, length)
      },
      read: (async (buffer: Buffer, offset: number, length: number, position: number) => {
        await pass()
        return { buffer, bytesRead: node.content.copy(buffer, offset, position, position + length) }
      }) as unknown as FileHandle['read'],
      stat: (async () => ({ size: node.content.length })) as unknown as FileHandle['stat'],
      datasync: sync,
      sync,
      close: pass,
    }
  }

  const openFolder = (folder: FolderNode): Partial<FileHandle> => ({
    sync: async () => {
      await step()
      syncNames(folder)
    },
    close: pass,
  })

  const open = async (path: string, flags: string): Promise<Partial<FileHandle>> => {
    const node = find(path)
    if (flags === 'r' || flags === 'r+') {
      await pass()
      if (node === undefined) return fail('ENOENT', path)
      return isFolder(node) ? openFolder(node) : openFile(node)
    }
    if (flags.includes('x') && node !== undefined) return fail('EEXIST', path)
    if (node !== undefined) return openFile(findFile(path))
    await step()
    return openFile(createFile(path))
  }

  const files = {
    open,
    mkdir: async (path: string, options?: { recursive?: boolean }) => {
      if (find(path) !== undefined) return options?.recursive === true ? undefined : fail('EEXIST', path)
      await step()
      pending.push(name(path, createFolderNode()))
      return path
    },
    readdir: async (path: string, options?: { recursive?: boolean }) => {
      await pass()
      const list = (folder: FolderNode, before: string): readonly string[] =>
        Array.from(folder.entries).flatMap(([entry, node]) => [
          before + entry,
          ...(options?.recursive === true && isFolder(node) ? list(node, `${before}${entry}/`) : []),
        ])
      return list(findFolder(path), '')
    },
    readFile: async (path: string, encoding?: BufferEncoding) => {
      await pass()
      const { content } = findFile(path)
      return encoding === undefined ? content : content.toString(encoding)
    },
    rename: async (from: string, to: string) => {
      await step()
      const node = find(from) ?? fail('ENOENT', from)
      const [taken, given] = [name(from, undefined), name(to, node)]
      const confirm = (): void => {
        taken.confirm()
        given.confirm()
      }
      pending.push({ folders: [...taken.folders, ...given.folders], confirm })
    },
    stat: async (path: string) => {
      const node = find(path) ?? fail('ENOENT', path)
      return {
        ino: node.number,
        birthtimeNs: 0n,
        mtimeNs: 0n,
        ctimeNs: 0n,
        isFile: () => !isFolder(node),
        size: isFolder(node) ? 0n : BigInt(node.content.length),
      }
    },
    unlink: async (path: string) => {
      await step()
      findFile(path)
      pending.push(name(path, undefined))
    },
    writeFile: async (path: string, data: string | Buffer) => {
      await step()
      const node = find(path) === undefined ? createFile(path) : findFile(path)
      node.content = Buffer.from(data as string)
    },
  }

  const restart = (random: Random): ForgetfulDisk => {
    // A file system with a journal keeps changes of names in order; others may keep any of them.
    const isOrdered = random.below(2) === 0
    const kept = random.below(pending.length + 1)
    const survivors = pending.filter((_, index) => (isOrdered ? index < kept : random.below(2) === 0))
    for (const { confirm } of survivors) confirm()
    const recallNode = (node: DiskNode): DiskNode => {
      if (!isFolder(node)) {
        const content = recall(node, random)
        return { number: node.number, content, synced: content }
      }
      const entries = Array.from(node.synced, ([entry, inside]) => [entry, recallNode(inside)] as const)
      return { number: node.number, entries: new Map(entries), synced: new Map(entries) }
    }
    return createForgetfulDisk(recallNode(root) as FolderNode)
  }

  return {
    files: files as unknown as FileOperations,
    cut,
    cutAt: (steps) => {
      stepsLeft = steps
    },
    restart,
  }
}
