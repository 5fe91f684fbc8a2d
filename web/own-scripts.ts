interface TrustedTypesHere {
  readonly trustedTypes?: { readonly createPolicy: (name: string, rules: object) => unknown }
}

/** Only files of this app become scripts: its workers. The policy of the page lets nothing else be one (Trusted Types). */
export const allowOwnScripts = (home: string): void => {
  const { trustedTypes } = globalThis as TrustedTypesHere
  trustedTypes?.createPolicy('default', {
    createScriptURL: (address: string) => (new URL(address, home).href.startsWith(home) ? address : null),
  })
}
