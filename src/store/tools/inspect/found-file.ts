/** What was found about one file of a data folder. */
export interface FoundFile {
  /** Its path in the data folder. */
  readonly file: string
  /** `note`: nothing is wrong, but a person may want to know. */
  readonly state: 'whole' | 'damaged' | 'note'
  readonly bytes: number
  /** What is wrong or worth knowing, in words. */
  readonly says?: string
  /** What a repair would do about it. */
  readonly repair?: string
}
