import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, vi } from 'vitest'
import { buildExtension, writeExtension } from '../../extension/build/build.ts'
import { firefoxId } from '../../extension/build/manifest.ts'
import { createTemporaryFolder } from '../support/run-cli.ts'
import { expectedOffline, launchFirefox } from './open-firefox.ts'

const patience = { timeout: 60_000, interval: 100 }
const maxCommandMilliseconds = 10_000
const project = fileURLToPath(new URL('../..', import.meta.url))

/** The commands of WebDriver BiDi, which puppeteer sends but does not publish; its pages leave out those of extensions. */
interface BidiConnection {
  readonly send: (method: string, parameters: object) => Promise<{ readonly result: unknown }>
  readonly on: (event: 'log.entryAdded', listener: (entry: LogEntry) => void) => void
}

interface LogEntry {
  readonly level: string
  readonly text: string | null
}

interface Node {
  readonly sharedId: string
}

type Role = 'textbox' | 'combobox' | 'button' | 'link'

/** A Firefox with a new profile and the extension. A context is the ID of a tab (WebDriver BiDi, browsing context). */
export interface ExtensionFirefox {
  /** Opens a URL in a new tab, in front. */
  readonly openTab: (url: string) => Promise<string>
  /** Waits for a tab whose URL contains this text. */
  readonly findTab: (text: string) => Promise<string>
  readonly bringToFront: (context: string) => Promise<void>
  readonly readText: (context: string) => Promise<string>
  readonly click: (context: string, role: Role, name: string) => Promise<void>
  /** Clicks in a field, by its name or a CSS selector, and types. */
  readonly type: (context: string, field: string, text: string) => Promise<void>
  /** Selects "Allow" in the prompt of Firefox, until the extension has the host permission for this URL. */
  readonly allowPermission: (url: string) => Promise<void>
  /** Opens the popup over the tab in front by the command of its shortcut, and waits until it shows this text. */
  readonly openPopup: (text: string) => Promise<void>
  /** Presses Enter in the popup, and waits until it is closed. */
  readonly saveWithEnter: () => Promise<void>
  /** Opens the context menu of a link, and selects the entry of the extension. */
  readonly saveLink: (context: string, name: string) => Promise<void>
  /** Ends the background, as Firefox does when it is idle. */
  readonly endBackground: () => Promise<void>
}

