import { PostForm } from './form-parts.tsx'
import type { PageRequest, ShownPage, SignedIn } from './page.ts'

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%231f5fa8' stroke-width='2.6' stroke-linecap='round'%3E%3Cpath d='M4 9a8.5 8.5 0 0 1 15-1.5M20 15a8.5 8.5 0 0 1-15 1.5M19.5 3v4.8h-4.8M4.500 21v-4.8h4.8'/%3E%3C/svg%3E"

const Mark = () => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2.4"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d="M4 9a8.5 8.5 0 0 1 15-1.5M20 15a8.5 8.5 0 0 1-15 1.5M19.5 3v4.8h-4.8M4.500 21v-4.8h4.800" />
  </svg>
)

const accountPages = [
  ['/account', 'Account'],
  ['/account/sessions', 'Sessions'],
  ['/account/apps', 'Apps'],
  ['/account/tokens', 'Tokens'],
  ['/account/delivery', 'Delivery'],
  ['/account/password', 'Password'],
] as const

const adminPages = [['/admin', 'Admin']] as const

const Navigation = ({ request, signedIn }: { readonly request: PageRequest; readonly signedIn: SignedIn }) => {
  const pages = signedIn.isAdmin ? [...accountPages, ...adminPages] : accountPages
  const isHere = (path: string) =>
    path === '/account' ? request.path === path : request.path === path || request.path.startsWith(`${path}/`)
  return (
    <nav class="nav" aria-label="Pages">
      <ul>
        {pages.map(([path, name]) => (
          <li key={path}>
            <a href={request.site.href(path)} aria-current={isHere(path) ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** A whole page around what is shown: title, navigation, and who is signed in. */
export const Layout = ({
  page,
  request,
  css,
}: {
  readonly page: ShownPage
  readonly request: PageRequest
  readonly css: string
}) => {
  const { signedIn, site } = request
  const isPerson = signedIn !== undefined && page.isAlone !== true
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{`${page.title} · thingsync`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {page.description === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          <meta name="description" content={page.description} />
        )}
        <link rel="icon" href={icon} />
        <style dangerouslySetInnerHTML={{ __html: css }} />
        {page.style !== undefined && <style dangerouslySetInnerHTML={{ __html: page.style.css }} />}
        {page.script !== undefined && <script type="module" src={site.href(page.script)} />}
      </head>
      <body>
        <a class="skip" href="#content">
          To the content
        </a>
        <header class="top">
          <div class="top-row">
            <a class="mark" href={site.href('/')}>
              <Mark />
              thingsync
            </a>
            {isPerson && (
              <div class="who">
                <span>{signedIn.userName}</span>
                <PostForm request={request} to="/sign-out" class="">
                  <button type="submit" class="plain">
                    Sign out
                  </button>
                </PostForm>
              </div>
            )}
          </div>
          {isPerson && <Navigation request={request} signedIn={signedIn} />}
        </header>
        <main id="content" class={page.isNarrow === true ? 'page narrow' : 'page'}>
          {page.content}
        </main>
      </body>
    </html>
  )
}
