/** A piece of text with the same marks from end to end. */
interface Run {
  text: string
  readonly marks: string
}

const sameAs: Readonly<Record<string, string>> = { b: 'strong', i: 'em', strike: 's', del: 's', div: 'p', span: '' }
const blocks = new Set(
  'address article aside blockquote center dd details dir div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul caption colgroup col'.split(
    ' ',
  ),
)
const ofText = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre'])

const nameOf = (element: Element): string => {
  const name = element.localName
  return sameAs[name] ?? name
}

const markOf = (element: Element): string => {
  const isFirst = (name: string, value: string) => element.localName === 'ol' && name === 'start' && value === '1'
  const attributes = [...element.attributes]
    .filter(({ name, value }) => !isFirst(name, value))
    .map(({ name, value }) => `${name}=${JSON.stringify(value)}`)
  const name = nameOf(element)
  return attributes.length === 0 ? name : `${name} ${attributes.sort().join(' ')}`
}

const collapse = (runs: readonly Run[]): readonly Run[] => {
  const collapsed: Run[] = []
  let isSpace = true
  for (const { text, marks } of runs) {
    let kept = ''
    for (const sign of text.replace(/[ \t\r\f\n]+/gu, ' ')) {
      if (sign === ' ' && isSpace) continue
      isSpace = sign === ' ' || sign === '\v'
      kept += sign
    }
    if (kept !== '') collapsed.push({ text: kept, marks })
  }
  return collapsed
}

const writeRuns = (runs: readonly Run[]): string => {
  const joined: Run[] = []
  for (const { text, marks } of runs) {
    const last = joined.at(-1)
    if (last?.marks === marks) last.text += text
    else joined.push({ text, marks })
  }
  return JSON.stringify(joined.map(({ text, marks }) => [text.replace(/ *\v */gu, '\v'), marks]))
}

const isEmptyText = (runs: readonly Run[]): boolean => runs.every(({ text }) => /^[ \t\r\f\n]*$/u.test(text))

const trimEnd = (runs: readonly Run[]): readonly Run[] => {
  const last = runs.at(-1)
  if (last === undefined) return runs
  const text = last.text.replace(/ +$/u, '')
  return text === '' ? trimEnd(runs.slice(0, -1)) : [...runs.slice(0, -1), { text, marks: last.marks }]
}

/**
 * What a person sees of a note, as text that two notes share if they say the same: the order of attributes and of nested
 * marks, spaces that are not shown, and `b` or `strong` make no difference; everything else does.
 */
export const describeNote = (note: ParentNode & Node): string => {
  const written: string[] = []
  let runs: Run[] = []

  const endText = (block: string, isOwn: boolean) => {
    const isPre = block.startsWith('pre')
    const shown = isPre ? runs : trimEnd(collapse(runs))
    if (isOwn || !isEmptyText(runs)) written.push(`${block}${writeRuns(shown)}`)
    runs = []
  }
  const walk = (parent: Node, marks: ReadonlySet<string>, inPre: boolean) => {
    for (const child of parent.childNodes) {
      // A line break is a sign that no note holds as text.
      const all = [...marks].sort().join('+')
      if (child instanceof Text) runs.push({ text: child.data, marks: all })
      else if (!(child instanceof Element)) continue
      else if (child.localName === 'br') runs.push({ text: '\v', marks: '' })
      else if (blocks.has(child.localName)) describeBlock(child, marks)
      else if (inPre && markOf(child) === 'code') walk(child, marks, inPre)
      else {
        const mark = markOf(child)
        if (child.childNodes.length === 0 && mark !== '') runs.push({ text: '\u{fffc}', marks: mark })
        walk(child, mark === '' ? marks : new Set([...marks, mark]), inPre)
      }
    }
  }
  const describeBlock = (element: Element, marks: ReadonlySet<string>) => {
    endText('p', false)
    const name = nameOf(element)
    const mark = markOf(element)
    const holdsBlocks = [...element.children].some((child) => blocks.has(child.localName))
    if (ofText.has(name) && !holdsBlocks) {
      walk(element, marks, name === 'pre')
      return endText(mark, true)
    }
    written.push(`(${element.localName} ${mark}`)
    walk(element, marks, false)
    endText('p', false)
    written.push(')')
  }
  walk(note, new Set(), false)
  endText('p', false)
  return written.join('\n')
}
