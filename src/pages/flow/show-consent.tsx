import type { AuthorizeRequest } from '../../oauth/judge-authorize.ts'
import { policySourceOf } from '../../oauth/redirect-uri.ts'
import { Head, Note, PostForm } from '../form-parts.tsx'
import type { ShownPage, SignedInRequest } from '../page.ts'
import { forPopups } from './popup.ts'
import type { KnownApp } from './read-authorize.ts'

/** Where the browser goes next, in words. */
const describePlace = (redirectUri: string): string => {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (protocol !== 'http:' && protocol !== 'https:')
    return `the program on this device that opens ${protocol} addresses`
  const isLoopback = protocol === 'http:' && /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(hostname)
  return isLoopback ? `a program on this computer (${host})` : host
}

/** Who registered an app. They are said in different words: a person may have any name. */
export type Registrant =
  | { readonly kind: 'operator' }
  /** Without a name: somebody who was removed. */
  | { readonly kind: 'person'; readonly name: string | undefined }

/** What there is to know before a person allows an app in. */
export interface ConsentQuestion {
  readonly request: AuthorizeRequest<KnownApp>
  readonly registrant: Registrant
  /** The request, for the form to pass on, and to be asked again after a sign-in as somebody else. */
  readonly query: string
}

/** The consent page (contract, the web flow): who asks, for what, in whose name, and where the browser goes next. */
export const showConsent = (page: SignedInRequest, { request, registrant, query }: ConsentQuestion): ShownPage => {
  const { name } = request.app.app
  const { userName } = page.signedIn
  return {
    title: `Allow ${name}?`,
    isNarrow: true,
    isAlone: true,
    headers: forPopups,
    formTargets: [policySourceOf(request.redirectUri)],
    content: (
      <>
        <Head title={`Allow ${name}?`}>It asks for access to your account.</Head>
        <section class="sheet" aria-label="What is asked">
          <dl class="facts">
            <div>
              <dt>App</dt>
              <dd>
                <strong>
                  <bdi>{name}</bdi>
                </strong>
              </dd>
            </div>
            <div>
              <dt>Registered by</dt>
              {registrant.kind === 'operator' ? (
                <dd>
                  <em>the operator of this server</em>
                </dd>
              ) : (
                <dd>
                  {registrant.name === undefined ? (
                    'a person whose account is not here any more'
                  ) : (
                    <>
                      a person with an account here, “<bdi>{registrant.name}</bdi>”
                    </>
                  )}
                </dd>
              )}
            </div>
            <div>
              <dt>Your account</dt>
              <dd>
                <bdi>{userName}</bdi>
              </dd>
            </div>
            <div>
              <dt>It may</dt>
              <dd>
                read, change and delete all your things and tag settings, until you end it on your account page. It does
                not see your password.
              </dd>
            </div>
            <div>
              <dt>You go next to</dt>
              <dd>{describePlace(request.redirectUri)}</dd>
            </div>
          </dl>
          {registrant.kind === 'person' && registrant.name !== userName && (
            <Note kind="heed">Anybody with an account here can register an app. Allow only what you know.</Note>
          )}
          <PostForm request={page} to="/authorize">
            <input type="hidden" name="request" value={query} />
            <input type="hidden" name="app_name" value={name} />
            <div class="buttons">
              <button type="submit" name="decision" value="allow" class="main">
                Allow
              </button>
              <button type="submit" name="decision" value="deny">
                Deny
              </button>
            </div>
          </PostForm>
        </section>
        <PostForm request={page} to="/sign-out" class="foot">
          <input type="hidden" name="next" value={`/authorize?${query}`} />
          <button type="submit" class="plain">
            {`I am not ${userName}`}
          </button>
        </PostForm>
      </>
    ),
  }
}
