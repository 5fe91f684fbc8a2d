/**
 * Starts the app without the network, from the second visit on. The service worker responds with the files of one
 * build, which replaces `__PRECACHE__` by their list. All other requests, for example to the API, go to the network.
 */
declare const self: ServiceWorkerGlobalScope
declare const __PRECACHE__: { readonly version: string; readonly paths: readonly string[] }

const { version, paths } = __PRECACHE__
const { scope } = self.registration
const cachePrefix = `thingsync files ${scope} `
const cacheName = `${cachePrefix}${version}`
// The user's setting for the content security policy of the page. It outlives builds.
const settingsCache = `thingsync choices ${scope}`
const imagesSettingUrl = new URL('choices/images', scope).href
const urls: ReadonlySet<string> = new Set(paths.map((path) => new URL(path, scope).href))

const storeInCache = async (): Promise<void> => {
  const cache = await caches.open(cacheName)
  // `addAll` stores all files or none, so that an incomplete build is never used.
  await cache.addAll([...urls].map((url) => new Request(url, { cache: 'no-cache' })))
}

/** Deletes all caches except the previous one: its pages may still be open and load parts on demand. */
const deleteOldCaches = async (): Promise<void> => {
  const otherCaches = (await caches.keys()).filter((name) => name.startsWith(cachePrefix) && name !== cacheName)
  await Promise.all(otherCaches.slice(0, -1).map((name) => caches.delete(name)))
}

/** Finds a file of this build or of the previous build. */
const findFile = async (url: string): Promise<Response | undefined> => {
  const current = await (await caches.open(cacheName)).match(url)
  if (current !== undefined) return current
  for (const name of await caches.keys()) {
    const cached = name.startsWith(cachePrefix) ? await (await caches.open(name)).match(url) : undefined
    if (cached !== undefined) return cached
  }
  return undefined
}

const setImages = async (shows: boolean): Promise<void> => {
  const cache = await caches.open(settingsCache)
  if (shows) await cache.put(imagesSettingUrl, new Response('yes'))
  else await cache.delete(imagesSettingUrl)
}

/** Adds images from https URLs to the content security policy of the page if the user has allowed them. */
const applySettings = async (page: Response): Promise<Response> => {
  if ((await caches.match(imagesSettingUrl, { cacheName: settingsCache })) === undefined) return page
  const headers = new Headers(page.headers)
  const policy = headers.get('content-security-policy') ?? ''
  headers.set('content-security-policy', policy.replace("img-src 'self';", "img-src 'self' https:;"))
  // The body is decompressed already.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  return new Response(page.body, { status: page.status, headers })
}

self.addEventListener('install', (event) => event.waitUntil(storeInCache()))
self.addEventListener('activate', (event) => event.waitUntil(deleteOldCaches().then(() => self.clients.claim())))
self.addEventListener('message', (event) => {
  const { data, ports } = event
  if (data === 'take over') void self.skipWaiting()
  if (data !== 'show images' && data !== 'hide images') return
  event.waitUntil(setImages(data === 'show images').then(() => ports[0]?.postMessage('kept')))
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  // The query has the view, which the page reads itself.
  const url = `${origin}${pathname}`
  const isAppFile = urls.has(url) || url.startsWith(new URL('assets/', scope).href)
  if (request.method !== 'GET' || !isAppFile) return
  const response = findFile(url).then((found) => found ?? fetch(request))
  event.respondWith(request.mode === 'navigate' ? response.then(applySettings) : response)
})
