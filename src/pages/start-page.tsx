import { type ListedPage, PageHeader, PageList } from './components.tsx'
import type { AboutServer, PageRequest, PageRoute, ShownPage } from './page.ts'

/** `/`: describes this server and links to its pages. The web app replaces it where it is enabled. */
export const startPage: PageRoute = {
  path: '/',
  get: (request, { about }) => showStart(request, about),
}

const showStart = ({ site, signedIn }: PageRequest, about: AboutServer): ShownPage => {
  const ways: readonly ListedPage[] = [
    signedIn === undefined
      ? ['/account', 'Sign in', 'Your sessions, apps, tokens and password.']
      : ['/account', 'Your account', 'Sessions, apps, tokens and password.'],
    ['/docs', 'API reference', 'Every operation, with examples and forms to try it.'],
    ['/openapi.yaml', 'openapi.yaml', 'The OpenAPI document, for tools and client generators.'],
  ]
  return {
    title: 'Start',
    content: (
      <>
        <PageHeader title="thingsync server">
          Syncs notes, bookmarks and to-dos between your devices, online and offline.
        </PageHeader>
        <section class="sheet" aria-label="Pages">
          <PageList site={site} pages={ways} />
        </section>
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
              <dt>API</dt>
              <dd>
                <a href={site.href('/openapi.yaml')}>openapi.yaml</a> {about.contractVersion}
              </dd>
            </div>
          </dl>
          <p>
            Create a token in <a href={site.href('/account/tokens')}>your account</a> and store it in <code>TOKEN</code>
            . This command then downloads everything:
          </p>
          <pre tabindex={0}>{`curl -sS -H "Authorization: Bearer $TOKEN" ${site.baseUrl}sync`}</pre>
        </section>
      </>
    ),
  }
}
