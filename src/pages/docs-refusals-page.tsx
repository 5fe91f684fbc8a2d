import { Head } from './form-parts.tsx'
import type { PageRoute } from './page.ts'
import { readStyle } from './read-style.ts'
import { Prose } from './reference/field-list.tsx'
import { Examples } from './reference/operation-section.tsx'

/** `/docs/refusals`: how operations refuse, told once for all of them. With it `/docs` would be too heavy. */
export const docsRefusalsPage: PageRoute = {
  path: '/docs/refusals',
  get: async ({ site }) => {
    const { reference } = await import('../../generated/reference.ts')
    return {
      title: 'Refusals',
      style: await readStyle(['reference.css']),
      content: (
        <>
          <Head title="Refusals">What operations of the API answer when they refuse.</Head>
          <p>
            <a href={site.href('/docs')}>Back to the reference</a>
          </p>
          {reference.refusals.map(({ status, name, aboutHtml, examples }) => (
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
