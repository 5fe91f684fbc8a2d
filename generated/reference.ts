// Made from openapi.yaml by scripts/reference (npm run generate); edit openapi.yaml instead.
import type { Reference } from '../src/pages/reference/reference.ts'

/** The document as `/docs` shows it. */
export const reference: Reference = {
 "title": "Thing synchronisation",
 "version": "1.2.0",
 "aboutHtml": "<p>A personal store of things (notes and bookmarks with tags) that devices, often offline, keep in step.</p>\n<h2 id=\"about-a-first-sync\">A first sync</h2>\n<p>Get a token from <code>POST /token</code>, then call <code>/sync</code> with it in the header <code>Authorization: Bearer T</code>. Store the <code>pos</code> of the\nanswer and send it as <code>from</code> the next time: the answer then holds only what changed since.</p>\n<h2 id=\"about-to-hear-of-changes\">To hear of changes</h2>\n<p>Nobody has to ask at intervals. Where a stream can be read, <code>/sync/events</code> tells each new position; elsewhere <code>wait</code> lets a\n<code>/sync</code> answer when there is something. Both only say that it is time to sync. Webhooks call a server of yours, and devices\nare told by Web Push. These additions may be missing on other servers, which answer <code>/sync/events</code> with 404 and a sync with\n<code>wait</code> at once.</p>\n<h2 id=\"about-the-web-flow\">The web flow</h2>\n<p>An application that is not trusted with passwords sends people to <code>/authorize</code>, a page beside <code>/v1/</code>, where they sign\nin and allow it:</p>\n<pre tabindex=\"0\">{server}/authorize?response_type=code&amp;client_id=…&amp;redirect_uri=…&amp;state=…&amp;code_challenge=…&amp;code_challenge_method=S256</pre>\n<p>The browser comes back to <code>redirect_uri</code> with <code>code</code>, <code>state</code> and <code>iss</code>, or with <code>error</code>, <code>error_description</code>, <code>state</code>\nand <code>iss</code>. The code is good for 60 s and once; <code>POST /token</code> with <code>grant_type=authorization_code</code> makes a pair of\ntokens of it. <code>redirect_uri</code> is, to the letter, one that the application has registered; only the port of a loopback\naddress may differ. PKCE (RFC 7636, S256 only) is needed by applications that are registered without a secret, and\ngood for all. <code>{server}/.well-known/oauth-authorization-server</code> is the metadata of RFC 8414.</p>\n<h2 id=\"about-requests\">Requests</h2>\n<p>Bodies of POST operations are JSON (<code>application/json</code>) or forms (<code>application/x-www-form-urlencoded</code>) with the same\nnames; <code>/token</code> takes forms only. Unknown parameters are ignored.</p>\n<ul>\n<li><strong>Null is the same as absent</strong>, in every field of a JSON body and of the JSON text in a form. To empty <code>tags</code>, <code>url</code> or\n<code>html</code> send <code>&quot;&quot;</code>.</li>\n<li><strong>In forms</strong>, objects and lists are JSON text inside a field. Booleans are spelled <code>true</code>, <code>false</code>, <code>1</code> or <code>0</code>, in any\nletter case, and numbers as decimal text, there and in JSON text inside of a form.</li>\n<li><strong>Colours</strong> come back in lower case.</li>\n<li><strong>Several of one kind</strong> go into one field as a JSON array, or into repeated fields. <code>x-repeated-as</code> names the spelling\nof the repeated field: <code>new_thing[]=…&amp;new_thing[]=…</code>. It may also carry numbers, as in <code>new_thing[0]</code>. Generators write\nthe one field; nobody needs both.</li>\n<li>Parameters that a POST declares in its body are read from its query too, and the body wins (an upload in both is refused);\nnot so at <code>/token</code> and\n<code>/revoke</code>, whose secrets do not belong into an address.</li>\n</ul>\n<h2 id=\"about-access-token\">Access token</h2>\n<p>Every operation but <code>/token</code> and <code>/revoke</code> needs an access token: in the header, in the query, or in the body as\n<code>access_token</code>. The same token in several places is taken; two different ones are refused. Send it in the header or the\nquery, or as the first field of a form: in header or query it is judged before the body is read, and a JSON body with the\ntoken in it may have 64 KiB only. Every 401 carries <code>WWW-Authenticate: Bearer …</code>; when an application was refused that\nsent its credentials by HTTP Basic, it names <code>Basic</code> too.</p>\n<h2 id=\"about-values\">Values</h2>\n<p>Positions and counts are whole numbers below 2^53 and need an <code>int64</code> or a double; a 32-bit float loses changes. Dates are\nUnix times in seconds, with a fraction if one was given. Strings of <code>format: text</code> hold any Unicode text but NUL and lone\nsurrogates, and come back exactly as sent.</p>\n<h2 id=\"about-limits\">Limits</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Limits\"><table><thead><tr><th>what</th><th>at most</th></tr></thead><tbody><tr><td>a body</td><td>32 MiB, if the server is not set up otherwise</td></tr><tr><td>a body of <code>/token</code> and <code>/revoke</code></td><td>64 KiB, 100 fields</td></tr><tr><td>a JSON body without an access token in header or query</td><td>64 KiB</td></tr><tr><td>fields of a form</td><td>120,000</td></tr><tr><td>members of one JSON object</td><td>10,000</td></tr><tr><td>JSON values in one request, lists and objects included</td><td>1,000,000</td></tr><tr><td>all bodies under way whose sender is not known yet</td><td>64 MiB together, else <code>slow_down</code></td></tr><tr><td>nesting of JSON</td><td>32 levels</td></tr><tr><td>things of one kind in one request</td><td>100,000</td></tr><tr><td>tags whose settings are changed in one request</td><td>10,000</td></tr><tr><td>tags with settings of a user</td><td>10,000, if the server is not set up otherwise, and as many whose settings were cleared</td></tr><tr><td>the name of a tag whose settings are changed</td><td>1,000 characters</td></tr><tr><td>address and headers together</td><td>16 KB</td></tr><tr><td>webhooks of a user</td><td>20</td></tr><tr><td>devices of a user</td><td>100; the one that was not registered for the longest time is forgotten</td></tr><tr><td><code>/sync/events</code> and syncs with <code>wait</code> under way in a session</td><td>10 together</td></tr></tbody></table></div>\n<h2 id=\"about-errors\">Errors</h2>\n<p>An error is always a JSON object with <code>error</code>, a code, and <code>error_description</code>, a sentence that names the parameter. A\nrequest is all or nothing: whatever the error, nothing of it was applied, unless no answer came at all.</p>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Errors\"><table><thead><tr><th>status</th><th>error</th><th>when</th><th>what to do</th></tr></thead><tbody><tr><td>400</td><td><code>parameter_invalid</code></td><td>A parameter is missing, of a wrong type or too long, JSON cannot be read, two new things share a <code>local_id</code>, an upload stands in a GET.</td><td>Mend the request; as it is it will be refused again.</td></tr><tr><td>400</td><td><code>invalid_request</code></td><td>Two different access tokens, or one in the query of a server that takes none there; at <code>/token</code> and <code>/revoke</code> a missing or wrong parameter, or client credentials in two ways.</td><td>Mend the request.</td></tr><tr><td>400</td><td><code>invalid_grant</code></td><td>At <code>/token</code>: user name or password is wrong, the refresh token is unknown, ended or used up, or the code is, or is another application&#39;s, redirect&#39;s or verifier&#39;s.</td><td>After <code>password</code> ask the user again; after <code>refresh_token</code> and <code>authorization_code</code> forget the tokens, keep what was not uploaded, and ask the user to sign in.</td></tr><tr><td>400</td><td><code>unauthorized_client</code></td><td>At <code>/token</code>: the application may not use this grant.</td><td>Use another grant.</td></tr><tr><td>400</td><td><code>unsupported_grant_type</code></td><td>At <code>/token</code>: there is no such grant, or <code>password</code> is switched off on this server.</td><td>Use <code>authorization_code</code>, <code>refresh_token</code>, or <code>password</code> where it is on.</td></tr><tr><td>401</td><td><code>invalid_request</code></td><td>There is no access token.</td><td>Send one.</td></tr><tr><td>401</td><td><code>invalid_grant</code></td><td>The access token is expired or invalid.</td><td>Renew it by <code>refresh_token</code> once, then send the request again.</td></tr><tr><td>401</td><td><code>invalid_client</code></td><td>At <code>/token</code> and <code>/revoke</code>: <code>client_id</code> or <code>client_secret</code> is wrong or missing.</td><td>Mend the settings of the application; keep the tokens.</td></tr><tr><td>403</td><td><code>insufficient_scope</code></td><td>A personal access token that may only read was sent with something that changes.</td><td>Ask the user for another token.</td></tr><tr><td>404</td><td><code>not_found</code></td><td><code>_id</code> names no thing of this user, <code>id</code> no session, or there is no such operation.</td><td>Drop the thing, or mend the address.</td></tr><tr><td>405</td><td><code>method_not_allowed</code></td><td>The operation has other methods; <code>Allow</code> names them.</td><td>Use one of them.</td></tr><tr><td>408</td><td><code>parameter_invalid</code></td><td>The request arrived too slowly.</td><td>Send it again.</td></tr><tr><td>413</td><td><code>too_large</code></td><td>The body is too large, or holds too many things, fields, members or values; or the account would hold more things, bytes or tags with settings than it may.</td><td>Send less at once; a large JSON body with the token in the header. Where the sentence names a limit of the account, keep the change and tell the user.</td></tr><tr><td>415</td><td><code>unsupported_media_type</code></td><td>The operation does not take this content type.</td><td>Send a content type that the operation declares.</td></tr><tr><td>429</td><td><code>slow_down</code></td><td>At <code>/token</code> and <code>/revoke</code>: too many failed attempts from this address or for this account, or too many sign-ins at once. At every POST: too many large requests under way. At <code>/sync/events</code> and with <code>wait</code>: the session has 10 of these already. Everywhere: too many requests without an access token from this address.</td><td>Wait as many seconds as <code>Retry-After</code> says, then send it again.</td></tr><tr><td>431</td><td><code>parameter_invalid</code></td><td>Address and headers are too large, or headers too many.</td><td>Put the access token into the header, and uploads into a body.</td></tr><tr><td>500</td><td><code>server_error</code></td><td>A bug of the server.</td><td>Send it again later; uploads with the same <code>from</code> and the same <code>local_id</code>.</td></tr><tr><td>503</td><td><code>temporarily_unavailable</code></td><td>The server cannot store or read at the moment.</td><td>Keep the tokens, wait as <code>Retry-After</code> says, send it again.</td></tr></tbody></table></div>\n<p>What cannot be read as HTTP at all is answered with 400 <code>parameter_invalid</code> whatever its address, and the connection\nis closed. Wait longer after each failure, and never throw tokens away for a 429 or a 5xx.</p>\n<h2 id=\"about-marks\">Marks</h2>\n<p><code>x-repeated-as</code> is told above. <code>x-property-names</code> is a schema for the names of a map. <code>x-sdk</code> says what\n<code>openapi.sdk.yaml</code>, the same interface for generators of clients, has otherwise: an operation or a parameter that it leaves out, a\nschema in place of another one, <code>{}</code> being any value.</p>",
 "headings": [
  {
   "id": "about-a-first-sync",
   "title": "A first sync"
  },
  {
   "id": "about-to-hear-of-changes",
   "title": "To hear of changes"
  },
  {
   "id": "about-the-web-flow",
   "title": "The web flow"
  },
  {
   "id": "about-requests",
   "title": "Requests"
  },
  {
   "id": "about-access-token",
   "title": "Access token"
  },
  {
   "id": "about-values",
   "title": "Values"
  },
  {
   "id": "about-limits",
   "title": "Limits"
  },
  {
   "id": "about-errors",
   "title": "Errors"
  },
  {
   "id": "about-marks",
   "title": "Marks"
  }
 ],
 "groups": [
  {
   "name": "sync",
   "aboutHtml": "<p>What offline-capable clients need, and all that most of them need.</p>",
   "operations": [
    {
     "id": "getSync",
     "method": "GET",
     "path": "/sync",
     "summary": "Download changes",
     "aboutHtml": "<p>Lists things and tag settings. Without <code>from</code>, or with 0, all things are listed; with the <code>pos</code> of an earlier answer only\nwhat changed since. Never changes anything; upload parameters belong into a POST.</p>\n<p>Things come in the order of their last change, deleted ids behind them. <code>skip</code> and <code>limit</code> page through that order; the\npages of one listing are taken from one snapshot for up to 15 minutes and all return its position. When a page has\nanother <code>pos</code> than the first, the server was restarted, or more than 16 other listings of the session were begun:\nbegin again with the first page. Answers can be very\nlarge: parse them as a stream.</p>",
     "takesToken": true,
     "query": [
      {
       "name": "from",
       "isRequired": false,
       "type": "integer (int64)",
       "aboutHtml": "<p>A <code>pos</code> that was returned earlier; left out or 0 asks for everything.</p>"
      },
      {
       "name": "skip",
       "isRequired": false,
       "type": "integer (int64)",
       "aboutHtml": "<p>Leave out the first things of the listing.</p>"
      },
      {
       "name": "limit",
       "isRequired": false,
       "type": "integer (int64)",
       "aboutHtml": "<p>Return at most this many things.</p>"
      },
      {
       "name": "skip_id",
       "isRequired": false,
       "type": "list of string",
       "aboutHtml": "<p>Ids to leave out of the changed and deleted things.</p>"
      },
      {
       "name": "wait",
       "isRequired": false,
       "type": "integer (int64)",
       "aboutHtml": "<p>Seconds for which an answer that would say that nothing has changed is held back, unless another session changes\nsomething before. What there is after <code>from</code> already and a page with <code>skip</code> are answered at once; a full listing too,\nthough one of an account in which nothing ever was may be held back. So a client that cannot read <code>/sync/events</code> sends\none sync after the other and is told as quickly. The session&#39;s own changes do not end the wait, but stand in the answer\nthat ends it. A server that is being stopped answers at once, and when the access token ends meanwhile, the answer is\n401 within 25 seconds. In a POST <code>wait</code> is ignored. An addition: the interface has no <code>wait</code>.</p>"
      }
     ],
     "bodies": [],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>Everything that the client does not know yet.</p>",
       "shape": "SyncAnswer",
       "examples": [
        {
         "summary": "A full listing",
         "text": "{\n  \"pos\": 12,\n  \"thingCount\": 2,\n  \"tags\": {\n    \"todo\": {\n      \"favorite\": true,\n      \"color\": \"#f80\",\n      \"todo\": \"strike\"\n    }\n  },\n  \"things\": {\n    \"changed\": [\n      {\n        \"_id\": \"a1b2c3\",\n        \"title\": \"Buy milk\",\n        \"tags\": \"todo\",\n        \"date\": 1767225600,\n        \"todoStatus\": false\n      },\n      {\n        \"_id\": \"d4e5f6\",\n        \"title\": \"A page\",\n        \"tags\": \"\",\n        \"date\": 1767225601,\n        \"url\": \"https://example.org/\",\n        \"archived\": true\n      }\n    ]\n  }\n}"
        },
        {
         "summary": "What changed since a position",
         "text": "{\n  \"pos\": 15,\n  \"thingCount\": 2,\n  \"things\": {\n    \"changed\": [\n      {\n        \"_id\": \"a1b2c3\",\n        \"title\": \"Buy oat milk\",\n        \"tags\": \"todo\",\n        \"date\": 1767225600,\n        \"todoStatus\": true\n      }\n    ],\n    \"deleted\": [\n      \"d4e5f6\"\n    ]\n  }\n}"
        },
        {
         "summary": "Only tag settings changed",
         "text": "{\n  \"pos\": 16,\n  \"tags\": {\n    \"todo\": {\n      \"favorite\": false,\n      \"color\": false,\n      \"todo\": false\n    }\n  }\n}"
        },
        {
         "summary": "Nothing changed",
         "text": "{\n  \"pos\": 16\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "429",
       "name": "TooManyWaiting"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "from",
       "isRequired": false,
       "kind": "number",
       "choices": [],
       "example": "12"
      },
      {
       "name": "skip",
       "isRequired": false,
       "kind": "number",
       "choices": [],
       "example": "100"
      },
      {
       "name": "limit",
       "isRequired": false,
       "kind": "number",
       "choices": [],
       "example": "100"
      },
      {
       "name": "skip_id",
       "isRequired": false,
       "kind": "lines",
       "choices": [],
       "example": "[\"d4e5f6\"]"
      },
      {
       "name": "wait",
       "isRequired": false,
       "kind": "number",
       "choices": [],
       "example": "60"
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const first = await api.getSync({})\nfor (const { title } of first.things?.changed ?? []) console.log(title)"
      },
      {
       "label": "Python",
       "source": "first = api.get_sync()\nfor thing in first.things.changed if first.things and first.things.changed else []:\n    print(thing.title)"
      },
      {
       "label": "Go",
       "source": "first, _, err := api.GetSync(ctx).Execute()"
      },
      {
       "label": "Java",
       "source": "SyncAnswer first = api.getSync(null, null, null, null);"
      },
      {
       "label": "Kotlin",
       "source": "val first = api.getSync()"
      },
      {
       "label": "Rust",
       "source": "let first = api::get_sync(&config, None, None, None, None).await?;"
      },
      {
       "label": "PHP",
       "source": "$first = $api->getSync();"
      },
      {
       "label": "Ruby",
       "source": "first = api.get_sync"
      }
     ]
    },
    {
     "id": "postSync",
     "method": "POST",
     "path": "/sync",
     "summary": "Upload local changes and download changes",
     "aboutHtml": "<p>Applies creations, changes, deletions and tag settings, in this order, all or none; then lists what other clients changed.\nOwn uploads are not listed again.</p>\n<p><code>things.new</code> names the <code>_id</code> of every submitted <code>local_id</code>; use it from then on. <strong>When an answer is lost</strong>, send the same\nupload with the same explicit <code>from</code> again, 0 at first. A repeated <code>local_id</code> is a retry when title, url or given date is\nthe same as before; otherwise it is another thing. After a later <code>from</code>, or once the session has named the thing by its\n<code>_id</code>, it is a new thing. A changed thing that was deleted elsewhere comes back in <code>things.deleted</code>; drop it.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "from",
         "isRequired": false,
         "type": "integer (int64)",
         "aboutHtml": "<p>A <code>pos</code> that was returned earlier; left out or 0 asks for everything.</p>"
        },
        {
         "name": "skip",
         "isRequired": false,
         "type": "integer (int64)",
         "aboutHtml": "<p>Leave out the first things of the listing.</p>"
        },
        {
         "name": "limit",
         "isRequired": false,
         "type": "integer (int64)",
         "aboutHtml": "<p>Return at most this many things.</p>"
        },
        {
         "name": "new_thing",
         "isRequired": false,
         "type": "list of ThingCreate",
         "shape": "ThingCreate",
         "aboutHtml": "<p>Things to create.</p>"
        },
        {
         "name": "changed_thing",
         "isRequired": false,
         "type": "list of ThingUpdate",
         "shape": "ThingUpdate",
         "aboutHtml": "<p>Things to change.</p>"
        },
        {
         "name": "deleted_thing",
         "isRequired": false,
         "type": "list of string",
         "aboutHtml": "<p>Things to delete.</p>"
        },
        {
         "name": "tag",
         "isRequired": false,
         "type": "map of TagSettingsChange",
         "shape": "TagSettingsChange",
         "aboutHtml": "<p>Tag settings to change, by tag name of at most 1,000 characters.</p>"
        },
        {
         "name": "skip_id",
         "isRequired": false,
         "type": "list of string",
         "aboutHtml": "<p>Ids to leave out of the changed and deleted things.</p>"
        }
       ],
       "examples": [
        {
         "summary": "The same in JSON",
         "text": "{\n  \"from\": 12,\n  \"new_thing\": [\n    {\n      \"local_id\": \"n1\",\n      \"title\": \"Buy milk\",\n      \"tags\": \"todo\"\n    }\n  ],\n  \"changed_thing\": [\n    {\n      \"_id\": \"a1b2c3\",\n      \"title\": \"Buy oat milk\",\n      \"tags\": \"todo\",\n      \"todoStatus\": true\n    }\n  ],\n  \"deleted_thing\": [\n    \"d4e5f6\"\n  ],\n  \"tag\": {\n    \"todo\": {\n      \"todo\": true,\n      \"color\": \"#f80\"\n    }\n  }\n}"
        }
       ]
      },
      {
       "type": "application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "from",
         "isRequired": false,
         "type": "integer (int64)",
         "aboutHtml": "<p>A <code>pos</code> that was returned earlier; left out or 0 asks for everything.</p>"
        },
        {
         "name": "skip",
         "isRequired": false,
         "type": "integer (int64)",
         "aboutHtml": "<p>Leave out the first things of the listing.</p>"
        },
        {
         "name": "limit",
         "isRequired": false,
         "type": "integer (int64)",
         "aboutHtml": "<p>Return at most this many things.</p>"
        },
        {
         "name": "new_thing",
         "isRequired": false,
         "type": "JSON text of ThingCreate",
         "shape": "ThingCreate",
         "aboutHtml": "<p>JSON text of one ThingCreate or of an array of them; in the repeated spelling of one each.</p>"
        },
        {
         "name": "changed_thing",
         "isRequired": false,
         "type": "JSON text of ThingUpdate",
         "shape": "ThingUpdate",
         "aboutHtml": "<p>JSON text of one ThingUpdate or of an array of them; in the repeated spelling of one each.</p>"
        },
        {
         "name": "deleted_thing",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>An <code>_id</code>, or JSON text of an array of them; in the repeated spelling one each.</p>"
        },
        {
         "name": "tag",
         "isRequired": false,
         "type": "map of JSON text of TagSettingsChange",
         "shape": "TagSettingsChange",
         "aboutHtml": "<p>JSON texts of one TagSettingsChange each, by tag name of at most 1,000 characters: <code>tag[&lt;name&gt;]</code>.</p>"
        },
        {
         "name": "skip_id",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>An <code>_id</code> to leave out of the answer, or JSON text of an array of them; in the repeated spelling one each.</p>"
        }
       ],
       "examples": [
        {
         "summary": "A new thing, a change, a deletion and tag settings",
         "text": "from=12\nnew_thing={\"local_id\":\"n1\",\"title\":\"Buy milk\",\"tags\":\"todo\"}\nchanged_thing={\"_id\":\"a1b2c3\",\"title\":\"Buy oat milk\",\"tags\":\"todo\",\"todoStatus\":true}\ndeleted_thing=d4e5f6\ntag[todo]={\"todo\":true,\"color\":\"#f80\"}"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The upload is kept; this is what else changed.</p>",
       "shape": "SyncAnswer",
       "examples": [
        {
         "summary": "A thing was created",
         "text": "{\n  \"pos\": 13,\n  \"thingCount\": 1,\n  \"things\": {\n    \"new\": {\n      \"n1\": \"a1b2c3\"\n    }\n  }\n}"
        },
        {
         "summary": "What changed since a position",
         "text": "{\n  \"pos\": 15,\n  \"thingCount\": 2,\n  \"things\": {\n    \"changed\": [\n      {\n        \"_id\": \"a1b2c3\",\n        \"title\": \"Buy oat milk\",\n        \"tags\": \"todo\",\n        \"date\": 1767225600,\n        \"todoStatus\": true\n      }\n    ],\n    \"deleted\": [\n      \"d4e5f6\"\n    ]\n  }\n}"
        },
        {
         "summary": "Only tag settings changed",
         "text": "{\n  \"pos\": 16,\n  \"tags\": {\n    \"todo\": {\n      \"favorite\": false,\n      \"color\": false,\n      \"todo\": false\n    }\n  }\n}"
        },
        {
         "summary": "Nothing changed",
         "text": "{\n  \"pos\": 16\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "403",
       "name": "ReadOnly"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "from",
       "isRequired": false,
       "kind": "number",
       "choices": [],
       "example": "12"
      },
      {
       "name": "skip",
       "isRequired": false,
       "kind": "number",
       "choices": []
      },
      {
       "name": "limit",
       "isRequired": false,
       "kind": "number",
       "choices": []
      },
      {
       "name": "new_thing",
       "isRequired": false,
       "kind": "lines",
       "choices": [],
       "example": "[{\"local_id\":\"n1\",\"title\":\"Buy milk\",\"tags\":\"todo\"}]"
      },
      {
       "name": "changed_thing",
       "isRequired": false,
       "kind": "lines",
       "choices": [],
       "example": "[{\"_id\":\"a1b2c3\",\"title\":\"Buy oat milk\",\"tags\":\"todo\",\"todoStatus\":true}]"
      },
      {
       "name": "deleted_thing",
       "isRequired": false,
       "kind": "lines",
       "choices": [],
       "example": "[\"d4e5f6\"]"
      },
      {
       "name": "tag",
       "isRequired": false,
       "kind": "lines",
       "choices": [],
       "example": "{\"todo\":{\"todo\":true,\"color\":\"#f80\"}}"
      },
      {
       "name": "skip_id",
       "isRequired": false,
       "kind": "line",
       "choices": []
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const answer = await api.postSync({ body: { from: first.pos, new_thing: [{ local_id: 'n1', title: 'Buy milk' }] } })\nconst id = answer.things?.new?.n1 ?? ''"
      },
      {
       "label": "Python",
       "source": "new_thing = [ThingCreate(local_id=\"n1\", title=\"Buy milk\")]\nanswer = api.post_sync(SyncRequest(var_from=first.pos, new_thing=new_thing))\nthing_id = answer.things.new[\"n1\"]"
      },
      {
       "label": "Go",
       "source": "thing := thingsync.NewThingCreate(\"n1\", \"Buy milk\")\nupload := thingsync.SyncRequest{From: &first.Pos, NewThing: []thingsync.ThingCreate{*thing}}\nanswer, _, err := api.PostSync(ctx).Body(upload).Execute()\nid := answer.Things.GetNew()[\"n1\"]"
      },
      {
       "label": "Java",
       "source": "ThingCreate thing = new ThingCreate().localId(\"n1\").title(\"Buy milk\");\nSyncAnswer answer = api.postSync(new SyncRequest().from(first.getPos()).addNewThingItem(thing));\nString id = answer.getThings().getNew().get(\"n1\");"
      },
      {
       "label": "Kotlin",
       "source": "val newThing = listOf(ThingCreate(localId = \"n1\", title = \"Buy milk\"))\nval answer = api.postSync(SyncRequest(from = first.pos, newThing = newThing))\nval thingId = answer.things!!.new!!.getValue(\"n1\")"
      },
      {
       "label": "Rust",
       "source": "let new_thing = Some(vec![ThingCreate::new(\"n1\".to_owned(), \"Buy milk\".to_owned())]);\nlet answer = api::post_sync(&config, SyncRequest { from: Some(first.pos), new_thing, ..Default::default() }).await?;\nlet thing_id = answer.things.unwrap().new.unwrap()[\"n1\"].clone();"
      },
      {
       "label": "PHP",
       "source": "$thing = new Model\\ThingCreate(['local_id' => 'n1', 'title' => 'Buy milk']);\n$answer = $api->postSync(new Model\\SyncRequest(['from' => $first->getPos(), 'new_thing' => [$thing]]));\n$id = $answer->getThings()->getNew()['n1'];"
      },
      {
       "label": "Ruby",
       "source": "new_thing = [ThingCreate.new(local_id: 'n1', title: 'Buy milk')]\nanswer = api.post_sync(SyncRequest.new(from: first.pos, new_thing: new_thing))\nid = answer.things.new['n1']"
      }
     ]
    },
    {
     "id": "streamEvents",
     "method": "GET",
     "path": "/sync/events",
     "summary": "Hear of changes as they happen",
     "aboutHtml": "<p>A stream of server-sent events that says when it is time to sync: one with the current position at once, and one after\neach change that another session made. Changes that come close together are one event with the newest position. The\ndata of an event is <code>{&quot;pos&quot;: N}</code>, its <code>id</code> is N, too. A comment comes at least every 25 seconds; when\ntwice as long nothing came, the connection is broken.</p>\n<p>The stream ends within 25 seconds after its access token has, and when the server is stopped; then connect again. Who\nsends the last <code>id</code> as <code>Last-Event-ID</code>, as browsers do, is told the current position at once all the same: there is one\nevent to miss, the newest. A client that does not read is dropped. An addition: the interface has no such operation.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>Events for as long as the client stays.</p>",
       "examples": [
        {
         "summary": "The current position, a comment, and a change",
         "text": "id: 16\ndata: {\"pos\": 16}\n\n:\n\nid: 17\ndata: {\"pos\": 17}\n\n"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "429",
       "name": "TooManyWaiting"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": true,
     "controls": [],
     "samples": []
    }
   ]
  },
  {
   "name": "token",
   "aboutHtml": "<p>Getting, renewing and giving back access.</p>",
   "operations": [
    {
     "id": "grantToken",
     "method": "POST",
     "path": "/token",
     "summary": "Get or renew an access token",
     "aboutHtml": "<p>Issues a new pair of tokens. The body is a form and nothing else. The body may have 64 KiB and 100 fields.</p>\n<p><code>grant_type=password</code> takes <code>username</code> and <code>password</code>; <code>grant_type=refresh_token</code> takes the <code>request_token</code> of an earlier\nanswer as <code>refresh_token</code>. The client credentials come in the form or by HTTP Basic (RFC 6749 2.3.1), never both; an\napplication that is registered without a secret gives its <code>client_id</code> alone. A refresh whose answer was lost can be sent\nagain until the new pair is first used; after that the old request token ends the whole session. Keep the newest\n<code>request_token</code>: it lives for 90 days from its last use.</p>\n<p><code>grant_type=authorization_code</code> takes the <code>code</code> that the web flow sent to <code>redirect_uri</code>, that <code>redirect_uri</code> when the\nrequest named one, also followed by what was appended to it, and the <code>code_verifier</code> when the request had a\n<code>code_challenge</code>. A code that is presented a second time ends the session that it began.</p>",
     "takesToken": false,
     "query": [],
     "bodies": [
      {
       "type": "application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "grant_type",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p><code>authorization_code</code>, <code>refresh_token</code> or <code>password</code>.</p>"
        },
        {
         "name": "client_id",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The registered application.</p>"
        },
        {
         "name": "client_secret",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>Its secret, if it has one.</p>"
        },
        {
         "name": "username",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>password</code>.</p>"
        },
        {
         "name": "password",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>password</code>.</p>"
        },
        {
         "name": "refresh_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>refresh_token</code>; the <code>request_token</code> of an earlier answer.</p>"
        },
        {
         "name": "code",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>authorization_code</code>; what the web flow sent.</p>"
        },
        {
         "name": "redirect_uri",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>authorization_code</code>; where it was sent to.</p>"
        },
        {
         "name": "code_verifier",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>authorization_code</code>; what the <code>code_challenge</code> was made of (RFC 7636).</p>"
        }
       ],
       "examples": [
        {
         "summary": "First token of a device",
         "text": "grant_type=password\nclient_id=app1\nclient_secret=s3cret\nusername=anna\npassword=correct horse"
        },
        {
         "summary": "A new pair for an old one",
         "text": "grant_type=refresh_token\nclient_id=app1\nclient_secret=s3cret\nrefresh_token=5dK0vN2p"
        },
        {
         "summary": "The end of the web flow, for an application with a secret",
         "text": "grant_type=authorization_code\nclient_id=app1\nclient_secret=s3cret\ncode=q7Yw2Lx\nredirect_uri=https://app.example/back"
        },
        {
         "summary": "The end of the web flow, for an application without a secret",
         "text": "grant_type=authorization_code\nclient_id=app2\ncode=q7Yw2Lx\nredirect_uri=http://127.0.0.1:51004/back\ncode_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The new pair of tokens.</p>",
       "shape": "TokenPair",
       "examples": [
        {
         "summary": "A new pair",
         "text": "{\n  \"access_token\": \"Zk81xQ\",\n  \"expires_in\": 3600,\n  \"request_token\": \"5dK0vN2p\",\n  \"refresh_token\": \"5dK0vN2p\",\n  \"token_type\": \"bearer\",\n  \"scope\": null\n}"
        },
        {
         "summary": "A new pair for an application that is registered as standard",
         "text": "{\n  \"access_token\": \"Zk81xQ\",\n  \"expires_in\": 3600,\n  \"request_token\": \"5dK0vN2p\",\n  \"refresh_token\": \"5dK0vN2p\",\n  \"token_type\": \"bearer\"\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "GrantRefused"
      },
      {
       "status": "401",
       "name": "ClientRefused"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "TooManyAttempts"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "grant_type",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "password"
      },
      {
       "name": "client_id",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "app1"
      },
      {
       "name": "client_secret",
       "isRequired": false,
       "kind": "secret",
       "choices": [],
       "example": "s3cret"
      },
      {
       "name": "username",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "anna"
      },
      {
       "name": "password",
       "isRequired": false,
       "kind": "secret",
       "choices": [],
       "example": "correct horse"
      },
      {
       "name": "refresh_token",
       "isRequired": false,
       "kind": "secret",
       "choices": []
      },
      {
       "name": "code",
       "isRequired": false,
       "kind": "secret",
       "choices": []
      },
      {
       "name": "redirect_uri",
       "isRequired": false,
       "kind": "line",
       "choices": []
      },
      {
       "name": "code_verifier",
       "isRequired": false,
       "kind": "secret",
       "choices": []
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "import { Configuration, createWire, ThingsyncApi } from 'thingsync-sdk'\n\nconst basePath = 'http://127.0.0.1:8484/v1'\nconst app = { client_id: 'app1', client_secret: 's3cret' }\nconst open = (accessToken?: string) =>\n  new ThingsyncApi(new Configuration({ basePath, ...(accessToken && { accessToken }), middleware: [createWire()] }))\n\nlet pair = await open().grantToken({ grant_type: 'password', ...app, username: 'anna', password: 'correct horse' })\nlet api = open(pair.access_token)"
      },
      {
       "label": "Python",
       "source": "from thingsync_client import Configuration, SyncRequest, ThingCreate, ThingsyncApi\nfrom thingsync_client import DeviceRegistration, DeviceRemoval, ThingAddition, ThingChange, ThingDeletion\nfrom thingsync_client import SessionRevocation, TokenRevocation, Webhook\nfrom thingsync_wire import WireClient\n\napp = {\"client_id\": \"app1\", \"client_secret\": \"s3cret\"}\n\ndef open_api(access_token=None):\n    return ThingsyncApi(WireClient(Configuration(host=\"http://127.0.0.1:8484/v1\", access_token=access_token)))\n\npair = open_api().grant_token(grant_type=\"password\", username=\"anna\", password=\"correct horse\", **app)\napi = open_api(pair.access_token)"
      },
      {
       "label": "Go",
       "source": "import (\n\t\"context\"\n\t\"fmt\"\n\t\"net/http\"\n\n\t\"thingsync.example/sdk/thingsync\"\n\t\"thingsync.example/sdk/wire\"\n)\n\nfunc open() *thingsync.ThingsyncAPIService {\n\tconfiguration := thingsync.NewConfiguration()\n\tconfiguration.Servers[0].URL = \"http://127.0.0.1:8484/v1\"\n\tconfiguration.HTTPClient = &http.Client{Transport: wire.Transport{}}\n\treturn thingsync.NewAPIClient(configuration).ThingsyncAPI\n}\n\nfunc withToken(token string) context.Context {\n\treturn context.WithValue(context.Background(), thingsync.ContextAccessToken, token)\n}\n\napi := open()\npair, _, err := api.GrantToken(context.Background()).GrantType(\"password\").\n\tClientId(\"app1\").ClientSecret(\"s3cret\").Username(\"anna\").Password(\"correct horse\").Execute()\nif err != nil {\n\tpanic(err)\n}\nctx := withToken(pair.AccessToken)"
      },
      {
       "label": "Java",
       "source": "import java.util.List;\nimport okhttp3.OkHttpClient;\nimport thingsync.client.*;\nimport thingsync.client.model.*;\nimport thingsync.wire.WireInterceptor;\n\nstatic ThingsyncApi open(String accessToken) {\n  OkHttpClient http = new OkHttpClient.Builder().addInterceptor(new WireInterceptor()).build();\n  ApiClient client = new ApiClient(http).setBasePath(\"http://127.0.0.1:8484/v1\");\n  if (accessToken != null) client.setBearerToken(accessToken);\n  return new ThingsyncApi(client);\n}\n\nTokenPair pair = open(null).grantToken(\n    \"password\", \"app1\", \"s3cret\", \"anna\", \"correct horse\", null, null, null, null);\nThingsyncApi api = open(pair.getAccessToken());"
      },
      {
       "label": "Kotlin",
       "source": "import okhttp3.OkHttpClient\nimport thingsync.client.apis.ThingsyncApi\nimport thingsync.client.models.*\nimport thingsync.wire.WireInterceptor\n\nfun open(accessToken: String? = null): ThingsyncApi {\n    val http = OkHttpClient.Builder().addInterceptor(WireInterceptor(accessToken)).build()\n    return ThingsyncApi(\"http://127.0.0.1:8484/v1\", http)\n}\n\nval (id, secret) = \"app1\" to \"s3cret\"\nvar pair = open().grantToken(\"password\", id, secret, username = \"anna\", password = \"correct horse\")\nvar api = open(pair.accessToken)"
      },
      {
       "label": "Rust",
       "source": "use thingsync_client::apis::configuration::Configuration;\nuse thingsync_client::apis::thingsync_api as api;\nuse thingsync_client::models::*;\nuse thingsync_client::wire::Wire;\n\nfn open(access_token: Option<&str>) -> Configuration {\n    let client = reqwest_middleware::ClientBuilder::new(reqwest::Client::new());\n    Configuration {\n        base_path: \"http://127.0.0.1:8484/v1\".to_owned(),\n        client: client.with(Wire::default()).build(),\n        bearer_access_token: access_token.map(str::to_owned),\n        ..Configuration::default()\n    }\n}\n\nlet (id, secret) = (Some(\"app1\"), Some(\"s3cret\"));\nlet (user, password) = (Some(\"anna\"), Some(\"correct horse\"));\nlet mut pair = api::grant_token(&open(None), \"password\", id, secret, user, password, None, None, None, None).await?;\nlet mut config = open(Some(&pair.access_token));"
      },
      {
       "label": "PHP",
       "source": "use GuzzleHttp\\Client;\nuse GuzzleHttp\\HandlerStack;\nuse Thingsync\\Client\\Api\\ThingsyncApi;\nuse Thingsync\\Client\\Configuration;\nuse Thingsync\\Client\\Model;\nuse Thingsync\\Wire;\n\nfunction open(?string $accessToken = null): ThingsyncApi\n{\n    $stack = HandlerStack::create();\n    $stack->push(new Wire());\n    $configuration = (new Configuration())->setHost('http://127.0.0.1:8484/v1');\n    if ($accessToken !== null) {\n        $configuration->setAccessToken($accessToken);\n    }\n    return new ThingsyncApi(new Client(['handler' => $stack]), $configuration);\n}\n\n$pair = open()->grantToken('password', 'app1', 's3cret', 'anna', 'correct horse');\n$api = open($pair->getAccessToken());"
      },
      {
       "label": "Ruby",
       "source": "require 'thingsync_wire'\ninclude ThingsyncClient\n\napp = { client_id: 'app1', client_secret: 's3cret' }\nbase = 'http://127.0.0.1:8484/v1'\n\npair = ThingsyncWire.open(base).grant_token('password', **app, username: 'anna', password: 'correct horse')\napi = ThingsyncWire.open(base, pair.access_token)"
      }
     ]
    },
    {
     "id": "revokeToken",
     "method": "POST",
     "path": "/revoke",
     "summary": "Give a token back",
     "aboutHtml": "<p>Ends the session that the token belongs to, on either of its tokens (RFC 7009). A token that is unknown is answered in the\nsame way, so nothing can be learnt from it. The client credentials come in the body or by HTTP Basic; an application that\nis registered without a secret gives its <code>client_id</code> alone. The body may have 64 KiB and 100 fields.</p>",
     "takesToken": false,
     "query": [],
     "bodies": [
      {
       "type": "application/x-www-form-urlencoded or application/json",
       "fields": [
        {
         "name": "token",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>An access token or a request token.</p>"
        },
        {
         "name": "token_type_hint",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>Which of the two it is; not needed.</p>"
        },
        {
         "name": "client_id",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The registered application.</p>"
        },
        {
         "name": "client_secret",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>Its secret, if it has one.</p>"
        }
       ],
       "examples": [
        {
         "summary": "A person signs out",
         "text": "token=5dK0vN2p\nclient_id=app1\nclient_secret=s3cret"
        },
        {
         "summary": "The same, of an application without a secret",
         "text": "token=5dK0vN2p\ntoken_type_hint=refresh_token\nclient_id=app2"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The token does not work any more.</p>",
       "examples": [
        {
         "summary": "Nothing to say",
         "text": "{}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "RevocationRefused"
      },
      {
       "status": "401",
       "name": "ClientRefused"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "TooManyAttempts"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "token",
       "isRequired": true,
       "kind": "secret",
       "choices": [],
       "example": "5dK0vN2p"
      },
      {
       "name": "token_type_hint",
       "isRequired": false,
       "kind": "line",
       "choices": []
      },
      {
       "name": "client_id",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "app1"
      },
      {
       "name": "client_secret",
       "isRequired": false,
       "kind": "secret",
       "choices": [],
       "example": "s3cret"
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "await api.revokeToken({ body: { token: pair.request_token, ...app } })"
      },
      {
       "label": "Python",
       "source": "api.revoke_token(TokenRevocation(token=pair.request_token, **app))"
      },
      {
       "label": "Go",
       "source": "revocation := thingsync.NewTokenRevocation(pair.RequestToken)\nrevocation.SetClientId(\"app1\")\nrevocation.SetClientSecret(\"s3cret\")\n_, _, err = api.RevokeToken(context.Background()).Body(*revocation).Execute()"
      },
      {
       "label": "Java",
       "source": "open(null).revokeToken(\n    new TokenRevocation().token(pair.getRequestToken()).clientId(\"app1\").clientSecret(\"s3cret\"));"
      },
      {
       "label": "Kotlin",
       "source": "open().revokeToken(TokenRevocation(token = pair.requestToken, clientId = id, clientSecret = secret))"
      },
      {
       "label": "Rust",
       "source": "let mut revocation = TokenRevocation::new(pair.request_token);\n(revocation.client_id, revocation.client_secret) = (id.map(str::to_owned), secret.map(str::to_owned));\napi::revoke_token(&open(None), revocation).await?;"
      },
      {
       "label": "PHP",
       "source": "open()->revokeToken(new Model\\TokenRevocation([\n    'token' => $pair->getRequestToken(),\n    'client_id' => 'app1',\n    'client_secret' => 's3cret',\n]));"
      },
      {
       "label": "Ruby",
       "source": "api.revoke_token(TokenRevocation.new(token: pair.request_token, **app))"
      }
     ]
    }
   ]
  },
  {
   "name": "things",
   "aboutHtml": "<p>Things one at a time, for clients that are always online.</p>",
   "operations": [
    {
     "id": "getTags",
     "method": "GET",
     "path": "/tags/get",
     "summary": "Count things per tag",
     "aboutHtml": "<p>Numbers of living things, archived ones too, per tag: favorite tags and all others. With <code>from</code> equal to the current\nposition both maps are empty; otherwise both are complete.</p>",
     "takesToken": true,
     "query": [
      {
       "name": "from",
       "isRequired": false,
       "type": "integer (int64)",
       "aboutHtml": "<p>A <code>pos</code> that was returned earlier; left out or 0 asks for everything.</p>"
      }
     ],
     "bodies": [],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>Counts per tag.</p>",
       "shape": "TagCounts",
       "examples": [
        {
         "summary": "Two tags",
         "text": "{\n  \"pos\": 16,\n  \"favorite\": {\n    \"todo\": 3\n  },\n  \"other\": {\n    \"recipes\": 12\n  }\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "from",
       "isRequired": false,
       "kind": "number",
       "choices": [],
       "example": "12"
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const counts = await api.getTags({})"
      },
      {
       "label": "Python",
       "source": "counts = api.get_tags()"
      },
      {
       "label": "Go",
       "source": "counts, _, err := api.GetTags(ctx).Execute()"
      },
      {
       "label": "Java",
       "source": "TagCounts counts = api.getTags(null);"
      },
      {
       "label": "Kotlin",
       "source": "val counts = api.getTags()"
      },
      {
       "label": "Rust",
       "source": "let counts = api::get_tags(&config, None).await?;"
      },
      {
       "label": "PHP",
       "source": "$counts = $api->getTags();"
      },
      {
       "label": "Ruby",
       "source": "counts = api.get_tags"
      }
     ]
    },
    {
     "id": "addThing",
     "method": "POST",
     "path": "/thing/add",
     "summary": "Create a thing",
     "aboutHtml": "<p>Creates a thing and answers it. A <code>title</code> that is an absolute http or https address becomes the <code>url</code> too when none is\ngiven. With <code>prevent_duplicate</code> and a living thing that has the same <code>url</code>, nothing is created and that thing is answered\nwith <code>duplicate: true</code>.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json or application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "title",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>Title of the thing; may be empty.</p>"
        },
        {
         "name": "tags",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>Tags, separated by spaces; &quot;&quot; clears, null is absent.</p>"
        },
        {
         "name": "date",
         "isRequired": false,
         "type": "number (double)",
         "aboutHtml": "<p>Time of creation, Unix time in seconds; the server&#39;s time when left out.</p>"
        },
        {
         "name": "url",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>URL of the thing; &quot;&quot; clears, null is absent.</p>"
        },
        {
         "name": "html",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>Note or other content; &quot;&quot; clears, null is absent.</p>"
        },
        {
         "name": "archived",
         "isRequired": false,
         "type": "boolean",
         "aboutHtml": "<p>Left out means false.</p>"
        },
        {
         "name": "todoStatus",
         "isRequired": false,
         "type": "boolean",
         "aboutHtml": "<p>Completion of a todo.</p>"
        },
        {
         "name": "prevent_duplicate",
         "isRequired": false,
         "type": "boolean",
         "aboutHtml": "<p>Answer an existing thing with the same url instead of creating another.</p>"
        }
       ],
       "examples": [
        {
         "summary": "Example",
         "text": "{\n  \"title\": \"A page\",\n  \"url\": \"https://example.org/\",\n  \"tags\": \"reading\",\n  \"prevent_duplicate\": true\n}"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The thing.</p>",
       "shape": "AddedThing",
       "examples": [
        {
         "summary": "The new thing",
         "text": "{\n  \"_id\": \"d4e5f6\",\n  \"title\": \"A page\",\n  \"tags\": \"reading\",\n  \"date\": 1767225601,\n  \"url\": \"https://example.org/\"\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "403",
       "name": "ReadOnly"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "title",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "A page"
      },
      {
       "name": "tags",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "reading"
      },
      {
       "name": "date",
       "isRequired": false,
       "kind": "number",
       "choices": []
      },
      {
       "name": "url",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "https://example.org/"
      },
      {
       "name": "html",
       "isRequired": false,
       "kind": "lines",
       "choices": []
      },
      {
       "name": "archived",
       "isRequired": false,
       "kind": "choice",
       "choices": [
        "true",
        "false"
       ]
      },
      {
       "name": "todoStatus",
       "isRequired": false,
       "kind": "choice",
       "choices": [
        "true",
        "false"
       ]
      },
      {
       "name": "prevent_duplicate",
       "isRequired": false,
       "kind": "choice",
       "choices": [
        "true",
        "false"
       ],
       "example": "true"
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const added = await api.addThing({ body: { title: 'Call Bert', tags: 'phone', url: 'https://example.com/' } })"
      },
      {
       "label": "Python",
       "source": "added = api.add_thing(ThingAddition(title=\"Call Bert\", tags=\"phone\", url=\"https://example.com/\"))"
      },
      {
       "label": "Go",
       "source": "addition := thingsync.NewThingAddition(\"Call Bert\")\naddition.SetTags(\"phone\")\naddition.SetUrl(\"https://example.com/\")\nadded, _, err := api.AddThing(ctx).Body(*addition).Execute()"
      },
      {
       "label": "Java",
       "source": "AddedThing added =\n    api.addThing(new ThingAddition().title(\"Call Bert\").tags(\"phone\").url(\"https://example.com/\"));"
      },
      {
       "label": "Kotlin",
       "source": "val added = api.addThing(ThingAddition(title = \"Call Bert\", tags = \"phone\", url = \"https://example.com/\"))"
      },
      {
       "label": "Rust",
       "source": "let mut addition = ThingAddition::new(\"Call Bert\".to_owned());\naddition.tags = Some(\"phone\".to_owned());\naddition.url = Some(\"https://example.com/\".to_owned());\nlet added = api::add_thing(&config, addition).await?;"
      },
      {
       "label": "PHP",
       "source": "$addition = ['title' => 'Call Bert', 'tags' => 'phone', 'url' => 'https://example.com/'];\n$added = $api->addThing(new Model\\ThingAddition($addition));"
      },
      {
       "label": "Ruby",
       "source": "added = api.add_thing(ThingAddition.new(title: 'Call Bert', tags: 'phone', url: 'https://example.com/'))"
      }
     ]
    },
    {
     "id": "changeThing",
     "method": "POST",
     "path": "/thing/change",
     "summary": "Change a thing",
     "aboutHtml": "<p>Changes the given fields of a thing and answers it whole. Fields that are left out stay as they are, <code>archived</code> too; <code>&quot;&quot;</code>\nempties <code>url</code>, <code>html</code> and <code>tags</code>.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json or application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "_id",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>Identifier that the server gave.</p>"
        },
        {
         "name": "title",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>Title of the thing; may be empty.</p>"
        },
        {
         "name": "tags",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>Tags, separated by spaces; &quot;&quot; clears, null is absent.</p>"
        },
        {
         "name": "date",
         "isRequired": false,
         "type": "number (double)",
         "aboutHtml": "<p>Time of creation, Unix time in seconds; the server&#39;s time when left out.</p>"
        },
        {
         "name": "url",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>URL of the thing; &quot;&quot; clears, null is absent.</p>"
        },
        {
         "name": "html",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>Note or other content; &quot;&quot; clears, null is absent.</p>"
        },
        {
         "name": "archived",
         "isRequired": false,
         "type": "boolean",
         "aboutHtml": "<p>Whether the thing is archived.</p>"
        },
        {
         "name": "todoStatus",
         "isRequired": false,
         "type": "boolean",
         "aboutHtml": "<p>Completion of a todo.</p>"
        }
       ],
       "examples": [
        {
         "summary": "Example",
         "text": "{\n  \"_id\": \"d4e5f6\",\n  \"archived\": true\n}"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The thing as it is now.</p>",
       "shape": "Thing",
       "examples": [
        {
         "summary": "The changed thing",
         "text": "{\n  \"_id\": \"d4e5f6\",\n  \"title\": \"A page\",\n  \"tags\": \"reading\",\n  \"date\": 1767225601,\n  \"url\": \"https://example.org/\",\n  \"archived\": true\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "403",
       "name": "ReadOnly"
      },
      {
       "status": "404",
       "name": "NotFound"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "_id",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "d4e5f6"
      },
      {
       "name": "title",
       "isRequired": false,
       "kind": "line",
       "choices": []
      },
      {
       "name": "tags",
       "isRequired": false,
       "kind": "line",
       "choices": []
      },
      {
       "name": "date",
       "isRequired": false,
       "kind": "number",
       "choices": []
      },
      {
       "name": "url",
       "isRequired": false,
       "kind": "line",
       "choices": []
      },
      {
       "name": "html",
       "isRequired": false,
       "kind": "lines",
       "choices": []
      },
      {
       "name": "archived",
       "isRequired": false,
       "kind": "choice",
       "choices": [
        "true",
        "false"
       ],
       "example": "true"
      },
      {
       "name": "todoStatus",
       "isRequired": false,
       "kind": "choice",
       "choices": [
        "true",
        "false"
       ]
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const changed = await api.changeThing({ body: { _id: id, title: 'Buy oat milk' } })"
      },
      {
       "label": "Python",
       "source": "changed = api.change_thing(ThingChange(id=thing_id, title=\"Buy oat milk\"))"
      },
      {
       "label": "Go",
       "source": "change := thingsync.NewThingChange(id)\nchange.SetTitle(\"Buy oat milk\")\nchanged, _, err := api.ChangeThing(ctx).Body(*change).Execute()"
      },
      {
       "label": "Java",
       "source": "Thing changed = api.changeThing(new ThingChange().id(id).title(\"Buy oat milk\"));"
      },
      {
       "label": "Kotlin",
       "source": "val changed = api.changeThing(ThingChange(id = thingId, title = \"Buy oat milk\"))"
      },
      {
       "label": "Rust",
       "source": "let mut change = ThingChange::new(thing_id.clone());\nchange.title = Some(\"Buy oat milk\".to_owned());\nlet changed = api::change_thing(&config, change).await?;"
      },
      {
       "label": "PHP",
       "source": "$changed = $api->changeThing(new Model\\ThingChange(['_id' => $id, 'title' => 'Buy oat milk']));"
      },
      {
       "label": "Ruby",
       "source": "changed = api.change_thing(ThingChange.new(_id: id, title: 'Buy oat milk'))"
      }
     ]
    },
    {
     "id": "deleteThing",
     "method": "POST",
     "path": "/thing/delete",
     "summary": "Delete a thing",
     "aboutHtml": "<p>Deletes a thing for good. A second time it is not found.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json or application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "_id",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>Identifier that the server gave.</p>"
        }
       ],
       "examples": [
        {
         "summary": "Example",
         "text": "{\n  \"_id\": \"d4e5f6\"\n}"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The thing is gone.</p>",
       "shape": "DeletedThing",
       "examples": [
        {
         "summary": "The id",
         "text": "{\n  \"deleted_thing\": \"d4e5f6\"\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "403",
       "name": "ReadOnly"
      },
      {
       "status": "404",
       "name": "NotFound"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "_id",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "d4e5f6"
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const deleted = await api.deleteThing({ body: { _id: id } })"
      },
      {
       "label": "Python",
       "source": "deleted = api.delete_thing(ThingDeletion(id=thing_id))"
      },
      {
       "label": "Go",
       "source": "deleted, _, err := api.DeleteThing(ctx).Body(*thingsync.NewThingDeletion(id)).Execute()"
      },
      {
       "label": "Java",
       "source": "DeletedThing deleted = api.deleteThing(new ThingDeletion().id(id));"
      },
      {
       "label": "Kotlin",
       "source": "val deleted = api.deleteThing(ThingDeletion(id = thingId))"
      },
      {
       "label": "Rust",
       "source": "let deleted = api::delete_thing(&config, ThingDeletion::new(thing_id.clone())).await?;"
      },
      {
       "label": "PHP",
       "source": "$deleted = $api->deleteThing(new Model\\ThingDeletion(['_id' => $id]));"
      },
      {
       "label": "Ruby",
       "source": "deleted = api.delete_thing(ThingDeletion.new(_id: id))"
      }
     ]
    },
    {
     "id": "getThings",
     "method": "GET",
     "path": "/things/get",
     "summary": "List things",
     "aboutHtml": "<p>All living things in the order of their last change, without archived ones unless asked for.</p>",
     "takesToken": true,
     "query": [
      {
       "name": "archived",
       "isRequired": false,
       "type": "string",
       "aboutHtml": "<p>Left out or <code>false</code> lists living things that are not archived, <code>include</code> archived ones too, <code>true</code> only archived ones; booleans in any spelling.</p>"
      },
      {
       "name": "tag",
       "isRequired": false,
       "type": "string",
       "aboutHtml": "<p>Only things that carry this tag.</p>"
      },
      {
       "name": "skip",
       "isRequired": false,
       "type": "integer (int64)",
       "aboutHtml": "<p>Leave out the first things of the listing.</p>"
      },
      {
       "name": "limit",
       "isRequired": false,
       "type": "integer (int64)",
       "aboutHtml": "<p>Return at most this many things.</p>"
      }
     ],
     "bodies": [],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The things.</p>",
       "shape": "Thing",
       "examples": [
        {
         "summary": "One thing",
         "text": "[\n  {\n    \"_id\": \"a1b2c3\",\n    \"title\": \"Buy milk\",\n    \"tags\": \"todo\",\n    \"date\": 1767225600,\n    \"todoStatus\": false\n  }\n]"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "archived",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "include"
      },
      {
       "name": "tag",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "todo"
      },
      {
       "name": "skip",
       "isRequired": false,
       "kind": "number",
       "choices": [],
       "example": "100"
      },
      {
       "name": "limit",
       "isRequired": false,
       "kind": "number",
       "choices": [],
       "example": "100"
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const things = await api.getThings({ archived: 'include', tag: 'phone' })"
      },
      {
       "label": "Python",
       "source": "things = api.get_things(archived=\"include\", tag=\"phone\")"
      },
      {
       "label": "Go",
       "source": "things, _, err := api.GetThings(ctx).Archived(\"include\").Tag(\"phone\").Execute()"
      },
      {
       "label": "Java",
       "source": "for (Thing listed : api.getThings(\"include\", \"phone\", null, null)) {\n  System.out.println(\"listed \" + listed.getTitle());\n}"
      },
      {
       "label": "Kotlin",
       "source": "api.getThings(archived = \"include\", tag = \"phone\").forEach { println(\"listed ${it.title}\") }"
      },
      {
       "label": "Rust",
       "source": "let things = api::get_things(&config, Some(\"include\"), Some(\"phone\"), None, None).await?;"
      },
      {
       "label": "PHP",
       "source": "foreach ($api->getThings('include', 'phone') as $listed) {\n    echo \"listed {$listed->getTitle()}\\n\";\n}"
      },
      {
       "label": "Ruby",
       "source": "things = api.get_things(archived: 'include', tag: 'phone')"
      }
     ]
    }
   ]
  },
  {
   "name": "user",
   "aboutHtml": "<p>The user behind the access token.</p>",
   "operations": [
    {
     "id": "getUser",
     "method": "GET",
     "path": "/user/get",
     "summary": "Get the user",
     "aboutHtml": "<p>Name, date of creation, position and number of things of the user.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The user.</p>",
       "shape": "UserInfo",
       "examples": [
        {
         "summary": "Anna",
         "text": "{\n  \"username\": \"anna\",\n  \"date\": 1767225600,\n  \"pos\": 16,\n  \"thingCount\": 15\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const user = await api.getUser()"
      },
      {
       "label": "Python",
       "source": "user = api.get_user()"
      },
      {
       "label": "Go",
       "source": "user, _, err := api.GetUser(ctx).Execute()"
      },
      {
       "label": "Java",
       "source": "UserInfo user = api.getUser();"
      },
      {
       "label": "Kotlin",
       "source": "val user = api.getUser()"
      },
      {
       "label": "Rust",
       "source": "let user = api::get_user(&config).await?;"
      },
      {
       "label": "PHP",
       "source": "$user = $api->getUser();"
      },
      {
       "label": "Ruby",
       "source": "user = api.get_user"
      }
     ]
    },
    {
     "id": "listSessions",
     "method": "GET",
     "path": "/session/list",
     "summary": "List sessions",
     "aboutHtml": "<p>What may act for the user at the moment, the last used first, as far as the one who asks may know it. A personal access\ntoken gets all: applications with tokens, personal access tokens, and browsers that are signed in to the pages; one\nthat is read-only gets itself. An application gets its own sessions. An addition: the interface has no such operation.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The sessions.</p>",
       "shape": "SessionInfo",
       "examples": [
        {
         "summary": "This one",
         "text": "[\n  {\n    \"id\": \"3kTSh0Yx2mLw8QdR5uVa\",\n    \"kind\": \"app\",\n    \"current\": true,\n    \"date\": 1767225600,\n    \"name\": \"my client\",\n    \"client_id\": \"8QdR5uVa3kTSh0Yx2mLw\",\n    \"began\": \"code\",\n    \"last_used\": 1767229200,\n    \"expires\": 1775005200,\n    \"address\": \"192.0.2.1\",\n    \"user_agent\": \"my client/1.0\"\n  }\n]"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const sessions = await api.listSessions()"
      },
      {
       "label": "Python",
       "source": "sessions = api.list_sessions()"
      },
      {
       "label": "Go",
       "source": "sessions, _, err := api.ListSessions(ctx).Execute()"
      },
      {
       "label": "Java",
       "source": "List<SessionInfo> sessions = api.listSessions();"
      },
      {
       "label": "Kotlin",
       "source": "val sessions = api.listSessions()"
      },
      {
       "label": "Rust",
       "source": "let sessions = api::list_sessions(&config).await?;"
      },
      {
       "label": "PHP",
       "source": "$sessions = $api->listSessions();"
      },
      {
       "label": "Ruby",
       "source": "sessions = api.list_sessions"
      }
     ]
    },
    {
     "id": "revokeSession",
     "method": "POST",
     "path": "/session/revoke",
     "summary": "End a session",
     "aboutHtml": "<p>Ends one of the sessions that <code>/session/list</code> lists, at once; it may be the one that asks. A second time it is not found,\nand neither is one that is not listed for the one who asks.\nAn addition: the interface has no such operation.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json or application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "id",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>Identifier that the server gave.</p>"
        }
       ],
       "examples": [
        {
         "summary": "Example",
         "text": "{\n  \"id\": \"3kTSh0Yx2mLw8QdR5uVa\"\n}"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The session has ended.</p>",
       "shape": "RevokedSession",
       "examples": [
        {
         "summary": "The id",
         "text": "{\n  \"revoked_session\": \"3kTSh0Yx2mLw8QdR5uVa\"\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "403",
       "name": "ReadOnly"
      },
      {
       "status": "404",
       "name": "NotFound"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "id",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "3kTSh0Yx2mLw8QdR5uVa"
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "for (const { id, current } of sessions) {\n  if (!current) await api.revokeSession({ body: { id } })\n}"
      },
      {
       "label": "Python",
       "source": "for session in sessions:\n    if not session.current:\n        api.revoke_session(SessionRevocation(id=session.id))"
      },
      {
       "label": "Go",
       "source": "for _, session := range sessions {\n\tif session.Current {\n\t\tcontinue\n\t}\n\t_, _, err = api.RevokeSession(ctx).Body(*thingsync.NewSessionRevocation(session.Id)).Execute()\n\tif err != nil {\n\t\tpanic(err)\n\t}\n}"
      },
      {
       "label": "Java",
       "source": "for (SessionInfo session : sessions) {\n  if (!session.getCurrent()) api.revokeSession(new SessionRevocation().id(session.getId()));\n}"
      },
      {
       "label": "Kotlin",
       "source": "sessions.filterNot { it.current }.forEach { api.revokeSession(SessionRevocation(it.id)) }"
      },
      {
       "label": "Rust",
       "source": "for session in sessions.into_iter().filter(|session| !session.current) {\n    api::revoke_session(&config, SessionRevocation::new(session.id)).await?;\n}"
      },
      {
       "label": "PHP",
       "source": "foreach ($sessions as $session) {\n    if (!$session->getCurrent()) {\n        $api->revokeSession(new Model\\SessionRevocation(['id' => $session->getId()]));\n    }\n}"
      },
      {
       "label": "Ruby",
       "source": "sessions.reject(&:current).each { |session| api.revoke_session(SessionRevocation.new(id: session.id)) }"
      }
     ]
    },
    {
     "id": "getTest",
     "method": "GET",
     "path": "/test",
     "summary": "Check the access token",
     "aboutHtml": "<p>Answers the user&#39;s name; a quick way to see whether the access token still works.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The token works.</p>",
       "shape": "TestAnswer",
       "examples": [
        {
         "summary": "Anna",
         "text": "{\n  \"user\": \"anna\"\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const { user: userName } = await api.getTest()"
      },
      {
       "label": "Python",
       "source": "user_name = api.get_test().user"
      },
      {
       "label": "Go",
       "source": "test, _, err := api.GetTest(ctx).Execute()"
      },
      {
       "label": "Java",
       "source": "String userName = api.getTest().getUser();"
      },
      {
       "label": "Kotlin",
       "source": "val userName = api.getTest().user"
      },
      {
       "label": "Rust",
       "source": "let user_name = api::get_test(&config).await?.user;"
      },
      {
       "label": "PHP",
       "source": "$userName = $api->getTest()->getUser();"
      },
      {
       "label": "Ruby",
       "source": "user_name = api.get_test.user"
      }
     ]
    },
    {
     "id": "postTest",
     "method": "POST",
     "path": "/test",
     "summary": "Check the access token by POST",
     "aboutHtml": "<p>Answers the user&#39;s name, as GET does.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json or application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        }
       ],
       "examples": []
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The token works.</p>",
       "shape": "TestAnswer",
       "examples": [
        {
         "summary": "Anna",
         "text": "{\n  \"user\": \"anna\"\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [],
     "samples": []
    }
   ]
  },
  {
   "name": "notifications",
   "aboutHtml": "<p>Being told that something has changed.</p>",
   "operations": [
    {
     "id": "registerDevice",
     "method": "POST",
     "path": "/register/device",
     "summary": "Register a device",
     "aboutHtml": "<p>Stores where a device can be told that something changed. For <code>type</code> <code>webpush</code> the fields <code>endpoint</code>, <code>p256dh</code> and <code>auth</code>\nare required. Registering again replaces what was stored. Of more than 100 devices, the one that was not registered for\nthe longest time is forgotten. Devices of other types are kept and never told anything, and answered with\n<code>delivered: false</code>; this field is an addition.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json or application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "type",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p><code>webpush</code>, or the name of another push service.</p>"
        },
        {
         "name": "id",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>The client&#39;s name of the device, or its id at the push service.</p>"
        },
        {
         "name": "endpoint",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>webpush</code>; address of the push service, absolute http or https, without user name and password.</p>"
        },
        {
         "name": "p256dh",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>webpush</code>; public key of the device.</p>"
        },
        {
         "name": "auth",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>webpush</code>; authentication secret of the device.</p>"
        }
       ],
       "examples": [
        {
         "summary": "Example",
         "text": "{\n  \"type\": \"webpush\",\n  \"id\": \"phone\",\n  \"endpoint\": \"https://push.example.org/x\",\n  \"p256dh\": \"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\",\n  \"auth\": \"BTBZMqHH6r4Tts7J_aSIgg\"\n}"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The device is registered.</p>",
       "shape": "Registered",
       "examples": [
        {
         "summary": "Registered",
         "text": "{\n  \"registered\": true\n}"
        },
        {
         "summary": "A device of another type",
         "text": "{\n  \"registered\": true,\n  \"delivered\": false\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "403",
       "name": "ReadOnly"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "type",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "webpush"
      },
      {
       "name": "id",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "phone"
      },
      {
       "name": "endpoint",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "https://push.example.org/x"
      },
      {
       "name": "p256dh",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
      },
      {
       "name": "auth",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "BTBZMqHH6r4Tts7J_aSIgg"
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "await api.registerDevice({\n  body: {\n    type: 'webpush',\n    id: 'phone',\n    endpoint: 'https://push.example.org/x',\n    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',\n    auth: 'BTBZMqHH6r4Tts7J_aSIgg',\n  },\n})"
      },
      {
       "label": "Python",
       "source": "api.register_device(DeviceRegistration(\n    type=\"webpush\", id=\"phone\", endpoint=\"https://push.example.org/x\", p256dh=\"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\", auth=\"BTBZMqHH6r4Tts7J_aSIgg\"))"
      },
      {
       "label": "Go",
       "source": "device := thingsync.NewDeviceRegistration(\"webpush\", \"phone\")\ndevice.SetEndpoint(\"https://push.example.org/x\")\ndevice.SetP256dh(\"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\")\ndevice.SetAuth(\"BTBZMqHH6r4Tts7J_aSIgg\")\n_, _, err = api.RegisterDevice(ctx).Body(*device).Execute()"
      },
      {
       "label": "Java",
       "source": "api.registerDevice(new DeviceRegistration().type(\"webpush\").id(\"phone\")\n    .endpoint(\"https://push.example.org/x\").p256dh(\"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\").auth(\"BTBZMqHH6r4Tts7J_aSIgg\"));"
      },
      {
       "label": "Kotlin",
       "source": "val endpoint = \"https://push.example.org/x\"\napi.registerDevice(DeviceRegistration(\"webpush\", \"phone\", endpoint = endpoint, p256dh = \"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\", auth = \"BTBZMqHH6r4Tts7J_aSIgg\"))"
      },
      {
       "label": "Rust",
       "source": "let mut device = DeviceRegistration::new(\"webpush\".to_owned(), \"phone\".to_owned());\ndevice.endpoint = Some(\"https://push.example.org/x\".to_owned());\ndevice.p256dh = Some(\"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\".to_owned());\ndevice.auth = Some(\"BTBZMqHH6r4Tts7J_aSIgg\".to_owned());\napi::register_device(&config, device).await?;"
      },
      {
       "label": "PHP",
       "source": "$push = ['endpoint' => 'https://push.example.org/x', 'p256dh' => 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', 'auth' => 'BTBZMqHH6r4Tts7J_aSIgg'];\n$api->registerDevice(new Model\\DeviceRegistration(['type' => 'webpush', 'id' => 'phone', ...$push]));"
      },
      {
       "label": "Ruby",
       "source": "push = { endpoint: 'https://push.example.org/x', p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', auth: 'BTBZMqHH6r4Tts7J_aSIgg' }\napi.register_device(DeviceRegistration.new(type: 'webpush', id: 'phone', **push))"
      }
     ]
    },
    {
     "id": "registerDeviceAlias",
     "method": "POST",
     "path": "/device/register",
     "summary": "Register a device (other name)",
     "aboutHtml": "<p>The other name of <code>register/device</code>. Stores where a device can be told that something changed. For <code>type</code> <code>webpush</code> the\nfields <code>endpoint</code>, <code>p256dh</code> and <code>auth</code> are required. Registering again replaces what was stored. Of more than 100 devices,\nthe one that was not registered for the longest time is forgotten. Devices of other types are kept and never told\nanything, and answered with <code>delivered: false</code>; this field is an addition.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json or application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "type",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p><code>webpush</code>, or the name of another push service.</p>"
        },
        {
         "name": "id",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>The client&#39;s name of the device, or its id at the push service.</p>"
        },
        {
         "name": "endpoint",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>webpush</code>; address of the push service, absolute http or https, without user name and password.</p>"
        },
        {
         "name": "p256dh",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>webpush</code>; public key of the device.</p>"
        },
        {
         "name": "auth",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>For <code>webpush</code>; authentication secret of the device.</p>"
        }
       ],
       "examples": [
        {
         "summary": "Example",
         "text": "{\n  \"type\": \"webpush\",\n  \"id\": \"phone\",\n  \"endpoint\": \"https://push.example.org/x\",\n  \"p256dh\": \"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\",\n  \"auth\": \"BTBZMqHH6r4Tts7J_aSIgg\"\n}"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The device is registered.</p>",
       "shape": "Registered",
       "examples": [
        {
         "summary": "Registered",
         "text": "{\n  \"registered\": true\n}"
        },
        {
         "summary": "A device of another type",
         "text": "{\n  \"registered\": true,\n  \"delivered\": false\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "403",
       "name": "ReadOnly"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "type",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "webpush"
      },
      {
       "name": "id",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "phone"
      },
      {
       "name": "endpoint",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "https://push.example.org/x"
      },
      {
       "name": "p256dh",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
      },
      {
       "name": "auth",
       "isRequired": false,
       "kind": "line",
       "choices": [],
       "example": "BTBZMqHH6r4Tts7J_aSIgg"
      }
     ],
     "samples": []
    },
    {
     "id": "unregisterDevice",
     "method": "POST",
     "path": "/unregister/device",
     "summary": "Unregister a device",
     "aboutHtml": "<p>Forgets a device. One that is not registered is answered in the same way.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json or application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "type",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>As it was registered.</p>"
        },
        {
         "name": "id",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>As it was registered.</p>"
        }
       ],
       "examples": [
        {
         "summary": "Example",
         "text": "{\n  \"type\": \"webpush\",\n  \"id\": \"phone\"\n}"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The device is not registered any more.</p>",
       "shape": "Unregistered",
       "examples": [
        {
         "summary": "Unregistered",
         "text": "{\n  \"unregistered\": true\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "403",
       "name": "ReadOnly"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "type",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "webpush"
      },
      {
       "name": "id",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "phone"
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "await api.unregisterDevice({ body: { type: 'webpush', id: 'phone' } })"
      },
      {
       "label": "Python",
       "source": "api.unregister_device(DeviceRemoval(type=\"webpush\", id=\"phone\"))"
      },
      {
       "label": "Go",
       "source": "_, _, err = api.UnregisterDevice(ctx).Body(*thingsync.NewDeviceRemoval(\"webpush\", \"phone\")).Execute()"
      },
      {
       "label": "Java",
       "source": "api.unregisterDevice(new DeviceRemoval().type(\"webpush\").id(\"phone\"));"
      },
      {
       "label": "Kotlin",
       "source": "api.unregisterDevice(DeviceRemoval(type = \"webpush\", id = \"phone\"))"
      },
      {
       "label": "Rust",
       "source": "api::unregister_device(&config, DeviceRemoval::new(\"webpush\".to_owned(), \"phone\".to_owned())).await?;"
      },
      {
       "label": "PHP",
       "source": "$api->unregisterDevice(new Model\\DeviceRemoval(['type' => 'webpush', 'id' => 'phone']));"
      },
      {
       "label": "Ruby",
       "source": "api.unregister_device(DeviceRemoval.new(type: 'webpush', id: 'phone'))"
      }
     ]
    },
    {
     "id": "unregisterDeviceAlias",
     "method": "POST",
     "path": "/device/unregister",
     "summary": "Unregister a device (other name)",
     "aboutHtml": "<p>The other name of <code>unregister/device</code>. Forgets a device. One that is not registered is answered in the same way.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json or application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "type",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>As it was registered.</p>"
        },
        {
         "name": "id",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>As it was registered.</p>"
        }
       ],
       "examples": [
        {
         "summary": "Example",
         "text": "{\n  \"type\": \"webpush\",\n  \"id\": \"phone\"\n}"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The device is not registered any more.</p>",
       "shape": "Unregistered",
       "examples": [
        {
         "summary": "Unregistered",
         "text": "{\n  \"unregistered\": true\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "403",
       "name": "ReadOnly"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "type",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "webpush"
      },
      {
       "name": "id",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "phone"
      }
     ],
     "samples": []
    },
    {
     "id": "listDevices",
     "method": "GET",
     "path": "/device/list",
     "summary": "List devices",
     "aboutHtml": "<p>Devices of the user, the last registered first, with what became of the last messages to them: those that the\napplication registered that asks, and those of which it is not known who did. A personal access token that may do\neverything gets all. Addresses and keys are never shown. An addition: the interface has no such operation.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The devices.</p>",
       "shape": "DeviceInfo",
       "examples": [
        {
         "summary": "A browser",
         "text": "[\n  {\n    \"type\": \"webpush\",\n    \"id\": \"phone\",\n    \"current\": true,\n    \"delivered\": true,\n    \"date\": 1767225600,\n    \"last_success\": 1767229200\n  }\n]"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const devices = await api.listDevices()"
      },
      {
       "label": "Python",
       "source": "devices = api.list_devices()"
      },
      {
       "label": "Go",
       "source": "devices, _, err := api.ListDevices(ctx).Execute()"
      },
      {
       "label": "Java",
       "source": "List<DeviceInfo> devices = api.listDevices();"
      },
      {
       "label": "Kotlin",
       "source": "val devices = api.listDevices()"
      },
      {
       "label": "Rust",
       "source": "let devices = api::list_devices(&config).await?;"
      },
      {
       "label": "PHP",
       "source": "$devices = $api->listDevices();"
      },
      {
       "label": "Ruby",
       "source": "devices = api.list_devices"
      }
     ]
    },
    {
     "id": "getDeviceKey",
     "method": "GET",
     "path": "/device/key",
     "summary": "Get the server's public key",
     "aboutHtml": "<p>The public key of this server for Web Push (VAPID, RFC 8292). A browser takes it as <code>applicationServerKey</code> when it\nsubscribes, and its push service then takes messages from this server only. It is made once and stays the same. An\naddition: the interface has no such operation.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The key.</p>",
       "shape": "DeviceKey",
       "examples": [
        {
         "summary": "A key",
         "text": "{\n  \"key\": \"BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM\"\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const { key } = await api.getDeviceKey()"
      },
      {
       "label": "Python",
       "source": "key = api.get_device_key().key"
      },
      {
       "label": "Go",
       "source": "serverKey, _, err := api.GetDeviceKey(ctx).Execute()"
      },
      {
       "label": "Java",
       "source": "String key = api.getDeviceKey().getKey();"
      },
      {
       "label": "Kotlin",
       "source": "val key = api.getDeviceKey().key"
      },
      {
       "label": "Rust",
       "source": "let key = api::get_device_key(&config).await?.key;"
      },
      {
       "label": "PHP",
       "source": "$key = $api->getDeviceKey()->getKey();"
      },
      {
       "label": "Ruby",
       "source": "key = api.get_device_key.key"
      }
     ]
    },
    {
     "id": "registerWebhook",
     "method": "POST",
     "path": "/webhook/register",
     "summary": "Register a webhook",
     "aboutHtml": "<p>Stores an address to call when something has changed. A hook belongs to the app that registers it. Its secret is answered\nonce, when it is new; registering again changes nothing and answers no secret. A user has at most 20.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json or application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "target_url",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>Absolute http or https address without user name and password.</p>"
        },
        {
         "name": "event",
         "isRequired": true,
         "type": "\"new_thing\" or \"changed_thing\" or \"deleted_thing\" or \"tag\" or \"any\"",
         "aboutHtml": "<p>What to be told of: <code>new_thing</code>, <code>changed_thing</code>, <code>deleted_thing</code>, <code>tag</code> or <code>any</code>.</p>"
        }
       ],
       "examples": [
        {
         "summary": "Example",
         "text": "{\n  \"target_url\": \"https://hooks.example.org/x\",\n  \"event\": \"any\"\n}"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The webhook is registered.</p>",
       "shape": "RegisteredWebhook",
       "examples": [
        {
         "summary": "With its secret",
         "text": "{\n  \"registered\": true,\n  \"secret\": \"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"\n}"
        },
        {
         "summary": "It was registered already",
         "text": "{\n  \"registered\": true\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "403",
       "name": "ReadOnly"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "target_url",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "https://hooks.example.org/x"
      },
      {
       "name": "event",
       "isRequired": true,
       "kind": "choice",
       "choices": [
        "new_thing",
        "changed_thing",
        "deleted_thing",
        "tag",
        "any"
       ],
       "example": "any"
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const hook = await api.registerWebhook({ body: { target_url: 'https://hooks.example.org/', event: 'any' } })"
      },
      {
       "label": "Python",
       "source": "registered = api.register_webhook(Webhook(target_url=\"https://hooks.example.org/\", event=\"any\"))"
      },
      {
       "label": "Go",
       "source": "hook, _, err := api.RegisterWebhook(ctx).Body(*thingsync.NewWebhook(\"https://hooks.example.org/\", \"any\")).Execute()"
      },
      {
       "label": "Java",
       "source": "RegisteredWebhook hook =\n    api.registerWebhook(new Webhook().targetUrl(\"https://hooks.example.org/\").event(\"any\"));"
      },
      {
       "label": "Kotlin",
       "source": "val hook = api.registerWebhook(Webhook(targetUrl = \"https://hooks.example.org/\", event = \"any\"))"
      },
      {
       "label": "Rust",
       "source": "let target_url = \"https://hooks.example.org/\".to_owned();\nlet hook = api::register_webhook(&config, Webhook::new(target_url, \"any\".to_owned())).await?;"
      },
      {
       "label": "PHP",
       "source": "$hook = $api->registerWebhook(new Model\\Webhook(['target_url' => 'https://hooks.example.org/', 'event' => 'any']));"
      },
      {
       "label": "Ruby",
       "source": "hook = api.register_webhook(Webhook.new(target_url: 'https://hooks.example.org/', event: 'any'))"
      }
     ]
    },
    {
     "id": "unregisterWebhook",
     "method": "POST",
     "path": "/webhook/unregister",
     "summary": "Unregister a webhook",
     "aboutHtml": "<p>Forgets a webhook of the app. One that is not registered is answered in the same way.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [
      {
       "type": "application/json or application/x-www-form-urlencoded",
       "fields": [
        {
         "name": "access_token",
         "isRequired": false,
         "type": "string",
         "aboutHtml": "<p>The access token, when it is not in the header or in the query; the first field of a form.</p>"
        },
        {
         "name": "target_url",
         "isRequired": true,
         "type": "string",
         "aboutHtml": "<p>Absolute http or https address without user name and password.</p>"
        },
        {
         "name": "event",
         "isRequired": true,
         "type": "\"new_thing\" or \"changed_thing\" or \"deleted_thing\" or \"tag\" or \"any\"",
         "aboutHtml": "<p>What to be told of: <code>new_thing</code>, <code>changed_thing</code>, <code>deleted_thing</code>, <code>tag</code> or <code>any</code>.</p>"
        }
       ],
       "examples": [
        {
         "summary": "Example",
         "text": "{\n  \"target_url\": \"https://hooks.example.org/x\",\n  \"event\": \"any\"\n}"
        }
       ]
      }
     ],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The webhook is not registered any more.</p>",
       "shape": "Unregistered",
       "examples": [
        {
         "summary": "Unregistered",
         "text": "{\n  \"unregistered\": true\n}"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "403",
       "name": "ReadOnly"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "413",
       "name": "TooLarge"
      },
      {
       "status": "415",
       "name": "UnsupportedMediaType"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [
      {
       "name": "target_url",
       "isRequired": true,
       "kind": "line",
       "choices": [],
       "example": "https://hooks.example.org/x"
      },
      {
       "name": "event",
       "isRequired": true,
       "kind": "choice",
       "choices": [
        "new_thing",
        "changed_thing",
        "deleted_thing",
        "tag",
        "any"
       ],
       "example": "any"
      }
     ],
     "samples": [
      {
       "label": "TypeScript",
       "source": "await api.unregisterWebhook({ body: { target_url: 'https://hooks.example.org/', event: 'any' } })"
      },
      {
       "label": "Python",
       "source": "api.unregister_webhook(Webhook(target_url=\"https://hooks.example.org/\", event=\"any\"))"
      },
      {
       "label": "Go",
       "source": "_, _, err = api.UnregisterWebhook(ctx).Body(*thingsync.NewWebhook(\"https://hooks.example.org/\", \"any\")).Execute()"
      },
      {
       "label": "Java",
       "source": "api.unregisterWebhook(new Webhook().targetUrl(\"https://hooks.example.org/\").event(\"any\"));"
      },
      {
       "label": "Kotlin",
       "source": "api.unregisterWebhook(Webhook(targetUrl = \"https://hooks.example.org/\", event = \"any\"))"
      },
      {
       "label": "Rust",
       "source": "let target_url = \"https://hooks.example.org/\".to_owned();\napi::unregister_webhook(&config, Webhook::new(target_url, \"any\".to_owned())).await?;"
      },
      {
       "label": "PHP",
       "source": "$api->unregisterWebhook(new Model\\Webhook(['target_url' => 'https://hooks.example.org/', 'event' => 'any']));"
      },
      {
       "label": "Ruby",
       "source": "api.unregister_webhook(Webhook.new(target_url: 'https://hooks.example.org/', event: 'any'))"
      }
     ]
    },
    {
     "id": "listWebhooks",
     "method": "GET",
     "path": "/webhook/list",
     "summary": "List webhooks",
     "aboutHtml": "<p>The webhooks that the application registered that asks, the oldest first, and how it is going with each. Secrets are\nnever shown. An addition: the interface has no such operation.</p>",
     "takesToken": true,
     "query": [],
     "bodies": [],
     "answers": [
      {
       "status": "200",
       "aboutHtml": "<p>The webhooks.</p>",
       "shape": "WebhookInfo",
       "examples": [
        {
         "summary": "One that works, and one whose receiver answers with an error",
         "text": "[\n  {\n    \"target_url\": \"https://hooks.example.org/x\",\n    \"event\": \"any\",\n    \"state\": \"working\",\n    \"waiting\": false,\n    \"date\": 1767225600,\n    \"last_success\": 1767229200\n  },\n  {\n    \"target_url\": \"https://hooks.example.org/y\",\n    \"event\": \"tag\",\n    \"state\": \"retrying\",\n    \"waiting\": true,\n    \"date\": 1767225600,\n    \"last_success\": 1767229200,\n    \"last_failure\": {\n      \"date\": 1767232800,\n      \"reason\": \"The receiver answered 500\"\n    },\n    \"next_try\": 1767233100\n  }\n]"
        }
       ]
      }
     ],
     "refusals": [
      {
       "status": "400",
       "name": "BadRequest"
      },
      {
       "status": "401",
       "name": "Unauthorized"
      },
      {
       "status": "408",
       "name": "RequestTimeout"
      },
      {
       "status": "429",
       "name": "SlowDown"
      },
      {
       "status": "431",
       "name": "HeadersTooLarge"
      },
      {
       "status": "500",
       "name": "ServerError"
      },
      {
       "status": "503",
       "name": "Unavailable"
      }
     ],
     "isEndless": false,
     "controls": [],
     "samples": [
      {
       "label": "TypeScript",
       "source": "const hooks = await api.listWebhooks()"
      },
      {
       "label": "Python",
       "source": "hooks = api.list_webhooks()"
      },
      {
       "label": "Go",
       "source": "hooks, _, err := api.ListWebhooks(ctx).Execute()"
      },
      {
       "label": "Java",
       "source": "List<WebhookInfo> hooks = api.listWebhooks();"
      },
      {
       "label": "Kotlin",
       "source": "val hooks = api.listWebhooks()"
      },
      {
       "label": "Rust",
       "source": "let hooks = api::list_webhooks(&config).await?;"
      },
      {
       "label": "PHP",
       "source": "$hooks = $api->listWebhooks();"
      },
      {
       "label": "Ruby",
       "source": "hooks = api.list_webhooks"
      }
     ]
    }
   ]
  }
 ],
 "shapes": [
  {
   "name": "ThingCreate",
   "aboutHtml": "<p>A thing to create.</p>",
   "fields": [
    {
     "name": "local_id",
     "isRequired": true,
     "type": "string or number (double)",
     "aboutHtml": "<p>The client&#39;s identifier, unique in one request. A number that loses digits as a double goes as text.</p>"
    },
    {
     "name": "title",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Title of the thing; may be empty.</p>"
    },
    {
     "name": "tags",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>Tags, separated by spaces; &quot;&quot; clears, null is absent.</p>"
    },
    {
     "name": "date",
     "isRequired": false,
     "type": "number (double)",
     "aboutHtml": "<p>Time of creation, Unix time in seconds; the server&#39;s time when left out.</p>"
    },
    {
     "name": "url",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>URL of the thing; &quot;&quot; clears, null is absent.</p>"
    },
    {
     "name": "html",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>Note or other content; &quot;&quot; clears, null is absent.</p>"
    },
    {
     "name": "archived",
     "isRequired": false,
     "type": "boolean",
     "aboutHtml": "<p>Left out means false.</p>"
    },
    {
     "name": "todoStatus",
     "isRequired": false,
     "type": "boolean",
     "aboutHtml": "<p>Completion of a todo.</p>"
    }
   ]
  },
  {
   "name": "ThingUpdate",
   "aboutHtml": "<p>A thing to change by sync. Fields that are left out stay, but <code>archived</code> becomes false.</p>",
   "fields": [
    {
     "name": "_id",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Identifier that the server gave.</p>"
    },
    {
     "name": "title",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Title of the thing; may be empty.</p>"
    },
    {
     "name": "tags",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>Tags, separated by spaces; &quot;&quot; clears, null is absent.</p>"
    },
    {
     "name": "date",
     "isRequired": false,
     "type": "number (double)",
     "aboutHtml": "<p>Time of creation, Unix time in seconds; the server&#39;s time when left out.</p>"
    },
    {
     "name": "url",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>URL of the thing; &quot;&quot; clears, null is absent.</p>"
    },
    {
     "name": "html",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>Note or other content; &quot;&quot; clears, null is absent.</p>"
    },
    {
     "name": "archived",
     "isRequired": false,
     "type": "boolean",
     "aboutHtml": "<p>Left out means false.</p>"
    },
    {
     "name": "todoStatus",
     "isRequired": false,
     "type": "boolean",
     "aboutHtml": "<p>Completion of a todo.</p>"
    }
   ]
  },
  {
   "name": "Thing",
   "aboutHtml": "<p>A thing as the server returns it.</p>",
   "fields": [
    {
     "name": "_id",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Identifier.</p>"
    },
    {
     "name": "title",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Title.</p>"
    },
    {
     "name": "tags",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Tags, separated by spaces; empty for none.</p>"
    },
    {
     "name": "date",
     "isRequired": true,
     "type": "number (double)",
     "aboutHtml": "<p>Time of creation, Unix time in seconds.</p>"
    },
    {
     "name": "url",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>There only when a url is set.</p>"
    },
    {
     "name": "html",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>There only when html is set.</p>"
    },
    {
     "name": "archived",
     "isRequired": false,
     "type": "true",
     "aboutHtml": "<p>There only when the thing is archived.</p>"
    },
    {
     "name": "todoStatus",
     "isRequired": false,
     "type": "boolean",
     "aboutHtml": "<p>There only when one of the tags makes the thing a todo.</p>"
    }
   ]
  },
  {
   "name": "TagSettingsChange",
   "aboutHtml": "<p>Settings of a tag to change. Fields that are left out stay as they are.</p>",
   "fields": [
    {
     "name": "favorite",
     "isRequired": false,
     "type": "boolean",
     "aboutHtml": "<p>Whether the tag is a favorite.</p>"
    },
    {
     "name": "color",
     "isRequired": false,
     "type": "false or string",
     "aboutHtml": "<p>False for none, or the hex code of a background colour; it comes back in lower case.</p>"
    },
    {
     "name": "todo",
     "isRequired": false,
     "type": "boolean or \"strike\" or \"dont-strike\"",
     "aboutHtml": "<p>Whether things that carry the tag are todos; true is kept as &quot;strike&quot;.</p>"
    }
   ]
  },
  {
   "name": "TagSettings",
   "aboutHtml": "<p>Settings of a tag as the server returns them.</p>",
   "fields": [
    {
     "name": "favorite",
     "isRequired": true,
     "type": "boolean",
     "aboutHtml": "<p>Whether the tag is a favorite.</p>"
    },
    {
     "name": "color",
     "isRequired": true,
     "type": "false or string",
     "aboutHtml": "<p>False for none, or the hex code of a background colour, in lower case.</p>"
    },
    {
     "name": "todo",
     "isRequired": true,
     "type": "false or \"strike\" or \"dont-strike\"",
     "aboutHtml": "<p>When not false, things that carry the tag are shown with a checkbox.</p>"
    }
   ]
  },
  {
   "name": "SyncThings",
   "aboutHtml": "<p>Things of a sync answer; each part is there only when it is not empty.</p>",
   "fields": [
    {
     "name": "new",
     "isRequired": false,
     "type": "map of string",
     "aboutHtml": "<p>From each submitted local_id to the new <code>_id</code>.</p>"
    },
    {
     "name": "changed",
     "isRequired": false,
     "type": "list of Thing",
     "shape": "Thing",
     "aboutHtml": "<p>Things that are new or changed, in their latest state.</p>"
    },
    {
     "name": "deleted",
     "isRequired": false,
     "type": "list of string",
     "aboutHtml": "<p>Ids of things that were deleted.</p>"
    }
   ]
  },
  {
   "name": "SyncAnswer",
   "aboutHtml": "<p>The answer of sync.</p>",
   "fields": [
    {
     "name": "pos",
     "isRequired": true,
     "type": "integer (int64)",
     "aboutHtml": "<p>Current position, to be sent later as <code>from</code>.</p>"
    },
    {
     "name": "thingCount",
     "isRequired": false,
     "type": "integer (int64)",
     "aboutHtml": "<p>Number of things new, changed or deleted, whatever skip and limit; left out when 0.</p>"
    },
    {
     "name": "tags",
     "isRequired": false,
     "type": "map of TagSettings",
     "shape": "TagSettings",
     "aboutHtml": "<p>Tag settings that apply, by tag name; left out when there are none.</p>"
    },
    {
     "name": "things",
     "isRequired": false,
     "type": "SyncThings",
     "shape": "SyncThings",
     "aboutHtml": "<p>Things of a sync answer; each part is there only when it is not empty.</p>"
    }
   ]
  },
  {
   "name": "TokenPair",
   "aboutHtml": "<p>A new pair of tokens.</p>",
   "fields": [
    {
     "name": "access_token",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Token to call the API with.</p>"
    },
    {
     "name": "expires_in",
     "isRequired": true,
     "type": "integer (int64)",
     "aboutHtml": "<p>Validity of the access token in seconds.</p>"
    },
    {
     "name": "request_token",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>What the refresh_token grant takes as <code>refresh_token</code>.</p>"
    },
    {
     "name": "refresh_token",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>The value of <code>request_token</code>, under the name that OAuth libraries read.</p>"
    },
    {
     "name": "token_type",
     "isRequired": true,
     "type": "\"bearer\"",
     "aboutHtml": "<p>Always &quot;bearer&quot;.</p>"
    },
    {
     "name": "scope",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>Always null, and left out for applications that are registered as standard.</p>"
    }
   ]
  },
  {
   "name": "TagCounts",
   "aboutHtml": "<p>Numbers of things per tag.</p>",
   "fields": [
    {
     "name": "pos",
     "isRequired": true,
     "type": "integer (int64)",
     "aboutHtml": "<p>Current position.</p>"
    },
    {
     "name": "favorite",
     "isRequired": true,
     "type": "map of integer (int64)",
     "aboutHtml": "<p>Favorite tags, with 0 for those without things.</p>"
    },
    {
     "name": "other",
     "isRequired": true,
     "type": "map of integer (int64)",
     "aboutHtml": "<p>All other tags that things carry.</p>"
    }
   ]
  },
  {
   "name": "AddedThing",
   "aboutHtml": "<p>The created thing, or the one that was there before.</p>",
   "fields": [
    {
     "name": "_id",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Identifier.</p>"
    },
    {
     "name": "title",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Title.</p>"
    },
    {
     "name": "tags",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Tags, separated by spaces; empty for none.</p>"
    },
    {
     "name": "date",
     "isRequired": true,
     "type": "number (double)",
     "aboutHtml": "<p>Time of creation, Unix time in seconds.</p>"
    },
    {
     "name": "url",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>There only when a url is set.</p>"
    },
    {
     "name": "html",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>There only when html is set.</p>"
    },
    {
     "name": "archived",
     "isRequired": false,
     "type": "true",
     "aboutHtml": "<p>There only when the thing is archived.</p>"
    },
    {
     "name": "todoStatus",
     "isRequired": false,
     "type": "boolean",
     "aboutHtml": "<p>There only when one of the tags makes the thing a todo.</p>"
    },
    {
     "name": "duplicate",
     "isRequired": false,
     "type": "true",
     "aboutHtml": "<p>There only when nothing was created.</p>"
    }
   ]
  },
  {
   "name": "DeletedThing",
   "aboutHtml": "<p>The thing that was deleted.</p>",
   "fields": [
    {
     "name": "deleted_thing",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Its <code>_id</code>.</p>"
    }
   ]
  },
  {
   "name": "UserInfo",
   "aboutHtml": "<p>The user behind the access token.</p>",
   "fields": [
    {
     "name": "username",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Name of the user.</p>"
    },
    {
     "name": "date",
     "isRequired": true,
     "type": "number (double)",
     "aboutHtml": "<p>Time of creation of the account, Unix time in seconds.</p>"
    },
    {
     "name": "pos",
     "isRequired": true,
     "type": "integer (int64)",
     "aboutHtml": "<p>Current position.</p>"
    },
    {
     "name": "thingCount",
     "isRequired": true,
     "type": "integer (int64)",
     "aboutHtml": "<p>Number of living things, archived ones too.</p>"
    }
   ]
  },
  {
   "name": "RegisteredWebhook",
   "aboutHtml": "<p>The webhook is registered.</p>",
   "fields": [
    {
     "name": "registered",
     "isRequired": true,
     "type": "true",
     "aboutHtml": "<p>Always true.</p>"
    },
    {
     "name": "secret",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>Secret of the webhook, <code>whsec_</code> and base64; only in the answer that made it.</p>"
    }
   ]
  },
  {
   "name": "Registered",
   "aboutHtml": "<p>The device is registered.</p>",
   "fields": [
    {
     "name": "registered",
     "isRequired": true,
     "type": "true",
     "aboutHtml": "<p>Always true.</p>"
    },
    {
     "name": "delivered",
     "isRequired": false,
     "type": "false",
     "aboutHtml": "<p>There only for a device of a type that this server tells nothing.</p>"
    }
   ]
  },
  {
   "name": "WebhookInfo",
   "aboutHtml": "<p>A webhook and how it is going. What is not known is left out.</p>",
   "fields": [
    {
     "name": "target_url",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>As it was registered.</p>"
    },
    {
     "name": "event",
     "isRequired": true,
     "type": "\"new_thing\" or \"changed_thing\" or \"deleted_thing\" or \"tag\" or \"any\"",
     "aboutHtml": "<p>As it was registered.</p>"
    },
    {
     "name": "state",
     "isRequired": true,
     "type": "\"working\" or \"retrying\" or \"resting\" or \"paused\"",
     "aboutHtml": "<p><code>working</code>; <code>retrying</code> after a failure; <code>resting</code> after the last try, until it is registered again or woken on the account page; <code>paused</code> by the operator of the server.</p>"
    },
    {
     "name": "waiting",
     "isRequired": true,
     "type": "boolean",
     "aboutHtml": "<p>Whether there is something that the receiver was not told of yet.</p>"
    },
    {
     "name": "date",
     "isRequired": false,
     "type": "number (double)",
     "aboutHtml": "<p>When it was registered, Unix time in seconds.</p>"
    },
    {
     "name": "last_success",
     "isRequired": false,
     "type": "number (double)",
     "aboutHtml": "<p>When the receiver last took a message, Unix time in seconds.</p>"
    },
    {
     "name": "last_failure",
     "isRequired": false,
     "type": "DeliveryFailure",
     "shape": "DeliveryFailure",
     "aboutHtml": "<p>The last message that was not taken.</p>"
    },
    {
     "name": "next_try",
     "isRequired": false,
     "type": "number (double)",
     "aboutHtml": "<p>When it is tried next, Unix time in seconds; there only while it is <code>retrying</code>.</p>"
    }
   ]
  },
  {
   "name": "DeliveryFailure",
   "aboutHtml": "<p>The last message that was not taken.</p>",
   "fields": [
    {
     "name": "date",
     "isRequired": true,
     "type": "number (double)",
     "aboutHtml": "<p>When, Unix time in seconds.</p>"
    },
    {
     "name": "reason",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>A sentence for a person.</p>"
    }
   ]
  },
  {
   "name": "DeviceInfo",
   "aboutHtml": "<p>A device and what became of the last messages to it. What is not known is left out.</p>",
   "fields": [
    {
     "name": "type",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>As it was registered.</p>"
    },
    {
     "name": "id",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>As it was registered.</p>"
    },
    {
     "name": "current",
     "isRequired": true,
     "type": "boolean",
     "aboutHtml": "<p>True for a device that the session registered that asks.</p>"
    },
    {
     "name": "delivered",
     "isRequired": true,
     "type": "boolean",
     "aboutHtml": "<p>False for a device of a type that this server tells nothing.</p>"
    },
    {
     "name": "date",
     "isRequired": false,
     "type": "number (double)",
     "aboutHtml": "<p>When it was last registered, Unix time in seconds.</p>"
    },
    {
     "name": "last_success",
     "isRequired": false,
     "type": "number (double)",
     "aboutHtml": "<p>When its push service last took a message, Unix time in seconds.</p>"
    },
    {
     "name": "last_failure",
     "isRequired": false,
     "type": "DeliveryFailure",
     "shape": "DeliveryFailure",
     "aboutHtml": "<p>The last message that was not taken.</p>"
    }
   ]
  },
  {
   "name": "DeviceKey",
   "aboutHtml": "<p>The server&#39;s public key for Web Push.</p>",
   "fields": [
    {
     "name": "key",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>The uncompressed point of a P-256 key, 65 bytes as base64url.</p>"
    }
   ]
  },
  {
   "name": "Unregistered",
   "aboutHtml": "<p>It is not registered any more.</p>",
   "fields": [
    {
     "name": "unregistered",
     "isRequired": true,
     "type": "true",
     "aboutHtml": "<p>Always true.</p>"
    }
   ]
  },
  {
   "name": "SessionInfo",
   "aboutHtml": "<p>One of the ways in which somebody may act for the user at the moment. What is not known is left out.</p>",
   "fields": [
    {
     "name": "id",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Its id, for <code>/session/revoke</code>.</p>"
    },
    {
     "name": "kind",
     "isRequired": true,
     "type": "\"app\" or \"token\" or \"browser\"",
     "aboutHtml": "<p>An application with tokens, a personal access token, or a browser that is signed in to the pages.</p>"
    },
    {
     "name": "current",
     "isRequired": true,
     "type": "boolean",
     "aboutHtml": "<p>True for the session that asks.</p>"
    },
    {
     "name": "date",
     "isRequired": true,
     "type": "number (double)",
     "aboutHtml": "<p>When it began, Unix time in seconds.</p>"
    },
    {
     "name": "name",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>Name of the application or the token; a browser has none.</p>"
    },
    {
     "name": "client_id",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>The application.</p>"
    },
    {
     "name": "began",
     "isRequired": false,
     "type": "\"password\" or \"code\"",
     "aboutHtml": "<p>The grant by which an application began it.</p>"
    },
    {
     "name": "read_only",
     "isRequired": false,
     "type": "boolean",
     "aboutHtml": "<p>A personal access token that may only read.</p>"
    },
    {
     "name": "last_used",
     "isRequired": false,
     "type": "number (double)",
     "aboutHtml": "<p>When it was last used, give or take an hour, Unix time in seconds.</p>"
    },
    {
     "name": "expires",
     "isRequired": false,
     "type": "number (double)",
     "aboutHtml": "<p>When it ends unless it is used before, Unix time in seconds; absent when it does not.</p>"
    },
    {
     "name": "address",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>Network address that it was last granted tokens at, or began at.</p>"
    },
    {
     "name": "user_agent",
     "isRequired": false,
     "type": "string",
     "aboutHtml": "<p>What the program there said of itself, cut short.</p>"
    }
   ]
  },
  {
   "name": "RevokedSession",
   "aboutHtml": "<p>The session that has ended.</p>",
   "fields": [
    {
     "name": "revoked_session",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Its id.</p>"
    }
   ]
  },
  {
   "name": "TestAnswer",
   "aboutHtml": "<p>The name of the user.</p>",
   "fields": [
    {
     "name": "user",
     "isRequired": true,
     "type": "string",
     "aboutHtml": "<p>Name of the user.</p>"
    }
   ]
  }
 ],
 "refusals": [
  {
   "status": "400",
   "name": "GrantRefused",
   "aboutHtml": "<p>No tokens are issued. <code>invalid_grant</code>: user name, password, refresh token or code is wrong; ask the user to sign in. <code>invalid_request</code>: a parameter is missing or wrong. <code>unauthorized_client</code>, <code>unsupported_grant_type</code>: use another grant.</p>",
   "shape": "GrantErrorBody",
   "examples": [
    {
     "summary": "User name or password is wrong",
     "text": "{\n  \"error\": \"invalid_grant\",\n  \"error_description\": \"username or password is wrong\"\n}"
    },
    {
     "summary": "The refresh token is unknown, ended or used up",
     "text": "{\n  \"error\": \"invalid_grant\",\n  \"error_description\": \"The refresh_token provided is invalid\"\n}"
    },
    {
     "summary": "The code is unknown, expired, used before, or another application's",
     "text": "{\n  \"error\": \"invalid_grant\",\n  \"error_description\": \"The code provided is invalid, expired or used before\"\n}"
    },
    {
     "summary": "The code was sent to another address",
     "text": "{\n  \"error\": \"invalid_grant\",\n  \"error_description\": \"redirect_uri is not the one that the code was sent to\"\n}"
    },
    {
     "summary": "The verifier is not that of the challenge",
     "text": "{\n  \"error\": \"invalid_grant\",\n  \"error_description\": \"code_verifier is not the one of the code_challenge\"\n}"
    },
    {
     "summary": "There is no such grant",
     "text": "{\n  \"error\": \"unsupported_grant_type\",\n  \"error_description\": \"grant_type must be authorization_code, refresh_token or password\"\n}"
    },
    {
     "summary": "A parameter is missing",
     "text": "{\n  \"error\": \"invalid_request\",\n  \"error_description\": \"username is required\"\n}"
    }
   ]
  },
  {
   "status": "400",
   "name": "RevocationRefused",
   "aboutHtml": "<p>A parameter is missing or wrong; mend the request.</p>",
   "shape": "GrantErrorBody",
   "examples": [
    {
     "summary": "The token is missing",
     "text": "{\n  \"error\": \"invalid_request\",\n  \"error_description\": \"token is required\"\n}"
    },
    {
     "summary": "Client credentials in the body and by HTTP Basic",
     "text": "{\n  \"error\": \"invalid_request\",\n  \"error_description\": \"The client credentials must be given in exactly one way\"\n}"
    }
   ]
  },
  {
   "status": "400",
   "name": "BadRequest",
   "aboutHtml": "<p>The request is refused: <code>parameter_invalid</code>, and the description names the parameter, or <code>invalid_request</code> for two different access tokens. Nothing was changed; mend the request.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "A title is missing",
     "text": "{\n  \"error\": \"parameter_invalid\",\n  \"error_description\": \"new_thing[3].title is required\"\n}"
    },
    {
     "summary": "Two different access tokens",
     "text": "{\n  \"error\": \"invalid_request\",\n  \"error_description\": \"The request gives more than one access token\"\n}"
    },
    {
     "summary": "An access token in the query, where that is switched off",
     "text": "{\n  \"error\": \"invalid_request\",\n  \"error_description\": \"This server takes no access token in the address; send it in the Authorization header\"\n}"
    }
   ]
  },
  {
   "status": "401",
   "name": "ClientRefused",
   "aboutHtml": "<p>The application is unknown, or its secret is wrong. Mend its settings; the tokens may be kept.</p>",
   "shape": "ClientErrorBody",
   "examples": [
    {
     "summary": "Wrong client credentials",
     "text": "{\n  \"error\": \"invalid_client\",\n  \"error_description\": \"client_id or client_secret is wrong\"\n}"
    }
   ]
  },
  {
   "status": "401",
   "name": "Unauthorized",
   "aboutHtml": "<p><code>invalid_grant</code>: the access token is expired or invalid; renew it once and send the request again. <code>invalid_request</code>: there is none.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "The token is expired or invalid",
     "text": "{\n  \"error\": \"invalid_grant\",\n  \"error_description\": \"The access token provided is invalid\"\n}"
    },
    {
     "summary": "There is no token",
     "text": "{\n  \"error\": \"invalid_request\",\n  \"error_description\": \"An access token is required\"\n}"
    }
   ]
  },
  {
   "status": "403",
   "name": "ReadOnly",
   "aboutHtml": "<p><code>insufficient_scope</code>: the access token is a personal one that may only read. Nothing was changed; use another token.</p>",
   "shape": "ScopeErrorBody",
   "examples": [
    {
     "summary": "The token may only read",
     "text": "{\n  \"error\": \"insufficient_scope\",\n  \"error_description\": \"This access token may only read\"\n}"
    }
   ]
  },
  {
   "status": "404",
   "name": "NotFound",
   "aboutHtml": "<p>The user has no thing with this <code>_id</code>; drop it.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "The thing is unknown",
     "text": "{\n  \"error\": \"not_found\",\n  \"error_description\": \"_id names no thing of this user\"\n}"
    }
   ]
  },
  {
   "status": "408",
   "name": "RequestTimeout",
   "aboutHtml": "<p>The request arrived too slowly; the connection is closed. Send it again.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "The rest of the request never came",
     "text": "{\n  \"error\": \"parameter_invalid\",\n  \"error_description\": \"The request cannot be read as HTTP\"\n}"
    }
   ]
  },
  {
   "status": "413",
   "name": "TooLarge",
   "aboutHtml": "<p>The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "The body is too large",
     "text": "{\n  \"error\": \"too_large\",\n  \"error_description\": \"The request body is larger than 33554432 bytes\"\n}"
    },
    {
     "summary": "The account would hold too many tags with settings",
     "text": "{\n  \"error\": \"too_large\",\n  \"error_description\": \"This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator\"\n}"
    }
   ]
  },
  {
   "status": "415",
   "name": "UnsupportedMediaType",
   "aboutHtml": "<p>The operation does not take this content type; send one that it declares.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "Plain text",
     "text": "{\n  \"error\": \"unsupported_media_type\",\n  \"error_description\": \"This operation does not take text/plain\"\n}"
    }
   ]
  },
  {
   "status": "429",
   "name": "TooManyAttempts",
   "aboutHtml": "<p>Wrong passwords, clients and refresh tokens above a limit from this address or for this account, too many sign-ins at once, or too many large requests under way; try again after <code>Retry-After</code> seconds, and keep the tokens. What is right in a refresh or revocation is never refused for failed attempts.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "Too many attempts",
     "text": "{\n  \"error\": \"slow_down\",\n  \"error_description\": \"Too many failed attempts; try again in 30 s\"\n}"
    }
   ]
  },
  {
   "status": "429",
   "name": "TooManyWaiting",
   "aboutHtml": "<p>The session has 10 requests already that wait for changes; end one of them, or try again after <code>Retry-After</code> seconds.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "One too many",
     "text": "{\n  \"error\": \"slow_down\",\n  \"error_description\": \"This session has 10 requests already that wait for changes; end one of them or try again in 5 s\"\n}"
    }
   ]
  },
  {
   "status": "429",
   "name": "SlowDown",
   "aboutHtml": "<p>Too many large requests are under way, or too many without an access token came from this address; try again after <code>Retry-After</code> seconds. Nothing was changed.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "Too much at once",
     "text": "{\n  \"error\": \"slow_down\",\n  \"error_description\": \"Too many large requests of this user are under way; try again in 5 s\"\n}"
    }
   ]
  },
  {
   "status": "431",
   "name": "HeadersTooLarge",
   "aboutHtml": "<p>Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "The access token in the address is too long",
     "text": "{\n  \"error\": \"parameter_invalid\",\n  \"error_description\": \"The request cannot be read as HTTP\"\n}"
    }
   ]
  },
  {
   "status": "500",
   "name": "ServerError",
   "aboutHtml": "<p>A bug in the server. Nothing was changed; send it again later.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "A bug",
     "text": "{\n  \"error\": \"server_error\",\n  \"error_description\": \"The server failed to answer this request\"\n}"
    }
   ]
  },
  {
   "status": "503",
   "name": "Unavailable",
   "aboutHtml": "<p>The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.</p>",
   "shape": "ErrorBody",
   "examples": [
    {
     "summary": "The disk is full",
     "text": "{\n  \"error\": \"temporarily_unavailable\",\n  \"error_description\": \"The server cannot store or read data at the moment\"\n}"
    }
   ]
  }
 ]
}
