/** The kinds of report that `--report KIND=FILE` writes. */
export const reportKinds = ['json', 'junit', 'tap', 'html', 'text'] as const

/** One of them. */
export type ReportKind = (typeof reportKinds)[number]
