import { Head } from './form-parts.tsx'
import type { PageRoute } from './page.ts'
import { readStyle } from './read-style.ts'
import { FieldList, Prose } from './reference/field-list.tsx'

/** `/docs/shapes`: the objects that operations take and answer, told once. With them `/docs` would be too heavy. */
export const docsShapesPage: PageRoute = {
  path: '/docs/shapes',
  get: async ({ site }) => {
    const { reference } = await import('../../generated/reference.ts')
    return {
      title: 'Shapes',
      style: await readStyle(['reference.css']),
      content: (
        <>
          <Head title="Shapes">The objects that operations of the API take and answer.</Head>
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
