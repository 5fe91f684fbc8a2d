import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { keys } from '../../client/src/replica-records.ts'
import { readKnownAttacks } from './known-attacks.ts'
import { openBrowser } from './open-page.ts'
import { openOtherDevice } from './upload-things.ts'
import { findRunnable, watchHarm } from './watch-harm.ts'
import { openWebServer, signInWith } from './web-app-page.ts'

const attacks = readKnownAttacks()

/** How many attacks are earlier versions of the same item: each is shown by itself, on one page with the others. */
const versionsTogether = 20

/**
 * What the policy says of styles, `<base>` and `<body onload>` in the document without a window where DOMPurify takes
 * notes apart.
 */
const policySpeaks =
  /^(?:Applying inline style|Executing inline event handler|Setting the document's base URI to '.*') violates the following Content Security Policy/

/**
 * Puts versions of items into the databases of the page that hold any, as the replica does when another device
 * overwrites them.
 */
const layVersions = (page: Page, entries: readonly (readonly [string, unknown])[]) =>
  page.evaluate(async (laid) => {
    const requested = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await requested(indexedDB.open(name))
      const isReplica = [...database.objectStoreNames].includes('entries')
      const store = isReplica ? database.transaction('entries', 'readwrite').objectStore('entries') : undefined
      if (store !== undefined) {
        for (const [key, value] of laid) store.put(value, key)
        await new Promise((resolve) => store.transaction.addEventListener('complete', resolve))
      }
      database.close()
    }
  }, entries)

/** Shows every item as it is read and edited, in the editor where it opens; returns what is wrong. */
const showAll = (page: Page, ids: readonly string[]) =>
  page.evaluate(
    async ([things, together]) => {
      const { findRunnable: find } = window as unknown as { findRunnable: (part: Element) => readonly string[] }
      const wrong: string[] = []
      const counts = { read: 0, versions: 0, source: 0, editor: 0 }
      // Looks when something has changed, so that the app has the processor until then.
      const until = <T>(look: () => T | null | undefined | false): Promise<T> =>
        new Promise((resolve, reject) => {
          const end = setTimeout(() => reject(new Error(`not seen at ${location.search}: ${look}`)), 60_000)
          const observer = new MutationObserver(() => see())
          const see = () => {
            const found = look()
            if (!found) return
            clearTimeout(end)
            observer.disconnect()
            resolve(found)
          }
          observer.observe(document, { childList: true, subtree: true })
          see()
        })
      const go = (query: string) => {
        history.replaceState({ depth: 1 }, '', `?${query}`)
        dispatchEvent(new PopStateEvent('popstate'))
      }
      const provoke = (part: Element, id: string) => {
        for (const one of part.querySelectorAll('.prose *')) {
          for (const kind of [
            'mouseover',
            'mouseenter',
            'focus',
            'error',
            'load',
            'toggle',
            'scroll',
            'animationend',
          ]) {
            one.dispatchEvent(new Event(kind, { bubbles: kind === 'mouseover' }))
          }
        }
        for (const what of find(part)) wrong.push(`${id}: ${what}`)
      }
      const main = document.querySelector('main') as Element
      for (const [index, id] of things.entries()) {
        go(`thing=${id}`)
        await until(() =>
          document.querySelector(index % together === 0 ? '.thing .versions .prose' : '.thing > .prose'),
        )
        counts.read++
        counts.versions += document.querySelectorAll('.versions > ol > li').length
        provoke(main, id)
        go(`thing=${id}&edit=`)
        const note = await until(() => document.querySelector('.edit #note'))
        if (note.localName === 'textarea') {
          counts.source++
          const button = note.parentElement?.querySelector('button')
          button?.click()
          await until(() => document.querySelector('.edit .ProseMirror'))
        }
        counts.editor++
        provoke(main, id)
      }
      return { wrong, counts }
    },
    [ids, versionsTogether] as const,
  )

