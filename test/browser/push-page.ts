import { createClient, createMemoryTokenStorage } from '../../client/src/index.ts'

/** The options that a test gives the page when it begins. */
export interface PushPageStart {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
}

/** What the worker says after a push: the text that was pushed, and what it then got by sync. */
export interface WorkerReport {
  readonly pushed: string
  readonly position: number
  readonly titles: readonly string[]
}

/** A page of an app that lets its worker be pushed to. */
const begin = async (start: PushPageStart) => {
  const tokens = createMemoryTokenStorage()
  const client = createClient({ ...start, tokens })
  await client.signIn(start.username, 'correct horse')
  const { pos } = await client.sync()
  // A worker that was stopped and is started for a push remembers its URL, and no message.
  const shown = JSON.stringify({ ...start, tokens: await tokens.read(), from: pos })
  await navigator.serviceWorker.register(`/worker.js?${new URLSearchParams({ told: shown })}`, { type: 'module' })
  const { pushManager } = await navigator.serviceWorker.ready
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    const part = document.getElementById('report')
    if (part !== null) part.textContent = JSON.stringify(data)
  })
  navigator.serviceWorker.startMessages()

  return {
    /** The server's public key. */
    getKey: async () => (await client.api.GET('/device/key')).data?.key,
    /** What the browser gives for a key, or the name of the error that it gives instead. */
    subscribe: async (key: string) => {
      const applicationServerKey = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
        character.charCodeAt(0),
      )
      try {
        return (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).toJSON()
      } catch (error) {
        if (error instanceof DOMException) return error.name
        throw error
      }
    },
    register: async (id: string, endpoint: string, p256dh: string, auth: string) =>
      (await client.api.POST('/register/device', { body: { type: 'webpush', id, endpoint, p256dh, auth } })).data,
  }
}

/** What tests call in the page. */
export type PushPage = Awaited<ReturnType<typeof begin>>

Object.assign(globalThis, {
  begin: async (start: PushPageStart) => {
    Object.assign(globalThis, { pushPage: await begin(start) })
  },
})
