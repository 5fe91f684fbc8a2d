import { AccessToken } from './access-token.tsx'
import { Prose } from './field-list.tsx'
import { OperationSection } from './operation-section.tsx'
import type { Reference } from './reference.ts'

type ToHref = (path: string) => string

const Contents = ({ reference, href }: { readonly reference: Reference; readonly href: ToHref }) => (
  <nav class="contents" aria-label="Contents">
    <p>Read</p>
    <ul>
      {reference.headings.map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
    {reference.groups.map(({ name, operations }) => (
      <div key={name}>
        <p>{name}</p>
        <ul>
          {operations.map(({ id, method, path }) => (
            <li key={id}>
              <a href={`#${id}`}>
                <span class="method">{method}</span> {path}
              </a>
            </li>
          ))}
        </ul>
      </div>
    ))}
    <p>
      <a href={href('/docs/refusals')}>Refusals</a>
    </p>
    <p>
      <a href={href('/docs/shapes')}>Shapes</a>
    </p>
  </nav>
)

/** The documents of which the page is made. */
const Documents = ({ href }: { readonly href: ToHref }) => (
  <ul class="soft inline">
    {['/openapi.yaml', '/openapi.json', '/openapi.sdk.yaml', '/openapi.sdk.json'].map((path) => (
      <li key={path}>
        <a href={href(path)}>{path.slice(1)}</a>
      </li>
    ))}
  </ul>
)

/** The whole reference. `href` makes an address of a path of ours; `baseUrl` ends in `/v1/`. */
export const ReferenceContent = ({
  reference,
  baseUrl,
  href,
}: {
  readonly reference: Reference
  readonly baseUrl: string
  readonly href: ToHref
}) => (
  <div class="reference">
    <Contents reference={reference} href={href} />
    <div class="told">
      <div class="head">
        <h1>{reference.title}</h1>
        <p>
          The API of this server, version {reference.version}, below <code>{baseUrl}</code>
        </p>
        <Documents href={href} />
      </div>
      <p class="note" data-without-script>
        With JavaScript on, requests can be sent from this page. Without it each operation has a command for a shell,
        which needs an <a href={href('/account/tokens')}>access token</a>.
      </p>
      <Prose html={reference.aboutHtml} class="sheet prose" />
      <AccessToken>
        Each operation below can be sent from here; it acts on the account that the token belongs to. The token stays in
        this page and is forgotten when you leave it. Make one for yourself under{' '}
        <a href={href('/account/tokens')}>Access tokens</a> and paste it, or get one by{' '}
        <a href="#grantToken">POST /token</a>: its answer is put in here.
      </AccessToken>
      {reference.groups.map(({ name, aboutHtml, operations }) => (
        <section class="group" key={name} aria-labelledby={`group-${name}`}>
          <h2 id={`group-${name}`}>{name}</h2>
          <Prose html={aboutHtml} />
          {operations.map((operation) => (
            <OperationSection key={operation.id} operation={operation} baseUrl={baseUrl} href={href} />
          ))}
        </section>
      ))}
    </div>
  </div>
)
