/** A value that is sent or answered: a parameter of the query, or a member of an object. */
export interface ReferenceField {
  readonly name: string
  readonly isRequired: boolean
  /** In words: `list of Id`. */
  readonly type: string
  /** The shape that `type` names, told on the page of shapes. */
  readonly shape?: string
  readonly aboutHtml: string
}

/** A control of the form that sends a request. */
export interface ReferenceControl {
  readonly name: string
  readonly isRequired: boolean
  /** `secret` is not shown while it is typed; `lines` holds JSON text. */
  readonly kind: 'line' | 'number' | 'secret' | 'lines' | 'choice'
  /** For `choice`; none of them is chosen at first. */
  readonly choices: readonly string[]
  /** As it is typed into the control. */
  readonly example?: string
}

/** A text as it goes over the wire, and what it shows. */
export interface ReferenceExample {
  readonly summary: string
  readonly text: string
}

/** A body that an operation takes. */
export interface ReferenceBody {
  readonly type: string
  readonly fields: readonly ReferenceField[]
  readonly examples: readonly ReferenceExample[]
}

/** What an operation answers with one status. */
export interface ReferenceResponse {
  readonly status: string
  /** What the document calls it, when several operations answer so. */
  readonly name?: string
  readonly aboutHtml: string
  readonly shape?: string
  readonly examples: readonly ReferenceExample[]
}

/** One method of one path. */
export interface ReferenceOperation {
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Below the base address: `/sync`. */
  readonly path: string
  readonly summary: string
  readonly aboutHtml: string
  readonly takesToken: boolean
  readonly query: readonly ReferenceField[]
  readonly bodies: readonly ReferenceBody[]
  readonly responses: readonly ReferenceResponse[]
  /** How it refuses: answers that are told once for all operations. */
  readonly errors: readonly { readonly status: string; readonly name: string }[]
  /** The answer goes on for as long as its client stays, so that no page can wait for its end. */
  readonly isEndless: boolean
  /** What a page sends: the query of a GET, the form of a POST. */
  readonly controls: readonly ReferenceControl[]
  readonly samples: readonly { readonly label: string; readonly source: string }[]
}

/** Operations that belong together. */
export interface ReferenceGroup {
  readonly name: string
  readonly aboutHtml: string
  readonly operations: readonly ReferenceOperation[]
}

/** An object that has a name in the document. */
export interface ReferenceShape {
  readonly name: string
  readonly aboutHtml: string
  readonly fields: readonly ReferenceField[]
}

/** The document as a person reads it. What is named `…Html` was made from Markdown of ours. */
export interface Reference {
  readonly title: string
  readonly version: string
  readonly aboutHtml: string
  /** The headings in `aboutHtml`. */
  readonly headings: readonly { readonly id: string; readonly title: string }[]
  readonly groups: readonly ReferenceGroup[]
  readonly shapes: readonly ReferenceShape[]
  /** In the order of their status; all of them have a name. */
  readonly errors: readonly ReferenceResponse[]
}
