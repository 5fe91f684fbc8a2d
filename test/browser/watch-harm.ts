import type { BrowserContext } from 'playwright-core'

/** What an attack has done in a browser. */
export interface Harm {
  /** Calls of what attacks call to show that they run, and addresses elsewhere that were requested. */
  readonly seen: () => readonly string[]
}

/**
 * Notes in every page of a browser, from now on, what attacks do: calls of `alert` and its like, new windows, and requests
 * for anything but `home`, which get no response.
 */
export const watchHarm = async (context: BrowserContext, home: string): Promise<Harm> => {
  const seen: string[] = []
  await context.exposeBinding('noteHarm', (_source, what: string) => void seen.push(what))
  await context.addInitScript(() => {
    const { noteHarm } = window as unknown as { noteHarm: (what: string) => void }
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) {
      Object.defineProperty(window, name, {
        value: (...said: unknown[]) => noteHarm(`${name}(${said.join()}) at ${location.href}`),
      })
    }
  })
  await context.route(
    (url) => !url.href.startsWith(home) && ['http:', 'https:', 'ws:', 'wss:', 'ftp:'].includes(url.protocol),
    (route) => {
      seen.push(`request ${route.request().url()}`)
      return route.abort()
    },
  )
  context.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  })
  return { seen: () => seen }
}

/** What is wrong with a part of a page: what could run or load, named by element or attribute. Runs in the page. */
export const findRunnable = (part: Element): readonly string[] => {
  const wrong: string[] = []
  const loading = 'script iframe frame frameset object embed applet link meta base style svg math audio video source'
  for (const element of part.querySelectorAll('*')) {
    if (element.closest('.prose') !== null && loading.split(' ').includes(element.localName))
      wrong.push(element.localName)
    // A form may have fields with the names of what is asked of it.
    for (const name of Element.prototype.getAttributeNames.call(element)) {
      const value = Element.prototype.getAttribute.call(element, name) ?? ''
      if (/^on|^srcdoc$|^formaction$|^background$|^ping$/u.test(name)) wrong.push(`${name}=${value}`)
      if (!/^(?:href|src|xlink:href|action|data)$/u.test(name) || !URL.canParse(value, document.baseURI)) continue
      if (!/^(?:https?|mailto|tel|ftp|callto|sms|cid|xmpp|matrix):$/u.test(new URL(value, document.baseURI).protocol)) {
        wrong.push(`${name}=${value}`)
      }
    }
  }
  return wrong
}
