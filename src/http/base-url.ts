/**
 * The base address of the API of a server that listens so: the one that clients use, when it was given, else made of host
 * and port, with https when the server has a certificate; ends in `/v1/`.
 */
export const showBaseUrl = ({
  baseUrl,
  host,
  port,
  certificate,
}: {
  readonly baseUrl?: string | undefined
  readonly host: string
  readonly port: number
  readonly certificate?: object | undefined
}): string => baseUrl ?? `${certificate ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}/v1/`
