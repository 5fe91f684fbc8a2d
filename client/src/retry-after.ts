/** The seconds that the header `Retry-After` asks for, as a number or a date (RFC 9110 10.2.3); undefined without one. */
export const readRetryAfter = (headers: Headers, now: () => number = Date.now): number | undefined => {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now()) / 1000))
}
