import { PageHeader } from '../components.tsx'
import type { PageRoute } from '../page.ts'
import { PageError } from '../page-error.tsx'
import { readStyle } from '../render-page.tsx'
import { AccessToken, writeCurlLines } from './operation.tsx'
import type { ReferenceControl, ReferenceOperation } from './reference.ts'

/** The operation whose samples begin a program: its imports, and the access token. All other samples continue there. */
const opening = 'grantToken'

const Code = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  <pre tabIndex={0}>{text}</pre>
)

/**
 * `/docs/code/OPERATION`: code that calls an operation, in the languages of the SDKs. It would make `/docs` too large.
 */
export const docsCodePage: PageRoute = {
  path: '/docs/code/:id',
  get: async ({ params, site }) => {
    const { reference } = await import('../../../generated/reference.ts')
    const operations = reference.groups.flatMap((group) => group.operations)
    const operation = operations.find(({ id }) => id === params.id)
    if (operation === undefined || operation.samples.length === 0) throw new PageError('unknown')
    const { id, method, path, summary, samples } = operation
    const openings = new Map(
      operations
        .find((one) => one.id === opening && id !== opening)
        ?.samples.map(({ label, source }) => [label, source]),
    )
    return {
      title: `${method} ${path} in code`,
      content: (
        <>
          <PageHeader title={`${method} ${path}`}>{summary}, in each language that has an SDK.</PageHeader>
          <p>
            <a href={`${site.href('/docs')}#${id}`}>Back to the reference</a>
          </p>
          {samples.map(({ label, source }) => (
            <section class="sheet" key={label} aria-label={label}>
              <h2>{label}</h2>
              {openings.has(label) && (
                <>
                  <p class="soft">Once, at the start of the program:</p>
                  <Code text={openings.get(label) ?? ''} />
                  <p class="soft">Then, for each request:</p>
                </>
              )}
              <Code text={source} />
            </section>
          ))}
        </>
      ),
    }
  },
}

/**
 * `/docs/try/OPERATION`: a form that sends an operation. The script of `/docs` fetches the form from here when a user
 * opens it there. All forms would make `/docs` too large.
 */
export const docsTryPage: PageRoute = {
  path: '/docs/try/:id',
  get: async ({ params, site }) => {
    const { reference } = await import('../../../generated/reference.ts')
    const operation = reference.groups
      .flatMap(({ operations }) => operations)
      .find(({ id, isEndless }) => id === params.id && !isEndless)
    if (operation === undefined) throw new PageError('unknown')
    const { id, method, path, summary, takesToken } = operation
    return {
      title: `Try ${method} ${path}`,
      style: await readStyle(['reference.css']),
      script: '/docs/send-requests.js',
      content: (
        <>
          <PageHeader title={`${method} ${path}`}>{summary}</PageHeader>
          <p>
            <a href={`${site.href('/docs')}#${id}`}>Back to the reference</a>
          </p>
          <section class="sheet" aria-label="By command" data-without-script>
            <p>
              With JavaScript on, you can send this request from this page. Without it, use this command in a shell.
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
            <pre tabIndex={0}>{writeCurlLines(operation, site.baseUrl)}</pre>
          </section>
          {takesToken && (
            <AccessToken>
              The request is sent to the account of this token. The token stays in this page and is removed when you
              leave it. Create one under <a href={site.href('/account/tokens')}>Access tokens</a>.
            </AccessToken>
          )}
          <section class="sheet" aria-label="Request" data-needs-script hidden>
            <SendForm operation={operation} action={`${new URL(site.baseUrl).pathname.replace(/\/$/, '')}${path}`} />
          </section>
        </>
      ),
    }
  },
}

/** The form control of one value. */
const Control = ({ id, control }: { readonly id: string; readonly control: ReferenceControl }) => {
  const { name, kind, choices, example } = control
  const shared = {
    id,
    name,
    required: control.isRequired,
    'data-example': example,
    'aria-describedby': example === undefined ? undefined : `${id}-example`,
  }
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const
  if (kind === 'lines') return <textarea {...shared} {...plain} rows={3} />
  if (kind === 'choice') {
    return (
      <select {...shared}>
        <option value="">{control.isRequired ? 'choose one' : 'not sent'}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    )
  }
  // A browser must not save a password that a user types to try an operation.
  const secret = { type: 'password', autocomplete: 'one-time-code' } as const
  return (
    <input
      {...shared}
      {...plain}
      {...(kind === 'secret' ? secret : { type: 'text', inputmode: kind === 'number' ? 'decimal' : undefined })}
    />
  )
}

/** A form that `src/pages/script/send-requests.js` sends. Without the script it is hidden and sends nothing. */
const SendForm = ({ operation, action }: { readonly operation: ReferenceOperation; readonly action: string }) => {
  const { id, method, controls, takesToken } = operation
  const hasExamples = controls.some(({ example }) => example !== undefined)
  return (
    <form class="fields" method={method} action={action} data-send data-takes-token={takesToken ? '' : undefined}>
      {controls.map((control) => (
        <div class="field" key={control.name}>
          <label for={`${id}-${control.name}`}>{control.name}</label>
          <Control id={`${id}-${control.name}`} control={control} />
          {control.example !== undefined && (
            <span class="hint" id={`${id}-${control.name}-example`}>
              Example: <code>{control.example}</code>
            </span>
          )}
        </div>
      ))}
      {controls.length > 0 && <p class="soft">Empty fields are not sent.</p>}
      <div class="buttons">
        <button type="submit" class="main">
          Send {method} {operation.path}
        </button>
        {hasExamples && (
          <button type="button" data-fill>
            Fill in the example
          </button>
        )}
      </div>
      <div class="response" role="status" aria-label={`Response of ${method} ${operation.path}`} />
    </form>
  )
}
