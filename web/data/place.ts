/** Where the app was loaded from, which is where its server is. */
export interface Place {
  /** The address of the app; ends in a slash. People come back to it from the sign-in. */
  readonly home: string
  /** The base address of the API. */
  readonly baseUrl: string
  /** Begins the names of all that this browser keeps: another server may stand at the same origin, at another path. */
  readonly family: string
}

/** The place of the app whose page has this address. */
export const findPlace = (address: string): Place => {
  const home = new URL('.', address)
  home.search = ''
  home.hash = ''
  return { home: home.href, baseUrl: new URL('v1/', home).href, family: `thingsync ${home.pathname}` }
}
