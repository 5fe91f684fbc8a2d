import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { writeFormats } from '../transfer/formats.ts'
import { gatherContent } from '../transfer/gather-content.ts'
import { readJson } from '../transfer/read-json.ts'
import type { TransferContent, WriteFormat } from '../transfer/transfer.ts'
import { listAccountText } from './account-text.ts'
import { CommandFailed } from './command-failed.ts'
import { copyStore } from './copy-store.ts'
import { isReaderGone } from './output.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'

/** Adds `export`: what one user has, in a format that other programs read. */
export function addExportCommand(program: Command): void {
  addSettingFlags(program.command('export'), ['data'])
    .description('Write all things of a user to a file that other programs read, while the server runs or is stopped.')
    .requiredOption('--user <NAME>', 'Whose things.')
    .addOption(
      new Option('--format <FORMAT>', 'What to write.').choices(writeFormats.map(({ name }) => name)).default('json'),
    )
    .option('--output <FILE>', 'Where to; standard output when it is left out.')
    .addHelpText(
      'after',
      `
json keeps everything, settings of tags too. The others keep title, tags, date, address, note, archived and todo.

Examples:
  thingsync export --user anna --format netscape --output bookmarks.html
  thingsync export --user anna | gzip > things.json.gz`,
    )
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const user: string = command.getOptionValue('user')
      const format = findWriter(command.getOptionValue('format'))
      const output: string | undefined = command.getOptionValue('output')
      const copied = {
        command: { name: 'copy user', user },
        listText: (store: Parameters<typeof listAccountText>[0]) => listAccountText(store, user),
      } as const
      await copyStore(
        settings,
        async (text) => {
          const content = await gatherContent(readJson.read(text))
          if (output === undefined) return writeToStandardOutput(format, content)
          const path = resolve(output)
          const count = await writeToFile(format, content, path)
          process.stderr.write(`exported ${count} things of ${user} to ${path}\n`)
        },
        copied,
      )
    })
}

const findWriter = (name: string): WriteFormat => {
  const format = writeFormats.find((each) => each.name === name)
  if (format === undefined) throw new TypeError(`no writer is called ${name}`)
  return format
}

async function writeToStandardOutput(format: WriteFormat, content: TransferContent): Promise<void> {
  try {
    await pipeline(Readable.from(format.write(content)), process.stdout, { end: false })
  } catch (error) {
    // Who reads may have seen enough.
    if (error instanceof Error && isReaderGone(error)) return
    throw describeFile('standard output', error)
  }
}

/** The file is there when it is whole, and not before; it is readable by its owner only. */
async function writeToFile(format: WriteFormat, content: TransferContent, path: string): Promise<number> {
  let count = 0
  async function* counted() {
    for await (const thing of content.things) {
      count++
      yield thing
    }
  }
  const partial = `${path}.${process.pid}.partial`
  try {
    const file = await open(partial, 'wx', 0o600)
    const pieces = Readable.from(format.write({ tags: content.tags, things: counted() }))
    await pipeline(pieces, file.createWriteStream({ flush: true }))
    await rename(partial, path)
    return count
  } catch (error) {
    await rm(partial, { force: true })
    throw describeFile(path, error)
  }
}

const describeFile = (name: string, error: unknown): unknown =>
  error instanceof Error && 'syscall' in error && 'code' in error
    ? new CommandFailed(`${name} cannot be written (${error.code})`)
    : error
