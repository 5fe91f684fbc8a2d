/** What a key's own file holds: its state, with all its writes up to one number of the journal. */
export interface Snapshot<Document> {
  readonly write: number
  readonly document: Document
}
