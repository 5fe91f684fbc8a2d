import { writeCurlLines } from './curl-lines.ts'
import { FieldList, Prose, type ToShape, TypeName } from './field-list.tsx'
import type { ReferenceAnswer, ReferenceBody, ReferenceExample, ReferenceOperation } from './reference.ts'

/** Texts as they go over the wire, each with what it shows. */
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

const Answer = ({ answer, toShape }: { readonly answer: ReferenceAnswer; readonly toShape: ToShape }) => (
  <div class="outcome">
    <h4>
      <code>{answer.status}</code>{' '}
      {answer.shape !== undefined && (
        <span class="soft">
          <TypeName type={answer.shape} shape={answer.shape} toShape={toShape} />
        </span>
      )}
    </h4>
    <Prose html={answer.aboutHtml} />
    <Examples examples={answer.examples} />
  </div>
)

const takesSomething = ({ query, bodies }: ReferenceOperation): boolean => query.length > 0 || bodies.length > 0

/** One operation: what it does, takes and answers, code for it, and the way to a form that sends it. */
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
  const { id, method, path, summary, query, bodies, answers, refusals, samples } = operation
  const toShape: ToShape = (shape) => href(`/docs/shapes#${shape}`)
  return (
    <section class="sheet operation" aria-labelledby={id}>
      <h3 id={id}>
        <a href={`#${id}`}>
          <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
        </a>
        <span class="title">{summary}</span>
      </h3>
      <Prose html={operation.aboutHtml} />
      {!operation.takesToken && <p class="soft">Takes no access token.</p>}
      {takesSomething(operation) && (
        <details>
          <summary>What it takes</summary>
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
      <details>
        <summary>What it answers</summary>
        {answers.map((answer) => (
          <Answer key={answer.status} answer={answer} toShape={toShape} />
        ))}
        {refusals.length > 0 && (
          <ul class="soft inline" aria-label="Refusals">
            {refusals.map(({ status, name }) => (
              <li key={name}>
                <a href={href(`/docs/refusals#${name}`)}>
                  {status} {name}
                </a>
              </li>
            ))}
          </ul>
        )}
      </details>
      <details>
        <summary>Code</summary>
        <figure class="example">
          <figcaption class="soft">curl</figcaption>
          <pre tabindex={0}>{writeCurlLines(operation, baseUrl)}</pre>
        </figure>
        {samples.length > 0 && (
          <p>
            <a href={href(`/docs/code/${id}`)}>The same in {samples.map(({ label }) => label).join(', ')}</a>
          </p>
        )}
      </details>
      {!operation.isEndless && (
        <details data-needs-script hidden>
          <summary>Send it</summary>
          <p>
            <a href={href(`/docs/try/${id}`)} data-form>
              Its form
            </a>
          </p>
        </details>
      )}
    </section>
  )
}
