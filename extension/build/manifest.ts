import { createHash } from 'node:crypto'
import { languages } from '../src/words.ts'

/** A browser for which the extension is built. Every Chromium browser takes the same files. */
export type Target = 'chromium' | 'firefox'

/** All targets of the build. */
export const targets: readonly Target[] = ['chromium', 'firefox']

/**
 * The public key from which Chromium derives the ID of the extension (DER, base64). Nothing is signed with it. When the
 * extension gets an entry in the Chrome Web Store, the key of that entry replaces it, and so does the redirect URI in
 * `src/accounts/apps.ts`.
 */
const chromiumKey =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAsl/zNCWXiVHshZgSsmZi2aUQF7n3jesloJtTzbtz+rxOWnBhP4ZYanHpE9vyAWGGGd5sOdU4' +
  'wk1TfatIdg7VJWqbJvgKiNtw12p0uRfeIwCHMO6/CnxtfU1Rc8KYsobbSJcTT8bmxT+VilOVa9YjVhiNZ2OdJuKpO+fjAGtw1cNUnikV5HgVyAvWplfH' +
  'zIovRpRcfyRfq5Pefi9T4qzUIbV8wwUGAChqLhO8xSJu0PjnvEhbI3FT1talFFVZp1nF6iTML0q58cv2rGXycamj8zKg3MDF0BhCtUm5we+7QHMtc5U2' +
  'ZPM748d43x9QeInN2VQ9hWXnsokt3ncMKa608wIDAQAB'

/** The ID of the extension in Firefox. */
export const firefoxId = 'extension@thingsync'

/** The ID of the extension in Chromium: the first 128 bits of the SHA-256 of its key, with the letters a to p. */
export const findChromiumId = (): string =>
  [...createHash('sha256').update(Buffer.from(chromiumKey, 'base64')).digest('hex').slice(0, 32)]
    .map((digit) => String.fromCharCode('a'.charCodeAt(0) + Number.parseInt(digit, 16)))
    .join('')

/** The URL to which `identity.getRedirectURL` of this browser leads (RFC 6749, redirection endpoint). */
export const findRedirectUri = (target: Target): string =>
  target === 'chromium'
    ? `https://${findChromiumId()}.chromiumapp.org/`
    : `https://${createHash('sha1').update(firefoxId).digest('hex')}.extensions.allizom.org/`

/** The sizes of the icon in pixels. */
export const iconSizes: readonly number[] = [16, 32, 64, 128]

const icons = Object.fromEntries(iconSizes.map((size) => [size, `icon-${size}.png`]))

/** Requests go to the server that the user chooses; everything else comes from the extension itself. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
  "connect-src https: http://localhost:* http://127.0.0.1:*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What only one kind of browser knows. The store of Chrome rejects a `key`; it adds its own. */
const ofTarget = (target: Target, isForStore: boolean): object =>
  target === 'chromium'
    ? {
        ...(isForStore ? {} : { key: chromiumKey }),
        minimum_chrome_version: '120',
        background: { service_worker: 'background.js', type: 'module' },
      }
    : {
        background: { scripts: ['background.js'], type: 'module' },
        browser_specific_settings: {
          gecko: {
            id: firefoxId,
            strict_min_version: '140.0',
            // What the user saves goes to the server of the user.
            data_collection_permissions: { required: ['bookmarksInfo', 'websiteContent'] },
          },
        },
      }

/**
 * Creates the manifest of the extension (Manifest V3) for one kind of browser. With `isForStore` it is the file that the
 * store of the browser accepts.
 */
export const createManifest = (target: Target, version: string, isForStore = false): object => ({
  manifest_version: 3,
  name: '__MSG_name__',
  description: '__MSG_description__',
  version,
  default_locale: 'en',
  icons,
  action: { default_popup: 'popup.html', default_title: '__MSG_command__', default_icon: icons },
  options_ui: { page: 'setup.html', open_in_tab: true },
  permissions: ['activeTab', 'contextMenus', 'identity', 'storage'],
  // The user allows the origin of one server, when entering its URL.
  optional_host_permissions: ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'],
  commands: { _execute_action: { suggested_key: { default: 'Alt+Shift+S' }, description: '__MSG_command__' } },
  content_security_policy: { extension_pages: contentSecurityPolicy },
  ...ofTarget(target, isForStore),
})

/** Creates the texts of the manifest in all languages, by the path of their files. */
export const createLocales = (): ReadonlyMap<string, string> =>
  new Map(
    languages.map(({ code, manifest }) => [
      `_locales/${code}/messages.json`,
      toJson(Object.fromEntries(Object.entries(manifest).map(([name, message]) => [name, { message }]))),
    ]),
  )

/** Renders a file of the extension. */
export const toJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
