let accessToken: string | undefined

/** Signs the following requests with a token, or with none. */
export function signIn(token: string | undefined): void {
  accessToken = token
}

/** What Orval calls a mutator: it knows the address of the server and the token, and every generated function calls it. */
export async function send<T>(path: string, options: RequestInit): Promise<T> {
  const headers = new Headers(options.headers)
  if (accessToken !== undefined) headers.set('Authorization', `Bearer ${accessToken}`)
  // With a choice of content types Orval writes JSON and names none.
  if (typeof options.body === 'string') headers.set('Content-Type', 'application/json')
  const response = await fetch(`${process.env.BASE_URL}${path}`, { ...options, headers })
  const data = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(data))
  return { data, status: response.status, headers: response.headers } as T
}
