import type { ComponentChildren } from 'preact'
import { readFormats } from '../../src/transfer/formats.ts'
import type { ImportPreview, ImportProblem } from '../data/transfer/importer.ts'
import { useShared } from './desk-context.ts'

const listedProblems = 100

/** All formats that can be read, in one line. */
export const listFormats = (code: string): string =>
  new Intl.ListFormat(code, { type: 'conjunction' }).format(readFormats.map(({ label }) => label))

const labelOf = (format: string): string => readFormats.find(({ name }) => name === format)?.label ?? format

interface Listed {
  readonly title: (count: number) => string
  readonly list: readonly ImportProblem[]
  readonly count: number
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
            <bdi lang="en">{reason}</bdi>
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
              <span class="wrong">{say.broken(name, failure)}</span>
            ) : format === undefined ? (
              <span class="wrong">{say.unknownKind(name, listFormats(words.code))}</span>
            ) : (
              <bdi>{say.isFormat(name, labelOf(format))}</bdi>
            )}
          </li>
        ))}
      </ul>
      <Problems title={say.unreadable} list={preview.problems} count={preview.problemCount} />
      <Problems title={say.lost} list={preview.remarks} count={preview.remarkCount} />
    </>
  )
}
