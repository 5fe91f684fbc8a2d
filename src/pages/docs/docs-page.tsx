import { renderToString } from 'preact-render-to-string'
import { PageHeader } from '../components.tsx'
import type { PageRoute, ShownPage } from '../page.ts'
import { readStyle } from '../render-page.tsx'
import type { Site } from '../site.ts'
import { AccessToken, Examples, FieldList, OperationSection, Prose } from './operation.tsx'
import type { Reference } from './reference.ts'

/**
 * Creates `/docs`, the API reference. The reference is loaded at the first request. The page keeps the last rendered
 * HTML, because nearly all requests use the same base URL.
 */
export const createDocsPage = (): PageRoute => {
  let last: { readonly baseUrl: string; readonly page: Promise<ShownPage> } | undefined
  return {
    path: '/docs',
    get: ({ site }) => {
      if (last?.baseUrl !== site.baseUrl) last = { baseUrl: site.baseUrl, page: showReference(site) }
      return last.page
    },
  }
}

const showReference = async ({ baseUrl, href }: Site): Promise<ShownPage> => {
  const { reference } = await import('../../../generated/reference.ts')
  const html = renderToString(<ReferenceContent reference={reference} baseUrl={baseUrl} href={href} />)
  return {
    title: 'API reference',
    style: await readStyle(['reference.css']),
    script: '/docs/send-requests.js',
    content: <div dangerouslySetInnerHTML={{ __html: html }} />,
  }
}

type ToHref = (path: string) => string

const Contents = ({ reference, href }: { readonly reference: Reference; readonly href: ToHref }) => (
  <nav class="contents" aria-label="Contents">
    <details open>
      <summary>Contents</summary>
      <div class="list">
        <p>Overview</p>
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
                    <span class={`method ${method.toLowerCase()}`}>{method}</span> {path}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p>More</p>
        <ul>
          <li>
            <a href={href('/docs/errors')}>Errors</a>
          </li>
          <li>
            <a href={href('/docs/schemas')}>Schemas</a>
          </li>
        </ul>
      </div>
    </details>
  </nav>
)

/** The documents that the page contains. */
const Documents = ({ href }: { readonly href: ToHref }) => (
  <ul class="soft inline">
    {['/openapi.yaml', '/openapi.json', '/openapi.sdk.yaml', '/openapi.sdk.json'].map((path) => (
      <li key={path}>
        <a href={href(path)}>{path.slice(1)}</a>
      </li>
    ))}
  </ul>
)

/** The whole reference. `href` adds the path prefix to a path of this server; `baseUrl` ends in `/v1/`. */
const ReferenceContent = ({
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
    <div class="text">
      <div class="head">
        <h1>{reference.title}</h1>
        <p>
          Version {reference.version} of the API of this server. Base URL: <code>{baseUrl}</code>
        </p>
        <Documents href={href} />
      </div>
      <p class="note" data-without-script>
        With JavaScript on, you can send requests from this page. Without it, use the shell command of each operation
        with an <a href={href('/account/tokens')}>access token</a>.
      </p>
      <Prose html={reference.aboutHtml} class="sheet prose" />
      <AccessToken>
        “Try it” below each operation sends a request to the account of this token. The token stays in this page and is
        removed when you leave it. Create one under <a href={href('/account/tokens')}>Access tokens</a> and paste it
        here, or use <a href="#grantToken">POST /token</a>, which fills in this field.
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

/** `/docs/errors`: the errors of all operations. They would make `/docs` too large. */
export const docsErrorsPage: PageRoute = {
  path: '/docs/errors',
  get: async ({ site }) => {
    const { reference } = await import('../../../generated/reference.ts')
    return {
      title: 'Errors',
      style: await readStyle(['reference.css']),
      content: (
        <>
          <PageHeader title="Errors">The error responses of the operations of the API.</PageHeader>
          <p>
            <a href={site.href('/docs')}>Back to the reference</a>
          </p>
          {reference.errors.map(({ status, name, aboutHtml, examples }) => (
            <section class="sheet outcome" key={name} id={name} aria-label={name}>
              <h2>
                <code>{status}</code> {name}
              </h2>
              <Prose html={aboutHtml} />
              <Examples examples={examples} />
            </section>
          ))}
        </>
      ),
    }
  },
}

/** `/docs/schemas`: the objects in requests and responses. They would make `/docs` too large. */
export const docsSchemasPage: PageRoute = {
  path: '/docs/schemas',
  get: async ({ site }) => {
    const { reference } = await import('../../../generated/reference.ts')
    return {
      title: 'Schemas',
      style: await readStyle(['reference.css']),
      content: (
        <>
          <PageHeader title="Schemas">The objects in requests and responses of the API.</PageHeader>
          <p>
            <a href={site.href('/docs')}>Back to the reference</a>
          </p>
          {reference.shapes.map(({ name, aboutHtml, fields }) => (
            <section class="sheet" key={name} id={name} aria-label={name}>
              <h2>
                <code>{name}</code>
              </h2>
              <Prose html={aboutHtml} />
              <FieldList fields={fields} toShape={(shape) => `#${shape}`} />
            </section>
          ))}
        </>
      ),
    }
  },
}
