import { Head } from './form-parts.tsx'
import type { PageRoute } from './page.ts'
import { PageRefused } from './page-refused.ts'
import { readStyle } from './read-style.ts'
import { AccessToken } from './reference/access-token.tsx'
import { writeCurlLines } from './reference/curl-lines.ts'
import { SendForm } from './reference/send-form.tsx'

/**
 * `/docs/try/OPERATION`: a form that sends an operation. The script of `/docs` takes the form from here when somebody opens
 * it there; all of them would make `/docs` heavy.
 */
export const docsTryPage: PageRoute = {
  path: '/docs/try/:id',
  get: async ({ params, site }) => {
    const { reference } = await import('../../generated/reference.ts')
    const operation = reference.groups
      .flatMap(({ operations }) => operations)
      .find(({ id, isEndless }) => id === params.id && !isEndless)
    if (operation === undefined) throw new PageRefused('unknown')
    const { id, method, path, summary, takesToken } = operation
    return {
      title: `Send ${method} ${path}`,
      style: await readStyle(['reference.css']),
      script: '/docs/send-requests.js',
      content: (
        <>
          <Head title={`${method} ${path}`}>{summary}, from this page.</Head>
          <p>
            <a href={`${site.href('/docs')}#${id}`}>Back to the reference</a>
          </p>
          <section class="sheet" aria-label="By command" data-without-script>
            <p>With JavaScript on, it can be sent from this page; and with this command from a shell.</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
            <pre tabIndex={0}>{writeCurlLines(operation, site.baseUrl)}</pre>
          </section>
          {takesToken && (
            <AccessToken>
              The request acts on the account that the token belongs to. The token stays in this page and is forgotten
              when you leave it. Make one for yourself under <a href={site.href('/account/tokens')}>Access tokens</a>.
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
