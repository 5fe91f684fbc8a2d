import type { Incidents, OpenStream, RawRequest, Reply } from './client.ts'
import type { Pair } from './form.ts'
import type { Json } from './json.ts'
import type { Way } from './present.ts'
import type { Answering, Mailbox } from './receiver/mailbox.ts'
import type { Receiver } from './receiver/receiver.ts'
import type { Replica } from './replica.ts'
import type { Exchange } from './result.ts'
import type { ClientCredentials, Target } from './target.ts'

/** What a rule works with. Nothing in it is shared with another rule, but the account. */
export interface Lab {
  readonly target: Target
  /** Text that nothing else in the account holds; letters and digits only. For titles, tags and local ids of the rule. */
  readonly mark: string
  /** Differs at every call and holds the mark. */
  readonly unique: () => string
  /** Numbers from 0 to 1, the same for the same seed and rule. */
  readonly random: () => number
  /**
   * A device of user 1 with a session (token grant) that no other replica uses meanwhile; the same name gives the same
   * replica.
   */
  readonly replica: (name: string) => Promise<Replica>
  /** A device of user 2; the rule is inapplicable when no second user was given. */
  readonly stranger: (name?: string) => Promise<Replica>
  /** The second application; the rule is inapplicable when none was given. */
  readonly otherClient: () => ClientCredentials
  /**
   * Asks the token endpoint. `changes` replace, or with undefined remove, parameters of a correct password grant of
   * user 1, or of a refresh_token grant when `grant_type` says so.
   */
  readonly token: (changes?: Readonly<Record<string, string | undefined>>) => Promise<Reply>
  /** Sends a request as it is, without any token. */
  readonly request: (request: RawRequest) => Promise<Reply>
  /**
   * Sends a request with the token presented in the way given; the first header form that works here for `{kind:
   * 'header'}` without template.
   */
  readonly present: (request: RawRequest, token: string, way: Way | { readonly kind: 'header' }) => Promise<Reply>
  /** Sends the request, a short full sync by default, with the token presented in a way that works here. */
  readonly openSync: (token: string, request?: RawRequest) => Promise<Reply>
  /** The header form that works here; a Finding when none does. */
  readonly headerForm: () => Promise<string>
  /** Opens an answer that comes bit by bit, with the token presented in a way that works here; it is closed with the lab. */
  readonly listen: (token: string, request: RawRequest) => Promise<OpenStream>
  /**
   * An address of its own at the suite's receiver, which answers 204 if not told otherwise; the rule is inapplicable
   * when the suite plays none.
   */
  readonly mailbox: (answering?: Answering) => Mailbox
  /** Work for when the rule is over, also when it fails; what the server does wrong in it decides nothing. */
  readonly afterwards: (work: () => Promise<unknown>) => void
  /** Parses JSON that came another way than in an answer. */
  readonly readJson: (text: string) => Json | undefined
  /** What happened so far in the whole run that is no single rule's business. */
  readonly incidents: () => Incidents
  /**
   * For rules with `restarts`: waits for the other ones, does the last step, restarts the server, and waits until it
   * answers. Sessions of replicas are new afterwards.
   */
  readonly restart: (lastStep?: () => Promise<void>) => Promise<void>
  /** What passed so far in this rule, oldest first. */
  readonly exchanges: readonly Exchange[]
  /** Options of the run that a rule may read. */
  readonly options: LabOptions
}

/** Options of the run that a rule may read. */
export interface LabOptions {
  /** Number of random histories. */
  readonly histories: number
  readonly seed: number
  /** Time that is left for all rules, in milliseconds. */
  readonly remainingMs: () => number
  /** How long to wait for what has to come. */
  readonly patience: Patience
  /** The receiver that the suite plays; absent: none. */
  readonly receiver?: Receiver
}

/** How long to wait for what has to come, in milliseconds. */
export interface Patience {
  /** An event, or a message to a webhook. */
  readonly eventMs: number
  /** A message that failed and is tried again. */
  readonly retryMs: number
}

/** Parameters with the changes applied, in order; new names come last. */
export const changePairs = (pairs: readonly Pair[], changes: Readonly<Record<string, string | undefined>>): Pair[] => {
  const kept = pairs.filter(([name]) => !Object.hasOwn(changes, name))
  const added = Object.entries(changes).flatMap(([name, value]): Pair[] => (value === undefined ? [] : [[name, value]]))
  return [...kept, ...added]
}
