import type { ComponentChildren } from 'preact'
import type { PageFields, PageRequest } from './page.ts'
import type { Site } from './site.ts'

/** The form field that contains the form token. */
export const formTokenField = 'form_token'

/** A form that changes something. `to` is a path of this server; the default is the path of the page. */
export const PostForm = ({
  request,
  to,
  children,
  class: className = 'fields',
}: {
  readonly request: Pick<PageRequest, 'site' | 'path' | 'formToken'>
  readonly to?: string
  readonly children: ComponentChildren
  readonly class?: string
}) => (
  <form method="post" action={request.site.href(to ?? request.path)} class={className}>
    <input type="hidden" name={formTokenField} value={request.formToken} />
    {children}
  </form>
)

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: ComponentChildren
  /** What is wrong with the input. */
  readonly error?: string | undefined
}

const describedBy = ({ name, hint, error }: FieldProps): string | undefined =>
  [hint === undefined ? '' : `${name}-hint`, error === undefined ? '' : `${name}-wrong`].filter(Boolean).join(' ') ||
  undefined

const sharedAttributes = (props: FieldProps) =>
  ({
    id: props.name,
    name: props.name,
    'aria-describedby': describedBy(props),
    'aria-invalid': props.error === undefined ? undefined : 'true',
  }) as const

const FieldHints = ({ name, hint, error }: FieldProps) => (
  <>
    {hint !== undefined && (
      <span class="hint" id={`${name}-hint`}>
        {hint}
      </span>
    )}
    {error !== undefined && (
      <span class="wrong" id={`${name}-wrong`}>
        {error}
      </span>
    )}
  </>
)

/** A field for one line of text, with its label, a hint and an error. */
export const TextField = ({
  value = '',
  autocomplete = 'off',
  isOptional = false,
  isFocused = false,
  ...props
}: FieldProps & {
  readonly value?: string | undefined
  readonly autocomplete?: string
  readonly isOptional?: boolean
  /** True for the first field of a page that has nothing but its form. */
  readonly isFocused?: boolean
}) => (
  <div class="field">
    <label for={props.name}>{props.label}</label>
    <input
      {...sharedAttributes(props)}
      type="text"
      value={value}
      autocomplete={autocomplete}
      autocapitalize="none"
      spellcheck={false}
      required={!isOptional}
      // biome-ignore lint/a11y/noAutofocus: the page consists of its form, and users come to type
      autoFocus={isFocused}
    />
    <FieldHints {...props} />
  </div>
)

/** A field for a password. The server never sends the input back. */
export const PasswordField = ({
  autocomplete,
  isOptional = false,
  isFocused = false,
  ...props
}: FieldProps & {
  readonly autocomplete: 'current-password' | 'new-password'
  readonly isOptional?: boolean
  readonly isFocused?: boolean
}) => (
  <div class="field">
    <label for={props.name}>{props.label}</label>
    <input
      {...sharedAttributes(props)}
      type="password"
      autocomplete={autocomplete}
      required={!isOptional}
      // biome-ignore lint/a11y/noAutofocus: the page consists of its form, and users come to type
      autoFocus={isFocused}
    />
    <FieldHints {...props} />
  </div>
)

/** A field for several lines of text. */
export const TextAreaField = ({ value = '', ...props }: FieldProps & { readonly value?: string | undefined }) => (
  <div class="field">
    <label for={props.name}>{props.label}</label>
    <textarea {...sharedAttributes(props)} rows={3} autocapitalize="none" spellcheck={false}>
      {value}
    </textarea>
    <FieldHints {...props} />
  </div>
)

/** A checkbox. */
export const Checkbox = ({
  name,
  label,
  hint,
  isTicked = false,
}: FieldProps & { readonly isTicked?: boolean | undefined }) => (
  <div class="choice">
    <input type="checkbox" id={name} name={name} value="on" checked={isTicked} />
    <label for={name}>
      {label}
      {hint !== undefined && <span class="hint">{hint}</span>}
    </label>
  </div>
)

/** A choice of one of a few values, each with a label and a hint. */
export const RadioGroup = ({
  name,
  label,
  value,
  choices,
  error,
}: FieldProps & {
  readonly value: string
  readonly choices: readonly { readonly value: string; readonly label: string; readonly hint?: string }[]
}) => (
  <fieldset class="field" aria-describedby={describedBy({ name, label, error })}>
    <legend>{label}</legend>
    {choices.map((choice) => (
      <div class="choice" key={choice.value}>
        <input
          type="radio"
          id={`${name}-${choice.value}`}
          name={name}
          value={choice.value}
          checked={choice.value === value}
        />
        <label for={`${name}-${choice.value}`}>
          {choice.label}
          {choice.hint !== undefined && <span class="hint">{choice.hint}</span>}
        </label>
      </div>
    ))}
    <FieldHints name={name} label={label} error={error} />
  </fieldset>
)

