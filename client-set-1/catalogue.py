#!/usr/bin/env python3
"""Writes faults.json and habits.json, and checks that each switch of the code is in the catalogue and the reverse."""

import glob
import json
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))

SENTENCES = {
    "pos": "A client stores it and sends it later as `from`. (interface 2.3)",
    "nocalc": "Clients store it; they do not calculate with it or compare it. (protocol 2.3)",
    "future": "A `from` beyond the current position MUST get a full sync. (K-sync-1); clients do not compare positions. (protocol 2.3)",
    "pos53": "A position MUST be a whole number below 2^53. (K-sync-20)",
    "cover": "The central promise is that a client that follows its positions misses nothing. (protocol, overview)",
    "from": "The response then contains only changes since that position. (interface 4.3, from)",
    "useid": "After creating a thing, the client must use the returned `_id` for it from then on, in place of the `local_id`. (interface 4.3, rule 3)",
    "unique": "Things submitted together in `new_thing` must not share a `local_id`. (interface 4.3)",
    "retry": "A client that receives no response cannot know whether its upload arrived, and sends it again. A new thing that repeats `local_id` and explicit `from` of its session is a retry. (protocol, lost responses)",
    "unknown": "If a client receives an `_id` it does not know, it creates the thing locally; otherwise it updates the local thing with that `_id`. (interface 4.3, rule 4)",
    "deleted": "things.deleted: things that have been deleted. (interface 4.3)",
    "reach": "A deletion MUST reach every client that still has the thing, however late it syncs. A write of anything else MUST NOT bring the thing back. (C-4.3-32)",
    "back": "If it does, the thing returns for all clients, and as the same thing. (protocol, changes and deletions)",
    "own": "The response to an upload may contain the own upload or not. (protocol, appendix B)",
    "others": "The response to an upload and the next incremental sync MUST show what others changed after `from` in the things that the client changed itself. (C-4.3-38)",
    "new": "`things.new` MUST map each submitted `local_id` to its new `_id`. (C-4.3-22)",
    "full": "A full sync MUST NOT contain deleted IDs (K-sync-2); a full sync is the account as it is. (protocol, terminology)",
    "offline": "Offline-capable clients use the sync operation to upload their local creations, changes and deletions. (interface 1)",
    "survive": "When their result is written, the edit MUST survive a kill. (adapter protocol, replica)",
    "ref": "It MUST stay valid while the process runs, also after the thing got its `_id`. (adapter protocol, replica)",
    "lost": "`lost` lists the edits that could not be applied, because the thing was deleted elsewhere or the server rejected them: objects with the `title` that was typed. (adapter protocol, replica)",
    "state": "`pending` is the number of edits that wait. `error` is the last error of a sync, or null. (adapter protocol, replica)",
    "sync": "`sync` does one whole sync: it uploads what waits and downloads what changed. It fails with the error that stopped it. (adapter protocol, replica)",
    "read": "`read` returns everything that the replica holds, with the edits that wait. (adapter protocol, replica)",
    "clear": "An empty text of `url` or `html` in `change` removes it. (adapter protocol, replica)",
    "charfor": "Every submitted field of a created thing is stored, in any script, character for character: line breaks, spaces at both ends, emoji, `<`, `&`, `+` and `%`. (C-2.1-13 and protocol 2.1)",
    "form": "Forms are UTF-8 in `application/x-www-form-urlencoded`. `+` is a space. Names are percent-encoded as values are. (protocol 4)",
    "several": "Several things of one kind are wrapped in one JSON array, as the value of a single parameter. (interface 4.3)",
    "object": "new_thing, changed_thing: JSON object. (interface 4.3)",
    "plainid": "As submitted for deletion: only the server `_id` of the thing, as a plain string. (interface 2.1)",
    "tagparam": "tag[<tagname>]: JSON object, tag settings to change for the named tag. The tag name reaches from the first bracket to the last one. (interface and protocol 4.3)",
    "settings": "favorite: boolean; color: false, or the hex code of a background color; todo: boolean. (interface 2.2)",
    "keeps": "A server MUST keep settings that are left out of a tag (K-sync-18); what is sent is set. (protocol 2.2)",
    "tagname": "The tag settings are addressed by tag name; a server MUST accept any text as a name, including `__proto__`. (interface 2.2, K-request-10)",
    "date": "date: number (Unix time), creation time of the thing. A given date MAY be any finite number, including 0 and negative numbers. (interface 2.1, K-sync-15)",
    "archived": "archived: missing means false. Any change without `archived` unarchives it. (interface 2.1, protocol 4.3)",
    "archived2": "A server MUST return `archived` only on archived things, with the value true. (C-2.1-8)",
    "todo": "The `todoStatus` of a todo MUST be true or false, as it was last set. (C-3-2)",
    "derive": "A client sees the setting and derives which things are todos: a todo is a thing with a tag whose `todo` setting is not false. (protocol 2.1)",
    "dont": "todo: false, \"strike\" or \"dont-strike\". When not false, things carrying the tag are shown with a checkbox. (interface 2.2)",
    "title": "title: required in changed_thing; a change contains the new values, and always the `title`. (protocol 2.1 and 4.3)",
    "may": "A change may keep or clear the fields that it leaves out, except `archived`. (protocol, appendix B)",
    "empty": "\"\" MUST clear `url`, `html` and `tags`. Null MUST count as left out. (K-sync-11)",
    "bool": "archived, todoStatus: boolean (true or false). (interface 2.1)",
    "tags": "tags: space-separated tags, a string. (interface 2.1)",
    "absent": "url, html: only if set; archived: only when the thing is archived. (interface 2.1)",
    "null": "Members that are null or absent in the response are absent. (adapter protocol, api)",
    "extra": "A client ignores fields that it does not know. (protocol 9)",
    "type": "A response may have any content type and additional headers. (protocol, appendix B)",
    "json": "Data is returned only as JSON (RFC 8259: UTF-8, any character may be escaped). (interface 1, protocol appendix B)",
    "order": "The members of the JSON response object have no order; things.changed and things.deleted are both listed. (interface 4.3, response)",
    "whole": "The JSON of a response MUST be complete, or the connection MUST break visibly. (K-sync-22)",
    "stream": "Responses can be very large. Clients should parse them with a streaming (incremental) JSON parser. (interface 1)",
    "gzip": "A server MUST stream large responses, and MUST honor gzip and br. (K-sync-19)",
    "cache": "A repeated request with the same `from` has to reach the server, not a cache. (protocol 4)",
    "error": "An error MUST be a JSON object with the strings `error` and `error_description`; errors may have any status. (C-7-1, appendix B)",
    "badjson": "unexpected_response: a response arrived that does not follow the protocol, such as a page of HTML. (adapter protocol, errors)",
    "network": "network: no whole response arrived. (adapter protocol, errors)",
    "signedout": "signed_out: the client has no valid tokens any more: the user must sign in again. (adapter protocol, errors)",
    "temp": "A store that fails MUST lead to 503 `temporarily_unavailable` with `Retry-After`; use 5xx for what the client cannot fix. (K-error-7, protocol 7)",
    "slow": "Too many failed attempts MUST get 429 `slow_down` with `Retry-After`. (K-error-5)",
    "fix": "Use 4xx for what the client can fix, and 5xx for what it cannot fix. (protocol 7)",
    "grant": "The refresh_token grant takes the `request_token` of an earlier response as `refresh_token`, with client_id and client_secret. (interface 5.1, 5.2)",
    "pair": "Each grant issues a new pair; a refresh token may work once or several times. (interface 5.2, protocol appendix B)",
    "expired": "An expired or invalid access token MUST get the error `invalid_grant`; errors may have any status. (C-7-2, appendix B)",
    "expires": "Access token validity is given by `expires_in`. (interface 8)",
    "password": "After both tokens are obtained, the username and password are no longer needed. (interface 5.2)",
    "scope": "scope: null. (interface 5.2)",
    "tokenform": "The token request body is `application/x-www-form-urlencoded`. (interface 5.1)",
    "oneway": "The access token is given in exactly one of these ways. A client SHOULD give the token in exactly one way. (interface 5.3, C-5.3-5)",
    "twotokens": "Different tokens that are given in more than one way MUST get 400 `invalid_request`. (K-token-2)",
    "url": "Proxies and browsers record URLs. Clients should send the token in the header. (protocol, security considerations)",
    "secret": "A description never repeats a secret; any program that holds a token acts for the user. (protocol, security considerations)",
    "other": "It speaks to no other server than the one of `base_url`. (adapter protocol); any program that holds a token acts for the user. (protocol, security considerations)",
    "revoke": "`revoke` MUST end the session of a token. (K-grant-4)",
    "base": "All operations are directly below the base URL: `{base_url}sync`; it can have a path before `v1`. (protocol 1 and 4)",
    "page": "Pages fetched with `skip` and `limit` MUST together contain the whole listing, each thing once; both count things and deleted IDs. (C-4.3-9, protocol pages)",
    "pagetags": "A server may return `tags` with every page or with the first page only. A client accepts it on any page. (protocol, pages)",
    "count": "thingCount: number of things listed as new, changed or deleted; omitted when 0; not affected by skip and limit. (interface 4.3)",
    "limit0": "`limit=0` MUST list none (K-sync-6); limit: limit the number of things returned. (interface 4.3)",
    "skipid": "A server MUST leave IDs that are given as `skip_id` out of the changed and deleted things. (C-4.3-14)",
    "upget": "new_thing, changed_thing, deleted_thing, tag: sent by POST. (interface 4.3)",
    "upbody": "The request parameters are read from the query string (GET) or the form body (POST), as listed. (interface 4.3)",
    "op": "thing/add, thing/change and thing/delete are POST operations. (protocol 4.1)",
    "opchange": "`thing/change` MUST change only the given fields. (K-thing-3)",
    "opunknown": "An unknown `_id` in `thing/change` and `thing/delete` MUST get 404 `not_found`. (K-error-2)",
    "once": "Without recognition of retries, a lost response creates a thing twice; a server of the core need not recognize them. (protocol, appendix B)",
    "keep": "Clients keep connections open. (protocol 4)",
    "several2": "accepts several commands at the same time. (adapter protocol, concurrent)",
    "idtext": "_id: string, alphanumeric, identifier given by the server. (interface 2.1)",
    "tagsmap": "tags: map from tag name to settings; only changes since the position are returned. (interface 4.3, rule 2)",
    "tagsalone": "A change of tag settings alone yields a response with `pos` and `tags` and no `things` and no `thingCount`. (interface 4.3, rule 2)",
    "small": "A server may accept fewer, if its error says so. (protocol 8)",
    "atomic": "With any error in it, a server MUST NOT apply any part of it. (K-error-8)",
    "wait": "A slow response is a response: no limit of time is part of the interface. (interface 8)",
}

