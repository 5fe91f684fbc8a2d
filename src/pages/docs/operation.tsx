import type { ComponentChildren } from 'preact'
import type {
  ReferenceBody,
  ReferenceExample,
  ReferenceField,
  ReferenceOperation,
  ReferenceResponse,
} from './reference.ts'

/** Text of the document as HTML. The generator of the reference made it; nothing in it comes from a request. */
export const Prose = ({ html, class: className = 'prose' }: { readonly html: string; readonly class?: string }) =>
  html === '' ? null : <div class={className} dangerouslySetInnerHTML={{ __html: html }} />

/** Builds the URL of a shape from its name. */
type ToShape = (shape: string) => string

/** A type in words; its shape links to the page of shapes. */
const TypeName = ({
  type,
  shape,
  toShape,
}: {
  readonly type: string
  readonly shape?: string | undefined
  readonly toShape: ToShape
}) => {
  if (shape === undefined) return <>{type}</>
  return (
    <>
      {type.slice(0, type.length - shape.length)}
      <a href={toShape(shape)}>{shape}</a>
    </>
  )
}

/** A list of parameters or members, one below the other, so that it fits narrow pages. */
export const FieldList = ({
  fields,
  toShape,
}: {
  readonly fields: readonly ReferenceField[]
  readonly toShape: ToShape
}) => (
  <dl class="members">
    {fields.map(({ name, isRequired, type, shape, aboutHtml }) => (
      <div key={name}>
        <dt>
          <code>{name}</code>{' '}
          <span class="soft">
            <TypeName type={type} shape={shape} toShape={toShape} />
          </span>
          {isRequired && (
            <>
              {' '}
              <span class="tag">required</span>
            </>
          )}
        </dt>
        <dd>
          <Prose html={aboutHtml} />
        </dd>
      </div>
    ))}
  </dl>
)

const quote = (text: string): string => (/^[\w.=:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/**
 * Formats the command that sends an operation with its first example or its required values; the token is in `$TOKEN`.
 */
export const writeCurlLines = (
  { method, path, takesToken, isEndless, controls }: ReferenceOperation,
  baseUrl: string,
): string => {
  const given = controls.filter(({ isRequired, example }) => isRequired || example !== undefined)
  const fields = given.map(({ name, example = '…' }) => `--data-urlencode ${quote(`${name}=${example}`)}`)
  const isGet = method === 'GET'
  return [
    `curl -sS${isEndless ? 'N' : ''}${isGet && fields.length > 0 ? ' -G' : ''}${!isGet && fields.length === 0 ? ' -X POST' : ''}`,
    ...(takesToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...fields,
    quote(`${baseUrl.replace(/\/$/, '')}${path}`),
  ].join(' \\\n  ')
}

/** The field for the access token of the forms on a page; `src/pages/script/send-requests.js` shows it. */
export const AccessToken = ({ children }: { readonly children: ComponentChildren }) => (
  <section class="sheet" aria-labelledby="your-token" data-needs-script hidden>
    <h2 id="your-token">Your access token</h2>
    <p>{children}</p>
    <form class="fields">
      <div class="field">
        <label for="access-token">Access token</label>
        <input
          id="access-token"
          type="password"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
        />
      </div>
    </form>
  </section>
)

/** A list of examples, as they go over the wire. */
export const Examples = ({ examples }: { readonly examples: readonly ReferenceExample[] }) => (
  <>
    {examples.map(({ summary, text }) => (
      <figure class="example" key={summary}>
        <figcaption class="soft">{summary}</figcaption>
        <pre tabindex={0}>{text}</pre>
      </figure>
    ))}
  </>
)

const Body = ({ body, toShape }: { readonly body: ReferenceBody; readonly toShape: ToShape }) => (
  <>
    <h4>
      Body: <code>{body.type}</code>
    </h4>
    <FieldList fields={body.fields} toShape={toShape} />
    <Examples examples={body.examples} />
  </>
)

const Response = ({ response, toShape }: { readonly response: ReferenceResponse; readonly toShape: ToShape }) => (
  <div class="outcome">
    <h4>
      <code>{response.status}</code>{' '}
      {response.shape !== undefined && (
        <span class="soft">
          <TypeName type={response.shape} shape={response.shape} toShape={toShape} />
        </span>
      )}
    </h4>
    <Prose html={response.aboutHtml} />
    <Examples examples={response.examples} />
  </div>
)

/** One operation: an example, its parameters, responses and errors, and links to code and to a form that sends it. */
export const OperationSection = ({
  operation,
  baseUrl,
  href,
}: {
  readonly operation: ReferenceOperation
  /** Ends in `/v1/`. */
  readonly baseUrl: string
  readonly href: (path: string) => string
}) => {
  const { id, method, path, summary, query, bodies, responses, errors, samples } = operation
  const toShape: ToShape = (shape) => href(`/docs/schemas#${shape}`)
  return (
    <section class="sheet operation" aria-labelledby={id}>
      <h3 id={id}>
        <a href={`#${id}`}>
          <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
        </a>
        <span class="title">{summary}</span>
      </h3>
      <Prose html={operation.aboutHtml} />
      {operation.isExtension && <p class="soft">Extension: other servers may not have this operation.</p>}
      {!operation.takesToken && <p class="soft">Needs no access token.</p>}
      <figure class="example">
        <figcaption class="soft">Example with curl</figcaption>
        <pre tabindex={0}>{writeCurlLines(operation, baseUrl)}</pre>
        {samples.length > 0 && (
          <p class="soft">
            <a href={href(`/docs/code/${id}`)}>The same in {samples.map(({ label }) => label).join(', ')}</a>
          </p>
        )}
      </figure>
      {(query.length > 0 || bodies.length > 0) && (
        <details open>
          <summary>Parameters</summary>
          {query.length > 0 && (
            <>
              <h4>Query</h4>
              <FieldList fields={query} toShape={toShape} />
            </>
          )}
          {bodies.map((body) => (
            <Body key={body.type} body={body} toShape={toShape} />
          ))}
        </details>
      )}
      <details open>
        <summary>Responses</summary>
        {responses.map((response) => (
          <Response key={response.status} response={response} toShape={toShape} />
        ))}
      </details>
      {errors.length > 0 && (
        <div class="errors">
          <h4>Errors</h4>
          <ul class="soft inline">
            {errors.map(({ status, name }) => (
              <li key={name}>
                <a href={href(`/docs/errors#${name}`)}>
                  {status} {name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
      {!operation.isEndless && (
        <details data-needs-script hidden>
          <summary>Try it</summary>
          <p>
            <a href={href(`/docs/try/${id}`)} data-form>
              Open the form
            </a>
          </p>
        </details>
      )}
    </section>
  )
}