/** A prominent message: what was done (`good`), what went wrong (`bad`), or a warning (`heed`). */
export const Notice = ({
  kind,
  children,
}: {
  readonly kind?: 'good' | 'bad' | 'heed'
  readonly children: ComponentChildren
}) => (
  <div class={kind === undefined ? 'note' : `note ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
)

/** The page above another page. */
interface PageAbove {
  readonly href: string
  readonly name: string
}

/** The header of a page: its title, a sentence about it, and the page above it, to which a link leads back. */
export const PageHeader = ({
  title,
  back,
  children,
}: {
  readonly title: string
  readonly back?: PageAbove
  readonly children?: ComponentChildren
}) => (
  <div class="head">
    {back !== undefined && (
      <a class="back" href={back.href}>
        <span aria-hidden="true">←</span> <span class="aside">Back to </span>
        {back.name}
      </a>
    )}
    <h1>{title}</h1>
    {children !== undefined && <p>{children}</p>}
  </div>
)

/** A page in a list of pages: its path, its name, and what it holds now. */
export type ListedPage = readonly [path: string, name: string, facts: string]

/** The pages below a page, with what they hold now. */
export const PageList = ({ site, pages }: { readonly site: Site; readonly pages: readonly ListedPage[] }) => (
  <ul class="pages">
    {pages.map(([path, name, facts]) => (
      <li key={path}>
        <a href={site.href(path)}>
          <strong>{name}</strong> <span>{facts}</span>
        </a>
      </li>
    ))}
  </ul>
)

/** A confirmation step before an action that cannot be undone. It works without JavaScript. */
export const Confirm = ({
  summary,
  about,
  isGrave = true,
  children,
}: {
  readonly summary: string
  /** False for an action that ends or removes nothing. */
  readonly isGrave?: boolean
  /** The object of the action, for users of screen readers. */
  readonly about?: string
  readonly children: ComponentChildren
}) => (
  <details class="confirm">
    <summary class={isGrave ? 'grave' : undefined}>
      {summary}
      {about !== undefined && <span class="aside"> {about}</span>}
    </summary>
    {children}
  </details>
)

/**
 * Text to copy. It stands in a field, because there a keyboard selects all of it, and nothing else, without JavaScript.
 */
export const CopyField = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const id = `copy-${label.toLowerCase().replace(/\W+/g, '-')}`
  return (
    <div class="copy">
      <label for={id}>{label}</label>
      <textarea id={id} readOnly={true} rows={text.split('\n').length} autocomplete="off" spellcheck={false}>
        {text}
      </textarea>
    </div>
  )
}

/** The script that adds a button to each `CopyField` of a page (`ShownPage.script`). */
export const copyScript = '/copy.js'

/** Shows a new secret, with texts to copy. */
export const NewSecret = ({
  title,
  isStored = false,
  children,
}: {
  readonly title: string
  /** The server needs the secret itself, not a hash. */
  readonly isStored?: boolean
  readonly children: ComponentChildren
}) => (
  <section class="sheet fresh" aria-labelledby="fresh">
    <h2 id="fresh">{title}</h2>
    <p>
      Copy it now: {isStored ? 'it is not shown again' : 'the server stores only a hash and cannot show it again'}. This
      page shows it for five minutes, if you load it again.
    </p>
    {children}
  </section>
)

/** Quotes any text as one word of a POSIX shell. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const timeUnits = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
] as const

const relativeForm = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const dayForm = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const exactForm = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

/**
 * Describes a time: relative within a day (`3 hours ago`), otherwise the date (`22 Nov 2026`). Times in Unix seconds.
 */
const describeTime = (seconds: number, nowSeconds: number): string => {
  let distance = seconds - nowSeconds
  for (const [length, unit] of timeUnits) {
    if (Math.abs(distance) < length) return relativeForm.format(Math.trunc(distance), unit)
    distance /= length
  }
  return dayForm.format(seconds * 1000)
}

/** A relative time, with the exact time as its title. `now` is in milliseconds. */
export const RelativeTime = ({ seconds, now }: { readonly seconds: number; readonly now: number }) => (
  <time dateTime={new Date(seconds * 1000).toISOString()} title={`${exactForm.format(seconds * 1000)} UTC`}>
    {describeTime(seconds, Math.floor(now / 1000))}
  </time>
)

/** The number of rows on each page of a long list. */
const rowsPerPage = 50

const sortedCharacters = 32

/**
 * Sorts users or apps by name, in any case; a letter with an accent follows the letter without. It avoids
 * `localeCompare`, which normalizes both names at each comparison: 10,000 names of combining marks would take 2 s.
 */
export const sortByName = <T extends { readonly name: string }>(items: readonly T[]): readonly T[] =>
  items
    .map((item) => ({
      item,
      key: `${item.name.slice(0, sortedCharacters).normalize('NFD').toLowerCase()} ${item.name}`,
    }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item)

/** Finds the rows of the page that the query names, the number of this page, and the number of the last page. */
export const takePage = <T,>(rows: readonly T[], query: PageFields) => {
  const last = Math.max(1, Math.ceil(rows.length / rowsPerPage))
  const requested = Number(query.get('page') ?? 1)
  const page = Number.isInteger(requested) ? Math.min(last, Math.max(1, requested)) : 1
  return { rows: rows.slice((page - 1) * rowsPerPage, page * rowsPerPage), page, last }
}

/** Links to the previous and the next page of a list; nothing when there is only one page. */
export const Pager = ({
  site,
  path,
  page,
  last,
}: {
  readonly site: Site
  readonly path: string
  readonly page: number
  readonly last: number
}) =>
  last === 1 ? null : (
    <nav class="buttons" aria-label="Pages of the list">
      {page > 1 && (
        <a class="button" href={site.href(`${path}?page=${page - 1}`)} rel="prev">
          Previous
        </a>
      )}
      <span class="soft">
        Page {page} of {last}
      </span>
      {page < last && (
        <a class="button" href={site.href(`${path}?page=${page + 1}`)} rel="next">
          Next
        </a>
      )}
    </nav>
  )
