// Made from openapi.yaml by openapi-typescript (npm run generate); edit openapi.yaml instead.
export interface paths {
    "/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get or renew an access token
         * @description Issues a new pair of tokens. The body is a form and nothing else. The body may have 64 KiB and 100 fields.
         *
         *     `grant_type=password` takes `username` and `password`; `grant_type=refresh_token` takes the `request_token` of an earlier
         *     answer as `refresh_token`. The client credentials come in the form or by HTTP Basic (RFC 6749 2.3.1), never both; an
         *     application that is registered without a secret gives its `client_id` alone. A refresh whose answer was lost can be sent
         *     again until the new pair is first used; after that the old request token ends the whole session. Keep the newest
         *     `request_token`: it lives for 90 days from its last use.
         *
         *     `grant_type=authorization_code` takes the `code` that the authorization code flow sent to `redirect_uri`, that `redirect_uri` when the
         *     request named one, also followed by what was appended to it, and the `code_verifier` when the request had a
         *     `code_challenge`. A code that is presented a second time ends the session that it began.
         */
        post: operations["grantToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a token back
         * @description Ends the session that the token belongs to, on either of its tokens (RFC 7009). A token that is unknown is answered in the
         *     same way, so nothing can be learnt from it. The client credentials come in the body or by HTTP Basic; an application that
         *     is registered without a secret gives its `client_id` alone. The body may have 64 KiB and 100 fields.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download changes
         * @description Lists things and tag settings. Without `from`, or with 0, all things are listed; with the `pos` of an earlier answer only
         *     what changed since. Never changes anything; upload parameters belong into a POST.
         *
         *     Things come in the order of their last change, deleted ids behind them. `skip` and `limit` page through that order; the
         *     pages of one listing are taken from one snapshot for up to 15 minutes and all return its position. When a page has
         *     another `pos` than the first, the server was restarted, or more than 16 other listings of the session were begun:
         *     begin again with the first page. Answers can be very
         *     large: parse them as a stream.
         */
        get: operations["getSync"];
        put?: never;
        /**
         * Upload local changes and download changes
         * @description Applies creations, changes, deletions and tag settings, in this order, all or none; then lists what other clients changed.
         *     Own uploads are not listed again.
         *
         *     `things.new` names the `_id` of every submitted `local_id`; use it from then on. **When an answer is lost**, send the same
         *     upload with the same explicit `from` again, 0 at first. A repeated `local_id` is a retry when title, url or given date is
         *     the same as before; otherwise it is another thing. After a later `from`, or once the session has named the thing by its
         *     `_id`, it is a new thing. A changed thing that was deleted elsewhere comes back in `things.deleted`; drop it.
         */
        post: operations["postSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sync/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hear of changes as they happen
         * @description A stream of server-sent events that says when it is time to sync: one with the current position at once, and one after
         *     each change that another session made. Changes that come close together are one event with the newest position. The
         *     data of an event is `{"pos": N}`, its `id` is N, too. A comment comes at least every 25 seconds; when
         *     twice as long nothing came, the connection is broken.
         *
         *     The stream ends within 25 seconds after its access token has, and when the server is stopped; then connect again. Who
         *     sends the last `id` as `Last-Event-ID`, as browsers do, is told the current position at once all the same: there is one
         *     event to miss, the newest. A client that does not read is dropped. An addition: the interface has no such operation.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count things per tag
         * @description Numbers of living things, archived ones too, per tag: favorite tags and all others. With `from` equal to the current
         *     position both maps are empty; otherwise both are complete.
         */
        get: operations["getTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/thing/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a thing
         * @description Creates a thing and answers it. A `title` that is an absolute http or https address becomes the `url` too when none is
         *     given. With `prevent_duplicate` and a living thing that has the same `url`, nothing is created and that thing is answered
         *     with `duplicate: true`.
         */
        post: operations["addThing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/thing/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a thing
         * @description Changes the given fields of a thing and answers it whole. Fields that are left out stay as they are, `archived` too; `""`
         *     empties `url`, `html` and `tags`.
         */
        post: operations["changeThing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/thing/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a thing
         * @description Deletes a thing for good. A second time it is not found.
         */
        post: operations["deleteThing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/things/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List things
         * @description All living things in the order of their last change, without archived ones unless asked for.
         */
        get: operations["getThings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the user
         * @description Name, date of creation, position and number of things of the user.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description What may act for the user at the moment, the last used first, as far as the one who asks may know it. A personal access
         *     token gets all: applications with tokens, personal access tokens, and browsers that are signed in to the pages; one
         *     that is read-only gets itself. An application gets its own sessions. An addition: the interface has no such operation.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a session
         * @description Ends one of the sessions that `/session/list` lists, at once; it may be the one that asks. A second time it is not found,
         *     and neither is one that is not listed for the one who asks.
         *     An addition: the interface has no such operation.
         */
        post: operations["revokeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/register/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a device
         * @description Stores where a device can be told that something changed. For `type` `webpush` the fields `endpoint`, `p256dh` and `auth`
         *     are required. Registering again replaces what was stored. Of more than 100 devices, the one that was not registered for
         *     the longest time is forgotten. Devices of other types are kept and never told anything, and answered with
         *     `delivered: false`; this field is an addition.
         */
        post: operations["registerDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/device/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a device (other name)
         * @description The other name of `register/device`. Stores where a device can be told that something changed. For `type` `webpush` the
         *     fields `endpoint`, `p256dh` and `auth` are required. Registering again replaces what was stored. Of more than 100 devices,
         *     the one that was not registered for the longest time is forgotten. Devices of other types are kept and never told
         *     anything, and answered with `delivered: false`; this field is an addition.
         */
        post: operations["registerDeviceAlias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unregister/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unregister a device
         * @description Forgets a device. One that is not registered is answered in the same way.
         */
        post: operations["unregisterDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/device/unregister": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unregister a device (other name)
         * @description The other name of `unregister/device`. Forgets a device. One that is not registered is answered in the same way.
         */
        post: operations["unregisterDeviceAlias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/device/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List devices
         * @description Devices of the user, the last registered first, with what became of the last messages to them: those that the
         *     application registered that asks, and those of which it is not known who did. A personal access token that may do
         *     everything gets all. Addresses and keys are never shown. An addition: the interface has no such operation.
         */
        get: operations["listDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/device/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the server's public key
         * @description The public key of this server for Web Push (VAPID, RFC 8292). A browser takes it as `applicationServerKey` when it
         *     subscribes, and its push service then takes messages from this server only. It is made once and stays the same. An
         *     addition: the interface has no such operation.
         */
        get: operations["getDeviceKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a webhook
         * @description Stores an address to call when something has changed. A hook belongs to the app that registers it. Its secret is answered
         *     once, when it is new; registering again changes nothing and answers no secret. A user has at most 20.
         */
        post: operations["registerWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/unregister": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unregister a webhook
         * @description Forgets a webhook of the app. One that is not registered is answered in the same way.
         */
        post: operations["unregisterWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description The webhooks that the application registered that asks, the oldest first, and how it is going with each. Secrets are
         *     never shown. An addition: the interface has no such operation.
         */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the access token
         * @description Answers the user's name; a quick way to see whether the access token still works.
         */
        get: operations["getTest"];
        put?: never;
        /**
         * Check the access token by POST
         * @description Answers the user's name, as GET does.
         */
        post: operations["postTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Every error. */
        ErrorBody: {
            /**
             * @description The code.
             * @enum {string}
             */
            error: "parameter_invalid" | "invalid_request" | "invalid_grant" | "invalid_client" | "unauthorized_client" | "unsupported_grant_type" | "not_found" | "method_not_allowed" | "too_large" | "unsupported_media_type" | "slow_down" | "temporarily_unavailable" | "server_error";
            /** @description A sentence for the developer of the client. */
            error_description: string;
        };
        /** @description An error of the token endpoint (RFC 6749 5.2). */
        GrantErrorBody: {
            /**
             * @description The code.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type";
            /** @description A sentence for the developer of the client. */
            error_description: string;
        };
        /** @description The credentials of the application are wrong (RFC 6749 5.2). */
        ClientErrorBody: {
            /**
             * @description The code.
             * @enum {string}
             */
            error: "invalid_client";
            /** @description A sentence for the developer of the client. */
            error_description: string;
        };
        /** @description The access token may not do this (RFC 6750 3.1). */
        ScopeErrorBody: {
            /**
             * @description The code.
             * @enum {string}
             */
            error: "insufficient_scope";
            /** @description A sentence for the developer of the client. */
            error_description: string;
        };
        /** @description The access token, when it is not in the header or in the query; the first field of a form. */
        AccessTokenText: string | null;
        /**
         * Format: text
         * @description Identifier that the server gave.
         */
        Id: string;
        /**
         * Format: text
         * @description Title of the thing; may be empty.
         */
        Title: string;
        /**
         * Format: text
         * @description Tags, separated by spaces; "" clears, null is absent.
         */
        Tags: string | null;
        /**
         * Format: text
         * @description URL of the thing; "" clears, null is absent.
         */
        Url: string | null;
        /**
         * Format: text
         * @description Note or other content; "" clears, null is absent.
         */
        Html: string | null;
        /**
         * Format: double
         * @description Time of creation, Unix time in seconds; the server's time when left out.
         */
        ThingDate: number | null;
        /**
         * @description A thing to create.
         * @example {
         *       "local_id": "n1",
         *       "title": "Buy milk",
         *       "tags": "todo"
         *     }
         */
        ThingCreate: {
            /** @description The client's identifier, unique in one request. A number that loses digits as a double goes as text. */
            local_id: string | number;
            title: components["schemas"]["Title"];
            tags?: components["schemas"]["Tags"];
            date?: components["schemas"]["ThingDate"];
            url?: components["schemas"]["Url"];
            html?: components["schemas"]["Html"];
            /** @description Left out means false. */
            archived?: boolean | null;
            /** @description Completion of a todo. */
            todoStatus?: boolean | null;
        };
        /**
         * @description A thing to change by sync. Fields that are left out stay, but `archived` becomes false.
         * @example {
         *       "_id": "a1b2c3",
         *       "title": "Buy oat milk",
         *       "tags": "todo",
         *       "todoStatus": true
         *     }
         */
        ThingUpdate: {
            _id: components["schemas"]["Id"];
            title: components["schemas"]["Title"];
            tags?: components["schemas"]["Tags"];
            date?: components["schemas"]["ThingDate"];
            url?: components["schemas"]["Url"];
            html?: components["schemas"]["Html"];
            /** @description Left out means false. */
            archived?: boolean | null;
            /** @description Completion of a todo. */
            todoStatus?: boolean | null;
        };
        /** @description A thing as the server returns it. */
        Thing: {
            /** @description Identifier. */
            _id: string;
            /** @description Title. */
            title: string;
            /** @description Tags, separated by spaces; empty for none. */
            tags: string;
            /**
             * Format: double
             * @description Time of creation, Unix time in seconds.
             */
            date: number;
            /** @description There only when a url is set. */
            url?: string;
            /** @description There only when html is set. */
            html?: string;
            /**
             * @description There only when the thing is archived.
             * @enum {boolean}
             */
            archived?: true;
            /** @description There only when one of the tags makes the thing a todo. */
            todoStatus?: boolean;
        };
        /**
         * @description Settings of a tag to change. Fields that are left out stay as they are.
         * @example {
         *       "todo": true,
         *       "color": "#f80"
         *     }
         */
        TagSettingsChange: {
            /** @description Whether the tag is a favorite. */
            favorite?: boolean | null;
            /** @description False for none, or the hex code of a background colour; it comes back in lower case. */
            color?: false | (string | null);
            /** @description Whether things that carry the tag are todos; true is kept as "strike". */
            todo?: (boolean | null) | ("strike" | "dont-strike");
        };
        /** @description Settings of a tag as the server returns them. */
        TagSettings: {
            /** @description Whether the tag is a favorite. */
            favorite: boolean;
            /** @description False for none, or the hex code of a background colour, in lower case. */
            color: false | string;
            /** @description When not false, things that carry the tag are shown with a checkbox. */
            todo: false | ("strike" | "dont-strike");
        };
        /**
         * @description The form of a sync upload, as it is on the wire; objects and lists are JSON text. Several things of one kind go into
         *     one JSON array or into repeated fields (`x-repeated-as`), tag settings into `tag[<name>]`, one field for each tag.
         */
        SyncForm: {
            access_token?: components["schemas"]["AccessTokenText"];
            /**
             * Format: int64
             * @description A `pos` that was returned earlier; left out or 0 asks for everything.
             */
            from?: number;
            /**
             * Format: int64
             * @description Leave out the first things of the listing.
             */
            skip?: number;
            /**
             * Format: int64
             * @description Return at most this many things.
             */
            limit?: number;
            /**
             * Format: json-ThingCreate
             * @description JSON text of one ThingCreate or of an array of them; in the repeated spelling of one each.
             */
            new_thing?: string;
            /**
             * Format: json-ThingUpdate
             * @description JSON text of one ThingUpdate or of an array of them; in the repeated spelling of one each.
             */
            changed_thing?: string;
            /**
             * Format: text
             * @description An `_id`, or JSON text of an array of them; in the repeated spelling one each.
             */
            deleted_thing?: string;
            /** @description JSON texts of one TagSettingsChange each, by tag name of at most 1,000 characters: `tag[<name>]`. */
            tag?: {
                [key: string]: string;
            };
            /**
             * Format: text
             * @description An `_id` to leave out of the answer, or JSON text of an array of them; in the repeated spelling one each.
             */
            skip_id?: string;
        };
        /** @description A sync upload. A single object may stand for an array of one. */
        SyncRequest: {
            access_token?: components["schemas"]["AccessTokenText"];
            /**
             * Format: int64
             * @description A `pos` that was returned earlier; left out or 0 asks for everything.
             */
            from?: number | null;
            /**
             * Format: int64
             * @description Leave out the first things of the listing.
             */
            skip?: number | null;
            /**
             * Format: int64
             * @description Return at most this many things.
             */
            limit?: number | null;
            /** @description Things to create. */
            new_thing?: components["schemas"]["ThingCreate"][] | null;
            /** @description Things to change. */
            changed_thing?: components["schemas"]["ThingUpdate"][] | null;
            /** @description Things to delete. */
            deleted_thing?: components["schemas"]["Id"][] | null;
            /** @description Tag settings to change, by tag name of at most 1,000 characters. */
            tag?: {
                [key: string]: components["schemas"]["TagSettingsChange"];
            } | null;
            /** @description Ids to leave out of the changed and deleted things. */
            skip_id?: components["schemas"]["Id"][] | null;
        };
        /** @description Things of a sync answer; each part is there only when it is not empty. */
        SyncThings: {
            /** @description From each submitted local_id to the new `_id`. */
            new?: {
                [key: string]: string;
            };
            /** @description Things that are new or changed, in their latest state. */
            changed?: components["schemas"]["Thing"][];
            /** @description Ids of things that were deleted. */
            deleted?: string[];
        };
        /** @description The answer of sync. */
        SyncResponse: {
            /**
             * Format: int64
             * @description Current position, to be sent later as `from`.
             */
            pos: number;
            /**
             * Format: int64
             * @description Number of things new, changed or deleted, whatever skip and limit; left out when 0.
             */
            thingCount?: number;
            /** @description Tag settings that apply, by tag name; left out when there are none. */
            tags?: {
                [key: string]: components["schemas"]["TagSettings"];
            };
            things?: components["schemas"]["SyncThings"];
        };
        /** @description Server-sent events (HTML Living Standard, 9.2); the data of each is `{"pos": N}`. */
        EventStream: string;
        /** @description Request of a token. Which fields a grant needs is said in the operation. */
        TokenGrant: {
            /** @description `authorization_code`, `refresh_token` or `password`. */
            grant_type: string;
            /** @description The registered application. */
            client_id?: string;
            /** @description Its secret, if it has one. */
            client_secret?: string;
            /** @description For `password`. */
            username?: string;
            /** @description For `password`. */
            password?: string;
            /** @description For `refresh_token`; the `request_token` of an earlier answer. */
            refresh_token?: string;
            /** @description For `authorization_code`; what the authorization code flow sent. */
            code?: string;
            /** @description For `authorization_code`; where it was sent to. */
            redirect_uri?: string;
            /** @description For `authorization_code`; what the `code_challenge` was made of (RFC 7636). */
            code_verifier?: string;
        };
        /** @description A new pair of tokens. */
        TokenPair: {
            /** @description Token to call the API with. */
            access_token: string;
            /**
             * Format: int64
             * @description Validity of the access token in seconds.
             */
            expires_in: number;
            /** @description What the refresh_token grant takes as `refresh_token`. */
            request_token: string;
            /** @description The value of `request_token`, under the name that OAuth libraries read. */
            refresh_token: string;
            /**
             * @description Always "bearer".
             * @enum {string}
             */
            token_type: "bearer";
            /** @description Always null, and left out for applications that are registered as standard. */
            scope?: string | null;
        };
        /** @description A token to give back (RFC 7009). */
        TokenRevocation: {
            /** @description An access token or a request token. */
            token: string;
            /** @description Which of the two it is; not needed. */
            token_type_hint?: string | null;
            /** @description The registered application. */
            client_id?: string | null;
            /** @description Its secret, if it has one. */
            client_secret?: string | null;
        };
        /** @description Nothing to say. */
        Empty: Record<string, never>;
        /** @description The access token and nothing else. */
        TokenOnly: {
            access_token?: components["schemas"]["AccessTokenText"];
        };
        /** @description Numbers of things per tag. */
        TagCounts: {
            /**
             * Format: int64
             * @description Current position.
             */
            pos: number;
            /** @description Favorite tags, with 0 for those without things. */
            favorite: {
                [key: string]: number;
            };
            /** @description All other tags that things carry. */
            other: {
                [key: string]: number;
            };
        };
        /** @description A thing to create on its own. */
        ThingAddition: {
            access_token?: components["schemas"]["AccessTokenText"];
            title: components["schemas"]["Title"];
            tags?: components["schemas"]["Tags"];
            date?: components["schemas"]["ThingDate"];
            url?: components["schemas"]["Url"];
            html?: components["schemas"]["Html"];
            /** @description Left out means false. */
            archived?: boolean | null;
            /** @description Completion of a todo. */
            todoStatus?: boolean | null;
            /** @description Answer an existing thing with the same url instead of creating another. */
            prevent_duplicate?: boolean | null;
        };
        /** @description The created thing, or the one that was there before. */
        AddedThing: components["schemas"]["Thing"] & {
            /**
             * @description There only when nothing was created.
             * @enum {boolean}
             */
            duplicate?: true;
        };
        /** @description Fields of a thing to change; those that are left out stay. */
        ThingChange: {
            access_token?: components["schemas"]["AccessTokenText"];
            _id: components["schemas"]["Id"];
            /**
             * Format: text
             * @description Title of the thing; may be empty.
             */
            title?: string | null;
            tags?: components["schemas"]["Tags"];
            date?: components["schemas"]["ThingDate"];
            url?: components["schemas"]["Url"];
            html?: components["schemas"]["Html"];
            /** @description Whether the thing is archived. */
            archived?: boolean | null;
            /** @description Completion of a todo. */
            todoStatus?: boolean | null;
        };
        /** @description A thing to delete. */
        ThingDeletion: {
            access_token?: components["schemas"]["AccessTokenText"];
            _id: components["schemas"]["Id"];
        };
        /** @description The thing that was deleted. */
        DeletedThing: {
            /** @description Its `_id`. */
            deleted_thing: string;
        };
        /** @description Things in the order of their last change. */
        ThingList: components["schemas"]["Thing"][];
        /** @description The user behind the access token. */
        UserInfo: {
            /** @description Name of the user. */
            username: string;
            /**
             * Format: double
             * @description Time of creation of the account, Unix time in seconds.
             */
            date: number;
            /**
             * Format: int64
             * @description Current position.
             */
            pos: number;
            /**
             * Format: int64
             * @description Number of living things, archived ones too.
             */
            thingCount: number;
        };
        /** @description An address to call and when. */
        Webhook: {
            access_token?: components["schemas"]["AccessTokenText"];
            /**
             * Format: web-address
             * @description Absolute http or https address without user name and password.
             */
            target_url: string;
            /**
             * @description What to be told of: `new_thing`, `changed_thing`, `deleted_thing`, `tag` or `any`.
             * @enum {string}
             */
            event: "new_thing" | "changed_thing" | "deleted_thing" | "tag" | "any";
        };
        /** @description The webhook is registered. */
        RegisteredWebhook: {
            /**
             * @description Always true.
             * @enum {boolean}
             */
            registered: true;
            /** @description Secret of the webhook, `whsec_` and base64; only in the answer that made it. */
            secret?: string;
        };
        /** @description The device is registered. */
        Registered: {
            /**
             * @description Always true.
             * @enum {boolean}
             */
            registered: true;
            /**
             * @description There only for a device of a type that this server tells nothing.
             * @enum {boolean}
             */
            delivered?: false;
        };
        /** @description Webhooks of an application, the oldest first. */
        WebhookList: components["schemas"]["WebhookInfo"][];
        /** @description A webhook and how it is going. What is not known is left out. */
        WebhookInfo: {
            /** @description As it was registered. */
            target_url: string;
            /**
             * @description As it was registered.
             * @enum {string}
             */
            event: "new_thing" | "changed_thing" | "deleted_thing" | "tag" | "any";
            /**
             * @description `working`; `retrying` after a failure; `resting` after the last try, until it is registered again or woken on the account page; `paused` by the operator of the server.
             * @enum {string}
             */
            state: "working" | "retrying" | "resting" | "paused";
            /** @description Whether there is something that the receiver was not told of yet. */
            waiting: boolean;
            /**
             * Format: double
             * @description When it was registered, Unix time in seconds.
             */
            date?: number;
            /**
             * Format: double
             * @description When the receiver last took a message, Unix time in seconds.
             */
            last_success?: number;
            last_failure?: components["schemas"]["DeliveryFailure"];
            /**
             * Format: double
             * @description When it is tried next, Unix time in seconds; there only while it is `retrying`.
             */
            next_try?: number;
        };
        /** @description The last message that was not taken. */
        DeliveryFailure: {
            /**
             * Format: double
             * @description When, Unix time in seconds.
             */
            date: number;
            /** @description A sentence for a person. */
            reason: string;
        };
        /** @description Devices of a user, the last registered first. */
        DeviceList: components["schemas"]["DeviceInfo"][];
        /** @description A device and what became of the last messages to it. What is not known is left out. */
        DeviceInfo: {
            /** @description As it was registered. */
            type: string;
            /** @description As it was registered. */
            id: string;
            /** @description True for a device that the session registered that asks. */
            current: boolean;
            /** @description False for a device of a type that this server tells nothing. */
            delivered: boolean;
            /**
             * Format: double
             * @description When it was last registered, Unix time in seconds.
             */
            date?: number;
            /**
             * Format: double
             * @description When its push service last took a message, Unix time in seconds.
             */
            last_success?: number;
            last_failure?: components["schemas"]["DeliveryFailure"];
        };
        /** @description The server's public key for Web Push. */
        DeviceKey: {
            /** @description The uncompressed point of a P-256 key, 65 bytes as base64url. */
            key: string;
        };
        /** @description It is not registered any more. */
        Unregistered: {
            /**
             * @description Always true.
             * @enum {boolean}
             */
            unregistered: true;
        };
        /** @description A device to tell of changes. */
        DeviceRegistration: {
            access_token?: components["schemas"]["AccessTokenText"];
            /**
             * Format: text
             * @description `webpush`, or the name of another push service.
             */
            type: string;
            /**
             * Format: text
             * @description The client's name of the device, or its id at the push service.
             */
            id: string;
            /**
             * Format: web-address
             * @description For `webpush`; address of the push service, absolute http or https, without user name and password.
             */
            endpoint?: string | null;
            /**
             * Format: text
             * @description For `webpush`; public key of the device.
             */
            p256dh?: string | null;
            /**
             * Format: text
             * @description For `webpush`; authentication secret of the device.
             */
            auth?: string | null;
        };
        /** @description A device to forget. */
        DeviceRemoval: {
            access_token?: components["schemas"]["AccessTokenText"];
            /**
             * Format: text
             * @description As it was registered.
             */
            type: string;
            /**
             * Format: text
             * @description As it was registered.
             */
            id: string;
        };
        /** @description What may act for the user, the last used first. */
        SessionList: components["schemas"]["SessionInfo"][];
        /** @description One of the ways in which somebody may act for the user at the moment. What is not known is left out. */
        SessionInfo: {
            /** @description Its id, for `/session/revoke`. */
            id: string;
            /**
             * @description An application with tokens, a personal access token, or a browser that is signed in to the pages.
             * @enum {string}
             */
            kind: "app" | "token" | "browser";
            /** @description True for the session that asks. */
            current: boolean;
            /**
             * Format: double
             * @description When it began, Unix time in seconds.
             */
            date: number;
            /** @description Name of the application or the token; a browser has none. */
            name?: string;
            /** @description The application. */
            client_id?: string;
            /**
             * @description The grant by which an application began it.
             * @enum {string}
             */
            began?: "password" | "code";
            /** @description A personal access token that may only read. */
            read_only?: boolean;
            /**
             * Format: double
             * @description When it was last used, give or take an hour, Unix time in seconds.
             */
            last_used?: number;
            /**
             * Format: double
             * @description When it ends unless it is used before, Unix time in seconds; absent when it does not.
             */
            expires?: number;
            /** @description Network address that it was last granted tokens at, or began at. */
            address?: string;
            /** @description What the program there said of itself, cut short. */
            user_agent?: string;
        };
        /** @description A session to end. */
        SessionRevocation: {
            access_token?: components["schemas"]["AccessTokenText"];
            id: components["schemas"]["Id"];
        };
        /** @description The session that has ended. */
        RevokedSession: {
            /** @description Its id. */
            revoked_session: string;
        };
        /** @description The name of the user. */
        TestAnswer: {
            /** @description Name of the user. */
            user: string;
        };
    };
    responses: {
        /** @description The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description No tokens are issued. `invalid_grant`: user name, password, refresh token or code is wrong; ask the user to sign in. `invalid_request`: a parameter is missing or wrong. `unauthorized_client`, `unsupported_grant_type`: use another grant. */
        GrantRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GrantErrorBody"];
            };
        };
        /** @description A parameter is missing or wrong; mend the request. */
        RevocationRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GrantErrorBody"];
            };
        };
        /** @description `invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token. */
        ReadOnly: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ScopeErrorBody"];
            };
        };
        /** @description The application is unknown, or its secret is wrong. Mend its settings; the tokens may be kept. */
        ClientRefused: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ClientErrorBody"];
            };
        };
        /** @description The user has no thing with this `_id`; drop it. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request arrived too slowly; the connection is closed. Send it again. */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The operation does not take this content type; send one that it declares. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed. */
        SlowDown: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The session has 10 requests already that wait for changes; end one of them, or try again after `Retry-After` seconds. */
        TooManyWaiting: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Wrong passwords, clients and refresh tokens above a limit from this address or for this account, too many sign-ins at once, or too many large requests under way; try again after `Retry-After` seconds, and keep the tokens. What is right in a refresh or revocation is never refused for failed attempts. */
        TooManyAttempts: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body. */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description A bug in the server. Nothing was changed; send it again later. */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: {
        /**
         * @description A `pos` that was returned earlier; left out or 0 asks for everything.
         * @example 12
         */
        From: number;
        /**
         * @description Leave out the first things of the listing.
         * @example 100
         */
        Skip: number;
        /**
         * @description Return at most this many things.
         * @example 100
         */
        Limit: number;
        /**
         * @description Ids to leave out of the changed and deleted things.
         * @example [
         *       "d4e5f6"
         *     ]
         */
        SkipId: components["schemas"]["Id"][];
        /**
         * @description Seconds for which an answer that would say that nothing has changed is held back, unless another session changes
         *     something before. What there is after `from` already and a page with `skip` are answered at once; a full listing too,
         *     though one of an account in which nothing ever was may be held back. So a client that cannot read `/sync/events` sends
         *     one sync after the other and is told as quickly. The session's own changes do not end the wait, but stand in the answer
         *     that ends it. A server that is being stopped answers at once, and when the access token ends meanwhile, the answer is
         *     401 within 25 seconds. In a POST `wait` is ignored. An addition: the interface has no `wait`.
         * @example 60
         */
        Wait: number;
        /**
         * @description The `id` of the last event that came; whatever it is, the stream is the same.
         * @example 16
         */
        LastEventId: string;
        /**
         * @description Left out or `false` lists living things that are not archived, `include` archived ones too, `true` only archived ones; booleans in any spelling.
         * @example include
         */
        Archived: string;
        /**
         * @description Only things that carry this tag.
         * @example todo
         */
        Tag: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.
         * @example Bearer realm="thingsync", error="invalid_token"
         */
        WwwAuthenticate: string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 30
         */
        RetryAfter: number;
        /**
         * @description Tokens must not be cached.
         * @example no-store
         */
        CacheControl: string;
        /**
         * @description Events are for now.
         * @example no-store
         */
        NotCached: string;
        /**
         * @description Asks proxies to hand over each event at once.
         * @example no
         */
        NotBuffered: string;
    };
    pathItems: never;
}
export type ErrorBody = components['schemas']['ErrorBody'];
export type GrantErrorBody = components['schemas']['GrantErrorBody'];
export type ClientErrorBody = components['schemas']['ClientErrorBody'];
export type ScopeErrorBody = components['schemas']['ScopeErrorBody'];
export type AccessTokenText = components['schemas']['AccessTokenText'];
export type Id = components['schemas']['Id'];
export type Title = components['schemas']['Title'];
export type Tags = components['schemas']['Tags'];
export type Url = components['schemas']['Url'];
export type Html = components['schemas']['Html'];
export type ThingDate = components['schemas']['ThingDate'];
export type ThingCreate = components['schemas']['ThingCreate'];
export type ThingUpdate = components['schemas']['ThingUpdate'];
export type Thing = components['schemas']['Thing'];
export type TagSettingsChange = components['schemas']['TagSettingsChange'];
export type TagSettings = components['schemas']['TagSettings'];
export type SyncForm = components['schemas']['SyncForm'];
export type SyncRequest = components['schemas']['SyncRequest'];
export type SyncThings = components['schemas']['SyncThings'];
export type SyncResponse = components['schemas']['SyncResponse'];
export type EventStream = components['schemas']['EventStream'];
export type TokenGrant = components['schemas']['TokenGrant'];
export type TokenPair = components['schemas']['TokenPair'];
export type TokenRevocation = components['schemas']['TokenRevocation'];
export type Empty = components['schemas']['Empty'];
export type TokenOnly = components['schemas']['TokenOnly'];
export type TagCounts = components['schemas']['TagCounts'];
export type ThingAddition = components['schemas']['ThingAddition'];
export type AddedThing = components['schemas']['AddedThing'];
export type ThingChange = components['schemas']['ThingChange'];
export type ThingDeletion = components['schemas']['ThingDeletion'];
export type DeletedThing = components['schemas']['DeletedThing'];
export type ThingList = components['schemas']['ThingList'];
export type UserInfo = components['schemas']['UserInfo'];
export type Webhook = components['schemas']['Webhook'];
export type RegisteredWebhook = components['schemas']['RegisteredWebhook'];
export type Registered = components['schemas']['Registered'];
export type WebhookList = components['schemas']['WebhookList'];
export type WebhookInfo = components['schemas']['WebhookInfo'];
export type DeliveryFailure = components['schemas']['DeliveryFailure'];
export type DeviceList = components['schemas']['DeviceList'];
export type DeviceInfo = components['schemas']['DeviceInfo'];
export type DeviceKey = components['schemas']['DeviceKey'];
export type Unregistered = components['schemas']['Unregistered'];
export type DeviceRegistration = components['schemas']['DeviceRegistration'];
export type DeviceRemoval = components['schemas']['DeviceRemoval'];
export type SessionList = components['schemas']['SessionList'];
export type SessionInfo = components['schemas']['SessionInfo'];
export type SessionRevocation = components['schemas']['SessionRevocation'];
export type RevokedSession = components['schemas']['RevokedSession'];
export type TestAnswer = components['schemas']['TestAnswer'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseGrantRefused = components['responses']['GrantRefused'];
export type ResponseRevocationRefused = components['responses']['RevocationRefused'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseReadOnly = components['responses']['ReadOnly'];
export type ResponseClientRefused = components['responses']['ClientRefused'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseRequestTimeout = components['responses']['RequestTimeout'];
export type ResponseTooLarge = components['responses']['TooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseSlowDown = components['responses']['SlowDown'];
export type ResponseTooManyWaiting = components['responses']['TooManyWaiting'];
export type ResponseTooManyAttempts = components['responses']['TooManyAttempts'];
export type ResponseHeadersTooLarge = components['responses']['HeadersTooLarge'];
export type ResponseServerError = components['responses']['ServerError'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ParameterFrom = components['parameters']['From'];
export type ParameterSkip = components['parameters']['Skip'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterSkipId = components['parameters']['SkipId'];
export type ParameterWait = components['parameters']['Wait'];
export type ParameterLastEventId = components['parameters']['LastEventId'];
export type ParameterArchived = components['parameters']['Archived'];
export type ParameterTag = components['parameters']['Tag'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderCacheControl = components['headers']['CacheControl'];
export type HeaderNotCached = components['headers']['NotCached'];
export type HeaderNotBuffered = components['headers']['NotBuffered'];
export type $defs = Record<string, never>;
export interface operations {
    grantToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenGrant"];
            };
        };
        responses: {
            /** @description The new pair of tokens. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
            400: components["responses"]["GrantRefused"];
            401: components["responses"]["ClientRefused"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenRevocation"];
                "application/json": components["schemas"]["TokenRevocation"];
            };
        };
        responses: {
            /** @description The token does not work any more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            400: components["responses"]["RevocationRefused"];
            401: components["responses"]["ClientRefused"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSync: {
        parameters: {
            query?: {
                /**
                 * @description A `pos` that was returned earlier; left out or 0 asks for everything.
                 * @example 12
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description Leave out the first things of the listing.
                 * @example 100
                 */
                skip?: components["parameters"]["Skip"];
                /**
                 * @description Return at most this many things.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Ids to leave out of the changed and deleted things.
                 * @example [
                 *       "d4e5f6"
                 *     ]
                 */
                skip_id?: components["parameters"]["SkipId"];
                /**
                 * @description Seconds for which an answer that would say that nothing has changed is held back, unless another session changes
                 *     something before. What there is after `from` already and a page with `skip` are answered at once; a full listing too,
                 *     though one of an account in which nothing ever was may be held back. So a client that cannot read `/sync/events` sends
                 *     one sync after the other and is told as quickly. The session's own changes do not end the wait, but stand in the answer
                 *     that ends it. A server that is being stopped answers at once, and when the access token ends meanwhile, the answer is
                 *     401 within 25 seconds. In a POST `wait` is ignored. An addition: the interface has no `wait`.
                 * @example 60
                 */
                wait?: components["parameters"]["Wait"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything that the client does not know yet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyWaiting"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postSync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SyncRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["SyncForm"];
            };
        };
        responses: {
            /** @description The upload is kept; this is what else changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReadOnly"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `id` of the last event that came; whatever it is, the stream is the same.
                 * @example 16
                 */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events for as long as the client stays. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NotCached"];
                    "X-Accel-Buffering": components["headers"]["NotBuffered"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["EventStream"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyWaiting"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTags: {
        parameters: {
            query?: {
                /**
                 * @description A `pos` that was returned earlier; left out or 0 asks for everything.
                 * @example 12
                 */
                from?: components["parameters"]["From"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts per tag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagCounts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addThing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ThingAddition"];
                "application/x-www-form-urlencoded": components["schemas"]["ThingAddition"];
            };
        };
        responses: {
            /** @description The thing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedThing"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReadOnly"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeThing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ThingChange"];
                "application/x-www-form-urlencoded": components["schemas"]["ThingChange"];
            };
        };
        responses: {
            /** @description The thing as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Thing"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReadOnly"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteThing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ThingDeletion"];
                "application/x-www-form-urlencoded": components["schemas"]["ThingDeletion"];
            };
        };
        responses: {
            /** @description The thing is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedThing"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReadOnly"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getThings: {
        parameters: {
            query?: {
                /**
                 * @description Left out or `false` lists living things that are not archived, `include` archived ones too, `true` only archived ones; booleans in any spelling.
                 * @example include
                 */
                archived?: components["parameters"]["Archived"];
                /**
                 * @description Only things that carry this tag.
                 * @example todo
                 */
                tag?: components["parameters"]["Tag"];
                /**
                 * @description Leave out the first things of the listing.
                 * @example 100
                 */
                skip?: components["parameters"]["Skip"];
                /**
                 * @description Return at most this many things.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The things. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThingList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserInfo"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionRevocation"];
                "application/x-www-form-urlencoded": components["schemas"]["SessionRevocation"];
            };
        };
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReadOnly"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceRegistration"];
                "application/x-www-form-urlencoded": components["schemas"]["DeviceRegistration"];
            };
        };
        responses: {
            /** @description The device is registered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registered"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReadOnly"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerDeviceAlias: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceRegistration"];
                "application/x-www-form-urlencoded": components["schemas"]["DeviceRegistration"];
            };
        };
        responses: {
            /** @description The device is registered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registered"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReadOnly"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unregisterDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceRemoval"];
                "application/x-www-form-urlencoded": components["schemas"]["DeviceRemoval"];
            };
        };
        responses: {
            /** @description The device is not registered any more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unregistered"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReadOnly"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unregisterDeviceAlias: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceRemoval"];
                "application/x-www-form-urlencoded": components["schemas"]["DeviceRemoval"];
            };
        };
        responses: {
            /** @description The device is not registered any more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unregistered"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReadOnly"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDevices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The devices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDeviceKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Webhook"];
                "application/x-www-form-urlencoded": components["schemas"]["Webhook"];
            };
        };
        responses: {
            /** @description The webhook is registered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReadOnly"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unregisterWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Webhook"];
                "application/x-www-form-urlencoded": components["schemas"]["Webhook"];
            };
        };
        responses: {
            /** @description The webhook is not registered any more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unregistered"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReadOnly"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token works. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TokenOnly"];
                "application/x-www-form-urlencoded": components["schemas"]["TokenOnly"];
            };
        };
        responses: {
            /** @description The token works. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SlowDown"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