FAULTS = """
token-refresh-per-caller|tokens|api|MUST|pair|Each caller that gets a 401 refreshes by itself: two refreshes with one refresh token
token-grant-per-caller|tokens|api|SHOULD|password|Two first calls at once each send the password and begin two sessions
token-refreshed-again|tokens|api|SHOULD|pair|A caller refreshes although another one replaced the token that failed
token-old-refresh-kept|tokens|api|MUST|pair|Keeps the first refresh token after a refresh
token-other-field|tokens|api|MUST|grant|Reads refresh_token of the response instead of request_token
token-refresh-wrong-name|tokens|api|MUST|grant|Sends the refresh token under the name request_token
token-refresh-without-secret|tokens|api|MUST|grant|Leaves out client_secret in the refresh
token-scope-required|tokens|api|MUST|scope|Crashes on scope null
token-never-refreshed|tokens|api|MUST|expired|Reports an expired token instead of refreshing
token-expiry-by-status-only|tokens|api|MUST|expired|Looks for status 401 only, not for the error invalid_grant
token-refresh-loop|tokens|api|SHOULD|expired|Refreshes again and again while the server refuses each token
token-lifetime-milliseconds|tokens|api|SHOULD|expires|Compares milliseconds with seconds, and refreshes before each request
token-margin-fixed|tokens|api|SHOULD|expires|Refreshes 300 s before the end even when the token lives shorter
token-refresh-failure-ends|tokens|api|MUST|network|A lost refresh response counts as the end of the session
token-refresh-503-ends|tokens|api|MUST|temp|A 503 for the refresh counts as the end of the session
token-end-reported-as-network|tokens|api|SHOULD|signedout|Reports the end of the session as a network error
token-password-each-time|tokens|api|SHOULD|password|Keeps the password and begins a new session at each expiry
token-request-json|tokens|api|MUST|tokenform|Sends the token request as JSON
token-request-in-query|tokens|api|MUST|tokenform|Sends the grant, with password and secret, in the query
token-form-not-encoded|text|api|MUST|form|Joins the token form without percent-encoding
password-trimmed|text|api|MUST|grant|Trims the password
token-in-query|leaks|api|SHOULD|url|Sends the access token as a query parameter of each request
token-two-ways|leaks|api|SHOULD|oneway|Sends the token in the header and in the query
token-stale-second|tokens|api|MUST|twotokens|Also sends the first token in the form, also after a refresh
token-written-to-log|leaks|api|MUST|secret|Writes the tokens to standard error at a refresh
secret-in-error|leaks|api|MUST|secret|Error messages contain the headers of the request and the token form
revoke-keeps-tokens|tokens|api|SHOULD|revoke|Goes on with its tokens after revoke
revoke-only-local|tokens|api|MUST|revoke|revoke only forgets the tokens, and sends nothing
revoke-without-token|tokens|api|MUST|revoke|revoke sends an empty token
redirect-carries-token|leaks|api|MUST|other|Follows a redirect to another server and sends the token there
redirect-post-becomes-get|errors|api|MUST|upget|Follows a redirect of an upload by GET and reports success
path-double-slash|requests|api|MUST|base|Joins base URL and operation by a second slash
base-path-lost|requests|api|MUST|base|Drops the path before v1
timeout-too-short|errors|api|MUST|wait|Gives up after two seconds without a byte
connection-shared|connections|api|MUST|several2|Two threads write on one connection
stale-connection-used|connections|api|SHOULD|keep|Sends an upload on a kept connection that the server has closed
error-body-left-unread|connections|api|MUST|keep|Leaves the body of an error unread and reuses the connection
gzip-not-decoded|encodings|api|MUST|gzip|Asks for gzip and does not decode it
gzip-one-chunk|encodings|api|MUST|gzip|Decodes each chunk of gzip as a stream of its own
br-claimed|encodings|api|MUST|gzip|Accepts br, which it cannot decode
truncated-body-accepted|errors|api|MUST|whole|Ignores that a body ended before its length
utf8-decoded-per-chunk|encodings|api|MUST|json|Decodes each chunk by itself, so a character at a border becomes two U+FFFD
number-cut-at-chunk|encodings|api|MUST|json|Ends a number at the border of a chunk
astral-escapes-broken|encodings|api|MUST|json|Escaped surrogate pairs become U+FFFD
latin1-without-charset|encodings|api|MUST|json|Reads a response without a charset as ISO 8859-1
content-type-required|encodings|api|MUST|type|Refuses a response that is not application/json
content-type-exact|encodings|api|MUST|type|Refuses application/json with a charset
unknown-members-refused|decoding|api|MUST|extra|Refuses members that it does not know
null-becomes-text|decoding|api|MUST|null|null becomes the text None
null-crash|decoding|api|MUST|null|Crashes on null where a member is optional
thing-without-url-refused|decoding|api|MUST|absent|Expects url on each thing
text-nfc-received|text|api|MUST|charfor|Normalizes received titles to NFC
pos-expected-first|decoding|api|MUST|order|Misses a pos that comes behind things
stream-ends-after-changed|decoding|api|MUST|order|Stops reading behind things.changed
deleted-expected-after-changed|decoding|api|MUST|order|Skips things.deleted when it comes before things.changed
body-read-whole|memory|api|SHOULD|stream|Reads the whole body into memory before it parses
list-keeps-things|memory|api|SHOULD|stream|list keeps each thing in memory
error-body-must-be-json|errors|api|MUST|badjson|Crashes on an error whose body is no JSON
error-code-lost|errors|api|SHOULD|error|Reports a rejection without status and code
error-read-as-empty|errors|api|MUST|error|Treats an error response as an empty success
error-with-200-accepted|errors|api|MUST|error|Treats an error object with status 200 as success
html-read-as-empty|errors|api|MUST|badjson|Treats a page of HTML as an empty success
response-cached|requests|api|MUST|cache|Answers a repeated request from its own cache
upload-lost-on-second-try|retries|api|MUST|expired|The second try after a refresh has an empty body: the upload is lost, and success is reported
upload-in-query|requests|api|MUST|upbody|Sends the upload in the query of a POST
upload-by-get|requests|api|MUST|upget|Sends uploads by GET
retry-unsafe|retries|api|MUST|once|Repeats new_thing after a lost response without an explicit from
retry-thing-add|retries|api|MUST|once|Repeats thing/add after a lost response
retry-without-limit|retries|api|SHOULD|temp|Repeats a request that gets 503 some forty times
retry-without-backoff|retries|api|SHOULD|temp|Repeats at once, without a pause
retry-client-errors|retries|api|SHOULD|fix|Repeats a request that got 400
retry-429-at-once|retries|api|SHOULD|slow|Repeats at once after 429 and 503
retry-after-ignored|retries|api|SHOULD|slow|Ignores Retry-After
retry-after-date-crash|retries|api|MUST|temp|Crashes when Retry-After is a date
retry-after-date-ignored|retries|api|SHOULD|temp|Ignores a Retry-After that is a date
retry-after-milliseconds|retries|api|SHOULD|slow|Takes Retry-After for milliseconds
skip-as-page|pages|api|MUST|page|Sends the number of the page as skip
limit-zero-left-out|pages|api|MUST|limit0|Leaves out limit=0 and gets everything
thing-count-recounted|decoding|api|SHOULD|count|Replaces thingCount by the number of things in the response
thing-count-required|decoding|api|MUST|count|Crashes when thingCount is absent
new-dunder-ignored|decoding|api|MUST|tagname|Drops entries of things.new that begin with two underscores
list-in-one-request|pages|api|SHOULD|limit0|list ignores its limit
list-retry-counts-twice|retries|api|MUST|page|list counts things again when a page is repeated
list-error-ends-it|errors|api|MUST|network|list reports success when a page fails
list-pos-of-last-page|positions|api|MUST|cover|list returns the position of the last page, which can cover more than the first one showed
list-first-page-only|pages|api|MUST|page|list reads the first page only
list-counts-by-thing-count|decoding|api|SHOULD|count|list reports thingCount as the number of changed things
page-without-from|pages|api|MUST|from|The later pages of list lack from
page-skip-counts-changed|pages|api|MUST|page|skip counts changed things only, not deletions
page-missed-after-401|pages|api|MUST|page|A page is skipped when the token expired in front of it
page-of-deletions-ends|pages|api|MUST|page|A page without changed things ends the listing
operations-by-get|requests|api|MUST|op|Calls thing/add, thing/change and thing/delete by GET
delete-error-swallowed|errors|api|MUST|opunknown|Reports success when thing/delete is rejected
bool-as-python|requests|api|MUST|bool|Sends yes and no for booleans of an operation
change-defaults-filled|requests|api|MUST|opchange|Fills absent members of a change with defaults
form-latin1|text|api|MUST|form|Encodes forms in ISO 8859-1
form-encoded-twice|text|api|MUST|form|Percent-encodes twice
form-plus-raw|text|api|MUST|form|Leaves + as it is, so that it becomes a space
form-percent-raw|text|api|MUST|form|Leaves % as it is
form-ampersand-raw|text|api|MUST|form|Leaves & as it is
tag-name-not-encoded|text|api|MUST|form|Leaves tag names as they are
tag-name-cut-at-bracket|tags|api|MUST|tagparam|Cuts a tag name at its first bracket
tags-as-one-map|tags|api|MUST|tagparam|Sends all settings as one parameter tag
tag-settings-null-sent|tags|api|MUST|settings|Sends null for settings that were not given
tag-color-hash-lost|tags|api|MUST|settings|Sends a color without #
number-six-digits|positions|api|MUST|pos|Writes positions with six digits
number-32-bit|positions|api|MUST|pos53|Positions overflow at 2^31
number-single-precision|positions|api|MUST|pos53|Positions are rounded to single precision
text-trimmed|text|api|MUST|charfor|Trims texts
text-nfc|text|api|MUST|charfor|Normalizes texts to NFC
text-line-ends|text|api|MUST|charfor|Replaces CR LF by LF
text-html-escaped|text|api|MUST|charfor|Escapes < > and &
text-astral-dropped|text|api|MUST|charfor|Drops characters beyond U+FFFF
text-control-dropped|text|api|MUST|charfor|Drops control characters, line breaks included
tags-comma-separated|text|api|MUST|tags|Joins tags by commas
empty-title-left-out|empty|api|MUST|title|Leaves out an empty title
empty-text-left-out|empty|api|MUST|empty|Leaves out an empty url, html or tags, which should be cleared
date-whole-seconds|numbers|api|MUST|date|Rounds the date to whole seconds
date-milliseconds|numbers|api|MUST|date|Sends the date in milliseconds
date-zero-left-out|empty|api|MUST|date|Leaves out the date 0
todo-false-left-out|empty|api|MUST|todo|Leaves out todoStatus false
todo-as-text|requests|api|MUST|bool|Sends todoStatus as a text
archived-as-number|requests|api|MUST|bool|Sends archived as 0 or 1
several-last-only|requests|api|MUST|several|Sends only the last of several things
things-json-twice|requests|api|MUST|object|Encodes things as JSON twice
deleted-as-object|requests|api|MUST|plainid|Sends deletions as objects
deleted-comma-separated|requests|api|MUST|several|Joins deleted ids by commas
deleted-first-only|requests|api|MUST|several|Sends only the first of several deletions
deleted-quoted|requests|api|MUST|plainid|Sends a deleted id in quotes
skip-id-first-only|requests|api|MUST|skipid|Sends only the first skip_id
local-id-dunder-renamed|text|api|MUST|new|Strips underscores from local_id
id-lower-case|ids|replica|MUST|idtext|Turns ids into lower case
id-cut-at-64|ids|replica|MUST|idtext|Cuts ids at 64 characters
id-as-number|ids|replica|MUST|idtext|Turns ids of digits into numbers, so 007 is 7
session-not-kept|uploads|replica|MUST|retry|Begins a new session after a restart, in which an upload is no retry
refreshed-tokens-not-kept|tokens|replica|MUST|pair|Stores only the first pair of tokens
password-kept-in-folder|leaks|replica|SHOULD|password|Stores the password in the folder
signed-out-clears-edits|edits|replica|MUST|signedout|Clears the edits that wait when the session has ended
journal-left-in-buffer|storage|replica|MUST|survive|Edits stay in a buffer until it is full
edits-kept-until-sync|storage|replica|MUST|survive|Edits are stored at the next sync only
deletes-kept-in-memory|storage|replica|MUST|survive|Deletions are stored at the next sync only
tags-kept-in-memory|storage|replica|MUST|survive|Edits of tag settings are stored at the next sync only
compaction-forgets-deletes|storage|replica|MUST|survive|The snapshot forgets deletions that wait
compaction-forgets-upload|storage|replica|MUST|retry|The snapshot forgets the upload under way, which is then never repeated nor finished
lost-kept-in-memory|storage|replica|SHOULD|lost|Lost edits are forgotten at a restart
ref-becomes-id|ids|replica|MUST|ref|The name of a thing changes when it gets its _id
date-zero-replaced|numbers|replica|MUST|date|Replaces the date 0 by now
uploaded-date-rounded|numbers|replica|MUST|date|Rounds the date when it uploads
received-date-rounded|numbers|replica|MUST|date|Rounds received dates
change-with-date-now|merge|replica|MUST|date|A change sets the date of creation to now
position-before-body|positions|replica|MUST|cover|Stores the position of a response before it has read its things
position-before-later-pages|positions|replica|MUST|cover|Stores the position of the first page before the later pages have come
position-of-last-page|positions|replica|MUST|cover|Stores the position of the last page although the earlier pages are older
position-never-back|positions|replica|MUST|future|Does not store a position that is lower than its own
position-back-refused|positions|replica|MUST|future|Refuses a response whose position is lower
position-plus-one|positions|replica|MUST|nocalc|Sends its position plus one
position-32-bit|positions|replica|MUST|pos53|Positions overflow at 2^31
position-six-digits|positions|replica|MUST|pos|Writes positions with six digits
position-single-precision|positions|replica|MUST|pos53|Stores positions in single precision
own-position-not-stored|positions|replica|SHOULD|pos|Does not store the position of the response to an upload
local-id-from-title|uploads|replica|MUST|unique|Uses the title as local_id
local-id-from-time|uploads|replica|MUST|unique|Uses the second as local_id
local-id-shared-in-batch|uploads|replica|MUST|unique|All new things of an upload have one local_id
change-with-local-id|uploads|replica|MUST|useid|Sends the local_id as _id of a change after the creation
new-stays-new|uploads|replica|MUST|useid|Uploads a created thing as new again
changed-thing-created-again|uploads|replica|MUST|useid|Uploads a change of an own thing as new_thing
retry-after-download|uploads|replica|MUST|retry|Downloads before it repeats an upload, and repeats it with the newer position
retry-with-new-local-id|uploads|replica|MUST|retry|Repeats an upload with new local_ids
upload-without-from|uploads|replica|MUST|retry|Uploads without from, so that a retry is not recognized
upload-not-kept|uploads|replica|MUST|retry|Does not store which upload is under way: after a kill it begins anew
upload-sent-twice|uploads|replica|MUST|once|Sends each upload twice
two-syncs-at-once|uploads|replica|MUST|once|Two syncs at once upload the same edits
lost-response-drops-edits|uploads|replica|MUST|retry|Drops the edits of an upload whose response was lost
edits-cleared-before-send|uploads|replica|MUST|retry|Clears the edits before they are sent
upload-with-limit|uploads|replica|MUST|cover|Uploads with limit=1, ignores the rest of the listing, and stores the position
upload-listing-ignored|uploads|replica|MUST|cover|Ignores what the response to an upload lists, and stores its position
upload-deletions-ignored|deletions|replica|MUST|deleted|Ignores deletions in the response to an upload
upload-tags-ignored|tags|replica|MUST|tagsmap|Ignores settings in the response to an upload
first-batch-only|uploads|replica|MUST|sync|Uploads the first hundred edits only, and reports success
last-of-batch-skipped|uploads|replica|MUST|offline|Leaves out the last new thing of an upload, and counts it as sent
one-deletion-per-batch|uploads|replica|MUST|several|Sends one of several deletions, and counts all as sent
own-ids-as-skip-id|merge|replica|MUST|others|Sends its own changed things as skip_id, and so misses what others did to them
own-echo-ignored|merge|replica|MUST|others|Ignores listed things that the upload contained
new-id-not-indexed|merge|replica|MUST|own|Adds its own new thing a second time when a server lists it
new-ids-by-order|merge|replica|MUST|new|Assigns the ids of things.new in their order
new-needs-echo|merge|replica|MUST|own|Drops a created thing and waits until the server lists it
new-keeps-title-only|merge|replica|MUST|own|Keeps only title and tags of a thing that was created
change-needs-echo|merge|replica|MUST|own|Forgets a change that was uploaded until the server lists it
cleared-field-comes-back|merge|replica|MUST|own|A cleared url or html comes back after the upload
edits-during-sync-cleared|edits|replica|MUST|offline|Clears edits that were made while the upload was under way
delete-during-sync-lost|edits|replica|MUST|offline|Forgets a deletion that was made while the upload was under way
delete-of-new-under-way-local|edits|replica|MUST|offline|Deletes a thing only locally while its creation is under way
change-of-new-under-way-lost|edits|replica|MUST|offline|Never uploads a change that was made while the creation was under way
echo-overwrites-later-edits|edits|replica|MUST|own|The listed own upload overwrites later edits
download-overwrites-edits|edits|replica|MUST|offline|A listed thing overwrites edits that wait
edited-things-not-updated|merge|replica|MUST|unknown|Ignores listed changes of things with edits
unknown-id-dropped|merge|replica|MUST|unknown|Ignores things that it does not know
known-things-added-again|merge|replica|MUST|unknown|Adds a listed thing again instead of updating it
merge-keeps-removed-fields|merge|replica|MUST|absent|Keeps url and html that were removed elsewhere
merge-keeps-archived|merge|replica|MUST|archived2|Keeps archived when the thing was unarchived elsewhere
received-archived-by-presence|decoding|replica|MUST|null|Takes archived null for true
received-text-trimmed|text|replica|MUST|charfor|Trims received titles
received-line-ends|text|replica|MUST|charfor|Replaces CR LF by LF in received html
received-html-cut|text|replica|MUST|charfor|Cuts received html at 65,536 characters
uploaded-text-trimmed|text|replica|MUST|charfor|Trims titles when it uploads
uploaded-text-nfc|text|replica|MUST|charfor|Normalizes texts to NFC when it uploads
uploaded-tags-sorted|text|replica|SHOULD|charfor|Sorts the tags of a thing when it uploads
uploaded-tags-lower-case|text|replica|MUST|charfor|Uploads tags in lower case
create-sends-title-only|merge|replica|MUST|offline|Uploads only title, tags and date of a new thing
create-without-todo|merge|replica|MUST|todo|Uploads a new thing without its todoStatus
create-without-archived|merge|replica|MUST|archived|Uploads a new thing without archived
change-sends-edits-only|merge|replica|MUST|may|A change contains only title, archived and what was edited; a server may clear the rest
change-without-title|merge|replica|MUST|title|A change lacks the title when it was not edited
change-without-archived|merge|replica|MUST|archived|A change lacks archived when it was not edited, and unarchives the thing
change-loses-url|merge|replica|MUST|empty|A change clears the url unless it was edited
change-clears-by-absence|empty|replica|MUST|empty|Removes url or html by leaving it out
change-clears-by-null|empty|replica|MUST|empty|Removes url or html by null
change-empty-tags-left-out|empty|replica|MUST|empty|Leaves out empty tags in a change
change-empty-ignored|empty|replica|MUST|clear|Ignores empty texts in an edit
change-todo-false-left-out|empty|replica|MUST|todo|Leaves out todoStatus false in a change
change-with-todo-false|merge|replica|MUST|todo|A change resets todoStatus unless it was edited
deletions-ignored|deletions|replica|MUST|deleted|Ignores deletions
deletion-of-unknown-crashes|deletions|replica|MUST|deleted|Crashes on the deletion of a thing that it does not have
deletions-remembered|deletions|replica|MUST|back|Never shows a thing again that was deleted once
changed-beats-deleted|deletions|replica|SHOULD|reach|Keeps a thing that one response lists as changed and as deleted, when a deletion was made between the two
edit-beats-deletion|deletions|replica|MUST|reach|An edit that waits keeps a thing that was deleted elsewhere
deletion-with-edit-makes-new|deletions|replica|MUST|reach|Creates a thing anew when it has edits and was deleted elsewhere
remote-change-beats-delete|deletions|replica|MUST|offline|A listed change cancels a deletion that waits
lost-edit-not-reported|errors|replica|MUST|lost|Drops an edit of a deleted thing without a word
lost-title-of-server|errors|replica|SHOULD|lost|Reports a lost edit with the title of the server
full-sync-keeps-gone|deletions|replica|MUST|full|Always syncs fully, and keeps things that are not listed any more
full-sync-drops-new|edits|replica|MUST|offline|The first full sync drops things that were created before it
first-page-only|pages|replica|MUST|page|Downloads the first page only
replica-page-skip-counts-changed|pages|replica|MUST|page|skip counts changed things only, not deletions
replica-page-missed-after-401|pages|replica|MUST|page|A page is skipped when the token expired in front of it
page-of-deletions-ends-download|pages|replica|MUST|page|A page without changed things ends the download
page-error-ends-download|errors|replica|MUST|cover|An error on a later page ends the download as a success
page-tags-of-last-only|pages|replica|MUST|pagetags|Keeps the settings of the last page only
later-page-without-from|pages|replica|MUST|from|Later pages lack from
response-without-things-ignored|tags|replica|MUST|tagsalone|Ignores a response without things
tags-replaced|tags|replica|MUST|tagsmap|Replaces all settings by those of an incremental sync
tags-unset-ignored|tags|replica|MUST|settings|Ignores settings that became false
tags-overwrite-edits|tags|replica|MUST|offline|Listed settings overwrite edits that wait
tags-dunder-dropped|tags|replica|MUST|tagname|Drops tags that begin with two underscores
tag-name-lower-case|tags|replica|MUST|tagname|Turns tag names into lower case
tags-color-false-as-text|tags|replica|MUST|settings|Turns the color false into a text
tag-unset-sent-as-false|tags|replica|MUST|keeps|Sends false for settings that were not edited
tag-color-without-hash|tags|replica|MUST|settings|Sends a color without #
todo-not-derived|todos|replica|MUST|derive|Shows todoStatus as last listed, whatever the settings say
todo-by-color|todos|replica|MUST|derive|Takes things with a colored tag for todos
todo-tag-by-substring|todos|replica|MUST|derive|Takes shopping for the tag shop
todo-dont-strike-ignored|todos|replica|MUST|dont|Takes dont-strike for false
read-without-edits|edits|replica|MUST|read|read shows things without the edits that wait
read-shows-deleted|edits|replica|MUST|read|read shows things whose deletion waits
read-hides-archived|edits|replica|MUST|read|read leaves out archived things
pending-without-deletes|errors|replica|SHOULD|state|pending does not count deletions
pending-without-tags|errors|replica|SHOULD|state|pending does not count edits of tag settings
pending-without-sent|errors|replica|SHOULD|state|pending does not count an upload whose response was lost
error-not-kept|errors|replica|SHOULD|state|state has no error after a sync that failed
error-kept-after-success|errors|replica|SHOULD|state|state keeps the error after a sync that succeeded
sync-error-swallowed|errors|replica|MUST|sync|sync reports success when it failed
error-page-as-empty|errors|replica|MUST|badjson|Takes a page of HTML for an empty download
replica-unexpected-as-success|errors|replica|MUST|badjson|Takes a page of HTML for the success of an upload, and drops the edits
server-error-drops-edits|errors|replica|MUST|fix|Drops edits after 500
slow-down-drops-edits|errors|replica|MUST|temp|Drops edits after 429 and 503
rejected-edit-blocks|errors|replica|MUST|atomic|One rejected edit blocks all others for ever
rejected-batch-dropped|errors|replica|MUST|atomic|Drops all edits of an upload when one was rejected
rejected-edit-not-reported|errors|replica|MUST|lost|Drops a rejected edit without a word
too-large-blocks|errors|replica|MUST|small|Never uploads less after 413
too-large-drops-edits|errors|replica|MUST|small|Drops the edits of an upload after 413
"""

