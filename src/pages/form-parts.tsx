import type { ComponentChildren } from 'preact'
import type { PageRequest } from './page.ts'

/** The field of each form that proves where it was made. */
export const formTokenField = 'form_token'

/** A form that changes something. `to` is a path of ours; without one the page's own. */
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
  /** What is wrong with what was typed. */
  readonly wrong?: string | undefined
}

const describedBy = ({ name, hint, wrong }: FieldProps): string | undefined =>
  [hint === undefined ? '' : `${name}-hint`, wrong === undefined ? '' : `${name}-wrong`].filter(Boolean).join(' ') ||
  undefined

const shared = (props: FieldProps) =>
  ({
    id: props.name,
    name: props.name,
    'aria-describedby': describedBy(props),
    'aria-invalid': props.wrong === undefined ? undefined : 'true',
  }) as const

const Remarks = ({ name, hint, wrong }: FieldProps) => (
  <>
    {hint !== undefined && (
      <span class="hint" id={`${name}-hint`}>
        {hint}
      </span>
    )}
    {wrong !== undefined && (
      <span class="wrong" id={`${name}-wrong`}>
        {wrong}
      </span>
    )}
  </>
)

/** A field for one line of text, with its label, a hint, and what is wrong with it. */
export const TextField = ({
  value = '',
  autocomplete = 'off',
  isOptional = false,
  ...props
}: FieldProps & {
  readonly value?: string | undefined
  readonly autocomplete?: string
  readonly isOptional?: boolean
}) => (
  <div class="field">
    <label for={props.name}>{props.label}</label>
    <input
      {...shared(props)}
      type="text"
      value={value}
      autocomplete={autocomplete}
      autocapitalize="none"
      spellcheck={false}
      required={!isOptional}
    />
    <Remarks {...props} />
  </div>
)

/** A field for a password; what was typed is never sent back. */
export const PasswordField = ({
  autocomplete,
  ...props
}: FieldProps & { readonly autocomplete: 'current-password' | 'new-password' }) => (
  <div class="field">
    <label for={props.name}>{props.label}</label>
    <input {...shared(props)} type="password" autocomplete={autocomplete} required={true} />
    <Remarks {...props} />
  </div>
)

/** A field for several lines. */
export const LinesField = ({ value = '', ...props }: FieldProps & { readonly value?: string | undefined }) => (
  <div class="field">
    <label for={props.name}>{props.label}</label>
    <textarea {...shared(props)} rows={3} autocapitalize="none" spellcheck={false}>
      {value}
    </textarea>
    <Remarks {...props} />
  </div>
)

/** A box to tick. */
export const Tick = ({
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

/** One of a few: value, what it is called, and a hint to each. */
export const OneOf = ({
  name,
  label,
  value,
  choices,
  wrong,
}: FieldProps & {
  readonly value: string
  readonly choices: readonly { readonly value: string; readonly label: string; readonly hint?: string }[]
}) => (
  <fieldset class="field" aria-describedby={describedBy({ name, label, wrong })}>
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
    <Remarks name={name} label={label} wrong={wrong} />
  </fieldset>
)

/** A remark that stands out: what was done, what went wrong, what to heed. */
export const Note = ({
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

/** The top of a page: its title, and a sentence about it. */
export const Head = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="head">
    <h1>{title}</h1>
    {children !== undefined && <p>{children}</p>}
  </div>
)

/** A step between wish and deed, for what cannot be undone; it works without JavaScript. */
export const Confirm = ({
  summary,
  about,
  children,
}: {
  readonly summary: string
  /** What it concerns, for those who hear the page. */
  readonly about?: string
  readonly children: ComponentChildren
}) => (
  <details class="confirm">
    <summary>
      {summary}
      {about !== undefined && <span class="aside"> {about}</span>}
    </summary>
    {children}
  </details>
)
