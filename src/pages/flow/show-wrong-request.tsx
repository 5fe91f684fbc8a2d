import { Head } from '../form-parts.tsx'
import type { ShownPage } from '../page.ts'
import type { Verdict } from './read-authorize.ts'

/** The page for a request that must not lead anywhere: what happened, for the person, and why, for the app's developer. */
export const showWrongRequest = ({
  parameter,
  reason,
}: Extract<Verdict, { readonly kind: 'refusedHere' }>): ShownPage => ({
  status: 400,
  title: 'This app cannot be let in',
  isNarrow: true,
  isAlone: true,
  content: (
    <>
      <Head title="This app cannot be let in" />
      <section class="sheet" aria-label="What went wrong">
        <p>
          The app that sent you here did not say properly who it is, or where it wants you back. It was told nothing.
        </p>
        <p>Go back to the app and try again. If it happens again, tell the people who make it.</p>
        <p>
          For them: <code>{parameter}</code> {reason}.
          {parameter === 'redirect_uri' && ' It has to be, letter by letter, one that the app is registered with.'}
        </p>
      </section>
    </>
  ),
})