HABITS = """
parameters-reversed|Sends the parameters in reverse order: a form has no order
parameters-sorted|Sends the parameters sorted by name: a form has no order
members-reversed|Writes the members of things in reverse order: a JSON object has no order
settings-members-sorted|Writes settings sorted by name: a JSON object has no order
repeated-parameters|Sends several things as repeated new_thing[]: the interface allows arrays and repeated parameters
mixed-parameters|Mixes an array and repeated parameters: a request can mix both (protocol 4.3)
array-of-one|Sends one thing as an array of one: an array in a single parameter is allowed
brackets-raw|Leaves brackets in names unescaped: new_thing[] and new_thing%5B%5D are the same name
space-as-20|Writes spaces as %20: both forms decode to a space
lower-case-escapes|Writes %2b for %2B: the digits of an escape have no case
encode-every-byte|Escapes every byte of names and values: each byte may be escaped
json-raw-utf8|Writes JSON in UTF-8 without escapes: both forms are the same text
json-indented|Writes JSON with line breaks and spaces: space between tokens has no meaning
charset-in-content-type|Adds a charset to the content type: clients may do so (protocol 4)
chunked-bodies|Sends bodies in chunks: clients may do so (protocol 4)
always-post|Downloads by POST: sync takes GET or POST
token-in-form|Sends the token in the form of POST and in the header of GET: exactly one way in each request
token-name-value|Sends Authorization: access_token=TOKEN: the interface shows this form
header-upper-case|Writes header names in upper case: they have no case
accept-any|Accepts any type: all responses are JSON
more-headers|Sends User-Agent, X-Request-Id and Accept-Language: HTTP allows them
cache-headers|Asks caches not to answer: it always wants the server
get-with-length|Sends Content-Length: 0 with GET: HTTP allows it
no-gzip|Accepts no compression: it is optional
no-keep-alive|Closes each connection: keeping them is optional
small-reads|Reads seven bytes at a time: the borders of reads have no meaning
no-retries|Repeats nothing by itself and reports the error: repeating is an optional feature, which it does not declare
retries-six|Repeats up to six times with back-off: it ends, and it waits
backoff-steady|Waits a second before each of three repetitions, or as Retry-After says
refresh-at-half-time|Refreshes at half of the lifetime: it may refresh whenever it wants before the end
refresh-only-after-401|Refreshes only when a token was refused: the error says that it expired
from-zero-sent|Sends from=0 for a full sync: omitted and 0 are the same
skip-zero-sent|Sends skip=0 for the first page: it skips nothing
full-sync-each-time|Always syncs fully and removes what is not listed: correct, only dearer
position-one-sync-older|Downloads from the position of the sync before: an earlier pos is allowed, and listed things are only updated
pages-of-one|Downloads pages of one thing: any limit is allowed
pages-of-seven|Downloads pages of seven things: any limit is allowed
no-pages|Downloads without limit: paging is an optional feature, which it does not declare
batches-of-one|Uploads each edit in a request of its own: an upload may contain one edit
batches-of-thousand|Uploads up to a thousand edits at once, and fewer when the server says too large
kinds-apart|Uploads new things, changes, deletions and settings in separate requests
upload-first|Uploads before it downloads: the response lists what others changed
download-afterwards|Downloads once more after its uploads: an incremental sync is harmless
local-id-number|Uses numbers as local_id: string or number
local-id-odd|Uses local_ids with spaces, accents and special characters: a string chosen by the client
local-id-long|Uses long local_ids: a string chosen by the client
archived-false-left-out|Leaves out archived when it is false: missing means false
date-as-float|Writes dates as 1700000000.0: the date is a number
operations-json|Sends thing/add, thing/change and thing/delete as JSON: servers that have them take JSON (K-request-1)
operations-bool-digit|Sends booleans of these operations as 1 and 0: servers that have them take both (K-request-6)
"""


