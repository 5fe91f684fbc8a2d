import { accountEnding } from '../../disk/account-path.ts'
import { formatCopyName, isHalfRestored } from '../../disk/format-file.ts'
import { findUserId } from '../../record/journal-line.ts'
import type { DamagedStretch } from '../../wal/scan-segment.ts'
import { locateSegment } from '../../wal/segment-file.ts'
import type { ReadAccount, ReadFolder } from './read-folder.ts'
import type { FoundSegment } from './read-journal.ts'

/** What was found about one file of a data folder. */
export interface FoundFile {
  /** Its path in the data folder. */
  readonly file: string
  /** `note`: nothing is wrong, but a person may want to know. */
  readonly state: 'whole' | 'damaged' | 'note'
  readonly bytes: number
  /** What is wrong or worth knowing, in words. */
  readonly says?: string
  /** What a repair would do about it. */
  readonly repair?: string
}

type Finding = Omit<FoundFile, 'bytes'>

/** A folder with what is asked of it for each account, of which there may be a hundred thousand. */
interface IndexedFolder extends ReadFolder {
  readonly listedFiles: ReadonlySet<string>
  readonly userNames: ReadonlyMap<string, string>
  readonly accountsById: ReadonlyMap<string | undefined, ReadAccount>
}

const indexFolder = (read: ReadFolder): IndexedFolder => ({
  ...read,
  listedFiles: new Set(read.listed.map(({ file }) => file)),
  userNames: new Map(read.registry.found?.document.users.map(({ id, name }) => [id, name])),
  accountsById: new Map(read.accounts.map((account) => [account.userId, account])),
})

const remake = 'keep it aside and make it again from its readable lines and the journal'
const rewriteFormat = 'write it again when all other files are whole'
const forgo = 'go on without it, with what the journal holds of the account'
const noStart = 'no server starts on the folder'
const restart = 'save all accounts from it, keep it aside and begin a new journal'

const whole = (file: string): Finding => ({ file, state: 'whole' })
const note = (file: string, says: string): Finding => ({ file, state: 'note', says })
const damaged = (file: string, says: string, repair: string): Finding => ({ file, state: 'damaged', says, repair })

const describeFormat = ({ format, formatDamage, registry, listed, journal, accounts }: ReadFolder): Finding[] => {
  const file = 'format.json'
  if (format !== null) return [whole(file)]
  const isOfThisFormat = registry.write > 0 || journal.segments.length > 0 || accounts.some(({ write }) => write > 0)
  const wrong = formatDamage ?? (isOfThisFormat ? 'it is missing' : undefined)
  if (wrong !== undefined)
    return [damaged(file, `${wrong}; ${noStart}`, isHalfRestored(wrong) ? 'nothing' : rewriteFormat)]
  const hasData = listed.some(({ file: name }) => /^accounts\W/.test(name))
  return hasData ? [note(file, 'is missing; the next start writes it')] : []
}

/** True for a folder that has a `format.json`, whatever it says. */
const hasFormat = ({ format, formatDamage }: ReadFolder): boolean => format !== null || formatDamage !== undefined

const describeRegistry = (read: IndexedFolder): Finding[] => {
  const { registry, listedFiles } = read
  const file = 'directory.json'
  const isThere = listedFiles.has(file)
  if (!isThere && !hasFormat(read)) return []
  const wrong = isThere ? (registry.damage ?? registry.journalDamage) : 'it is missing'
  return [wrong === undefined ? whole(file) : damaged(file, `${wrong}; ${noStart}`, remake)]
}

const describeStretch = (read: IndexedFolder, { start, end, keys, last }: DamagedStretch): string => {
  const name = (key: string) => nameAccount(read, findUserId(key)) ?? 'users, apps and sessions'
  const whose = keys === undefined ? 'of whom cannot be told' : `of the ${[...new Set(keys.map(name))].join(', ')}`
  const all = ['registry', ...read.accounts.map(({ userId }) => `account ${userId}`)]
  const isSaved = (keys ?? all).every((key) => {
    return (read.accountsById.get(findUserId(key)) ?? read.registry).write >= last
  })
  const loss = isSaved ? 'all of it stands in other files' : 'what stood there is in no other file'
  return `${end - start} bytes at byte ${start} are not what was written, ${whose}; ${loss}`
}

