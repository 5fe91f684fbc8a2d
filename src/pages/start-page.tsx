import { PageHeader } from './components.tsx'
import type { AboutServer, PageRequest, PageRoute, ShownPage } from './page.ts'

/** `/`: describes this server and links to its pages. The web app replaces it where it is enabled. */
export const startPage: PageRoute = {
  path: '/',
  get: (request, { about }) => showStart(request, about),
}

const showStart = ({ site, signedIn }: PageRequest, about: AboutServer): ShownPage => {
  const ways = [
    signedIn === undefined
      ? { path: '/account', name: 'Sign in', about: 'Your sessions, apps, tokens and password.' }
      : { path: '/account', name: 'Your account', about: 'Sessions, apps, tokens and password.' },
    { path: '/docs', name: 'API reference', about: 'Every operation, with requests that can be sent.' },
    { path: '/openapi.yaml', name: 'openapi.yaml', about: 'The contract, for tools and generators of clients.' },
  ]
  return {
    title: 'Start',
    content: (
      <>
        <PageHeader title="A thingsync server">
          It keeps things (notes and bookmarks with tags) in step across devices that are often offline.
        </PageHeader>
        <ul class="tiles">
          {ways.map(({ path, name, about }) => (
            <li key={path}>
              <a class="tile" href={site.href(path)}>
                <strong>{name}</strong>
                <span>{about}</span>
              </a>
            </li>
          ))}
        </ul>
        <section class="sheet" aria-labelledby="connect">
          <h2 id="connect">Connect an app</h2>
          <dl class="facts">
            <div>
              <dt>Base URL</dt>
              <dd>
                <code>{site.baseUrl}</code>
              </dd>
            </div>
            <div>
              <dt>Server</dt>
              <dd>thingsync {about.version}</dd>
            </div>
            <div>
              <dt>Contract</dt>
              <dd>
                <a href={site.href('/openapi.yaml')}>openapi.yaml</a> {about.contractVersion}
              </dd>
            </div>
          </dl>
          <p>
            With a token from <a href={site.href('/account/tokens')}>your account</a> in <code>TOKEN</code>, this
            downloads everything:
          </p>
          <pre tabindex={0}>{`curl -sS -H "Authorization: Bearer $TOKEN" ${site.baseUrl}sync`}</pre>
        </section>
      </>
    ),
  }
}