def main():
    faults, seen = [], set()
    for line in FAULTS.strip().splitlines():
        name, kind, profile, level, key, what = line.split("|")
        assert name not in seen and profile in ("api", "replica") and level in ("MUST", "SHOULD"), line
        seen.add(name)
        faults.append({"id": name, "class": kind, "profile": profile, "level": level, "sentence": SENTENCES[key], "what": what})
    habits = []
    for line in HABITS.strip().splitlines():
        name, why = line.split("|")
        what, _, reason = why.partition(": ")
        habits.append({"id": name, "what": what, "why": reason or why})
    code = "".join(open(f, encoding="utf-8").read() for f in glob.glob(os.path.join(HERE, "thingclient", "*.py")) + [os.path.join(HERE, "adapter.py")])
    used = set(re.findall(r'fault\("([a-z0-9-]+)"\)', code))
    for group in re.findall(r"map\(fault, \(([^)]*)\)", code):
        pass
    print("faults without a switch:", sorted(seen - used))
    print("switches without a fault:", sorted(used - seen))
    used = set(re.findall(r'habit\("([a-z0-9-]+)"\)', code))
    named = {h["id"] for h in habits}
    print("habits without a switch:", sorted(named - used), " switches without a habit:", sorted(used - named))
    unused = set(SENTENCES) - {l.split("|")[4] for l in FAULTS.strip().splitlines()}
    print("unused sentences:", sorted(unused))
    for file, value in (("faults.json", faults), ("habits.json", habits)):
        with open(os.path.join(HERE, file), "w", encoding="utf-8") as out:
            out.write("[\n" + ",\n".join("  " + json.dumps(v, ensure_ascii=False) for v in value) + "\n]\n")
    for profile in ("api", "replica"):
        for level in ("MUST", "SHOULD"):
            print(profile, level, sum(f["profile"] == profile and f["level"] == level for f in faults))
    classes = {}
    for f in faults:
        classes.setdefault(f["class"], [0, 0])[f["level"] == "SHOULD"] += 1
    print(len(faults), "faults;", len(habits), "habits;", {k: f"{v[0]}+{v[1]}" for k, v in sorted(classes.items())})


if __name__ == "__main__":
    main()
