import type { Toolchain } from '../sdk-test/toolchains.ts'

/** A command with its arguments, run in a row's work folder. */
export type Command = readonly string[]

/** The two documents of the contract: the SDK profile, and the wire as it is. */
export type DocumentKind = 'sdk' | 'wire'

/** One generator of the matrix, and how a first script is run with what it generates. */
export type Row = {
  /** What `--only` takes, and the folder below `sdk/first-scripts/` that the work folder begins as. */
  name: string
  /** The generator as its users call it. */
  generator: string
  version: string
  language: string
  /** Programs that must be there to generate, each with what to install. */
  generateNeeds?: Toolchain['needs']
  /** Commands that generate the client from the document at the path, into `client`. */
  generate: (document: string) => readonly Command[]
  /** Programs that must be there to compile and to run. */
  needs: Toolchain['needs']
  /** Commands that compile. */
  build: readonly Command[]
  /** The command that runs the first script; none where no script could be tried yet. */
  run?: Command
  /** What of the work folder stays for the next time, such as installed packages. */
  keep?: readonly string[]
  /**
   * What the first script has to say otherwise for the wire document, where a schema is a union or an operation has other
   * tags: texts of the script, and what stands in their place.
   */
  onWire?: { script: string; spelled: Readonly<Record<string, string>> }
  /** The reasons, in one line each, of failures that are known by what the tools print. */
  reasons?: readonly { printed: RegExp; because: string }[]
}
