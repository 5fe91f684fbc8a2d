import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { enrol } from '../candidate/accounts.ts'
import { runCommand } from '../candidate/run-command.ts'
import { writeBookmarks } from '../candidate/write-bookmarks.ts'
import { nextMessage } from '../machine/start-script.ts'
import type { Row } from '../row.ts'

/** Old bookmarks come in at once, and in little memory beside what the account itself needs. */
export const importBookmarks: Row = {
  id: 'import-bookmarks',
  work: 'thingsync import of {large} bookmarks into an empty account, no server beside it',
  against: 'htmlparser2 parsing the same file; for memory the same command that opens the account afterwards',
  measured: 'things a second of real time · CPU seconds · MB at the peak',
  startsAnew: true,
  figures: {
    rate: { title: 'a second', unit: 'things', goal: { is: 'least', limit: 20_000 } },
    cpu: { title: 'CPU, of the parser', unit: 'x', goal: { is: 'most', limit: 12 } },
    memory: { title: 'memory beside the account', unit: 'MB', goal: { is: 'most', limit: 150 } },
  },
  open: async (bench) => {
    const count = bench.sizes.large
    const files = await bench.makeFolder()
    const [bookmarks, nothing] = [join(files, 'bookmarks.html'), join(files, 'nothing.txt')]
    bench.say(`writing ${count.toLocaleString('en')} bookmarks`)
    await writeBookmarks(bookmarks, count)
    await writeFile(nothing, '\n')
    const importInto = (folder: string, file: string, format: string) =>
      runCommand(bench, ['import', file, '--format', format, '--user', 'user-0', '--data', folder])

    const round = async () => {
      const floorScript = bench.startScript('floors/parse-html.ts', [bookmarks])
      const floor = await nextMessage<{ count: number; cpuSeconds: number }>(floorScript)
      if (floorScript.exitCode === null) await once(floorScript, 'exit')
      const folder = join(await bench.makeFolder(), 'data')
      await enrol(folder, 1)
      const whole = await importInto(folder, bookmarks, 'netscape')
      const opened = await importInto(folder, nothing, 'list')
      return {
        rate: { value: count / whole.seconds },
        cpu: {
          value: whole.cpuSeconds / floor.cpuSeconds,
          candidate: whole.cpuSeconds,
          floor: floor.cpuSeconds,
        },
        memory: { value: whole.peakMb - opened.peakMb, candidate: whole.peakMb, floor: opened.peakMb },
      }
    }
    return {
      round,
      notes: [
        'durable: each piece of 256 KB of text is on the disk before the next is sent; Node’s start is in all but the parser’s CPU',
      ],
    }
  },
}
