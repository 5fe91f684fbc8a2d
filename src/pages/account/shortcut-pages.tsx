import type { ComponentChildren } from 'preact'
import { CopyField, copyScript, PageHeader } from '../components.tsx'
import type { PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { forSignedIn } from '../signed-in.ts'

/** How a phone shares pages with the server, by an app that sends requests. */
interface Shortcut {
  readonly path: string
  readonly title: string
  readonly intro: ComponentChildren
  /** The steps before and after those with the values to copy. */
  readonly begin: readonly ComponentChildren[]
  /** Where the phone keeps URL, header and fields. */
  readonly request: readonly [url: ComponentChildren, header: ComponentChildren, body: ComponentChildren]
  readonly end: readonly ComponentChildren[]
}

const tokensPath = '/account/tokens'

const iphone: Shortcut = {
  path: `${tokensPath}/iphone`,
  title: 'Save from an iPhone or iPad',
  intro:
    'A shortcut of the Shortcuts app, which is part of iOS, saves what you share. It needs a token that may write.',
  begin: [
    <>
      Open <b>Shortcuts</b>, press <b>+</b>, and name the shortcut “Save to thingsync”.
    </>,
    <>
      Press the info button (i) and switch on <b>Show in Share Sheet</b>. As types, keep <b>URLs</b>,{' '}
      <b>Safari web pages</b> and <b>Text</b>.
    </>,
    <>
      Add the action <b>Get Contents of URL</b>, and open its details. Choose the method <b>POST</b>.
    </>,
  ],
  request: [
    'Paste this as the URL:',
    <>
      Add a header with the name <b>Authorization</b> and this value:
    </>,
    <>
      As the request body, choose <b>Form</b>. Add a text field with this name, and as its value choose{' '}
      <b>Shortcut Input</b>:
    </>,
  ],
  end: [
    <>
      Press <b>Done</b>. In any app, choose <b>Share</b>, then <b>Save to thingsync</b>.
    </>,
  ],
}

const android: Shortcut = {
  path: `${tokensPath}/android`,
  title: 'Save from an Android phone',
  intro: (
    <>
      Install the web app first: it is in the share menu of the phone then, and works offline. Without it, the free app{' '}
      <a href="https://http-shortcuts.rmy.ch/" rel="noopener noreferrer">
        HTTP Shortcuts
      </a>{' '}
      saves what you share. It needs a token that may write.
    </>
  ),
  begin: [
    <>
      In <b>HTTP Shortcuts</b>, open <b>Global Variables</b> and create a <b>Static</b> one with the name <b>shared</b>.
      Switch on <b>Allow Receiving Value from Share Dialog</b>, for text.
    </>,
    <>
      Create a regular HTTP shortcut with the name “Save to thingsync”. Choose the method <b>POST</b>.
    </>,
  ],
  request: [
    'Paste this as the URL:',
    <>
      Add a request header with the name <b>Authorization</b> and this value:
    </>,
    <>
      As the request body, choose <b>Parameters (x-www-form-urlencoded)</b>. Add a parameter with this name, and as its
      value insert the variable <b>shared</b>:
    </>,
  ],
  end: [
    <>
      Save the shortcut. In any app, choose <b>Share</b>, then <b>HTTP Shortcuts</b>.
    </>,
  ],
}

/** The links to these pages; `query` is the query string that shows a new token there. */
export const shortcutLinks = (query = ''): readonly { readonly to: string; readonly label: string }[] =>
  [iphone, android].map(({ path, title }) => ({ to: `${path}${query}`, label: title }))

const show = ({ title, intro, begin, request: [url, header, body], end }: Shortcut) => {
  return (request: SignedInRequest, { oneTimeSecrets }: PageTools): ShownPage => {
    const { site, query } = request
    const token = oneTimeSecrets.find(request, query.get('token'))
    return {
      title,
      script: copyScript,
      content: (
        <>
          <PageHeader title={title}>{intro}</PageHeader>
          <section class="sheet" aria-label="Steps">
            <ol class="steps">
              {begin.map((step, index) => (
                <li key={index}>{step}</li>
              ))}
              <li>
                {url}
                <CopyField label="URL" text={`${site.baseUrl}thing/add`} />
              </li>
              <li>
                {header}
                <CopyField label="Value of the header" text={`Bearer ${token ?? 'TOKEN'}`} />
                {token === undefined && (
                  <p class="soft">
                    In place of TOKEN, write a token of yours.{' '}
                    <a href={site.href(`${tokensPath}#new`)}>Create a token</a>, and open this page from there: it then
                    has the token in it.
                  </p>
                )}
              </li>
              <li>
                {body}
                <CopyField label="Name of the field" text="title" />
                <p class="soft">The title may be a URL: the server then saves it as a link.</p>
              </li>
              {end.map((step, index) => (
                <li key={index}>{step}</li>
              ))}
            </ol>
          </section>
        </>
      ),
    }
  }
}

/** `/account/tokens/iphone`: a shortcut of iOS. */
export const iphonePage: PageRoute = { path: iphone.path, get: forSignedIn(show(iphone)) }

/** `/account/tokens/android`: a shortcut of an Android app. */
export const androidPage: PageRoute = { path: android.path, get: forSignedIn(show(android)) }
