/**
 * Makes the app start without the network, from the second visit on. It answers with the files of one build, which the
 * build lists in the place of `__PRECACHE__`; whatever else is asked goes to the network untouched, the API above all.
 */
declare const self: ServiceWorkerGlobalScope
declare const __PRECACHE__: { readonly version: string; readonly paths: readonly string[] }

const { version, paths } = __PRECACHE__
const { scope } = self.registration
const family = `thingsync files ${scope} `
const cacheName = `${family}${version}`
// What the person has chosen for the page's policy; it outlives builds.
const choices = `thingsync choices ${scope}`
const imagesChoice = new URL('choices/images', scope).href
const urls: ReadonlySet<string> = new Set(paths.map((path) => new URL(path, scope).href))

const storeInCache = async (): Promise<void> => {
  const cache = await caches.open(cacheName)
  // All or nothing: a build that did not come whole is not used.
  await cache.addAll([...urls].map((address) => new Request(address, { cache: 'no-cache' })))
}

/** Pages of the build before this one may still be open, and load parts when they are first needed. */
const deleteOldCaches = async (): Promise<void> => {
  const ours = (await caches.keys()).filter((name) => name.startsWith(family) && name !== cacheName)
  await Promise.all(ours.slice(0, -1).map((name) => caches.delete(name)))
}

const find = async (address: string): Promise<Response | undefined> => {
  const current = await (await caches.open(cacheName)).match(address)
  if (current !== undefined) return current
  for (const name of await caches.keys()) {
    const older = name.startsWith(family) ? await (await caches.open(name)).match(address) : undefined
    if (older !== undefined) return older
  }
  return undefined
}

const chooseImages = async (shows: boolean): Promise<void> => {
  const cache = await caches.open(choices)
  if (shows) await cache.put(imagesChoice, new Response('yes'))
  else await cache.delete(imagesChoice)
}

/** The page as the server's policy has it; with images from https where the person has chosen so, and nothing else. */
const withChoices = async (page: Response): Promise<Response> => {
  if ((await caches.match(imagesChoice, { cacheName: choices })) === undefined) return page
  const headers = new Headers(page.headers)
  const policy = headers.get('content-security-policy') ?? ''
  headers.set('content-security-policy', policy.replace("img-src 'self';", "img-src 'self' https:;"))
  // The body was unpacked on its way here.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  return new Response(page.body, { status: page.status, headers })
}

self.addEventListener('install', (event) => event.waitUntil(storeInCache()))
self.addEventListener('activate', (event) => event.waitUntil(deleteOldCaches().then(() => self.clients.claim())))
self.addEventListener('message', (event) => {
  const { data, ports } = event
  if (data === 'take over') void self.skipWaiting()
  if (data !== 'show images' && data !== 'hide images') return
  event.waitUntil(chooseImages(data === 'show images').then(() => ports[0]?.postMessage('kept')))
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  // What is asked of the app stands in its query, which is the page's business.
  const address = `${origin}${pathname}`
  const isOurs = urls.has(address) || address.startsWith(new URL('assets/', scope).href)
  if (request.method !== 'GET' || !isOurs) return
  const answer = find(address).then((found) => found ?? fetch(request))
  event.respondWith(request.mode === 'navigate' ? answer.then(withChoices) : answer)
})
