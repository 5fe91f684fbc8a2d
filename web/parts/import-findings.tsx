import type { ComponentChildren } from 'preact'
import { readNames } from '../../src/transfer/format-names.ts'
import type { ImportPreview, ImportProblem } from '../data/transfer/importer.ts'
import type { Words } from '../words/en.ts'
import { useShared } from './desk-context.ts'

const listedProblems = 100

/** All formats that can be read, in one line. */
export const listFormats = (words: Words): string =>
  new Intl.ListFormat(words.code, { type: 'conjunction' }).format(readNames.map((name) => nameFormat(name, words)))

const nameFormat = (format: string, { transferScreen }: Words): string =>
  readNames.map((name) => (name === format ? transferScreen.formatNames[name] : '')).find((name) => name !== '') ??
  format

interface Listed {
  readonly title: (count: number) => string
  readonly list: readonly ImportProblem[]
  readonly count: number
}

/** In the language of the page where it has a sentence for it. */
const Reason = ({ english }: { readonly english: string }) => {
  const said = useShared().desk.words.transferScreen.reason(english)
  return said === undefined ? <bdi lang="en">{english}</bdi> : <bdi>{said}</bdi>
}

const Problems = ({ title, list, count }: Listed) => {
  const say = useShared().desk.words.transferScreen
  if (count === 0) return null
  return (
    <details class="problems">
      <summary>{title(count)}</summary>
      <ul>
        {list.slice(0, listedProblems).map(({ file, line, reason }, place) => (
          <li key={place}>
            <strong>
              <bdi>{say.line(file, line)}</bdi>
            </strong>{' '}
            <Reason english={reason} />
          </li>
        ))}
        {count > listedProblems && <li class="soft">{say.more(count - listedProblems)}</li>}
      </ul>
    </details>
  )
}

/** What was found in the files: counts, what is there already, and what cannot be read and why. */
export const ImportFindings = ({
  preview,
  children,
}: {
  readonly preview: ImportPreview
  readonly children: ComponentChildren
}) => {
  const { words } = useShared().desk
  const say = words.transferScreen
  const { files, there } = preview
  return (
    <>
      <ul class="findings">
        {children}
        {there > 0 && <li>{say.there(there)}</li>}
      </ul>
      <ul class="findings soft">
        {files.map(({ name, format, failure }, place) => (
          <li key={place}>
            {failure !== undefined ? (
              <span class="wrong">{say.broken(name, say.reason(failure) ?? failure)}</span>
            ) : format === undefined ? (
              <span class="wrong">{say.unknownKind(name, listFormats(words))}</span>
            ) : (
              <bdi>{say.isFormat(name, nameFormat(format, words))}</bdi>
            )}
          </li>
        ))}
      </ul>
      <Problems title={say.unreadable} list={preview.problems} count={preview.problemCount} />
      <Problems title={say.lost} list={preview.remarks} count={preview.remarkCount} />
    </>
  )
}
