/* tslint:disable */
/* eslint-disable */
/**
 * The created thing, or the one that was there before.
 * @export
 * @interface AddedThing
 */
export interface AddedThing {
    /**
     * Identifier.
     */
    _id: string;
    /**
     * Title.
     */
    title: string;
    /**
     * Tags, separated by spaces; empty for none.
     */
    tags: string;
    /**
     * Time of creation, Unix time in seconds.
     */
    date: number;
    /**
     * There only when a url is set.
     */
    url?: string;
    /**
     * There only when html is set.
     */
    html?: string;
    /**
     * There only when the thing is archived.
     */
    archived?: boolean;
    /**
     * There only when one of the tags makes the thing a todo.
     */
    todoStatus?: boolean;
    /**
     * There only when nothing was created.
     */
    duplicate?: boolean;
}
/**
 * The thing that was deleted.
 * @export
 * @interface DeletedThing
 */
export interface DeletedThing {
    /**
     * Its `_id`.
     */
    deleted_thing: string;
}
/**
 * The last message that was not taken.
 * @export
 * @interface DeliveryFailure
 */
export interface DeliveryFailure {
    /**
     * When, Unix time in seconds.
     */
    date: number;
    /**
     * A sentence for a person.
     */
    reason: string;
}
/**
 * A device and what became of the last messages to it. What is not known is left out.
 * @export
 * @interface DeviceInfo
 */
export interface DeviceInfo {
    /**
     * As it was registered.
     */
    type: string;
    /**
     * As it was registered.
     */
    id: string;
    /**
     * True for a device that the session registered that asks.
     */
    current: boolean;
    /**
     * False for a device of a type that this server tells nothing.
     */
    delivered: boolean;
    /**
     * When it was last registered, Unix time in seconds.
     */
    date?: number;
    /**
     * When its push service last took a message, Unix time in seconds.
     */
    last_success?: number;
    /**
     *
     */
    last_failure?: DeliveryFailure;
}
/**
 * The server's public key for Web Push.
 * @export
 * @interface DeviceKey
 */
export interface DeviceKey {
    /**
     * The uncompressed point of a P-256 key, 65 bytes as base64url.
     */
    key: string;
}
/**
 * A device to tell of changes.
 * @export
 * @interface DeviceRegistration
 */
export interface DeviceRegistration {
    /**
     * `webpush`, or the name of another push service.
     */
    type: string;
    /**
     * The client's name of the device, or its id at the push service.
     */
    id: string;
    /**
     * For `webpush`; address of the push service, absolute http or https, without user name and password.
     */
    endpoint?: string;
    /**
     * For `webpush`; public key of the device.
     */
    p256dh?: string;
    /**
     * For `webpush`; authentication secret of the device.
     */
    auth?: string;
}
/**
 * A device to forget.
 * @export
 * @interface DeviceRemoval
 */
export interface DeviceRemoval {
    /**
     * As it was registered.
     */
    type: string;
    /**
     * As it was registered.
     */
    id: string;
}
/**
 * Every error.
 * @export
 * @interface ErrorBody
 */
export interface ErrorBody {
    /**
     * The code.
     */
    error: string;
    /**
     * A sentence for the developer of the client.
     */
    error_description: string;
}
/**
 * The device is registered.
 * @export
 * @interface Registered
 */
export interface Registered {
    /**
     * Always true.
     */
    registered: boolean;
    /**
     * There only for a device of a type that this server tells nothing.
     */
    delivered?: boolean;
}
/**
 * The webhook is registered.
 * @export
 * @interface RegisteredWebhook
 */
export interface RegisteredWebhook {
    /**
     * Always true.
     */
    registered: boolean;
    /**
     * Secret of the webhook, `whsec_` and base64; only in the answer that made it.
     */
    secret?: string;
}
/**
 * The session that has ended.
 * @export
 * @interface RevokedSession
 */
export interface RevokedSession {
    /**
     * Its id.
     */
    revoked_session: string;
}
/**
 * One of the ways in which somebody may act for the user at the moment. What is not known is left out.
 * @export
 * @interface SessionInfo
 */
export interface SessionInfo {
    /**
     * Its id, for `/session/revoke`.
     */
    id: string;
    /**
     * An application with tokens, a personal access token, or a browser that is signed in to the pages.
     */
    kind: string;
    /**
     * True for the session that asks.
     */
    current: boolean;
    /**
     * When it began, Unix time in seconds.
     */
    date: number;
    /**
     * Name of the application or the token; a browser has none.
     */
    name?: string;
    /**
     * The application.
     */
    client_id?: string;
    /**
     * The grant by which an application began it.
     */
    began?: string;
    /**
     * A personal access token that may only read.
     */
    read_only?: boolean;
    /**
     * When it was last used, give or take an hour, Unix time in seconds.
     */
    last_used?: number;
    /**
     * When it ends unless it is used before, Unix time in seconds; absent when it does not.
     */
    expires?: number;
    /**
     * Network address that it was last granted tokens at, or began at.
     */
    address?: string;
    /**
     * What the program there said of itself, cut short.
     */
    user_agent?: string;
}
/**
 * A session to end.
 * @export
 * @interface SessionRevocation
 */
