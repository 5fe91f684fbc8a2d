const programs = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const find = (table: readonly (readonly [RegExp, string])[], agent: string): string | undefined =>
  table.find(([form]) => form.test(agent))?.[1]

/** What a person calls a program by what it said of itself: `Firefox on Linux`; what is not known is given as it is. */
export const describeAgent = (agent: string | undefined): string => {
  if (agent === undefined || agent === '') return 'an unnamed program'
  const program = agent.startsWith('Mozilla/') ? find(programs, agent) : undefined
  if (program === undefined) return agent.slice(0, 80)
  const system = find(systems, agent)
  return system === undefined ? program : `${program} on ${system}`
}
