import { readHeadNames, readTable } from './csv-format.ts'
import { FieldWrong, showValue } from './fields.ts'
import { makeThing } from './make-thing.ts'
import { joinTags } from './tag-text.ts'
import type { ReadFormat } from './transfer.ts'
import { readUnixTime } from './unix-time.ts'

/** The tables that Pocket sent out at its end: title, url, time_added, tags between bars, status. */
export const readPocket: ReadFormat = {
  name: 'pocket',
  extensions: ['csv'],
  keepsRepetitions: false,
  guess: (head) => ['url', 'time_added', 'status'].every((name) => readHeadNames(head).includes(name)),
  read: (chunks) =>
    readTable(chunks, (cells) => {
      const url = cells.get('url') ?? ''
      if (url === '') throw new FieldWrong('url is missing')
      const added = cells.get('time_added') ?? ''
      const date = readUnixTime(added)
      if (added !== '' && date === undefined) throw new FieldWrong(`time_added is no time: ${showValue(added)}`)
      return makeThing({
        title: cells.get('title') || url,
        url,
        tags: joinTags((cells.get('tags') ?? '').split('|')),
        date,
        archived: cells.get('status') === 'archive',
      })
    }),
}
