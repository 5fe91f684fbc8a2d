import { Head } from '../form-parts.tsx'
import { forAdmin } from '../guards.ts'
import type { PageRoute } from '../page.ts'

/** `/admin`: what an admin can do. */
export const adminPage: PageRoute = {
  path: '/admin',
  get: forAdmin(async ({ site }, { store, about }) => {
    const [users, apps] = await Promise.all([store.registry.listUsers(), store.registry.listApps()])
    const disabled = users.filter(({ disabledAt }) => disabledAt !== undefined).length
    const tiles = [
      [
        '/admin/people',
        'People',
        `${users.length.toLocaleString('en')} in all${disabled === 0 ? '' : `, ${disabled} disabled`}`,
        about.isRegistrationOpen ? 'Everybody may register.' : 'Registration is closed; invite whom you like.',
      ],
      ['/admin/apps', 'Apps', `${apps.length.toLocaleString('en')} registered`, 'Whose they are, and where they lead.'],
      ['/admin/limits', 'Limits', 'What one client may ask for', 'As they are set now.'],
      ['/admin/store', 'Store', 'What keeps the data', 'Whether it takes writes, and what it holds.'],
    ] as const
    return {
      title: 'Admin',
      content: (
        <>
          <Head title="Admin">This server is yours to run. Commands can do the same: “thingsync --help”.</Head>
          <ul class="tiles">
            {tiles.map(([path, name, number, sentence]) => (
              <li key={path}>
                <a class="tile" href={site.href(path)}>
                  <strong>{name}</strong>
                  {number}
                  <span>{sentence}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      ),
    }
  }),
}
