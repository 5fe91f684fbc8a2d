/** True for an absolute http or https address without user name and password: one that can be called and shown. */
export const isWebAddress = (value: string): boolean => {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}
