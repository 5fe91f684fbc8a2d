import type { ReferenceOperation } from './reference.ts'

const quote = (text: string): string => (/^[\w.=:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The command that sends an operation with what is required, or with the first example; the token is in `$TOKEN`. */
export const writeCurlLines = (
  { method, path, takesToken, isEndless, controls }: ReferenceOperation,
  baseUrl: string,
): string => {
  const given = controls.filter(({ isRequired, example }) => isRequired || example !== undefined)
  const fields = given.map(({ name, example = '…' }) => `--data-urlencode ${quote(`${name}=${example}`)}`)
  const isGet = method === 'GET'
  return [
    `curl -sS${isEndless ? 'N' : ''}${isGet && fields.length > 0 ? ' -G' : ''}${!isGet && fields.length === 0 ? ' -X POST' : ''}`,
    ...(takesToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...fields,
    quote(`${baseUrl.replace(/\/$/, '')}${path}`),
  ].join(' \\\n  ')
}
