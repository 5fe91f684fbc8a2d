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
         * @description Issues a new pair of tokens. The body is a form of at most 64 KiB and 100 fields.
         *
         *     `grant_type=password` takes `username` and `password`. `grant_type=refresh_token` takes the `request_token` of
         *     an earlier response as `refresh_token`. The client credentials come in the form or by HTTP Basic (RFC 6749
         *     2.3.1), never both; a public client sends its `client_id` alone.
         *
         *     After a lost response, a client can repeat a refresh until the new pair is first used. After that, the old
         *     refresh token ends the whole session. Store the newest `request_token`: it lives for 90 days from its last use.
         *
         *     `grant_type=authorization_code` takes the `code` that the authorization code flow sent to `redirect_uri`. It
         *     takes that `redirect_uri` when the request named one, also followed by what was appended to it. It takes the
         *     `code_verifier` when the request had a `code_challenge`. A code that is presented a second time ends the session
         *     that it began.
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
         * Revoke a token
         * @description Ends the session of the token, for either of its tokens (RFC 7009). An unknown token gets the same response, so
         *     the response reveals nothing. The client credentials come in the body or by HTTP Basic; a public client sends
         *     its `client_id` alone. The body has at most 64 KiB and 100 fields.
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
         * @description Lists things and tag settings. Without `from`, or with 0, it lists all things (full sync). With the `pos` of an
         *     earlier response it lists only what changed since (incremental sync). It never changes anything; send uploads by
         *     POST.
         *
         *     Things come in the order of their last change, with deleted IDs behind them. `skip` and `limit` page through
         *     that order. The server takes the pages of one listing from one snapshot for up to 15 minutes, and all return its
         *     position. When a page has another `pos` than the first one, begin again with the first page: the server was
         *     restarted, or the session began more than 16 other listings. Responses can be very large: parse them as a
         *     stream.
         */
        get: operations["getSync"];
        put?: never;
        /**
         * Upload local changes and download changes
         * @description Applies creations, changes, deletions and tag settings, in this order, all or none. Then it lists what other
         *     clients changed, without own uploads.
         *
         *     `things.new` contains the `_id` of every submitted `local_id`; use it from then on. **After a lost response**,
         *     send the same upload with the same explicit `from` again, initially 0. A repeated `local_id` is a retry when
         *     title, URL or given date is the same as before; otherwise it is another thing. After a later `from`, or once the
         *     session has named the thing by its `_id`, it is a new thing. A changed thing that was deleted elsewhere is
         *     listed in `things.deleted`; drop it.
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
         * Stream changes (server-sent events)
         * @description A stream of server-sent events that says when it is time to sync. It sends one event with the current position
         *     at once, and one after each change that another session made. Changes that come close together are one event
         *     with the newest position. The data of an event is `{"pos": N}`, and its `id` is N. A comment comes at least
         *     every 25 seconds. When nothing came for twice as long, the connection is broken.
         *
         *     The stream ends within 25 seconds after its access token expires, and when the server stops; then connect again.
         *     A client may send the last `id` as `Last-Event-ID`, as browsers do. It receives the current position at once in
         *     any case, because only the newest event matters. The server disconnects a client that does not read.
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
         * @description Counts living things per tag, including archived ones: favorite tags and all other tags. With `from` equal to
         *     the current position both maps are empty; otherwise both are complete.
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
         * @description Creates a thing and returns it. A `title` that is an absolute HTTP or HTTPS URL also becomes the `url` when none
         *     is given. With `prevent_duplicate` and a living thing that has the same `url`, the server creates nothing. It
         *     returns that thing with `duplicate: true`.
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
         * @description Changes the given fields of a thing and returns the whole thing. Fields that are left out stay as they are,
         *     including `archived`; `""` clears `url`, `html` and `tags`.
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
         * @description Deletes a thing permanently. A second time it is not found.
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
         * @description Lists all living things in the order of their last change, without archived ones by default.
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
    "/link/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the title of a page
         * @description Reads the page of a URL and returns what it says about itself: title, description, canonical URL and site name.
         *     A client uses it to fill in a title. The server reads at most 512 KiB in at most 5 seconds. It follows
         *     redirects, executes nothing, and sends neither cookies nor the user's address.
         *
         *     Content that is not HTML has the name of its file as title, if it has one. Texts are one line of plain text,
         *     not HTML, and they are long or strange where the page wants that: show them as any other untrusted text.
         *
         *     The server reads public addresses only, unless its setting `link_preview_allow` names others. It caches a
         *     result for an hour. A user has one preview at a time and 60 an hour, and a server has 8 at a time.
         */
        get: operations["previewLink"];
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
         * @description Lists the sessions that can act for the user, the last used first, as far as the caller may see them. A personal
         *     access token sees all sessions: apps with tokens, personal access tokens, and browsers that are signed in to the
         *     pages. A read-only token sees only itself. An app sees its own sessions.
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
         * @description Ends one of the sessions that `/session/list` lists, at once; it may be the session of the caller. A second time
         *     it is not found, and neither is a session that is not listed for the caller.
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
         * @description Stores how the server can notify a device that something changed. For `type` `webpush` the fields `endpoint`,
         *     `p256dh` and `auth` are required. Registering again replaces what was stored. A user has at most 100 devices;
         *     the next one replaces the one with the oldest registration. The server stores devices of other types but never
         *     notifies them, and responds with `delivered: false`; this field is an extension.
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
         * @description The other name of `register/device`. Stores how the server can notify a device that something changed. For
         *     `type` `webpush` the fields `endpoint`, `p256dh` and `auth` are required. Registering again replaces what was
         *     stored. A user has at most 100 devices; the next one replaces the one with the oldest registration. The server
         *     stores devices of other types but never notifies them, and responds with `delivered: false`; this field is an
         *     extension.
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
         * @description Removes a device. A device that is not registered gets the same response.
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
         * @description The other name of `unregister/device`. Removes a device. A device that is not registered gets the same response.
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
         * @description Lists devices of the user, the last registered first, with the result of the last messages to them. An app sees
         *     the devices that it registered, and devices of which it is not known who registered them. A personal access
         *     token that is not read-only sees all. Endpoints and keys are never shown.
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
         * @description Returns the public key of this server for Web Push (VAPID, RFC 8292). A browser takes it as
         *     `applicationServerKey` when it subscribes. Its push service then takes messages from this server only. The key
         *     is created once and stays the same.
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
         * @description Stores a URL to call when something has changed. A webhook belongs to the app that registers it. The response
         *     contains its secret only when it is new; registering again changes nothing and returns no secret. A user has at
         *     most 20 webhooks.
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
         * @description Removes a webhook of the app. A webhook that is not registered gets the same response.
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
         * @description Lists the webhooks that the calling app registered, the oldest first, with the state of each. Secrets are never
         *     shown.
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
         * @description Returns the user's name; a quick way to check whether the access token still works.
         */
        get: operations["getTest"];
        put?: never;
        /**
         * Check the access token by POST
         * @description Returns the user's name, as GET does.
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
        /** @description The credentials of the app are wrong (RFC 6749 5.2). */
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
        /** @description A page cannot be read. */
        PageErrorBody: {
            /**
             * @description The code.
             * @enum {string}
             */
            error: "unavailable";
            /** @description A sentence for the user. */
            error_description: string;
        };
        /** @description The access token, when it is not in the header or in the query; the first field of a form. */
        AccessTokenText: string | null;
        /**
         * Format: text
         * @description Identifier that the server assigned.
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
            /** @description The client's identifier, unique in one request. Send a number that loses digits as a double as text. */
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
            /** @description Present only when a url is set. */
            url?: string;
            /** @description Present only when html is set. */
            html?: string;
            /**
             * @description Present only when the thing is archived.
             * @enum {boolean}
             */
            archived?: true;
            /** @description Present only when one of the tags makes the thing a todo. */
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
            /** @description False for none, or the hex code of a background color; it comes back in lower case. */
            color?: false | (string | null);
            /** @description Whether things that carry the tag are todos; true is kept as "strike". */
            todo?: (boolean | null) | ("strike" | "dont-strike");
        };
        /** @description Settings of a tag as the server returns them. */
        TagSettings: {
            /** @description Whether the tag is a favorite. */
            favorite: boolean;
            /** @description False for none, or the hex code of a background color, in lower case. */
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
             * @description An `_id` to leave out of the response, or JSON text of an array of them; in the repeated spelling one each.
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
        /** @description Things of a sync response; each part is present only when it is not empty. */
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
        /** @description The response of sync. */
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
            /** @description The registered app. */
            client_id?: string;
            /** @description Its secret, if it has one. */
            client_secret?: string;
            /** @description For `password`. */
            username?: string;
            /** @description For `password`. */
            password?: string;
            /** @description For `refresh_token`; the `request_token` of an earlier response. */
            refresh_token?: string;
            /** @description For `authorization_code`; what the authorization code flow sent. */
            code?: string;
            /** @description For `authorization_code`; where it was sent to. */
            redirect_uri?: string;
            /** @description For `authorization_code`; the origin of the `code_challenge` (RFC 7636). */
            code_verifier?: string;
        };
        /** @description A new pair of tokens. */
        TokenPair: {
            /** @description Token for calls of the API. */
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
            /** @description Always null, and left out for apps that are registered as standard. */
            scope?: string | null;
        };
        /** @description A token to revoke (RFC 7009). */
        TokenRevocation: {
            /** @description An access token or a refresh token. */
            token: string;
            /** @description Which of the two it is; not needed. */
            token_type_hint?: string | null;
            /** @description The registered app. */
            client_id?: string | null;
            /** @description Its secret, if it has one. */
            client_secret?: string | null;
        };
        /** @description Empty. */
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
            /** @description Return an existing thing with the same URL instead of creating another. */
            prevent_duplicate?: boolean | null;
        };
        /** @description The created thing, or the existing one. */
        AddedThing: components["schemas"]["Thing"] & {
            /**
             * @description Present only when nothing was created.
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
        /** @description What a page says about itself. What it does not say is left out. */
        LinkPreview: {
            /** @description Title of the page, or the name of a file. */
            title?: string;
            /** @description What the page is about. */
            description?: string;
            /** @description The URL that the page prefers, absolute; HTTP or HTTPS, without username and password. */
            canonical_url?: string;
            /** @description Name of the site. */
            site_name?: string;
        };
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
             * @description Number of living things, including archived ones.
             */
            thingCount: number;
        };
        /** @description A URL to call, and the event. */
        Webhook: {
            access_token?: components["schemas"]["AccessTokenText"];
            /**
             * Format: web-address
             * @description Absolute HTTP or HTTPS URL without username and password.
             */
            target_url: string;
            /**
             * @description The changes to be notified of: `new_thing`, `changed_thing`, `deleted_thing`, `tag` or `any`.
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
            /** @description Secret of the webhook, `whsec_` and base64; only in the response that created it. */
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
             * @description Present only for a device of a type that this server does not notify.
             * @enum {boolean}
             */
            delivered?: false;
        };
        /** @description Webhooks of an app, the oldest first. */
        WebhookList: components["schemas"]["WebhookInfo"][];
        /** @description A webhook and its state. What is not known is left out. */
        WebhookInfo: {
            /** @description As it was registered. */
            target_url: string;
            /**
             * @description As it was registered.
             * @enum {string}
             */
            event: "new_thing" | "changed_thing" | "deleted_thing" | "tag" | "any";
            /**
             * @description `working`; `retrying` after a failure; `resting` (suspended) after the last retry, until it is registered again or resumed on the account page; `paused` by the user or the administrator.
             * @enum {string}
             */
            state: "working" | "retrying" | "resting" | "paused";
            /** @description Whether the receiver has not been notified of something yet. */
            waiting: boolean;
            /**
             * Format: double
             * @description When it was registered, Unix time in seconds.
             */
            date?: number;
            /**
             * Format: double
             * @description When the receiver last accepted a message, Unix time in seconds.
             */
            last_success?: number;
            last_failure?: components["schemas"]["DeliveryFailure"];
            /**
             * Format: double
             * @description Time of the next attempt, Unix time in seconds; present only while it is `retrying`.
             */
            next_try?: number;
        };
        /** @description The last message that was not accepted. */
        DeliveryFailure: {
            /**
             * Format: double
             * @description When, Unix time in seconds.
             */
            date: number;
            /** @description A sentence for the user. */
            reason: string;
        };
        /** @description Devices of a user, the last registered first. */
        DeviceList: components["schemas"]["DeviceInfo"][];
        /** @description A device and the result of the last messages to it. What is not known is left out. */
        DeviceInfo: {
            /** @description As it was registered. */
            type: string;
            /** @description As it was registered. */
            id: string;
            /** @description True for a device that the calling session registered. */
            current: boolean;
            /** @description False for a device of a type that this server does not notify. */
            delivered: boolean;
            /**
             * Format: double
             * @description When it was last registered, Unix time in seconds.
             */
            date?: number;
            /**
             * Format: double
             * @description When its push service last accepted a message, Unix time in seconds.
             */
            last_success?: number;
            last_failure?: components["schemas"]["DeliveryFailure"];
        };
        /** @description The server's public key for Web Push. */
        DeviceKey: {
            /** @description The uncompressed point of a P-256 key, 65 bytes as base64url. */
            key: string;
        };
        /** @description It is no longer registered. */
        Unregistered: {
            /**
             * @description Always true.
             * @enum {boolean}
             */
            unregistered: true;
        };
        /** @description A device to notify of changes. */
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
             * @description For `webpush`; URL of the push service, absolute HTTP or HTTPS, without username and password.
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
        /** @description A device to remove. */
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
        /** @description Sessions that can act for the user, the last used first. */
        SessionList: components["schemas"]["SessionInfo"][];
        /** @description A session that can act for the user. What is not known is left out. */
        SessionInfo: {
            /** @description Its id, for `/session/revoke`. */
            id: string;
            /**
             * @description An app with tokens, a personal access token, or a browser that is signed in to the pages.
             * @enum {string}
             */
            kind: "app" | "token" | "browser";
            /** @description True for the calling session. */
            current: boolean;
            /**
             * Format: double
             * @description When it began, Unix time in seconds.
             */
            date: number;
            /** @description Name of the app or the token; a browser has none. */
            name?: string;
            /** @description The app. */
            client_id?: string;
            /**
             * @description The grant by which an app began it.
             * @enum {string}
             */
            began?: "password" | "code";
            /** @description A read-only personal access token. */
            read_only?: boolean;
            /**
             * Format: double
             * @description When it was last used, accurate to an hour, Unix time in seconds.
             */
            last_used?: number;
            /**
             * Format: double
             * @description When it ends unless it is used before, Unix time in seconds; absent when it does not end.
             */
            expires?: number;
            /** @description IP address at which it last received tokens, or began. */
            address?: string;
            /** @description The user agent of the program there, shortened. */
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
        TestResponse: {
            /** @description Name of the user. */
            user: string;
        };
    };
    responses: {
        /** @description The request is invalid: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; fix the request. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description No tokens are issued. `invalid_grant`: user name, password, refresh token or code is wrong; ask the user to sign in. `invalid_request`: a parameter is missing or wrong. `unauthorized_client`, `unsupported_grant_type`: use another grant. */
        GrantError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GrantErrorBody"];
            };
        };
        /** @description A parameter is missing or wrong; fix the request. */
        RevocationError: {
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
        /** @description `insufficient_scope`: the access token is a read-only personal access token. Nothing was changed; use another token. */
        ReadOnly: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ScopeErrorBody"];
            };
        };
        /** @description The app is unknown, or its secret is wrong. Fix its settings; keep the tokens. */
        ClientError: {
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
        /** @description The body is too large, or contains too many things, fields, members or values: send less at once. Or the account would exceed its maximum of things, bytes or tags with settings: the sentence names the limit. Nothing was changed. */
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
        /** @description Too many large requests are under way, or too many without an access token came from this IP address; try again after `Retry-After` seconds. Nothing was changed. */
        SlowDown: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The session already has 10 requests that wait for changes; end one of them, or try again after `Retry-After` seconds. */
        TooManyWaiting: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Too many wrong passwords, clients or refresh tokens from this IP address or for this account, too many sign-ins at once, or too many large requests under way. Try again after `Retry-After` seconds, and keep the tokens. Failed attempts never block a valid refresh or revocation. */
        TooManyAttempts: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description This server reads no pages for link previews. Leave the title to the user. */
        NoPreviews: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `unavailable`: the page cannot be read, and the sentence says why. Leave the title to the user. */
        PageUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PageErrorBody"];
            };
        };
        /** @description The user has a preview in progress or had 60 within an hour, or the server has 8 in progress. Or too many requests without an access token came from this IP address. Try again after `Retry-After` seconds. */
        TooManyPreviews: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description URL and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body. */
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
        /** @description The server cannot read or store data at the moment. Nothing was changed; keep the tokens, wait and send it again. */
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
         * @description Seconds to wait for a change of another session before the server responds that nothing has changed (long
         *     polling). The server responds at once when there is something after `from`, and to a page with `skip`. It also
         *     responds at once to a full sync, although it may wait when the account never contained anything. So a client
         *     that cannot read `/sync/events` sends one sync after the other and is notified as quickly.
         *
         *     The session's own changes do not end the wait, but are in the response that ends it. A server that stops
         *     responds at once. When the access token expires meanwhile, the response is 401 within 25 seconds. In a POST,
         *     `wait` is ignored. Other servers may ignore it in a GET, too.
         * @example 60
         */
        Wait: number;
        /**
         * @description The `id` of the last event that came; the stream is the same for any value.
         * @example 16
         */
        LastEventId: string;
        /**
         * @description Left out or `false` lists living things that are not archived, `include` also archived ones, `true` only archived ones; booleans in any spelling.
         * @example include
         */
        Archived: string;
        /**
         * @description Only things that carry this tag.
         * @example todo
         */
        Tag: string;
        /**
         * @description Absolute HTTP or HTTPS URL without username and password.
         * @example https://food.example/cheese?utm_source=mail
         */
        PageUrl: string;
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
export type PageErrorBody = components['schemas']['PageErrorBody'];
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
export type LinkPreview = components['schemas']['LinkPreview'];
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
export type TestResponse = components['schemas']['TestResponse'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseGrantError = components['responses']['GrantError'];
export type ResponseRevocationError = components['responses']['RevocationError'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseReadOnly = components['responses']['ReadOnly'];
export type ResponseClientError = components['responses']['ClientError'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseRequestTimeout = components['responses']['RequestTimeout'];
export type ResponseTooLarge = components['responses']['TooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseSlowDown = components['responses']['SlowDown'];
export type ResponseTooManyWaiting = components['responses']['TooManyWaiting'];
export type ResponseTooManyAttempts = components['responses']['TooManyAttempts'];
export type ResponseNoPreviews = components['responses']['NoPreviews'];
export type ResponsePageUnavailable = components['responses']['PageUnavailable'];
export type ResponseTooManyPreviews = components['responses']['TooManyPreviews'];
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
export type ParameterPageUrl = components['parameters']['PageUrl'];
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
            400: components["responses"]["GrantError"];
            401: components["responses"]["ClientError"];
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
            /** @description The token no longer works. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            400: components["responses"]["RevocationError"];
            401: components["responses"]["ClientError"];
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
                 * @description Seconds to wait for a change of another session before the server responds that nothing has changed (long
                 *     polling). The server responds at once when there is something after `from`, and to a page with `skip`. It also
                 *     responds at once to a full sync, although it may wait when the account never contained anything. So a client
                 *     that cannot read `/sync/events` sends one sync after the other and is notified as quickly.
                 *
                 *     The session's own changes do not end the wait, but are in the response that ends it. A server that stops
                 *     responds at once. When the access token expires meanwhile, the response is 401 within 25 seconds. In a POST,
                 *     `wait` is ignored. Other servers may ignore it in a GET, too.
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
            /** @description The upload is stored; the response lists what else changed. */
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
                 * @description The `id` of the last event that came; the stream is the same for any value.
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
                 * @description Left out or `false` lists living things that are not archived, `include` also archived ones, `true` only archived ones; booleans in any spelling.
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
    previewLink: {
        parameters: {
            query: {
                /**
                 * @description Absolute HTTP or HTTPS URL without username and password.
                 * @example https://food.example/cheese?utm_source=mail
                 */
                url: components["parameters"]["PageUrl"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the page says about itself; an empty object if it says nothing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkPreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoPreviews"];
            408: components["responses"]["RequestTimeout"];
            422: components["responses"]["PageUnavailable"];
            429: components["responses"]["TooManyPreviews"];
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
            /** @description The device is no longer registered. */
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
            /** @description The device is no longer registered. */
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
            /** @description The webhook is no longer registered. */
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
                    "application/json": components["schemas"]["TestResponse"];
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
                    "application/json": components["schemas"]["TestResponse"];
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
