import { AccountError } from '../accounts/names.ts'
import { ApiError } from '../api-error.ts'
import { StoreError } from '../store/store.ts'
import { PageHeader } from './components.tsx'
import type { PageRequest, ShownPage } from './page.ts'

/** The content of an error page: what happened, and what to do. */
export interface PageErrorDetails {
  readonly status: number
  readonly title: string
  readonly happened: string
  readonly advice: string
}

const pageErrors = {
  unknown: {
    status: 404,
    title: 'Page not found',
    happened: 'There is no page at this URL, or your account has no access to it.',
    advice: 'Check the URL, or go to the start page.',
  },
  method: {
    status: 405,
    title: 'Method not allowed',
    happened: 'The request used a method that this page does not support.',
    advice: 'Open the page from a link.',
  },
  strange: {
    status: 403,
    title: 'This form was sent by another site',
    happened: 'The request came from a page of another site. Nothing was changed.',
    advice: 'If you want to do this, open the page on this server and send its form.',
  },
  stale: {
    status: 403,
    title: 'This form has expired',
    happened: 'You signed in or out after the page was loaded, or your browser blocks cookies. Nothing was changed.',
    advice: 'Go back, reload the page, and send the form again. Allow cookies for this site.',
  },
  type: {
    status: 415,
    title: 'This form cannot be read',
    happened: 'The content type must be application/x-www-form-urlencoded. Nothing was changed.',
    advice: 'Open the page in a browser and send its form.',
  },
} as const satisfies Record<string, PageErrorDetails>

/** Thrown by pages; one function turns it into an error page. */
export class PageError extends Error {
  override readonly name = 'PageError'
  readonly details: PageErrorDetails
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: keyof typeof pageErrors | PageErrorDetails, headers: Readonly<Record<string, string>> = {}) {
    const details = typeof kind === 'string' ? pageErrors[kind] : kind
    super(details.happened)
    this.details = details
    this.headers = headers
  }
}

const titles: Readonly<Record<number, string>> = {
  413: 'Too much data',
  429: 'Too many attempts',
  503: 'The server is not available now',
}

const advices: Readonly<Record<number, string>> = {
  413: 'Go back and send less.',
  429: 'Wait a moment, then try again.',
  503: 'Try again in a minute. If it happens again, tell the administrator of the server. The disk may be full.',
}

const hostAdvice =
  'Open this server by its name or IP address. If you did, a proxy changes the Host header: tell the administrator.'

/** Two users may do the same at once, so the offer of the page may be outdated. */
const changedMeanwhile = 'Another user may have changed it meanwhile. Go back and reload the page.'

/** Converts an error into an error page; undefined for a bug. */
export const toPageError = (error: unknown): PageError | undefined => {
  if (error instanceof PageError) return error
  if (error instanceof StoreError) return toPageError(new ApiError('storeUnavailable'))
  if (error instanceof AccountError) {
    const happened = `${describeAccountError(error)} Nothing was changed.`
    return new PageError({ status: 409, title: 'This is not possible', happened, advice: changedMeanwhile })
  }
  if (!(error instanceof ApiError)) return undefined
  const { status, message, details, kind } = error
  const headers: Record<string, string> = {}
  if (status === 429) headers['retry-after'] = String(details.retryAfterSeconds)
  if (status === 503) headers['retry-after'] = '30'
  const title = titles[status] ?? 'This is not possible'
  const advice = kind === 'hostInvalid' ? hostAdvice : (advices[status] ?? 'Go back, correct it, and try again.')
  return new PageError({ status, title, happened: `${message}.`, advice }, headers)
}

/** The error page of a bug. */
export const internalError: PageErrorDetails = {
  status: 500,
  title: 'Internal server error',
  happened: 'The server failed to create this page. The server log has the details.',
  advice: 'Try again. If it happens again, tell the administrator of the server.',
}

/** The sentences about wrong fields of a form, by field name. */
export type FieldErrors = Readonly<Record<string, string>>

// The parts of sentences that name commands, which pages must not show.
const commandHints = / or use "user .*$| with "user promote NAME"$|; "(user|app) list".*$|; "user invitations".*$/s

/** Adapts the sentence of an AccountError for a page: without hints at commands, and as a full sentence. */
export const describeAccountError = ({ sentence }: AccountError): string => {
  const shown = sentence.replace(commandHints, '')
  return `${shown.charAt(0).toUpperCase()}${shown.slice(1)}.`
}

const fieldOf = (sentence: string): string => {
  if (sentence.startsWith('the password')) return 'password'
  return /redirect URI/.test(sentence) ? 'redirect_uris' : 'name'
}

/**
 * Runs the work of a form; turns an AccountError into the errors of its fields.
 * @throws what the work throws, except AccountError
 */
export const tryForm = async <T,>(
  work: () => Promise<T>,
): Promise<{ readonly done: T } | { readonly wrongs: FieldErrors }> => {
  try {
    return { done: await work() }
  } catch (error) {
    if (error instanceof AccountError) return { wrongs: { [fieldOf(error.sentence)]: describeAccountError(error) } }
    throw error
  }
}

/** Shows an error page: what happened, what to do, and a link to continue. */
export const showPageError = (
  { status, title, happened, advice }: PageErrorDetails,
  headers: Readonly<Record<string, string>>,
  { site, signedIn }: Pick<PageRequest, 'site' | 'signedIn'>,
): ShownPage => ({
  status,
  title,
  headers,
  isNarrow: true,
  content: (
    <>
      <PageHeader title={title} />
      <div class="sheet">
        <p>{happened}</p>
        <p>{advice}</p>
        <div class="buttons">
          <a class="button" href={site.href(signedIn === undefined ? '/' : '/account')}>
            {signedIn === undefined ? 'Go to the start page' : 'Go to my account'}
          </a>
        </div>
      </div>
    </>
  ),
})
