/** One difference between two documents, as oasdiff reports it. */
export interface Finding {
  readonly id: string
  readonly text: string
  /** 1 is harmless, 2 may break somebody, 3 breaks somebody. */
  readonly level: number
  readonly operation?: string
  readonly operationId?: string
  readonly path?: string
}

/** Findings that say the same of several operations and statuses. */
export interface Difference {
  readonly id: string
  readonly text: string
  readonly isBreaking: boolean
  /** As in `POST /sync (postSync)`; none when the whole document is meant. */
  readonly operations: readonly string[]
}

/** Puts findings together that differ only in operation, status and media type; breaking ones come first. */
export const groupFindings = (findings: readonly Finding[]): readonly Difference[] => {
  const groups = new Map<string, { finding: Finding; operations: Set<string> }>()
  for (const finding of findings) {
    const key = `${finding.id} ${withoutPlace(finding.text)}`
    const group = groups.get(key) ?? { finding, operations: new Set<string>() }
    groups.set(key, group)
    if (finding.path !== undefined) {
      const name = finding.operationId === undefined ? '' : ` (${finding.operationId})`
      group.operations.add(`${finding.operation} ${finding.path}${name}`)
    }
  }
  return [...groups.values()]
    .map(({ finding, operations }) => ({
      id: finding.id,
      text: withoutPlace(finding.text),
      isBreaking: finding.level > 1,
      operations: [...operations],
    }))
    .sort((one, other) => Number(other.isBreaking) - Number(one.isBreaking))
}

const withoutPlace = (text: string): string =>
  text.replace(/ (for|from|to) the (response )?(with the )?(status )?`\d{3}`( status)?| \(media type: [^)]*\)/g, '')