export interface SessionRevocation {
    /**
     * Identifier that the server gave.
     */
    id: string;
}
/**
 * The answer of sync.
 * @export
 * @interface SyncAnswer
 */
export interface SyncAnswer {
    /**
     * Current position, to be sent later as `from`.
     */
    pos: number;
    /**
     * Number of things new, changed or deleted, whatever skip and limit; left out when 0.
     */
    thingCount?: number;
    /**
     * Tag settings that apply, by tag name; left out when there are none.
     */
    tags?: { [key: string]: TagSettings; };
    /**
     *
     */
    things?: SyncThings;
}
/**
 * A sync upload. A single object may stand for an array of one.
 * @export
 * @interface SyncRequest
 */
export interface SyncRequest {
    /**
     * A `pos` that was returned earlier; left out or 0 asks for everything.
     */
    from?: number;
    /**
     * Leave out the first things of the listing.
     */
    skip?: number;
    /**
     * Return at most this many things.
     */
    limit?: number;
    /**
     * Things to create.
     */
    new_thing?: Array<ThingCreate>;
    /**
     * Things to change.
     */
    changed_thing?: Array<ThingUpdate>;
    /**
     * Things to delete.
     */
    deleted_thing?: Array<string>;
    /**
     * Tag settings to change, by tag name of at most 1,000 characters.
     */
    tag?: { [key: string]: TagSettingsChange; };
    /**
     * Ids to leave out of the changed and deleted things.
     */
    skip_id?: Array<string>;
}
/**
 * Things of a sync answer; each part is there only when it is not empty.
 * @export
 * @interface SyncThings
 */
export interface SyncThings {
    /**
     * From each submitted local_id to the new `_id`.
     */
    new?: { [key: string]: string; };
    /**
     * Things that are new or changed, in their latest state.
     */
    changed?: Array<Thing>;
    /**
     * Ids of things that were deleted.
     */
    deleted?: Array<string>;
}
/**
 * Numbers of things per tag.
 * @export
 * @interface TagCounts
 */
export interface TagCounts {
    /**
     * Current position.
     */
    pos: number;
    /**
     * Favorite tags, with 0 for those without things.
     */
    favorite: { [key: string]: number; };
    /**
     * All other tags that things carry.
     */
    other: { [key: string]: number; };
}
/**
 * Settings of a tag as the server returns them.
 * @export
 * @interface TagSettings
 */
export interface TagSettings {
    /**
     * Whether the tag is a favorite.
     */
    favorite: boolean;
    /**
     * False for none, or the hex code of a background colour, in lower case.
     */
    color: any | null;
    /**
     * When not false, things that carry the tag are shown with a checkbox.
     */
    todo: any | null;
}
/**
 * Settings of a tag to change. Fields that are left out stay as they are.
 * @export
 * @interface TagSettingsChange
 */
export interface TagSettingsChange {
    /**
     * Whether the tag is a favorite.
     */
    favorite?: boolean;
    /**
     * False for none, or the hex code of a background colour; it comes back in lower case.
     */
    color?: any | null;
    /**
     * Whether things that carry the tag are todos; true is kept as "strike".
     */
    todo?: any | null;
}
/**
 * The name of the user.
 * @export
 * @interface TestAnswer
 */
export interface TestAnswer {
    /**
     * Name of the user.
     */
    user: string;
}
/**
 * A thing as the server returns it.
 * @export
 * @interface Thing
 */
export interface Thing {
    /**
     * Identifier.
     */
    _id: string;
    /**
     * Title.
     */
    title: string;
    /**
     * Tags, separated by spaces; empty for none.
     */
    tags: string;
    /**
     * Time of creation, Unix time in seconds.
     */
    date: number;
    /**
     * There only when a url is set.
     */
    url?: string;
    /**
     * There only when html is set.
     */
    html?: string;
    /**
     * There only when the thing is archived.
     */
    archived?: boolean;
    /**
     * There only when one of the tags makes the thing a todo.
     */
    todoStatus?: boolean;
}
/**
 * A thing to create on its own.
 * @export
 * @interface ThingAddition
 */
export interface ThingAddition {
    /**
     * Title of the thing; may be empty.
     */
    title: string;
    /**
     * Tags, separated by spaces; "" clears, null is absent.
     */
    tags?: string;
    /**
     * Time of creation, Unix time in seconds; the server's time when left out.
     */
    date?: number;
    /**
     * URL of the thing; "" clears, null is absent.
     */
    url?: string;
    /**
     * Note or other content; "" clears, null is absent.
     */
    html?: string;
    /**
     * Left out means false.
     */
    archived?: boolean;
    /**
     * Completion of a todo.
     */
    todoStatus?: boolean;
    /**
     * Answer an existing thing with the same url instead of creating another.
     */
    prevent_duplicate?: boolean;
}
/**
 * Fields of a thing to change; those that are left out stay.
 * @export
 * @interface ThingChange
 */
