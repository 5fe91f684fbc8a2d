import type { Tokens } from '../../client/src/index.ts'
import { createAccount, toProblem } from './account.ts'
import { captureMenu, type MenuId } from './capture.ts'
import { findPlatform, type MenuClick, type Message, type Reply, type SyncStatus, type Tab } from './platform.ts'
import { chooseWords } from './words.ts'

// The browser ends this script when it is idle, and starts it again for the next event. So all state is in the storage,
// and every listener is added in the first turn of each start.

const platform = findPlatform()
const account = createAccount({ storage: platform.storage.local })
const words = chooseWords(navigator.languages)

const colors = { good: '#1e6b3a', heed: '#7a5200' } as const
const signMilliseconds = 3_000
// While this script runs. After that, the next event that starts it tries again.
const retryMilliseconds = [2_000, 5_000, 12_000] as const
const freshMilliseconds = 60_000

let retries = 0
let retryTimer: ReturnType<typeof setTimeout> | undefined

/** The text on the button: how many items wait, or that the user must open the popup. */
const describeBadge = ({ pending, problem, isSignedOut }: SyncStatus): string => {
  if (isSignedOut === true) return '!'
  if (pending > 0) return `${pending}`
  return problem === undefined || problem.code === 'network' ? '' : '!'
}

const showStatus = async (status: SyncStatus | undefined): Promise<void> => {
  const text = status === undefined ? '' : describeBadge(status)
  await platform.action.setBadgeBackgroundColor({ color: colors.heed })
  await platform.action.setBadgeText({ text })
}

/** Shows a sign on the button of this tab for a moment, or on the button of all tabs. */
const showSign = async (text: '✓' | '!', tabId: number | undefined): Promise<void> => {
  const tab = tabId === undefined ? {} : { tabId }
  const show = async () => {
    await platform.action.setBadgeBackgroundColor({ color: text === '✓' ? colors.good : colors.heed, ...tab })
    await platform.action.setBadgeText({ text, ...tab })
  }
  await show().catch(ignoreClosedTab)
  setTimeout(() => {
    if (tabId === undefined) void account.readStatus().then(showStatus)
    else void platform.action.setBadgeText({ text: null, tabId }).catch(ignoreClosedTab)
  }, signMilliseconds)
}

const ignoreClosedTab = (error: unknown): void => {
  if (!(error instanceof Error && /no tab with id|invalid tab id/iu.test(error.message))) throw error
}

// Tabs change while the user is at the device, so perhaps the network is back. The listener is there only while edits
// wait: otherwise each change of a tab would start this script.
const onTabActivated = (): void => void syncNow()

const syncNow = async (): Promise<void> => {
  clearTimeout(retryTimer)
  const status = (await account.readStatus()) === undefined ? undefined : await account.sync()
  await showStatus(status)
  const isWaiting = status !== undefined && status.pending > 0 && status.isSignedOut !== true
  if (!isWaiting) {
    retries = 0
    platform.tabs.onActivated.removeListener(onTabActivated)
    return
  }
  platform.tabs.onActivated.addListener(onTabActivated)
  const delay = retryMilliseconds[retries++]
  if (delay !== undefined) retryTimer = setTimeout(() => void syncNow(), delay)
}

/** Syncs unless that was done a moment ago and nothing waits. */
const syncIfDue = async (): Promise<void> => {
  const status = await account.readStatus()
  const isFresh = status?.syncedAt !== undefined && Date.now() - status.syncedAt < freshMilliseconds
  if (status !== undefined && isFresh && status.pending === 0) await showStatus(status)
  else await syncNow()
}

const receive = async (message: Message): Promise<void> => {
  switch (message.kind) {
    case 'signedIn':
      await account.signedIn(message.session, message.tokens as Tokens)
      void syncNow()
      return
    case 'signOut':
      await account.signOut()
      await showStatus(undefined)
      return
    case 'save':
      await account.save(message.capture, message.id)
      await showSign('✓', message.tabId)
      retries = 0
      void syncNow()
      return
    case 'sync':
      await syncIfDue()
  }
}

const saveFromMenu = async (click: MenuClick, tab: Tab | undefined): Promise<void> => {
  if ((await account.readStatus()) === undefined) return await platform.runtime.openOptionsPage()
  const capture = captureMenu(click, tab)
  if (capture === undefined) return
  try {
    await account.save(capture)
  } catch (error) {
    // Here no page of the extension is open: the popup shows it later.
    await showStatus(await account.reportProblem(toProblem(error)))
    return await showSign('!', tab?.id)
  }
  await showSign('✓', tab?.id)
  retries = 0
  await syncNow()
}

const createMenus = async (): Promise<void> => {
  await platform.contextMenus.removeAll()
  const menus: readonly MenuId[] = ['page', 'link', 'selection']
  for (const id of menus) platform.contextMenus.create({ id, title: words.menus[id], contexts: [id] })
}

platform.runtime.onMessage.addListener((message, sender, respond) => {
  const reply = async (): Promise<Reply> => {
    if (sender.id !== platform.runtime.id) return { isDone: false, problem: { code: 'other' } }
    try {
      await receive(message as Message)
      return { isDone: true }
    } catch (error) {
      return { isDone: false, problem: toProblem(error) }
    }
  }
  void reply().then(respond)
  // The response comes later.
  return true
})
platform.contextMenus.onClicked.addListener((click, tab) => void saveFromMenu(click, tab))
platform.runtime.onInstalled.addListener(({ reason }) => {
  void createMenus()
  if (reason === 'install') void platform.runtime.openOptionsPage()
})
platform.runtime.onStartup.addListener(() => void createMenus())
platform.tabs.onActivated.addListener(onTabActivated)
globalThis.addEventListener('online', () => void syncNow())

// Each start of this script is a chance to send what waits.
void syncIfDue()
