/*
 * The requirements for clients. A MUST is what loses or duplicates data, leaks a secret, or breaks against a right server;
 * a SHOULD is cost and courtesy. Each follows from a sentence of the interface, which stands beside it. `npm run generate`
 * writes the texts into the chapter "Clients" of `docs/reference/protocol.md`.
 */
import { type Requirement, requirementsOf } from '../rule.ts'

/** One requirement for clients; its ID begins with `D-`. */
export interface ClientRequirement extends Requirement {
  /** The sentence of the interface, or of this protocol, that it follows from. */
  readonly follows: string
}

type Written = Pick<ClientRequirement, 'id' | 'text' | 'follows'> &
  Partial<Pick<ClientRequirement, 'level' | 'untested'>>

const clientRequirementsOf = (section: string, written: readonly Written[]): readonly ClientRequirement[] =>
  requirementsOf(
    section,
    written.map((each) => ({ basis: 'implied', ...each })),
  ) as readonly ClientRequirement[]

/** Every requirement for clients, section by section. */
export const clientRequirements: readonly ClientRequirement[] = [
  ...clientRequirementsOf('1', [
    {
      id: 'D-1-1',
      level: 'should',
      text: 'A client SHOULD read a listing as a stream. A listing of a million things SHOULD NOT take more than 150 MB of memory.',
      follows: 'Clients should parse them with a streaming (incremental) JSON parser.',
    },
    {
      id: 'D-1-2',
      text: 'A client MUST read JSON however it arrives: in pieces that end anywhere, escaped, indented, late, and with members in any order. It MUST read every content coding that it accepts.',
      follows: 'Data is returned only as JSON.',
    },
    {
      id: 'D-1-3',
      text: 'A client MUST send every request below its base URL, whatever path that has.',
      follows: 'All paths are relative to `{base_url}`.',
    },
    {
      id: 'D-1-4',
      text: 'A client that can send several requests at the same time MUST return to each caller the response to its own request.',
      follows: 'Data is returned only as JSON.',
    },
    {
      id: 'D-1-5',
      level: 'should',
      text: 'A client SHOULD NOT fail because the server has closed a connection that was kept open.',
      follows: 'Clients keep connections open',
    },
  ]),
  ...clientRequirementsOf('2.1', [
    {
      id: 'D-2.1-1',
      text: 'A client MUST upload each value as the user gave it, character for character. It MUST NOT leave out 0, false or the empty title.',
      follows: 'As submitted by a client for creation (`new_thing`).',
    },
    {
      id: 'D-2.1-2',
      text: 'A client MUST leave out a field that has no value. It MUST NOT send null in its place.',
      follows: 'string | only when set',
    },
    {
      id: 'D-2.1-3',
      text: 'A `changed_thing` MUST have every field that the thing has: the title always, and `archived` while the thing is archived.',
      follows:
        'As submitted for change (`changed_thing`): the same fields, except that `local_id` is replaced by `_id`.',
    },
    {
      id: 'D-2.1-4',
      text: 'Each `local_id` in one request MUST be different, also after a restart of the client.',
      follows: 'Must be unique among the things submitted together.',
    },
    {
      id: 'D-2.1-5',
      text: 'A client MUST take a field that a listed thing does not have as removed: `url`, `html`, `archived` or `todoStatus`.',
      follows: 'only if set; only when the thing is archived; only if the thing is a todo',
    },
    {
      id: 'D-2.1-6',
      text: 'A client MUST read every value exactly: any text, an `_id` of any length and look, any date.',
      follows: 'string, alphanumeric',
    },
  ]),
  ...clientRequirementsOf('2.2', [
    {
      id: 'D-2.2-1',
      text: 'A client MUST replace the settings of a tag by the settings that a response lists, for any name of a tag.',
      follows: 'As returned (in `tags`, a map from tag name to an object).',
    },
    {
      id: 'D-2.2-2',
      text: 'A client MUST upload settings under the exact name of the tag.',
      follows: 'As submitted (`tag[<tagname>]`, a JSON object).',
    },
    {
      id: 'D-2.2-4',
      text: 'A client MUST show `todoStatus` on todos only: on things with a tag, by its exact name, whose `todo` setting is not false.',
      follows: 'When not false, things carrying the tag are shown with a checkbox.',
    },
    {
      id: 'D-2.2-5',
      text: 'A client that downloads in pages MUST take tag settings from every page that has some.',
      follows: 'As returned (in `tags`, a map from tag name to an object).',
    },
    {
      id: 'D-2.2-3',
      text: 'An edit of one setting MUST NOT change another setting of the tag, and MUST NOT get lost because the tag is listed.',
      follows: 'A server MUST keep settings that are left out of a tag.',
    },
  ]),
  ...clientRequirementsOf('2.3', [
    {
      id: 'D-2.3-1',
      text: 'A client MUST send `pos` back as `from` without a change, for every number up to 2^53. It MUST NOT calculate with positions.',
      follows: "`pos` is a number: the server's current position. A client stores it and sends it later as `from`.",
    },
    {
      id: 'D-2.3-2',
      text: 'A client MUST store `pos` only together with everything that it covers. With pages, that is the position of the first page, after the last page.',
      follows: 'The response then contains only changes since that position.',
    },
    {
      id: 'D-2.3-3',
      text: 'When a client starts a full sync again, it MUST remove what only an earlier, incomplete one listed. No position covers that.',
      follows: 'Omitted or 0 means all things are transmitted.',
    },
  ]),
  ...clientRequirementsOf('4.3', [
    {
      id: 'D-4.3-1',
      text: 'A client MUST upload by POST with a form body. It MUST NOT put uploads into the query.',
      follows: 'Sent by: POST',
    },
    {
      id: 'D-4.3-2',
      text: 'A client MUST send each parameter with the given value, and MUST NOT send a parameter that is absent.',
      follows: 'The request parameters below are read from the query string (GET) or the form body (POST), as listed.',
    },
    {
      id: 'D-4.3-3',
      text: 'A client MUST send several things of one kind as one JSON array, or in a repeated parameter whose name ends in `[]`.',
      follows: 'Several things of one kind are wrapped in one JSON array, as the value of a single parameter.',
    },
    {
      id: 'D-4.3-4',
      text: 'After a creation a client MUST use the returned `_id`, under any key of `things.new`.',
      follows:
        'After creating a thing, the client must use the returned `_id` for it from then on, in place of the `local_id`.',
    },
    {
      id: 'D-4.3-5',
      text: 'A client MUST create a thing whose `_id` it does not know, and MUST update the thing with an `_id` that it knows.',
      follows:
        'If a client receives an `_id` it does not know, it creates the thing locally; otherwise it updates the local thing with that `_id`.',
    },
    {
      id: 'D-4.3-6',
      text: 'A client MUST remove a thing that `things.deleted` lists. An `_id` that it does not know, or that comes again, MUST NOT do harm.',
      follows: 'Things that have been deleted.',
    },
    {
      id: 'D-4.3-7',
      text: 'When a thing was changed here and deleted elsewhere, the deletion MUST win. The client MUST report the typed edit that is lost.',
      follows: 'Things that have been deleted.',
    },
    {
      id: 'D-4.3-8',
      text: 'Where the server recognizes retries, a lost response to an upload MUST NOT create anything twice. It MUST NOT lose anything, on any server. The client sends the same upload with the same `from`, or first lists from there and recognizes its creations.',
      follows:
        'A successful upload of new things returns a new `pos`, and the response carries `things.new` with one entry per submitted `local_id`.',
    },
    {
      id: 'D-4.3-9',
      text: 'An edit that was accepted offline MUST survive an end of the program at any moment, until the server confirmed it.',
      follows: 'Offline-capable clients use the sync operation to upload their local creations, changes and deletions.',
    },
    {
      id: 'D-4.3-10',
      text: 'An edit that the server rejects MUST NOT disappear without a report, and MUST NOT be shown as uploaded. A deletion is such an edit while the server has the thing: the client sends it again, or reports it and shows the thing.',
      follows:
        'Error codes for other conditions (bad parameters, failed token grants, unknown ids, duplicate local_id): not shown.',
    },
    {
      id: 'D-4.3-11',
      text: 'A client that downloads in pages MUST read every page, and each thing once.',
      follows: 'Together with skip it fetches the next batch.',
    },
    {
      id: 'D-4.3-12',
      text: 'Replicas MUST converge with every right server. Right servers differ: own uploads listed or not, any order, deletions in full syncs, gaps between positions.',
      follows: 'They download changes made elsewhere since a previous position.',
    },
    {
      id: 'D-4.3-13',
      level: 'should',
      text: 'After the first sync a client SHOULD ask for the changes since its position, and SHOULD NOT ask for everything again.',
      follows: 'The response then contains only changes since that position.',
    },
    {
      id: 'D-4.3-14',
      level: 'should',
      text: 'A rejected edit SHOULD NOT hold other edits back.',
      follows: 'Maximum sizes, maximum number of things per request and rate limits: not shown.',
    },
    {
      id: 'D-4.3-15',
      level: 'should',
      text: 'Where the server does not recognize a retry, a client SHOULD create a thing at most once more for each lost response. It SHOULD hold every copy.',
      follows: 'A thing created elsewhere (web interface or another client) appears in `things.changed`.',
    },
    {
      id: 'D-4.3-16',
      text: 'A client MUST upload an edit that was typed while a sync was running, or that was typed again.',
      follows: 'Offline-capable clients use the sync operation to upload their local creations, changes and deletions.',
    },
    {
      id: 'D-4.3-17',
      text: 'A client MUST read a response without `thingCount`, `tags` or `things`, in every kind of listing.',
      follows: 'Absent when there is nothing to list.',
    },
    {
      id: 'D-4.3-21',
      text: 'A client MUST show its things with the edits that wait. It MUST NOT show a thing whose deletion waits.',
      follows: 'Offline-capable clients use the sync operation to upload their local creations, changes and deletions.',
    },
    {
      id: 'D-4.3-22',
      text: 'A client MUST hold a thing again that is listed after its deletion, whichever device deleted it.',
      follows:
        'If a client receives an `_id` it does not know, it creates the thing locally; otherwise it updates the local thing with that `_id`.',
    },
    {
      id: 'D-4.3-23',
      level: 'should',
      text: 'A client SHOULD report as lost only what was typed and is gone. It SHOULD NOT report its own deletion of a thing that is gone, or an edit that the account has.',
      follows: 'Things that have been deleted.',
    },
    {
      id: 'D-4.3-24',
      text: 'A server may reject an edit of a thing that it does not have, or no longer has. This error MUST NOT hold the client up: it drops a deletion, reports a change as lost, and syncs the rest.',
      follows:
        'Error codes for other conditions (bad parameters, failed token grants, unknown ids, duplicate local_id): not shown.',
    },
    {
      id: 'D-4.3-18',
      text: 'A client MUST take over everything that the response to its upload lists: things, deletions and settings, also of what it uploaded itself.',
      follows:
        'The response to an upload and the next incremental sync MUST show what others changed after `from` in the things that the client changed itself.',
    },
    {
      id: 'D-4.3-19',
      text: 'Two syncs of one client that run at the same time MUST NOT upload an edit twice.',
      follows: 'A thing created elsewhere (web interface or another client) appears in `things.changed`.',
    },
    {
      id: 'D-4.3-20',
      level: 'should',
      text: 'An offline client SHOULD say whether edits wait, of every kind, and which error stopped its last sync.',
      follows: 'Offline-capable clients use the sync operation to upload their local creations, changes and deletions.',
    },
  ]),
  ...clientRequirementsOf('4.1', [
    {
      id: 'D-4.1-1',
      text: 'A client MUST send the operations on single things by POST with a form body, and MUST return what they return.',
      follows: 'Methods, exact path shapes, parameters and payloads of every operation except sync: not shown.',
    },
    {
      id: 'D-4.1-2',
      text: 'A client MUST NOT repeat `thing/add` by itself after a lost response, because no server recognizes that.',
      follows: 'Add a new thing for the authenticated user.',
    },
  ]),
  ...clientRequirementsOf('5.1', [
    {
      id: 'D-5.1-1',
      text: 'A client MUST request tokens by POST with a form body, with its client ID, its client secret and the exact user name and password.',
      follows: 'The token request body is `application/x-www-form-urlencoded`.',
    },
    {
      id: 'D-5.1-2',
      text: 'A client MUST send the value of `request_token` as `refresh_token` of the grant `refresh_token`.',
      follows:
        'The second token issued with each grant; it is what the refresh_token grant takes as its `refresh_token` parameter.',
    },
    {
      id: 'D-5.1-3',
      level: 'should',
      text: 'A client that has both tokens SHOULD NOT send the password again.',
      follows: 'After both tokens are obtained, the username and password are no longer needed.',
    },
    {
      id: 'D-5.1-4',
      level: 'should',
      text: 'A client that has both tokens SHOULD NOT store the password.',
      follows: 'After both tokens are obtained, the username and password are no longer needed.',
    },
  ]),
  ...clientRequirementsOf('5.2', [
    {
      id: 'D-5.2-1',
      text: 'A client MUST store both new tokens before it uses one of them.',
      follows: 'Each grant issues a new pair.',
    },
    {
      id: 'D-5.2-2',
      text: 'A client MUST have only one refresh under way, whatever number of requests found the access token expired.',
      follows: 'Each grant issues a new pair.',
    },
    {
      id: 'D-5.2-3',
      text: 'When the access token is invalid, an offline client MUST refresh and continue, and so MUST a library that refreshes by itself. A request MUST NOT get lost.',
      follows: 'An access token is valid or expired.',
    },
    {
      id: 'D-5.2-4',
      text: 'When the refresh token is rejected too, a client MUST report that the user has to sign in. It MUST keep the edits, and MUST NOT repeat the refresh in a loop.',
      follows: 'An expired or invalid token is rejected in the same way on all three.',
    },
    {
      id: 'D-5.2-5',
      text: 'A client MUST accept `scope` null, and a validity of any length.',
      follows: 'scope | null',
    },
    {
      id: 'D-5.2-6',
      text: 'A refresh that gets no response, 429 or 5xx MUST NOT end the session: the refresh token is still valid.',
      follows: 'Each grant issues a new pair.',
    },
    {
      id: 'D-5.2-7',
      level: 'should',
      text: 'A client SHOULD NOT refresh while its access token is valid: not for each request, and not again after another request did.',
      follows: 'Access token validity is given by `expires_in`.',
    },
  ]),
  ...clientRequirementsOf('5.3', [
    {
      id: 'D-5.3-1',
      text: 'A client MUST present the access token in exactly one way in each request.',
      follows: 'The access token is given in exactly one of these ways.',
    },
    {
      id: 'D-5.3-2',
      text: 'Unless the user asks for it, a client MUST NOT put a token, a password or a client secret into a URL.',
      follows: 'The access token is given in exactly one of these ways.',
    },
    {
      id: 'D-5.3-3',
      text: 'A client MUST NOT send a token, a password or a client secret to another server than the server of its base URL. A redirect does not change this.',
      follows: 'All paths are relative to `{base_url}`.',
    },
    {
      id: 'D-5.3-4',
      text: 'A client MUST NOT repeat a token, a password or a client secret in an error, in its log, or in its standard error.',
      follows: 'The access token is given in exactly one of these ways.',
    },
  ]),
  ...clientRequirementsOf('7', [
    {
      id: 'D-7-1',
      text: 'A client MUST recognize an error by its member `error`, whatever the status of the response is.',
      follows: 'HTTP status codes of error responses: not shown.',
    },
    {
      id: 'D-7-2',
      text: 'A response that is not of this protocol MUST be an error: a page of HTML, JSON that ends early, an object without `pos`.',
      follows: 'Data is returned only as JSON.',
    },
    {
      id: 'D-7-3',
      text: 'A connection that breaks MUST be an error, and the part that arrived MUST NOT count as the whole.',
      follows: '`pos` | number | Current position; to be stored and sent later as `from`.',
    },
    {
      id: 'D-7-4',
      text: 'A redirect MUST NOT turn an upload into a download. A client that does not send the upload again MUST return an error.',
      follows: 'Sent by: POST',
    },
    {
      id: 'D-7-5',
      level: 'should',
      text: 'A client that follows redirects SHOULD follow at most 30 of them for one request.',
      follows: 'All paths are relative to `{base_url}`.',
    },
    {
      id: 'D-7-6',
      level: 'should',
      text: 'A client SHOULD NOT repeat a request by itself that the server rejected, except after a refresh or when the server asked it to wait.',
      follows:
        'Error codes for other conditions (bad parameters, failed token grants, unknown ids, duplicate local_id): not shown.',
    },
  ]),
  ...clientRequirementsOf('8', [
    {
      id: 'D-8-1',
      level: 'should',
      text: 'After 429 or 503 a client SHOULD wait as long as `Retry-After` says, in seconds or as a date, before it sends a request again.',
      follows: 'Maximum sizes, maximum number of things per request and rate limits: not shown.',
    },
    {
      id: 'D-8-2',
      text: 'A response 429 or 503 MUST NOT lose or duplicate anything. A client that repeats requests by itself MUST end after some tries.',
      follows: 'Maximum sizes, maximum number of things per request and rate limits: not shown.',
    },
    {
      id: 'D-8-3',
      level: 'should',
      text: 'A client that repeats requests by itself SHOULD pause before each repetition, also without `Retry-After`.',
      follows: 'Maximum sizes, maximum number of things per request and rate limits: not shown.',
    },
    {
      id: 'D-8-4',
      text: 'When the server says that an upload is too large, a client MUST send less at once, and MUST NOT lose an edit.',
      follows: 'A server may accept fewer, if its error says so.',
    },
  ]),
  ...clientRequirementsOf('9', [
    {
      id: 'D-9-1',
      text: 'A client MUST ignore members that it does not know.',
      follows: 'Version lifecycle, compatibility and deprecation policy: not shown.',
    },
    {
      id: 'D-9-2',
      level: 'should',
      text: 'A client SHOULD take null for an absent member.',
      follows: 'scope | null',
    },
  ]),
]
