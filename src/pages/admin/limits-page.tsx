import { Head } from '../form-parts.tsx'
import { forAdmin } from '../guards.ts'
import type { PageRoute } from '../page.ts'

/** `/admin/limits`: what is set. It is changed where the server is started, not here. */
export const limitsPage: PageRoute = {
  path: '/admin/limits',
  get: forAdmin((_request, { about }) => ({
    title: 'Limits',
    content: (
      <>
        <Head title="Limits">
          So that nobody can stop the others. What is a setting is changed where the server is started: “thingsync
          config” shows the names.
        </Head>
        <section class="sheet" aria-label="Limits">
          <dl class="facts">
            {about.limits.map(({ name, value, note }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <strong>{value}</strong> <span class="soft">{note}</span>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      </>
    ),
  })),
}
