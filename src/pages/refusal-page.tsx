import { Head } from './form-parts.tsx'
import type { PageRequest, ShownPage } from './page.ts'
import type { Refusal } from './page-refused.ts'

/** What happened, what to do, and a way on. */
export const showRefusal = (
  { status, title, happened, advice }: Refusal,
  headers: Readonly<Record<string, string>>,
  { site, signedIn }: Pick<PageRequest, 'site' | 'signedIn'>,
): ShownPage => ({
  status,
  title,
  headers,
  isNarrow: true,
  content: (
    <>
      <Head title={title} />
      <div class="sheet">
        <p>{happened}</p>
        <p>{advice}</p>
        <div class="buttons">
          <a class="button" href={site.href(signedIn === undefined ? '/' : '/account')}>
            {signedIn === undefined ? 'To the start page' : 'To my account'}
          </a>
        </div>
      </div>
    </>
  ),
})