/** Serves each attack as a page of its own, by its index, without any policy. */
const openUnguarded = async (): Promise<string> => {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><title>unguarded</title><main>${attacks[Number(url.slice(1) || Number.NaN)] ?? ''}</main>`,
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('the same attacks run and load without a sanitiser and without a policy, and the watch sees it', async () => {
  const home = await openUnguarded()
  const context = await openBrowser({ expected: /./ })
  const harm = await watchHarm(context, home)
  const page = await context.newPage()
  await page.goto(home)

  const runnable = await page.evaluate(
    ([texts, find]) => {
      const look = new Function(`return ${find}`)() as (part: Element) => readonly string[]
      for (const [index] of texts.entries()) {
        const frame = document.createElement('iframe')
        frame.sandbox.add('allow-scripts', 'allow-same-origin')
        frame.src = `/${index}`
        document.body.append(frame)
      }
      const parse = (text: string) => new DOMParser().parseFromString(`<div class=prose>${text}`, 'text/html')
      return texts.filter((text) => look(parse(text).documentElement).length > 0).length
    },
    [attacks, findRunnable.toString()] as const,
  )

  const ran = () => new Set(harm.seen().flatMap((what) => /^alert.* at (\S+)$/su.exec(what)?.[1] ?? [])).size
  await expect.poll(ran, { timeout: 60_000 }).toBeGreaterThan(30)
  expect(harm.seen().some((what) => what.startsWith('request '))).toBe(true)
  expect(runnable).toBeGreaterThan(250)
})

test('500 known attacks as note, title, tag and URL of an item run nothing: in the list, read, in versions, in the editor', async () => {
  expect(attacks.length).toBeGreaterThanOrEqual(500)
  const { data, home } = await openWebServer()
  const other = await openOtherDevice(data, home)
  const tagOf = (attack: string) => attack.replace(/\s+/gu, '/')
  const ids = await other.add(
    attacks.map((attack) => ({ title: attack, html: attack, url: attack, tags: tagOf(attack) })),
  )
  const context = await openBrowser({ expected: policySpeaks })
  const harm = await watchHarm(context, home)
  await context.addInitScript(`window.findRunnable = ${findRunnable}
    // Nothing is looked at between two frames.
    window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()))`)
  const page = await signInWith(context, home)
  await page.getByText(`${attacks.length} items`, { exact: true }).waitFor()
  await layVersions(
    page,
    ids.flatMap((id, first) => {
      if (first % versionsTogether !== 0) return []
      const versions = attacks.slice(first, first + versionsTogether).map((attack, index) => {
        const content = { title: attack, html: attack, url: attack, tags: tagOf(attack), date: 0, archived: false }
        const fields = ['title', 'tags', 'url', 'html']
        return { id, name: `v${index}`, replacedAt: Date.now(), why: 'overwritten', fields, content }
      })
      return [[keys.versions(id), versions] as const]
    }),
  )

  const listed = await page.evaluate(async (count) => {
    const { findRunnable: find } = window as unknown as { findRunnable: (part: Element) => readonly string[] }
    const wrong: string[] = []
    const rows = new Set<string>()
    const list = document.querySelector('.windowed') as HTMLElement
    for (let index = 0; index < count; index += 8) {
      scrollTo({ top: list.offsetTop + (list.clientHeight / count) * index, behavior: 'instant' })
      while (list.querySelector(`[data-index="${index}"]`) === null)
        await new Promise((resolve) => setTimeout(resolve, 5))
      for (const row of document.querySelectorAll('.windowed > li')) rows.add((row as HTMLElement).dataset.index ?? '')
      wrong.push(...find(document.body))
    }
    return { wrong, rows: rows.size }
  }, attacks.length)
  const shown = await showAll(page, ids)

  expect(listed).toEqual({ wrong: [], rows: attacks.length })
  expect(shown).toEqual({
    wrong: [],
    counts: { read: attacks.length, versions: attacks.length, source: expect.any(Number), editor: attacks.length },
  })
  expect(shown.counts.source).toBeGreaterThan(300)
  for (const screen of ['tags', 'recent']) {
    await page.goto(`${home}?screen=${screen}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(
      await page.evaluate(() => (window as never as { findRunnable: typeof findRunnable }).findRunnable(document.body)),
    ).toEqual([])
  }
  expect(harm.seen()).toEqual([])
}, 300_000)
