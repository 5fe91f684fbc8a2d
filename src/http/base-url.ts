/**
 * The base address of the API of a server that listens so: the one that clients use, when it was given, else made of host
 * and port; ends in `/v1/`.
 */
export const showBaseUrl = ({
  baseUrl,
  host,
  port,
}: {
  readonly baseUrl?: string | undefined
  readonly host: string
  readonly port: number
}): string => baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}/v1/`