/** Opens Firefox with the extension, until the test is finished, which fails if a page complains of more than no server. */
export const openExtensionFirefox = async (): Promise<ExtensionFirefox> => {
  const folder = join(await createTemporaryFolder(), 'extension')
  writeExtension((await buildExtension(project)).listFiles('firefox'), folder)
  // Only with this argument does Firefox run scripts in its own window and in pages of extensions.
  const browser = await launchFirefox({ args: ['--remote-allow-system-access'] })
  const { connection } = browser as unknown as { readonly connection: BidiConnection }
  const complaints: string[] = []
  connection.on('log.entryAdded', ({ level, text }) => {
    if (level === 'error') complaints.push(text ?? '')
  })
  onTestFinished(() => expect(complaints.filter((text) => !expectedOffline.test(text))).toEqual([]))

  /** Sends a command. Firefox never responds for a page that is just being left, so this waits some seconds only. */
  const send = async <Result>(method: string, parameters: object): Promise<Result> => {
    const response = await Promise.race([connection.send(method, parameters), setTimeout(maxCommandMilliseconds)])
    if (response === undefined) throw new Error(`Firefox did not respond to ${method} ${JSON.stringify(parameters)}`)
    return response.result as Result
  }
  const listContexts = async (scope?: 'chrome') => {
    const parameters = { maxDepth: 0, ...(scope === undefined ? {} : { 'moz:scope': scope }) }
    const { contexts } = await send<{ contexts: { context: string; url: string }[] }>(
      'browsingContext.getTree',
      parameters,
    )
    return contexts
  }
  const run = async <T>(context: string, functionDeclaration: string, ...values: readonly string[]): Promise<T> => {
    const done = await send<{ result: { value: T }; exceptionDetails?: { text: string } }>('script.callFunction', {
      functionDeclaration,
      arguments: values.map((value) => ({ type: 'string', value })),
      awaitPromise: true,
      target: { context },
    })
    if (done.exceptionDetails !== undefined) throw new Error(done.exceptionDetails.text)
    return done.result.value
  }
  await browser.installExtension(folder)
  const window = (await listContexts('chrome'))[0]?.context ?? ''

  const findNode = (context: string, locator: object): Promise<Node> =>
    vi.waitFor(async () => {
      const [node] = (await send<{ nodes: Node[] }>('browsingContext.locateNodes', { context, locator })).nodes
      if (node === undefined) throw new Error(`there is no ${JSON.stringify(locator)}`)
      return node
    }, patience)
  const clickNode = (context: string, { sharedId }: Node, button = 0) => {
    const origin = { type: 'element', element: { sharedId } }
    const actions = [
      { type: 'pointerMove', x: 0, y: 0, origin },
      { type: 'pointerDown', button },
      { type: 'pointerUp', button },
    ]
    return send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
  }
  const findByName = (context: string, role: Role, name: string) =>
    findNode(context, { type: 'accessibility', value: { role, name } })
  /** Runs a function in the window of Firefox until it returns this value. */
  const waitFor = (expected: boolean, functionDeclaration: string, ...values: readonly string[]) =>
    expect.poll(() => run<boolean>(window, functionDeclaration, ...values), patience).toBe(expected)
  /** Runs the body of a function in the popup, where `content` is its window. */
  const runInPopup = async <T>(body: string): Promise<T> => JSON.parse(await run(window, inPopup, body))

  return {
    openTab: async (url) => {
      const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' })
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
      return context
    },
    findTab: (text) =>
      vi.waitFor(async () => {
        const found = (await listContexts()).find(({ url }) => url.includes(text))
        if (found === undefined) throw new Error(`there is no tab of ${text}`)
        return found.context
      }, patience),
    bringToFront: (context) => send('browsingContext.activate', { context }),
    readText: (context) => run(context, '() => document.body.innerText'),
    click: async (context, role, name) => void (await clickNode(context, await findByName(context, role, name))),
    type: async (context, field, text) => {
      const isSelector = field.startsWith('input')
      const locator = isSelector ? { type: 'css', value: field } : undefined
      await clickNode(
        context,
        await (locator === undefined ? findByName(context, 'textbox', field) : findNode(context, locator)),
      )
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    allowPermission: (url) => waitFor(true, allowPermission, firefoxId, url),
    openPopup: async (text) => {
      await waitFor(true, runShortcut, firefoxId)
      await waitFor(true, isPopupOpen)
      // Keys reach the popup only after its panel has moved the focus there.
      await expect.poll(() => runInPopup(readFocusedText), patience).toContain(text)
    },
    saveWithEnter: async () => {
      await runInPopup(pressEnter)
      await waitFor(true, isPopupClosed)
    },
    saveLink: async (context, name) => {
      await clickNode(context, await findByName(context, 'link', name), 2)
      await waitFor(true, chooseMenu, 'Save this link')
    },
    endBackground: () => run(window, endBackground, firefoxId),
  }
}

// Functions that run in the window of Firefox itself. Headless, it handles no keys or clicks for its own parts. Each looks
// once, and returns whether it found its part.

// Firefox loads a popup in a hidden panel first, so only a browser in a view is the popup.
const isPopupOpen = `() => {
  const popup = document.querySelector('panelview .webextension-popup-browser')
  return popup?.closest('panel')?.state === 'open' && popup.currentURI?.spec.endsWith('/popup.html') === true
}`

const isPopupClosed = `() =>
  document.querySelector('.webextension-popup-browser, .unified-extensions-item-action-button[open]') === null`

// A prompt takes no click in its first moment, nor while its window is not active.
// So only the permission itself says that the click has counted.
const allowPermission = `(id, url) => {
  if (WebExtensionPolicy.getByID(id).allowedOrigins.matches(Services.io.newURI(url))) return true
  const { state, firstElementChild } = PopupNotifications.panel
  if (state === 'open') firstElementChild?.button?.click()
  return false
}`

// The command does nothing in a window that is not active, as after the window of the sign-in has closed, and it closes a
// popup that is still there. So it waits for both, and runs the command once.
const runShortcut = `(id) => {
  if (Services.focus.activeWindow !== window) {
    window.focus()
    return false
  }
  const keys = 'ext-keyset-id-' + WebExtensionPolicy.getByID(id).id.replace('@', '_')
  const key = document.querySelector('#' + CSS.escape(keys) + ' key')
  const isReady = key !== null && (${isPopupClosed})()
  if (isReady) key.doCommand()
  return isReady
}`

const inPopup = `(body) => new Promise((resolve, reject) => {
  const { messageManager } = document.querySelector('panelview .webextension-popup-browser')
  const name = 'test-' + Math.random()
  messageManager.addMessageListener(name, ({ data }) => ('error' in data ? reject(new Error(data.error)) : resolve(data.value)))
  const code = '(async () => { try { const value = await (async () => {' + body + '})();' +
    'sendAsyncMessage("' + name + '", { value: JSON.stringify(value ?? null) }) } catch (error) {' +
    'sendAsyncMessage("' + name + '", { error: String(error) }) } })()'
  messageManager.loadFrameScript('data:text/javascript,' + encodeURIComponent(code), false)
})`

const readFocusedText = `
  const { document } = content
  return document.hasFocus() && document.activeElement !== document.body ? document.body.innerText : 'not focused'`

const pressEnter = `
  const keyboard = Cc['@mozilla.org/text-input-processor;1'].createInstance(Ci.nsITextInputProcessor)
  if (!keyboard.beginInputTransactionForTests(content)) throw new Error('there is no keyboard')
  const enter = new content.KeyboardEvent('', { key: 'Enter', code: 'Enter', keyCode: 13 })
  keyboard.keydown(enter)
  keyboard.keyup(enter)`

const chooseMenu = `(label) => {
  const menu = document.getElementById('contentAreaContextMenu')
  const item = [...menu.querySelectorAll('menuitem')].find((one) => one.label === label)
  const isReady = menu.state === 'open' && item !== undefined
  if (isReady) menu.activateItem(item)
  return isReady
}`

const endBackground = `async (id) => {
  const { extension } = WebExtensionPolicy.getByID(id)
  await extension.terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true })
}`