const describeSegment = (
  read: IndexedFolder,
  { file, bytes, damaged: stretches, unfinishedBytes }: FoundSegment,
): Finding => {
  if (bytes === 0) return note(file, 'is empty; if no crash came while it was made, it was emptied')
  if (stretches.length > 0)
    return damaged(file, stretches.map((stretch) => describeStretch(read, stretch)).join('; '), restart)
  const cut = `ends in ${unfinishedBytes} bytes of a write that was not finished; the next start cuts them off`
  return unfinishedBytes > 0 ? note(file, cut) : whole(file)
}

const describeJournal = (read: IndexedFolder): Finding[] => {
  const { journal, beyondJournal, beforeJournal } = read
  const isMissing = journal.segments.length === 0 && hasFormat(read)
  const file = journal.segments.at(-1)?.file ?? 'journal'
  const says = isMissing
    ? 'holds nothing; writes that were in no other file yet are lost'
    : `its end is missing: it ends at write ${journal.lastFound}, and write ${beyondJournal} was on disk`
  const findings = journal.segments.map((segment) => describeSegment(read, segment))
  if (beforeJournal !== undefined) {
    const missing = `it is missing; what stood there may be in no other file; ${noStart}`
    findings.unshift(damaged(locateSegment('journal', beforeJournal), missing, restart))
  }
  if (!isMissing && beyondJournal === undefined) return findings
  return [...findings.filter((finding) => finding.file !== file), damaged(file, says, restart)]
}

const nameAccount = ({ userNames }: IndexedFolder, userId: string | undefined): string | undefined => {
  if (userId === undefined) return undefined
  const name = userNames.get(userId)
  return name === undefined ? `account ${userId} of no user` : `account of ${name}`
}

const describeAccount = (read: IndexedFolder, account: ReadAccount): Finding[] => {
  const { userId, file, found } = account
  const whose = `${nameAccount(read, userId)}`
  const wrong = account.damage ?? account.journalDamage
  if (wrong !== undefined) return [damaged(file, `${wrong}; ${whose}, not served`, remake)]
  if (!read.listedFiles.has(file)) return []
  const isForgotten = whose.endsWith('of no user') && read.registry.found !== undefined && found?.isEmpty === false
  return [isForgotten ? note(file, `${whose}; nobody can read it`) : whole(file)]
}

/** Says of a file of an account that nobody's it is. */
export const ownerUnknown = 'whose account it is cannot be told'

const known = new Set(['control.json', 'thingsync.json', formatCopyName])

const describeOther = (file: string): Finding => {
  const top = file.split(/[\\/]/)[0] ?? file
  if (known.has(file) || top === 'owner') return whole(top)
  if (top === 'unfinished') return note(file, 'a write that is under way or was interrupted; the next start removes it')
  if (/^before-(journal|version-\d+)$/.test(top))
    return note(top, 'the folder as it was before it was brought to a newer version; delete it when you like')
  if (top.startsWith('repaired-')) return note(top, 'what a repair kept aside; delete it when you need it no more')
  if (/\.(damaged|cut)-[^/\\]+$/.test(file)) return note(file, 'a copy of damaged bytes; delete it when you like')
  if (/^first-run(-\d+)?\.txt$/.test(file))
    return note(file, 'secrets that the first start made; copy them and delete it')
  if (top === 'accounts' && file.endsWith(accountEnding)) return damaged(file, ownerUnknown, 'keep it aside')
  return note(file, 'no file of thingsync; left alone')
}

/** Says of each file of a data folder what is wrong with it, in the order of their names. */
export const describeFiles = (folder: ReadFolder): readonly FoundFile[] => {
  const read = indexFolder(folder)
  const findings = new Map<string, Finding>()
  for (const finding of [
    ...describeFormat(read),
    ...describeRegistry(read),
    ...describeJournal(read),
    ...read.accounts.flatMap((account) => describeAccount(read, account)),
    ...read.missingAccounts.map((file) => damaged(file, 'it is missing; the account is not served', forgo)),
  ])
    findings.set(finding.file, finding)
  for (const { file } of read.listed) {
    const other = describeOther(file)
    if (!findings.has(file)) findings.set(other.file, other)
  }
  const sizes = sumBytes(read.listed)
  return [...findings.values()]
    .map((finding) => ({ ...finding, bytes: sizes.get(finding.file) ?? 0 }))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** The bytes of each file, and those of all files in each folder. */
const sumBytes = (listed: ReadFolder['listed']): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>()
  for (const { file, bytes } of listed) {
    for (let end = file.length; end > 0; end = file.lastIndexOf('/', end - 1)) {
      const name = file.slice(0, end)
      sizes.set(name, (sizes.get(name) ?? 0) + bytes)
    }
  }
  return sizes
}
