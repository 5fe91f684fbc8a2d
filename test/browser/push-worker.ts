import { createClient, createMemoryTokenStorage } from '../../client/src/index.ts'
import type { WorkerReport } from './push-page.ts'

/** The parts of a service worker's global that are used; TypeScript has them and those of pages only in turn. */
interface Worker {
  readonly location: Location
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    readonly matchAll: (options: object) => Promise<{ postMessage: (report: WorkerReport) => void }[]>
  }
  readonly addEventListener: (type: 'push', listener: (event: PushEvent) => void) => void
}
interface PushEvent {
  readonly data: { readonly text: () => string }
  readonly waitUntil: (work: Promise<void>) => void
}
const worker = globalThis as unknown as Worker

const { tokens, from, ...server } = JSON.parse(new URL(worker.location.href).searchParams.get('told') ?? '')

/** Asks the server for what is new, and notifies the pages and the user, as `userVisibleOnly` promises. */
const sync = async (pushed: string): Promise<void> => {
  const storage = createMemoryTokenStorage()
  await storage.write(tokens)
  const { pos, things } = await createClient({ ...server, tokens: storage }).sync({ from })
  const report = { pushed, position: pos, titles: (things?.changed ?? []).map(({ title }) => title ?? '') }
  await worker.registration.showNotification('Things have changed')
  for (const page of await worker.clients.matchAll({ includeUncontrolled: true })) page.postMessage(report)
}

worker.addEventListener('push', (event) => event.waitUntil(sync(event.data.text())))
