/** An id, 32 bytes as base64url; one in 64 begins with a dash. No option is as long. */
export const dashedId = /^-[\w-]{42}$/

/** The same command line, with ids that look like options behind `--`; what stands behind an option is its value. */
export const setDashedIdsApart = (argv: readonly string[]): readonly string[] => {
  if (argv.includes('--')) return argv
  const isApart = (one: string, index: number) => dashedId.test(one) && argv[index - 1]?.startsWith('--') !== true
  const ids = argv.filter(isApart)
  return ids.length === 0 ? argv : [...argv.filter((one, index) => !isApart(one, index)), '--', ...ids]
}
