import { Head } from './form-parts.tsx'
import type { PageRoute } from './page.ts'
import { PageRefused } from './page-refused.ts'

/** Its samples begin a program: what is imported, and how the access token is got. All others go on from there. */
const opening = 'grantToken'

const Code = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  <pre tabIndex={0}>{text}</pre>
)

/** `/docs/code/OPERATION`: code that calls an operation, in the languages of the SDKs. All of it would make `/docs` heavy. */
export const docsCodePage: PageRoute = {
  path: '/docs/code/:id',
  get: async ({ params, site }) => {
    const { reference } = await import('../../generated/reference.ts')
    const operations = reference.groups.flatMap((group) => group.operations)
    const operation = operations.find(({ id }) => id === params.id)
    if (operation === undefined || operation.samples.length === 0) throw new PageRefused('unknown')
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
          <Head title={`${method} ${path}`}>{summary}, in each language that has an SDK.</Head>
          <p>
            <a href={`${site.href('/docs')}#${id}`}>Back to the reference</a>
          </p>
          {samples.map(({ label, source }) => (
            <section class="sheet" key={label} aria-label={label}>
              <h2>{label}</h2>
              {openings.has(label) && (
                <>
                  <p class="soft">Once, at the beginning:</p>
                  <Code text={openings.get(label) ?? ''} />
                  <p class="soft">Then, as often as you like:</p>
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
