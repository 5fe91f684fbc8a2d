/** A value in a request or response: a parameter of the query, or a member of an object. */
export interface ReferenceField {
  readonly name: string
  readonly isRequired: boolean
  /** The type in words: `list of Id`. */
  readonly type: string
  /** The shape that `type` names, described on the page of shapes. */
  readonly shape?: string
  readonly aboutHtml: string
}

/** A form control of a request. */
export interface ReferenceControl {
  readonly name: string
  readonly isRequired: boolean
  /** The browser hides the input of `secret`; `lines` contains JSON text. */
  readonly kind: 'line' | 'number' | 'secret' | 'lines' | 'choice'
  /** The options of `choice`; none is selected at first. */
  readonly choices: readonly string[]
  /** The text for the control. */
  readonly example?: string
}

/** An example as it goes over the wire, with a description. */
export interface ReferenceExample {
  readonly summary: string
  readonly text: string
}

/** A request body of an operation. */
export interface ReferenceBody {
  readonly type: string
  readonly fields: readonly ReferenceField[]
  readonly examples: readonly ReferenceExample[]
}

/** The response of an operation with one status. */
export interface ReferenceResponse {
  readonly status: string
  /** Its name in the document, when several operations share it. */
  readonly name?: string
  readonly aboutHtml: string
  readonly shape?: string
  readonly examples: readonly ReferenceExample[]
}

/** One method of one path. */
export interface ReferenceOperation {
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** The path below the base URL: `/sync`. */
  readonly path: string
  readonly summary: string
  readonly aboutHtml: string
  /** The operation is not part of the interface, so that other servers may not have it (`x-extension`). */
  readonly isExtension: boolean
  readonly takesToken: boolean
  readonly query: readonly ReferenceField[]
  readonly bodies: readonly ReferenceBody[]
  readonly responses: readonly ReferenceResponse[]
  /** Its error responses, which are described once for all operations. */
  readonly errors: readonly { readonly status: string; readonly name: string }[]
  /** The response continues while its client stays connected, so that a page cannot wait for its end. */
  readonly isEndless: boolean
  /** The controls of the query of a GET, or the form of a POST. */
  readonly controls: readonly ReferenceControl[]
  readonly samples: readonly { readonly label: string; readonly source: string }[]
}

/** A group of operations. */
export interface ReferenceGroup {
  readonly name: string
  readonly aboutHtml: string
  readonly operations: readonly ReferenceOperation[]
}

/** A named object of the document. */
export interface ReferenceShape {
  readonly name: string
  readonly aboutHtml: string
  readonly fields: readonly ReferenceField[]
}

/** The document for readers. The generator makes the fields `…Html` from Markdown in this repository. */
export interface Reference {
  readonly title: string
  readonly version: string
  readonly aboutHtml: string
  /** The headings in `aboutHtml`. */
  readonly headings: readonly { readonly id: string; readonly title: string }[]
  readonly groups: readonly ReferenceGroup[]
  readonly shapes: readonly ReferenceShape[]
  /** Sorted by status; each has a name. */
  readonly errors: readonly ReferenceResponse[]
}
