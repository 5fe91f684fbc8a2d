import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import { CommandFailed } from '../runtime/command-failed.ts'
import { decodeText, EncodingWrong } from '../transfer/decode-text.ts'
import { FieldWrong } from '../transfer/fields.ts'
import { readMarkdownNote } from '../transfer/markdown-note.ts'
import { joinTags } from '../transfer/tag-text.ts'
import type { ReadItem, TransferContent } from '../transfer/transfer.ts'
import { writeMarkdownNote } from '../transfer/write-markdown.ts'

/** The Markdown files of a folder and of those in it, whose names become tags; hidden ones are left out. */
export async function* readMarkdownFolder(folder: string): AsyncGenerator<ReadItem, void, undefined> {
  for await (const file of listFiles(folder)) yield await readNote(folder, file)
}

async function* listFiles(folder: string): AsyncGenerator<string, void, undefined> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* listFiles(path)
    else if (entry.isFile() && /\.(?:md|markdown)$/iu.test(entry.name)) yield path
  }
}

const readNote = async (folder: string, file: string): Promise<ReadItem> => {
  const path = relative(folder, file)
  try {
    const thing = readMarkdownNote(await readText(file), basename(file, extname(file)))
    const folders = joinTags(path.split(sep).slice(0, -1))
    const tags = folders === '' ? thing.tags : joinTags([...folders.split(' '), ...thing.tags.split(' ')])
    return { kind: 'thing', line: 1, thing: { ...thing, tags } }
  } catch (error) {
    if (error instanceof FieldWrong || error instanceof EncodingWrong)
      return { kind: 'problem', line: 1, reason: `${path}: ${error.message}` }
    throw error
  }
}

const readText = async (file: string): Promise<string> => {
  let text = ''
  for await (const chunk of decodeText(listOne(await readFile(file)))) text += chunk
  return text
}

async function* listOne(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes
}

/** Writes a file for each thing, named by its title, to a folder that is empty or not there yet; gives their number. */
export const writeMarkdownFolder = async ({ things }: TransferContent, folder: string): Promise<number> => {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new CommandFailed(`${folder} is not empty; choose another folder`)
  const names = new Map<string, number>()
  let count = 0
  for await (const thing of things) {
    const name = nameFile(thing.title)
    // Some file systems know no letter case.
    const times = (names.get(name.toLowerCase()) ?? 0) + 1
    names.set(name.toLowerCase(), times)
    const file = times === 1 ? `${name}.md` : `${name} (${times}).md`
    await writeFile(join(folder, file), writeMarkdownNote(thing), { mode: 0o600, flag: 'wx' })
    count++
  }
  return count
}

const nameCharacters = 60

const nameFile = (title: string): string => {
  const name = title.replace(/[\p{C}\p{Z}\\/:*?"<>|#^[\]]+/gu, ' ').trim()
  const cut = [...name]
    .slice(0, nameCharacters)
    .join('')
    .replace(/^\.+|[. ]+$/gu, '')
  // A title may end as the second of two with the same title would.
  return (cut === '' ? 'untitled' : cut).replace(/ \((\d+)\)$/u, ' $1')
}
