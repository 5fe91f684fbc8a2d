import { sanitizePasted } from './parts/sanitize-html.ts'

interface TrustedTypesHere {
  readonly trustedTypes?: { readonly createPolicy: (name: string, rules: object) => unknown }
}

/**
 * Only files of this app become scripts: its workers. What becomes HTML, as what is pasted into a note does, is sanitised.
 * The policy of the page lets nothing else be either (Trusted Types).
 */
export const allowOwnScripts = (home: string): void => {
  const { trustedTypes } = globalThis as TrustedTypesHere
  trustedTypes?.createPolicy('default', {
    createHTML: sanitizePasted,
    createScriptURL: (address: string) => (new URL(address, home).href.startsWith(home) ? address : null),
  })
}