export interface ThingChange {
    /**
     * Identifier that the server gave.
     */
    _id: string;
    /**
     * Title of the thing; may be empty.
     */
    title?: string;
    /**
     * Tags, separated by spaces; "" clears, null is absent.
     */
    tags?: string;
    /**
     * Time of creation, Unix time in seconds; the server's time when left out.
     */
    date?: number;
    /**
     * URL of the thing; "" clears, null is absent.
     */
    url?: string;
    /**
     * Note or other content; "" clears, null is absent.
     */
    html?: string;
    /**
     * Whether the thing is archived.
     */
    archived?: boolean;
    /**
     * Completion of a todo.
     */
    todoStatus?: boolean;
}
/**
 * A thing to create.
 * @export
 * @interface ThingCreate
 */
export interface ThingCreate {
    /**
     * The client's identifier, unique in one request. A number that loses digits as a double goes as text.
     */
    local_id: string;
    /**
     * Title of the thing; may be empty.
     */
    title: string;
    /**
     * Tags, separated by spaces; "" clears, null is absent.
     */
    tags?: string;
    /**
     * Time of creation, Unix time in seconds; the server's time when left out.
     */
    date?: number;
    /**
     * URL of the thing; "" clears, null is absent.
     */
    url?: string;
    /**
     * Note or other content; "" clears, null is absent.
     */
    html?: string;
    /**
     * Left out means false.
     */
    archived?: boolean;
    /**
     * Completion of a todo.
     */
    todoStatus?: boolean;
}
/**
 * A thing to delete.
 * @export
 * @interface ThingDeletion
 */
export interface ThingDeletion {
    /**
     * Identifier that the server gave.
     */
    _id: string;
}
/**
 * A thing to change by sync. Fields that are left out stay, but `archived` becomes false.
 * @export
 * @interface ThingUpdate
 */
export interface ThingUpdate {
    /**
     * Identifier that the server gave.
     */
    _id: string;
    /**
     * Title of the thing; may be empty.
     */
    title: string;
    /**
     * Tags, separated by spaces; "" clears, null is absent.
     */
    tags?: string;
    /**
     * Time of creation, Unix time in seconds; the server's time when left out.
     */
    date?: number;
    /**
     * URL of the thing; "" clears, null is absent.
     */
    url?: string;
    /**
     * Note or other content; "" clears, null is absent.
     */
    html?: string;
    /**
     * Left out means false.
     */
    archived?: boolean;
    /**
     * Completion of a todo.
     */
    todoStatus?: boolean;
}
/**
 * A new pair of tokens.
 * @export
 * @interface TokenPair
 */
export interface TokenPair {
    /**
     * Token to call the API with.
     */
    access_token: string;
    /**
     * Validity of the access token in seconds.
     */
    expires_in: number;
    /**
     * What the refresh_token grant takes as `refresh_token`.
     */
    request_token: string;
    /**
     * The value of `request_token`, under the name that OAuth libraries read.
     */
    refresh_token?: string;
    /**
     * Always "bearer".
     */
    token_type: string;
    /**
     * Always null, and left out for applications that are registered as standard.
     */
    scope?: string | null;
}
/**
 * A token to give back (RFC 7009).
 * @export
 * @interface TokenRevocation
 */
export interface TokenRevocation {
    /**
     * An access token or a request token.
     */
    token: string;
    /**
     * Which of the two it is; not needed.
     */
    token_type_hint?: string;
    /**
     * The registered application.
     */
    client_id?: string;
    /**
     * Its secret, if it has one.
     */
    client_secret?: string;
}
/**
 * It is not registered any more.
 * @export
 * @interface Unregistered
 */
export interface Unregistered {
    /**
     * Always true.
     */
    unregistered: boolean;
}
/**
 * The user behind the access token.
 * @export
 * @interface UserInfo
 */
export interface UserInfo {
    /**
     * Name of the user.
     */
    username: string;
    /**
     * Time of creation of the account, Unix time in seconds.
     */
    date: number;
    /**
     * Current position.
     */
    pos: number;
    /**
     * Number of living things, archived ones too.
     */
    thingCount: number;
}
/**
 * An address to call and when.
 * @export
 * @interface Webhook
 */
export interface Webhook {
    /**
     * Absolute http or https address without user name and password.
     */
    target_url: string;
    /**
     * What to be told of: `new_thing`, `changed_thing`, `deleted_thing`, `tag` or `any`.
     */
    event: string;
}
/**
 * A webhook and how it is going. What is not known is left out.
 * @export
 * @interface WebhookInfo
 */
export interface WebhookInfo {
    /**
     * As it was registered.
     */
    target_url: string;
    /**
     * As it was registered.
     */
    event: string;
    /**
     * `working`; `retrying` after a failure; `resting` after the last try, until it is registered again or woken on the account page; `paused` by the operator of the server.
     */
    state: string;
    /**
     * Whether there is something that the receiver was not told of yet.
     */
    waiting: boolean;
    /**
     * When it was registered, Unix time in seconds.
     */
    date?: number;
    /**
     * When the receiver last took a message, Unix time in seconds.
     */
    last_success?: number;
    /**
     *
     */
    last_failure?: DeliveryFailure;
    /**
     * When it is tried next, Unix time in seconds; there only while it is `retrying`.
     */
    next_try?: number;
}
