// The browser extension: saves the current page, a link or selected text on a thingsync server, also offline.
// This file has the interface of browsers that it uses, and its messages. Start reading at background.ts, which owns
// the account; popup.tsx and setup.tsx are its two pages. capture.ts has the pure functions.

/** An event of the WebExtensions API. */
export interface ExtensionEvent<Listener> {
  readonly addListener: (listener: Listener) => void
  readonly removeListener: (listener: Listener) => void
}

/** A tab. Browsers show title and URL only while `activeTab` allows them: after a click on the extension. */
export interface Tab {
  readonly id?: number
  readonly title?: string
  readonly url?: string
}

/** What was clicked in the context menu. */
export interface MenuClick {
  readonly menuItemId: string | number
  readonly pageUrl?: string
  readonly linkUrl?: string
  /** The text of the link; only Firefox has it. */
  readonly linkText?: string
  readonly selectionText?: string
}

/** A changed value of the storage. */
export interface StorageChange {
  readonly newValue?: unknown
}

/** The storage of an extension (`storage.local`): plain JSON by key. */
export interface LocalStorageArea {
  readonly get: (keys: readonly string[]) => Promise<Record<string, unknown>>
  readonly set: (values: Readonly<Record<string, unknown>>) => Promise<void>
  readonly remove: (keys: readonly string[]) => Promise<void>
}

type RespondTo = (message: unknown, sender: { readonly id?: string }, respond: (response: Reply) => void) => true

/** The part of the WebExtensions API that this extension uses. */
export interface Platform {
  readonly runtime: {
    readonly id: string
    readonly sendMessage: (message: Message) => Promise<Reply>
    readonly openOptionsPage: () => Promise<void>
    readonly onMessage: ExtensionEvent<RespondTo>
    readonly onInstalled: ExtensionEvent<(details: { readonly reason: string }) => void>
    readonly onStartup: ExtensionEvent<() => void>
  }
  readonly storage: {
    readonly local: LocalStorageArea
    readonly onChanged: ExtensionEvent<(changes: Readonly<Record<string, StorageChange>>, area: string) => void>
  }
  readonly tabs: {
    readonly query: (query: { readonly active: true; readonly currentWindow: true }) => Promise<readonly Tab[]>
    readonly onActivated: ExtensionEvent<() => void>
  }
  readonly action: {
    /** With `null` a tab shows the text of all tabs again. */
    readonly setBadgeText: (badge: { readonly text: string | null; readonly tabId?: number }) => Promise<void>
    readonly setBadgeBackgroundColor: (badge: { readonly color: string; readonly tabId?: number }) => Promise<void>
  }
  readonly contextMenus: {
    readonly create: (menu: {
      readonly id: string
      readonly title: string
      readonly contexts: readonly string[]
    }) => void
    readonly removeAll: () => Promise<void>
    readonly onClicked: ExtensionEvent<(click: MenuClick, tab?: Tab) => void>
  }
  readonly identity: {
    readonly getRedirectURL: () => string
    readonly launchWebAuthFlow: (flow: {
      readonly url: string
      readonly interactive: true
    }) => Promise<string | undefined>
  }
  readonly permissions: {
    readonly request: (permissions: { readonly origins: readonly string[] }) => Promise<boolean>
    readonly remove: (permissions: { readonly origins: readonly string[] }) => Promise<boolean>
  }
}

/** Returns the API of this browser: `browser` in Firefox, `chrome` in Chromium. @throws Error outside of an extension */
export const findPlatform = (): Platform => {
  const { browser, chrome } = globalThis as { browser?: Platform; chrome?: Platform }
  const found = browser?.runtime === undefined ? chrome : browser
  if (found === undefined) throw new Error('this page belongs to a browser extension; open it from there')
  return found
}

/** What a user saves: the fields of the popup. */
export interface Capture {
  readonly title: string
  /** Empty for a note without a URL. */
  readonly url: string
  /** Separated by spaces or commas. */
  readonly tags: string
  /** Plain text. */
  readonly note: string
}

/** A message of a page of the extension to the background. */
export type Message =
  | { readonly kind: 'signedIn'; readonly session: Session; readonly tokens: unknown }
  | { readonly kind: 'signOut' }
  /** Saves a capture; `id` names the item that the user edits, if the page was saved before. */
  | { readonly kind: 'save'; readonly capture: Capture; readonly id?: string; readonly tabId?: number }
  /** Syncs now. */
  | { readonly kind: 'sync' }

/** Why something failed, for the texts in words.ts. `reason` is a sentence of the server or of a library. */
export interface Problem {
  readonly code: string
  readonly reason?: string
}

/** The response of the background. */
export type Reply = { readonly isDone: true } | { readonly isDone: false; readonly problem: Problem }

/** The account and its server; not secret. */
export interface Session {
  /** With a final slash. */
  readonly home: string
  readonly baseUrl: string
  readonly clientId: string
  readonly account: string
  /** When the account was created, in Unix seconds: a later account may have the same name. */
  readonly since: number
}

/** The state of the sync, as the pages show it. */
export interface SyncStatus {
  /** Number of items with edits that the server has not confirmed. */
  readonly pending: number
  /** True after the session has ended on the server; edits wait until the user signs in again. */
  readonly isSignedOut?: boolean
  /** Milliseconds since 1970. */
  readonly syncedAt?: number
  /** The number of items that the first sync has read, while it runs. */
  readonly listed?: number
  /** Why the last sync failed. */
  readonly problem?: Problem
}

/** The keys of `storage.local`. Only the background writes them, and only it reads `tokens`. */
export const storageKeys = { session: 'session', tokens: 'tokens', status: 'status' } as const

/** The session and the status, as the pages read them; an absent session means that no user has signed in. */
export interface StoredState {
  readonly session?: Session
  readonly status?: SyncStatus
}

/** Reads the session and the status. */
export const readState = async (storage: LocalStorageArea): Promise<StoredState> =>
  (await storage.get([storageKeys.session, storageKeys.status])) as StoredState
