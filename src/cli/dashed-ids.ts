/** An id, 32 bytes as base64url; one in 64 begins with a dash. No option is as long. */
export const dashedId = /^-[\w-]{42}$/

/** The same command line, with ids that look like options behind `--`, so that they are taken for what they are. */
export const setDashedIdsApart = (argv: readonly string[]): readonly string[] => {
  const ids = argv.filter((one) => dashedId.test(one))
  if (ids.length === 0 || argv.includes('--')) return argv
  return [...argv.filter((one) => !dashedId.test(one)), '--', ...ids]
}
