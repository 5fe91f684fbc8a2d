// Made from openapi.yaml by redocly bundle (npm run generate); edit openapi.yaml instead.
import type { Document } from 'openapi-backend'

/** The resolved document. */
export const document = {
 "openapi": "3.0.3",
 "info": {
  "title": "Thing synchronisation",
  "version": "1.2.0",
  "description": "A personal store of things (notes and bookmarks with tags) that devices, often offline, keep in step.\n\n## A first sync\n\nGet a token from `POST /token`, then call `/sync` with it in the header `Authorization: Bearer T`. Store the `pos` of the\nanswer and send it as `from` the next time: the answer then holds only what changed since.\n\n## To hear of changes\n\nNobody has to ask at intervals. Where a stream can be read, `/sync/events` tells each new position; elsewhere `wait` lets a\n`/sync` answer when there is something. Both only say that it is time to sync. Webhooks call a server of yours, and devices\nare told by Web Push. These additions may be missing on other servers, which answer `/sync/events` with 404 and a sync with\n`wait` at once.\n\n## The web flow\n\nAn application that is not trusted with passwords sends people to `/authorize`, a page beside `/v1/`, where they sign\nin and allow it:\n\n    {server}/authorize?response_type=code&client_id=…&redirect_uri=…&state=…&code_challenge=…&code_challenge_method=S256\n\nThe browser comes back to `redirect_uri` with `code`, `state` and `iss`, or with `error`, `error_description`, `state`\nand `iss`. The code is good for 60 s and once; `POST /token` with `grant_type=authorization_code` makes a pair of\ntokens of it. `redirect_uri` is, to the letter, one that the application has registered; only the port of a loopback\naddress may differ. PKCE (RFC 7636, S256 only) is needed by applications that are registered without a secret, and\ngood for all. `{server}/.well-known/oauth-authorization-server` is the metadata of RFC 8414.\n\n## Requests\n\nBodies of POST operations are JSON (`application/json`) or forms (`application/x-www-form-urlencoded`) with the same\nnames; `/token` takes forms only. Unknown parameters are ignored.\n\n- **Null is the same as absent**, in every field of a JSON body and of the JSON text in a form. To empty `tags`, `url` or\n  `html` send `\"\"`.\n- **In forms**, objects and lists are JSON text inside a field. Booleans are spelled `true`, `false`, `1` or `0`, in any\n  letter case, and numbers as decimal text, there and in JSON text inside of a form.\n- **Colours** come back in lower case.\n- **Several of one kind** go into one field as a JSON array, or into repeated fields. `x-repeated-as` names the spelling\n  of the repeated field: `new_thing[]=…&new_thing[]=…`. It may also carry numbers, as in `new_thing[0]`. Generators write\n  the one field; nobody needs both.\n- Parameters that a POST declares in its body are read from its query too, and the body wins (an upload in both is refused);\n  not so at `/token` and\n  `/revoke`, whose secrets do not belong into an address.\n\n## Access token\n\nEvery operation but `/token` and `/revoke` needs an access token: in the header, in the query, or in the body as\n`access_token`. The same token in several places is taken; two different ones are refused. Send it in the header or the\nquery, or as the first field of a form: in header or query it is judged before the body is read, and a JSON body with the\ntoken in it may have 64 KiB only. Every 401 carries `WWW-Authenticate: Bearer …`; when an application was refused that\nsent its credentials by HTTP Basic, it names `Basic` too.\n\n## Values\n\nPositions and counts are whole numbers below 2^53 and need an `int64` or a double; a 32-bit float loses changes. Dates are\nUnix times in seconds, with a fraction if one was given. Strings of `format: text` hold any Unicode text but NUL and lone\nsurrogates, and come back exactly as sent.\n\n## Limits\n\n| what | at most |\n| --- | --- |\n| a body | 32 MiB, if the server is not set up otherwise |\n| a body of `/token` and `/revoke` | 64 KiB, 100 fields |\n| a JSON body without an access token in header or query | 64 KiB |\n| fields of a form | 120,000 |\n| members of one JSON object | 10,000 |\n| JSON values in one request, lists and objects included | 1,000,000 |\n| all bodies under way whose sender is not known yet | 64 MiB together, else `slow_down` |\n| nesting of JSON | 32 levels |\n| things of one kind in one request | 100,000 |\n| tags whose settings are changed in one request | 10,000 |\n| tags with settings of a user | 10,000, if the server is not set up otherwise, and as many whose settings were cleared |\n| the name of a tag whose settings are changed | 1,000 characters |\n| address and headers together | 16 KB |\n| webhooks of a user | 20 |\n| devices of a user | 100; the one that was not registered for the longest time is forgotten |\n| `/sync/events` and syncs with `wait` under way in a session | 10 together |\n\n## Errors\n\nAn error is always a JSON object with `error`, a code, and `error_description`, a sentence that names the parameter. A\nrequest is all or nothing: whatever the error, nothing of it was applied, unless no answer came at all.\n\n| status | error | when | what to do |\n| --- | --- | --- | --- |\n| 400 | `parameter_invalid` | A parameter is missing, of a wrong type or too long, JSON cannot be read, two new things share a `local_id`, an upload stands in a GET. | Mend the request; as it is it will be refused again. |\n| 400 | `invalid_request` | Two different access tokens, or one in the query of a server that takes none there; at `/token` and `/revoke` a missing or wrong parameter, or client credentials in two ways. | Mend the request. |\n| 400 | `invalid_grant` | At `/token`: user name or password is wrong, the refresh token is unknown, ended or used up, or the code is, or is another application's, redirect's or verifier's. | After `password` ask the user again; after `refresh_token` and `authorization_code` forget the tokens, keep what was not uploaded, and ask the user to sign in. |\n| 400 | `unauthorized_client` | At `/token`: the application may not use this grant. | Use another grant. |\n| 400 | `unsupported_grant_type` | At `/token`: there is no such grant, or `password` is switched off on this server. | Use `authorization_code`, `refresh_token`, or `password` where it is on. |\n| 401 | `invalid_request` | There is no access token. | Send one. |\n| 401 | `invalid_grant` | The access token is expired or invalid. | Renew it by `refresh_token` once, then send the request again. |\n| 401 | `invalid_client` | At `/token` and `/revoke`: `client_id` or `client_secret` is wrong or missing. | Mend the settings of the application; keep the tokens. |\n| 403 | `insufficient_scope` | A personal access token that may only read was sent with something that changes. | Ask the user for another token. |\n| 404 | `not_found` | `_id` names no thing of this user, `id` no session, or there is no such operation. | Drop the thing, or mend the address. |\n| 405 | `method_not_allowed` | The operation has other methods; `Allow` names them. | Use one of them. |\n| 408 | `parameter_invalid` | The request arrived too slowly. | Send it again. |\n| 413 | `too_large` | The body is too large, or holds too many things, fields, members or values; or the account would hold more things, bytes or tags with settings than it may. | Send less at once; a large JSON body with the token in the header. Where the sentence names a limit of the account, keep the change and tell the user. |\n| 415 | `unsupported_media_type` | The operation does not take this content type. | Send a content type that the operation declares. |\n| 429 | `slow_down` | At `/token` and `/revoke`: too many failed attempts from this address or for this account, or too many sign-ins at once. At every POST: too many large requests under way. At `/sync/events` and with `wait`: the session has 10 of these already. Everywhere: too many requests without an access token from this address. | Wait as many seconds as `Retry-After` says, then send it again. |\n| 431 | `parameter_invalid` | Address and headers are too large, or headers too many. | Put the access token into the header, and uploads into a body. |\n| 500 | `server_error` | A bug of the server. | Send it again later; uploads with the same `from` and the same `local_id`. |\n| 503 | `temporarily_unavailable` | The server cannot store or read at the moment. | Keep the tokens, wait as `Retry-After` says, send it again. |\n\nWhat cannot be read as HTTP at all is answered with 400 `parameter_invalid` whatever its address, and the connection\nis closed. Wait longer after each failure, and never throw tokens away for a 429 or a 5xx.\n\n## Marks\n\n`x-repeated-as` is told above. `x-property-names` is a schema for the names of a map. `x-sdk` says what\n`openapi.sdk.yaml`, the same interface for generators of clients, has otherwise: an operation or a parameter that it leaves out, a\nschema in place of another one, `{}` being any value.\n",
  "x-sdk": {
   "description": "A personal store of things (notes and bookmarks with tags) that devices, often offline, keep in step.",
   "usage": "For generators of clients: one way to give the access token, one content type for each body, and schemas that\ngenerators of all languages understand. `openapi.yaml` describes the same interface with all its ways to write a\nrequest.\n\n## A first sync\n\nGet a token from `POST /token`, then call `/sync` with it as bearer token. Store the `pos` of the answer and send it as\n`from` the next time: the answer then holds only what changed since. A field that is null is the same as one that is\nleft out; to empty `tags`, `url` or `html` send `\"\"`.\n"
  },
  "license": {
   "name": "MIT",
   "url": "https://opensource.org/license/mit"
  },
  "contact": {
   "name": "thingsync"
  }
 },
 "servers": [
  {
   "url": "{base_url}",
   "description": "The base address of a server; it ends in the version segment.",
   "variables": {
    "base_url": {
     "default": "http://127.0.0.1:8484/v1",
     "description": "May carry a path prefix before the version segment."
    }
   }
  }
 ],
 "tags": [
  {
   "name": "sync",
   "description": "What offline-capable clients need, and all that most of them need."
  },
  {
   "name": "token",
   "description": "Getting, renewing and giving back access."
  },
  {
   "name": "things",
   "description": "Things one at a time, for clients that are always online."
  },
  {
   "name": "user",
   "description": "The user behind the access token."
  },
  {
   "name": "notifications",
   "description": "Being told that something has changed."
  }
 ],
 "paths": {
  "/token": {
   "post": {
    "operationId": "grantToken",
    "tags": [
     "token"
    ],
    "summary": "Get or renew an access token",
    "description": "Issues a new pair of tokens. The body is a form and nothing else. The body may have 64 KiB and 100 fields.\n\n`grant_type=password` takes `username` and `password`; `grant_type=refresh_token` takes the `request_token` of an earlier\nanswer as `refresh_token`. The client credentials come in the form or by HTTP Basic (RFC 6749 2.3.1), never both; an\napplication that is registered without a secret gives its `client_id` alone. A refresh whose answer was lost can be sent\nagain until the new pair is first used; after that the old request token ends the whole session. Keep the newest\n`request_token`: it lives for 90 days from its last use.\n\n`grant_type=authorization_code` takes the `code` that the web flow sent to `redirect_uri`, that `redirect_uri` when the\nrequest named one, also followed by what was appended to it, and the `code_verifier` when the request had a\n`code_challenge`. A code that is presented a second time ends the session that it began.\n",
    "security": [],
    "requestBody": {
     "required": true,
     "content": {
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "Request of a token. Which fields a grant needs is said in the operation.",
        "type": "object",
        "required": [
         "grant_type"
        ],
        "properties": {
         "grant_type": {
          "description": "`authorization_code`, `refresh_token` or `password`.",
          "type": "string",
          "maxLength": 256
         },
         "client_id": {
          "description": "The registered application.",
          "type": "string",
          "maxLength": 1024
         },
         "client_secret": {
          "description": "Its secret, if it has one.",
          "type": "string",
          "maxLength": 1024
         },
         "username": {
          "description": "For `password`.",
          "type": "string",
          "maxLength": 400
         },
         "password": {
          "description": "For `password`.",
          "type": "string",
          "maxLength": 4096
         },
         "refresh_token": {
          "description": "For `refresh_token`; the `request_token` of an earlier answer.",
          "type": "string",
          "maxLength": 4096
         },
         "code": {
          "description": "For `authorization_code`; what the web flow sent.",
          "type": "string",
          "maxLength": 4096
         },
         "redirect_uri": {
          "description": "For `authorization_code`; where it was sent to.",
          "type": "string",
          "maxLength": 16384
         },
         "code_verifier": {
          "description": "For `authorization_code`; what the `code_challenge` was made of (RFC 7636).",
          "type": "string",
          "maxLength": 4096
         }
        }
       },
       "examples": {
        "password": {
         "summary": "First token of a device",
         "value": {
          "grant_type": "password",
          "client_id": "app1",
          "client_secret": "s3cret",
          "username": "anna",
          "password": "correct horse"
         }
        },
        "refresh": {
         "summary": "A new pair for an old one",
         "value": {
          "grant_type": "refresh_token",
          "client_id": "app1",
          "client_secret": "s3cret",
          "refresh_token": "5dK0vN2p"
         }
        },
        "code": {
         "summary": "The end of the web flow, for an application with a secret",
         "value": {
          "grant_type": "authorization_code",
          "client_id": "app1",
          "client_secret": "s3cret",
          "code": "q7Yw2Lx",
          "redirect_uri": "https://app.example/back"
         }
        },
        "codeOfPublicApp": {
         "summary": "The end of the web flow, for an application without a secret",
         "value": {
          "grant_type": "authorization_code",
          "client_id": "app2",
          "code": "q7Yw2Lx",
          "redirect_uri": "http://127.0.0.1:51004/back",
          "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The new pair of tokens.",
      "headers": {
       "Cache-Control": {
        "description": "Tokens must not be cached.",
        "schema": {
         "type": "string"
        },
        "example": "no-store"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "A new pair of tokens.",
         "type": "object",
         "required": [
          "access_token",
          "expires_in",
          "request_token",
          "refresh_token",
          "token_type"
         ],
         "x-sdk": {
          "required": [
           "access_token",
           "expires_in",
           "request_token",
           "token_type"
          ]
         },
         "properties": {
          "access_token": {
           "description": "Token to call the API with.",
           "type": "string",
           "minLength": 1
          },
          "expires_in": {
           "description": "Validity of the access token in seconds.",
           "type": "integer",
           "format": "int64",
           "minimum": 1
          },
          "request_token": {
           "description": "What the refresh_token grant takes as `refresh_token`.",
           "type": "string",
           "minLength": 1
          },
          "refresh_token": {
           "description": "The value of `request_token`, under the name that OAuth libraries read.",
           "type": "string",
           "minLength": 1
          },
          "token_type": {
           "description": "Always \"bearer\".",
           "type": "string",
           "enum": [
            "bearer"
           ]
          },
          "scope": {
           "description": "Always null, and left out for applications that are registered as standard.",
           "type": "string",
           "nullable": true,
           "maxLength": 0
          }
         }
        },
        "examples": {
         "pair": {
          "summary": "A new pair",
          "value": {
           "access_token": "Zk81xQ",
           "expires_in": 3600,
           "request_token": "5dK0vN2p",
           "refresh_token": "5dK0vN2p",
           "token_type": "bearer",
           "scope": null
          }
         },
         "standard": {
          "summary": "A new pair for an application that is registered as standard",
          "value": {
           "access_token": "Zk81xQ",
           "expires_in": 3600,
           "request_token": "5dK0vN2p",
           "refresh_token": "5dK0vN2p",
           "token_type": "bearer"
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "No tokens are issued. `invalid_grant`: user name, password, refresh token or code is wrong; ask the user to sign in. `invalid_request`: a parameter is missing or wrong. `unauthorized_client`, `unsupported_grant_type`: use another grant.",
      "content": {
       "application/json": {
        "schema": {
         "description": "An error of the token endpoint (RFC 6749 5.2).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "invalid_request",
            "invalid_grant",
            "unauthorized_client",
            "unsupported_grant_type"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "wrongPassword": {
          "summary": "User name or password is wrong",
          "value": {
           "error": "invalid_grant",
           "error_description": "username or password is wrong"
          }
         },
         "usedToken": {
          "summary": "The refresh token is unknown, ended or used up",
          "value": {
           "error": "invalid_grant",
           "error_description": "The refresh_token provided is invalid"
          }
         },
         "usedCode": {
          "summary": "The code is unknown, expired, used before, or another application's",
          "value": {
           "error": "invalid_grant",
           "error_description": "The code provided is invalid, expired or used before"
          }
         },
         "wrongRedirect": {
          "summary": "The code was sent to another address",
          "value": {
           "error": "invalid_grant",
           "error_description": "redirect_uri is not the one that the code was sent to"
          }
         },
         "wrongVerifier": {
          "summary": "The verifier is not that of the challenge",
          "value": {
           "error": "invalid_grant",
           "error_description": "code_verifier is not the one of the code_challenge"
          }
         },
         "unsupportedGrant": {
          "summary": "There is no such grant",
          "value": {
           "error": "unsupported_grant_type",
           "error_description": "grant_type must be authorization_code, refresh_token or password"
          }
         },
         "missing": {
          "summary": "A parameter is missing",
          "value": {
           "error": "invalid_request",
           "error_description": "username is required"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "The application is unknown, or its secret is wrong. Mend its settings; the tokens may be kept.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The credentials of the application are wrong (RFC 6749 5.2).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "invalid_client"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "wrongClient": {
          "summary": "Wrong client credentials",
          "value": {
           "error": "invalid_client",
           "error_description": "client_id or client_secret is wrong"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Wrong passwords, clients and refresh tokens above a limit from this address or for this account, too many sign-ins at once, or too many large requests under way; try again after `Retry-After` seconds, and keep the tokens. What is right in a refresh or revocation is never refused for failed attempts.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slowDown": {
          "summary": "Too many attempts",
          "value": {
           "error": "slow_down",
           "error_description": "Too many failed attempts; try again in 30 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/revoke": {
   "post": {
    "operationId": "revokeToken",
    "tags": [
     "token"
    ],
    "summary": "Give a token back",
    "description": "Ends the session that the token belongs to, on either of its tokens (RFC 7009). A token that is unknown is answered in the\nsame way, so nothing can be learnt from it. The client credentials come in the body or by HTTP Basic; an application that\nis registered without a secret gives its `client_id` alone. The body may have 64 KiB and 100 fields.\n",
    "security": [],
    "requestBody": {
     "required": true,
     "content": {
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "A token to give back (RFC 7009).",
        "type": "object",
        "required": [
         "token"
        ],
        "properties": {
         "token": {
          "description": "An access token or a request token.",
          "type": "string",
          "maxLength": 4096
         },
         "token_type_hint": {
          "description": "Which of the two it is; not needed.",
          "type": "string",
          "nullable": true,
          "maxLength": 256
         },
         "client_id": {
          "description": "The registered application.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024
         },
         "client_secret": {
          "description": "Its secret, if it has one.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024
         }
        }
       },
       "examples": {
        "signOut": {
         "summary": "A person signs out",
         "value": {
          "token": "5dK0vN2p",
          "client_id": "app1",
          "client_secret": "s3cret"
         }
        },
        "publicApp": {
         "summary": "The same, of an application without a secret",
         "value": {
          "token": "5dK0vN2p",
          "token_type_hint": "refresh_token",
          "client_id": "app2"
         }
        }
       }
      },
      "application/json": {
       "schema": {
        "description": "A token to give back (RFC 7009).",
        "type": "object",
        "required": [
         "token"
        ],
        "properties": {
         "token": {
          "description": "An access token or a request token.",
          "type": "string",
          "maxLength": 4096
         },
         "token_type_hint": {
          "description": "Which of the two it is; not needed.",
          "type": "string",
          "nullable": true,
          "maxLength": 256
         },
         "client_id": {
          "description": "The registered application.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024
         },
         "client_secret": {
          "description": "Its secret, if it has one.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024
         }
        }
       },
       "examples": {
        "signOut": {
         "summary": "A person signs out",
         "value": {
          "token": "5dK0vN2p",
          "client_id": "app1",
          "client_secret": "s3cret"
         }
        },
        "publicApp": {
         "summary": "The same, of an application without a secret",
         "value": {
          "token": "5dK0vN2p",
          "token_type_hint": "refresh_token",
          "client_id": "app2"
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The token does not work any more.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Nothing to say.",
         "type": "object"
        },
        "examples": {
         "done": {
          "summary": "Nothing to say",
          "value": {}
         }
        }
       }
      }
     },
     "400": {
      "description": "A parameter is missing or wrong; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "An error of the token endpoint (RFC 6749 5.2).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "invalid_request",
            "invalid_grant",
            "unauthorized_client",
            "unsupported_grant_type"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "The token is missing",
          "value": {
           "error": "invalid_request",
           "error_description": "token is required"
          }
         },
         "clientTwice": {
          "summary": "Client credentials in the body and by HTTP Basic",
          "value": {
           "error": "invalid_request",
           "error_description": "The client credentials must be given in exactly one way"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "The application is unknown, or its secret is wrong. Mend its settings; the tokens may be kept.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The credentials of the application are wrong (RFC 6749 5.2).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "invalid_client"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "wrongClient": {
          "summary": "Wrong client credentials",
          "value": {
           "error": "invalid_client",
           "error_description": "client_id or client_secret is wrong"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Wrong passwords, clients and refresh tokens above a limit from this address or for this account, too many sign-ins at once, or too many large requests under way; try again after `Retry-After` seconds, and keep the tokens. What is right in a refresh or revocation is never refused for failed attempts.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slowDown": {
          "summary": "Too many attempts",
          "value": {
           "error": "slow_down",
           "error_description": "Too many failed attempts; try again in 30 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/sync": {
   "get": {
    "operationId": "getSync",
    "tags": [
     "sync"
    ],
    "summary": "Download changes",
    "description": "Lists things and tag settings. Without `from`, or with 0, all things are listed; with the `pos` of an earlier answer only\nwhat changed since. Never changes anything; upload parameters belong into a POST.\n\nThings come in the order of their last change, deleted ids behind them. `skip` and `limit` page through that order; the\npages of one listing are taken from one snapshot for up to 15 minutes and all return its position. When a page has\nanother `pos` than the first, the server was restarted, or more than 16 other listings of the session were begun:\nbegin again with the first page. Answers can be very\nlarge: parse them as a stream.\n",
    "parameters": [
     {
      "name": "from",
      "in": "query",
      "description": "A `pos` that was returned earlier; left out or 0 asks for everything.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      },
      "example": 12
     },
     {
      "name": "skip",
      "in": "query",
      "description": "Leave out the first things of the listing.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      },
      "example": 100
     },
     {
      "name": "limit",
      "in": "query",
      "description": "Return at most this many things.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      },
      "example": 100
     },
     {
      "name": "skip_id",
      "in": "query",
      "description": "Ids to leave out of the changed and deleted things.",
      "x-repeated-as": "skip_id[]",
      "schema": {
       "type": "array",
       "maxItems": 100000,
       "items": {
        "description": "Identifier that the server gave.",
        "type": "string",
        "minLength": 1,
        "maxLength": 128,
        "format": "text"
       }
      },
      "example": [
       "d4e5f6"
      ]
     },
     {
      "name": "wait",
      "in": "query",
      "x-sdk": "omit",
      "description": "Seconds for which an answer that would say that nothing has changed is held back, unless another session changes\nsomething before. What there is after `from` already and a page with `skip` are answered at once; a full listing too,\nthough one of an account in which nothing ever was may be held back. So a client that cannot read `/sync/events` sends\none sync after the other and is told as quickly. The session's own changes do not end the wait, but stand in the answer\nthat ends it. A server that is being stopped answers at once, and when the access token ends meanwhile, the answer is\n401 within 25 seconds. In a POST `wait` is ignored. An addition: the interface has no `wait`.\n",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 1,
       "maximum": 60
      },
      "example": 60
     }
    ],
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "responses": {
     "200": {
      "description": "Everything that the client does not know yet.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The answer of sync.",
         "type": "object",
         "required": [
          "pos"
         ],
         "properties": {
          "pos": {
           "description": "Current position, to be sent later as `from`.",
           "type": "integer",
           "format": "int64"
          },
          "thingCount": {
           "description": "Number of things new, changed or deleted, whatever skip and limit; left out when 0.",
           "type": "integer",
           "format": "int64",
           "minimum": 1
          },
          "tags": {
           "description": "Tag settings that apply, by tag name; left out when there are none.",
           "type": "object",
           "minProperties": 1,
           "additionalProperties": {
            "description": "Settings of a tag as the server returns them.",
            "type": "object",
            "required": [
             "favorite",
             "color",
             "todo"
            ],
            "properties": {
             "favorite": {
              "description": "Whether the tag is a favorite.",
              "type": "boolean"
             },
             "color": {
              "description": "False for none, or the hex code of a background colour, in lower case.",
              "x-sdk": {},
              "oneOf": [
               {
                "type": "boolean",
                "enum": [
                 false
                ]
               },
               {
                "type": "string",
                "pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"
               }
              ]
             },
             "todo": {
              "description": "When not false, things that carry the tag are shown with a checkbox.",
              "x-sdk": {},
              "oneOf": [
               {
                "type": "boolean",
                "enum": [
                 false
                ]
               },
               {
                "type": "string",
                "enum": [
                 "strike",
                 "dont-strike"
                ]
               }
              ]
             }
            }
           }
          },
          "things": {
           "description": "Things of a sync answer; each part is there only when it is not empty.",
           "type": "object",
           "minProperties": 1,
           "properties": {
            "new": {
             "description": "From each submitted local_id to the new `_id`.",
             "type": "object",
             "minProperties": 1,
             "additionalProperties": {
              "type": "string",
              "pattern": "^[0-9A-Za-z]+$"
             }
            },
            "changed": {
             "description": "Things that are new or changed, in their latest state.",
             "type": "array",
             "minItems": 1,
             "items": {
              "description": "A thing as the server returns it.",
              "type": "object",
              "required": [
               "_id",
               "title",
               "tags",
               "date"
              ],
              "properties": {
               "_id": {
                "description": "Identifier.",
                "type": "string",
                "pattern": "^[0-9A-Za-z]+$"
               },
               "title": {
                "description": "Title.",
                "type": "string"
               },
               "tags": {
                "description": "Tags, separated by spaces; empty for none.",
                "type": "string"
               },
               "date": {
                "description": "Time of creation, Unix time in seconds.",
                "type": "number",
                "format": "double"
               },
               "url": {
                "description": "There only when a url is set.",
                "type": "string",
                "minLength": 1
               },
               "html": {
                "description": "There only when html is set.",
                "type": "string",
                "minLength": 1
               },
               "archived": {
                "description": "There only when the thing is archived.",
                "type": "boolean",
                "enum": [
                 true
                ]
               },
               "todoStatus": {
                "description": "There only when one of the tags makes the thing a todo.",
                "type": "boolean"
               }
              }
             }
            },
            "deleted": {
             "description": "Ids of things that were deleted.",
             "type": "array",
             "minItems": 1,
             "items": {
              "type": "string"
             }
            }
           }
          }
         }
        },
        "examples": {
         "full": {
          "summary": "A full listing",
          "value": {
           "pos": 12,
           "thingCount": 2,
           "tags": {
            "todo": {
             "favorite": true,
             "color": "#f80",
             "todo": "strike"
            }
           },
           "things": {
            "changed": [
             {
              "_id": "a1b2c3",
              "title": "Buy milk",
              "tags": "todo",
              "date": 1767225600,
              "todoStatus": false
             },
             {
              "_id": "d4e5f6",
              "title": "A page",
              "tags": "",
              "date": 1767225601,
              "url": "https://example.org/",
              "archived": true
             }
            ]
           }
          }
         },
         "delta": {
          "summary": "What changed since a position",
          "value": {
           "pos": 15,
           "thingCount": 2,
           "things": {
            "changed": [
             {
              "_id": "a1b2c3",
              "title": "Buy oat milk",
              "tags": "todo",
              "date": 1767225600,
              "todoStatus": true
             }
            ],
            "deleted": [
             "d4e5f6"
            ]
           }
          }
         },
         "tagsOnly": {
          "summary": "Only tag settings changed",
          "value": {
           "pos": 16,
           "tags": {
            "todo": {
             "favorite": false,
             "color": false,
             "todo": false
            }
           }
          }
         },
         "nothing": {
          "summary": "Nothing changed",
          "value": {
           "pos": 16
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "The session has 10 requests already that wait for changes; end one of them, or try again after `Retry-After` seconds.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "waiting": {
          "summary": "One too many",
          "value": {
           "error": "slow_down",
           "error_description": "This session has 10 requests already that wait for changes; end one of them or try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   },
   "post": {
    "operationId": "postSync",
    "tags": [
     "sync"
    ],
    "summary": "Upload local changes and download changes",
    "description": "Applies creations, changes, deletions and tag settings, in this order, all or none; then lists what other clients changed.\nOwn uploads are not listed again.\n\n`things.new` names the `_id` of every submitted `local_id`; use it from then on. **When an answer is lost**, send the same\nupload with the same explicit `from` again, 0 at first. A repeated `local_id` is a retry when title, url or given date is\nthe same as before; otherwise it is another thing. After a later `from`, or once the session has named the thing by its\n`_id`, it is a new thing. A changed thing that was deleted elsewhere comes back in `things.deleted`; drop it.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": false,
     "content": {
      "application/json": {
       "schema": {
        "description": "A sync upload. A single object may stand for an array of one.",
        "type": "object",
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "from": {
          "description": "A `pos` that was returned earlier; left out or 0 asks for everything.",
          "type": "integer",
          "format": "int64",
          "nullable": true,
          "minimum": 0
         },
         "skip": {
          "description": "Leave out the first things of the listing.",
          "type": "integer",
          "format": "int64",
          "nullable": true,
          "minimum": 0
         },
         "limit": {
          "description": "Return at most this many things.",
          "type": "integer",
          "format": "int64",
          "nullable": true,
          "minimum": 0
         },
         "new_thing": {
          "description": "Things to create.",
          "type": "array",
          "nullable": true,
          "maxItems": 100000,
          "items": {
           "description": "A thing to create.",
           "type": "object",
           "required": [
            "local_id",
            "title"
           ],
           "properties": {
            "local_id": {
             "description": "The client's identifier, unique in one request. A number that loses digits as a double goes as text.",
             "x-sdk": {
              "type": "string"
             },
             "oneOf": [
              {
               "type": "string",
               "maxLength": 1024,
               "format": "text"
              },
              {
               "type": "number",
               "format": "double",
               "minimum": -9007199254740991,
               "maximum": 9007199254740991
              }
             ]
            },
            "title": {
             "description": "Title of the thing; may be empty.",
             "type": "string",
             "maxLength": 65536,
             "format": "text"
            },
            "tags": {
             "description": "Tags, separated by spaces; \"\" clears, null is absent.",
             "type": "string",
             "nullable": true,
             "maxLength": 65536,
             "format": "text"
            },
            "date": {
             "description": "Time of creation, Unix time in seconds; the server's time when left out.",
             "type": "number",
             "format": "double",
             "nullable": true
            },
            "url": {
             "description": "URL of the thing; \"\" clears, null is absent.",
             "type": "string",
             "nullable": true,
             "maxLength": 65536,
             "format": "text"
            },
            "html": {
             "description": "Note or other content; \"\" clears, null is absent.",
             "type": "string",
             "nullable": true,
             "maxLength": 16777216,
             "format": "text"
            },
            "archived": {
             "description": "Left out means false.",
             "type": "boolean",
             "nullable": true
            },
            "todoStatus": {
             "description": "Completion of a todo.",
             "type": "boolean",
             "nullable": true
            }
           },
           "example": {
            "local_id": "n1",
            "title": "Buy milk",
            "tags": "todo"
           }
          }
         },
         "changed_thing": {
          "description": "Things to change.",
          "type": "array",
          "nullable": true,
          "maxItems": 100000,
          "items": {
           "description": "A thing to change by sync. Fields that are left out stay, but `archived` becomes false.",
           "type": "object",
           "required": [
            "_id",
            "title"
           ],
           "properties": {
            "_id": {
             "description": "Identifier that the server gave.",
             "type": "string",
             "minLength": 1,
             "maxLength": 128,
             "format": "text"
            },
            "title": {
             "description": "Title of the thing; may be empty.",
             "type": "string",
             "maxLength": 65536,
             "format": "text"
            },
            "tags": {
             "description": "Tags, separated by spaces; \"\" clears, null is absent.",
             "type": "string",
             "nullable": true,
             "maxLength": 65536,
             "format": "text"
            },
            "date": {
             "description": "Time of creation, Unix time in seconds; the server's time when left out.",
             "type": "number",
             "format": "double",
             "nullable": true
            },
            "url": {
             "description": "URL of the thing; \"\" clears, null is absent.",
             "type": "string",
             "nullable": true,
             "maxLength": 65536,
             "format": "text"
            },
            "html": {
             "description": "Note or other content; \"\" clears, null is absent.",
             "type": "string",
             "nullable": true,
             "maxLength": 16777216,
             "format": "text"
            },
            "archived": {
             "description": "Left out means false.",
             "type": "boolean",
             "nullable": true
            },
            "todoStatus": {
             "description": "Completion of a todo.",
             "type": "boolean",
             "nullable": true
            }
           },
           "example": {
            "_id": "a1b2c3",
            "title": "Buy oat milk",
            "tags": "todo",
            "todoStatus": true
           }
          }
         },
         "deleted_thing": {
          "description": "Things to delete.",
          "type": "array",
          "nullable": true,
          "maxItems": 100000,
          "items": {
           "description": "Identifier that the server gave.",
           "type": "string",
           "minLength": 1,
           "maxLength": 128,
           "format": "text"
          }
         },
         "tag": {
          "description": "Tag settings to change, by tag name of at most 1,000 characters.",
          "type": "object",
          "nullable": true,
          "maxProperties": 10000,
          "x-property-names": {
           "maxLength": 1000,
           "format": "text"
          },
          "additionalProperties": {
           "description": "Settings of a tag to change. Fields that are left out stay as they are.",
           "type": "object",
           "properties": {
            "favorite": {
             "description": "Whether the tag is a favorite.",
             "type": "boolean",
             "nullable": true
            },
            "color": {
             "description": "False for none, or the hex code of a background colour; it comes back in lower case.",
             "x-sdk": {},
             "oneOf": [
              {
               "type": "boolean",
               "enum": [
                false
               ]
              },
              {
               "type": "string",
               "nullable": true,
               "pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"
              }
             ]
            },
            "todo": {
             "description": "Whether things that carry the tag are todos; true is kept as \"strike\".",
             "x-sdk": {},
             "oneOf": [
              {
               "type": "boolean",
               "nullable": true
              },
              {
               "type": "string",
               "enum": [
                "strike",
                "dont-strike"
               ]
              }
             ]
            }
           },
           "example": {
            "todo": true,
            "color": "#f80"
           }
          }
         },
         "skip_id": {
          "description": "Ids to leave out of the changed and deleted things.",
          "type": "array",
          "nullable": true,
          "maxItems": 100000,
          "items": {
           "description": "Identifier that the server gave.",
           "type": "string",
           "minLength": 1,
           "maxLength": 128,
           "format": "text"
          }
         }
        }
       },
       "examples": {
        "upload": {
         "summary": "The same in JSON",
         "value": {
          "from": 12,
          "new_thing": [
           {
            "local_id": "n1",
            "title": "Buy milk",
            "tags": "todo"
           }
          ],
          "changed_thing": [
           {
            "_id": "a1b2c3",
            "title": "Buy oat milk",
            "tags": "todo",
            "todoStatus": true
           }
          ],
          "deleted_thing": [
           "d4e5f6"
          ],
          "tag": {
           "todo": {
            "todo": true,
            "color": "#f80"
           }
          }
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "The form of a sync upload, as it is on the wire; objects and lists are JSON text. Several things of one kind go into\none JSON array or into repeated fields (`x-repeated-as`), tag settings into `tag[<name>]`, one field for each tag.\n",
        "type": "object",
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "from": {
          "description": "A `pos` that was returned earlier; left out or 0 asks for everything.",
          "type": "integer",
          "format": "int64",
          "minimum": 0
         },
         "skip": {
          "description": "Leave out the first things of the listing.",
          "type": "integer",
          "format": "int64",
          "minimum": 0
         },
         "limit": {
          "description": "Return at most this many things.",
          "type": "integer",
          "format": "int64",
          "minimum": 0
         },
         "new_thing": {
          "description": "JSON text of one ThingCreate or of an array of them; in the repeated spelling of one each.",
          "x-repeated-as": "new_thing[]",
          "type": "string",
          "format": "json-ThingCreate"
         },
         "changed_thing": {
          "description": "JSON text of one ThingUpdate or of an array of them; in the repeated spelling of one each.",
          "x-repeated-as": "changed_thing[]",
          "type": "string",
          "format": "json-ThingUpdate"
         },
         "deleted_thing": {
          "description": "An `_id`, or JSON text of an array of them; in the repeated spelling one each.",
          "x-repeated-as": "deleted_thing[]",
          "type": "string",
          "minLength": 1,
          "format": "text"
         },
         "tag": {
          "description": "JSON texts of one TagSettingsChange each, by tag name of at most 1,000 characters: `tag[<name>]`.",
          "type": "object",
          "additionalProperties": {
           "type": "string",
           "format": "json-TagSettingsChange"
          }
         },
         "skip_id": {
          "description": "An `_id` to leave out of the answer, or JSON text of an array of them; in the repeated spelling one each.",
          "x-repeated-as": "skip_id[]",
          "type": "string",
          "minLength": 1,
          "format": "text"
         }
        }
       },
       "encoding": {
        "tag": {
         "style": "deepObject",
         "explode": true
        }
       },
       "examples": {
        "upload": {
         "summary": "A new thing, a change, a deletion and tag settings",
         "value": {
          "from": 12,
          "new_thing": "{\"local_id\":\"n1\",\"title\":\"Buy milk\",\"tags\":\"todo\"}",
          "changed_thing": "{\"_id\":\"a1b2c3\",\"title\":\"Buy oat milk\",\"tags\":\"todo\",\"todoStatus\":true}",
          "deleted_thing": "d4e5f6",
          "tag": {
           "todo": "{\"todo\":true,\"color\":\"#f80\"}"
          }
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The upload is kept; this is what else changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The answer of sync.",
         "type": "object",
         "required": [
          "pos"
         ],
         "properties": {
          "pos": {
           "description": "Current position, to be sent later as `from`.",
           "type": "integer",
           "format": "int64"
          },
          "thingCount": {
           "description": "Number of things new, changed or deleted, whatever skip and limit; left out when 0.",
           "type": "integer",
           "format": "int64",
           "minimum": 1
          },
          "tags": {
           "description": "Tag settings that apply, by tag name; left out when there are none.",
           "type": "object",
           "minProperties": 1,
           "additionalProperties": {
            "description": "Settings of a tag as the server returns them.",
            "type": "object",
            "required": [
             "favorite",
             "color",
             "todo"
            ],
            "properties": {
             "favorite": {
              "description": "Whether the tag is a favorite.",
              "type": "boolean"
             },
             "color": {
              "description": "False for none, or the hex code of a background colour, in lower case.",
              "x-sdk": {},
              "oneOf": [
               {
                "type": "boolean",
                "enum": [
                 false
                ]
               },
               {
                "type": "string",
                "pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"
               }
              ]
             },
             "todo": {
              "description": "When not false, things that carry the tag are shown with a checkbox.",
              "x-sdk": {},
              "oneOf": [
               {
                "type": "boolean",
                "enum": [
                 false
                ]
               },
               {
                "type": "string",
                "enum": [
                 "strike",
                 "dont-strike"
                ]
               }
              ]
             }
            }
           }
          },
          "things": {
           "description": "Things of a sync answer; each part is there only when it is not empty.",
           "type": "object",
           "minProperties": 1,
           "properties": {
            "new": {
             "description": "From each submitted local_id to the new `_id`.",
             "type": "object",
             "minProperties": 1,
             "additionalProperties": {
              "type": "string",
              "pattern": "^[0-9A-Za-z]+$"
             }
            },
            "changed": {
             "description": "Things that are new or changed, in their latest state.",
             "type": "array",
             "minItems": 1,
             "items": {
              "description": "A thing as the server returns it.",
              "type": "object",
              "required": [
               "_id",
               "title",
               "tags",
               "date"
              ],
              "properties": {
               "_id": {
                "description": "Identifier.",
                "type": "string",
                "pattern": "^[0-9A-Za-z]+$"
               },
               "title": {
                "description": "Title.",
                "type": "string"
               },
               "tags": {
                "description": "Tags, separated by spaces; empty for none.",
                "type": "string"
               },
               "date": {
                "description": "Time of creation, Unix time in seconds.",
                "type": "number",
                "format": "double"
               },
               "url": {
                "description": "There only when a url is set.",
                "type": "string",
                "minLength": 1
               },
               "html": {
                "description": "There only when html is set.",
                "type": "string",
                "minLength": 1
               },
               "archived": {
                "description": "There only when the thing is archived.",
                "type": "boolean",
                "enum": [
                 true
                ]
               },
               "todoStatus": {
                "description": "There only when one of the tags makes the thing a todo.",
                "type": "boolean"
               }
              }
             }
            },
            "deleted": {
             "description": "Ids of things that were deleted.",
             "type": "array",
             "minItems": 1,
             "items": {
              "type": "string"
             }
            }
           }
          }
         }
        },
        "examples": {
         "created": {
          "summary": "A thing was created",
          "value": {
           "pos": 13,
           "thingCount": 1,
           "things": {
            "new": {
             "n1": "a1b2c3"
            }
           }
          }
         },
         "delta": {
          "summary": "What changed since a position",
          "value": {
           "pos": 15,
           "thingCount": 2,
           "things": {
            "changed": [
             {
              "_id": "a1b2c3",
              "title": "Buy oat milk",
              "tags": "todo",
              "date": 1767225600,
              "todoStatus": true
             }
            ],
            "deleted": [
             "d4e5f6"
            ]
           }
          }
         },
         "tagsOnly": {
          "summary": "Only tag settings changed",
          "value": {
           "pos": 16,
           "tags": {
            "todo": {
             "favorite": false,
             "color": false,
             "todo": false
            }
           }
          }
         },
         "nothing": {
          "summary": "Nothing changed",
          "value": {
           "pos": 16
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "403": {
      "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The access token may not do this (RFC 6750 3.1).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "insufficient_scope"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "readOnly": {
          "summary": "The token may only read",
          "value": {
           "error": "insufficient_scope",
           "error_description": "This access token may only read"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/sync/events": {
   "get": {
    "operationId": "streamEvents",
    "x-sdk": "omit",
    "tags": [
     "sync"
    ],
    "summary": "Hear of changes as they happen",
    "description": "A stream of server-sent events that says when it is time to sync: one with the current position at once, and one after\neach change that another session made. Changes that come close together are one event with the newest position. The\ndata of an event is `{\"pos\": N}`, its `id` is N, too. A comment comes at least every 25 seconds; when\ntwice as long nothing came, the connection is broken.\n\nThe stream ends within 25 seconds after its access token has, and when the server is stopped; then connect again. Who\nsends the last `id` as `Last-Event-ID`, as browsers do, is told the current position at once all the same: there is one\nevent to miss, the newest. A client that does not read is dropped. An addition: the interface has no such operation.\n",
    "parameters": [
     {
      "name": "Last-Event-ID",
      "in": "header",
      "description": "The `id` of the last event that came; whatever it is, the stream is the same.",
      "schema": {
       "type": "string"
      },
      "example": "16"
     }
    ],
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "responses": {
     "200": {
      "description": "Events for as long as the client stays.",
      "headers": {
       "Cache-Control": {
        "description": "Events are for now.",
        "schema": {
         "type": "string"
        },
        "example": "no-store"
       },
       "X-Accel-Buffering": {
        "description": "Asks proxies to hand over each event at once.",
        "schema": {
         "type": "string"
        },
        "example": "no"
       }
      },
      "content": {
       "text/event-stream": {
        "schema": {
         "description": "Server-sent events (HTML Living Standard, 9.2); the data of each is `{\"pos\": N}`.",
         "type": "string"
        },
        "examples": {
         "stream": {
          "summary": "The current position, a comment, and a change",
          "value": "id: 16\ndata: {\"pos\": 16}\n\n:\n\nid: 17\ndata: {\"pos\": 17}\n\n"
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "The session has 10 requests already that wait for changes; end one of them, or try again after `Retry-After` seconds.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "waiting": {
          "summary": "One too many",
          "value": {
           "error": "slow_down",
           "error_description": "This session has 10 requests already that wait for changes; end one of them or try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/tags/get": {
   "get": {
    "operationId": "getTags",
    "tags": [
     "things"
    ],
    "summary": "Count things per tag",
    "description": "Numbers of living things, archived ones too, per tag: favorite tags and all others. With `from` equal to the current\nposition both maps are empty; otherwise both are complete.\n",
    "parameters": [
     {
      "name": "from",
      "in": "query",
      "description": "A `pos` that was returned earlier; left out or 0 asks for everything.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      },
      "example": 12
     }
    ],
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "responses": {
     "200": {
      "description": "Counts per tag.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Numbers of things per tag.",
         "type": "object",
         "required": [
          "pos",
          "favorite",
          "other"
         ],
         "properties": {
          "pos": {
           "description": "Current position.",
           "type": "integer",
           "format": "int64"
          },
          "favorite": {
           "description": "Favorite tags, with 0 for those without things.",
           "type": "object",
           "additionalProperties": {
            "type": "integer",
            "format": "int64"
           }
          },
          "other": {
           "description": "All other tags that things carry.",
           "type": "object",
           "additionalProperties": {
            "type": "integer",
            "format": "int64"
           }
          }
         }
        },
        "examples": {
         "counts": {
          "summary": "Two tags",
          "value": {
           "pos": 16,
           "favorite": {
            "todo": 3
           },
           "other": {
            "recipes": 12
           }
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/thing/add": {
   "post": {
    "operationId": "addThing",
    "tags": [
     "things"
    ],
    "summary": "Create a thing",
    "description": "Creates a thing and answers it. A `title` that is an absolute http or https address becomes the `url` too when none is\ngiven. With `prevent_duplicate` and a living thing that has the same `url`, nothing is created and that thing is answered\nwith `duplicate: true`.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A thing to create on its own.",
        "type": "object",
        "required": [
         "title"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "title": {
          "description": "Title of the thing; may be empty.",
          "type": "string",
          "maxLength": 65536,
          "format": "text"
         },
         "tags": {
          "description": "Tags, separated by spaces; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 65536,
          "format": "text"
         },
         "date": {
          "description": "Time of creation, Unix time in seconds; the server's time when left out.",
          "type": "number",
          "format": "double",
          "nullable": true
         },
         "url": {
          "description": "URL of the thing; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 65536,
          "format": "text"
         },
         "html": {
          "description": "Note or other content; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 16777216,
          "format": "text"
         },
         "archived": {
          "description": "Left out means false.",
          "type": "boolean",
          "nullable": true
         },
         "todoStatus": {
          "description": "Completion of a todo.",
          "type": "boolean",
          "nullable": true
         },
         "prevent_duplicate": {
          "description": "Answer an existing thing with the same url instead of creating another.",
          "type": "boolean",
          "nullable": true
         }
        }
       },
       "examples": {
        "bookmark": {
         "value": {
          "title": "A page",
          "url": "https://example.org/",
          "tags": "reading",
          "prevent_duplicate": true
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "A thing to create on its own.",
        "type": "object",
        "required": [
         "title"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "title": {
          "description": "Title of the thing; may be empty.",
          "type": "string",
          "maxLength": 65536,
          "format": "text"
         },
         "tags": {
          "description": "Tags, separated by spaces; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 65536,
          "format": "text"
         },
         "date": {
          "description": "Time of creation, Unix time in seconds; the server's time when left out.",
          "type": "number",
          "format": "double",
          "nullable": true
         },
         "url": {
          "description": "URL of the thing; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 65536,
          "format": "text"
         },
         "html": {
          "description": "Note or other content; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 16777216,
          "format": "text"
         },
         "archived": {
          "description": "Left out means false.",
          "type": "boolean",
          "nullable": true
         },
         "todoStatus": {
          "description": "Completion of a todo.",
          "type": "boolean",
          "nullable": true
         },
         "prevent_duplicate": {
          "description": "Answer an existing thing with the same url instead of creating another.",
          "type": "boolean",
          "nullable": true
         }
        }
       },
       "examples": {
        "bookmark": {
         "value": {
          "title": "A page",
          "url": "https://example.org/",
          "tags": "reading",
          "prevent_duplicate": true
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The thing.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The created thing, or the one that was there before.",
         "allOf": [
          {
           "description": "A thing as the server returns it.",
           "type": "object",
           "required": [
            "_id",
            "title",
            "tags",
            "date"
           ],
           "properties": {
            "_id": {
             "description": "Identifier.",
             "type": "string",
             "pattern": "^[0-9A-Za-z]+$"
            },
            "title": {
             "description": "Title.",
             "type": "string"
            },
            "tags": {
             "description": "Tags, separated by spaces; empty for none.",
             "type": "string"
            },
            "date": {
             "description": "Time of creation, Unix time in seconds.",
             "type": "number",
             "format": "double"
            },
            "url": {
             "description": "There only when a url is set.",
             "type": "string",
             "minLength": 1
            },
            "html": {
             "description": "There only when html is set.",
             "type": "string",
             "minLength": 1
            },
            "archived": {
             "description": "There only when the thing is archived.",
             "type": "boolean",
             "enum": [
              true
             ]
            },
            "todoStatus": {
             "description": "There only when one of the tags makes the thing a todo.",
             "type": "boolean"
            }
           }
          },
          {
           "type": "object",
           "properties": {
            "duplicate": {
             "description": "There only when nothing was created.",
             "type": "boolean",
             "enum": [
              true
             ]
            }
           }
          }
         ]
        },
        "examples": {
         "thing": {
          "summary": "The new thing",
          "value": {
           "_id": "d4e5f6",
           "title": "A page",
           "tags": "reading",
           "date": 1767225601,
           "url": "https://example.org/"
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "403": {
      "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The access token may not do this (RFC 6750 3.1).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "insufficient_scope"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "readOnly": {
          "summary": "The token may only read",
          "value": {
           "error": "insufficient_scope",
           "error_description": "This access token may only read"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/thing/change": {
   "post": {
    "operationId": "changeThing",
    "tags": [
     "things"
    ],
    "summary": "Change a thing",
    "description": "Changes the given fields of a thing and answers it whole. Fields that are left out stay as they are, `archived` too; `\"\"`\nempties `url`, `html` and `tags`.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "Fields of a thing to change; those that are left out stay.",
        "type": "object",
        "required": [
         "_id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "_id": {
          "description": "Identifier that the server gave.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         },
         "title": {
          "description": "Title of the thing; may be empty.",
          "type": "string",
          "nullable": true,
          "maxLength": 65536,
          "format": "text"
         },
         "tags": {
          "description": "Tags, separated by spaces; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 65536,
          "format": "text"
         },
         "date": {
          "description": "Time of creation, Unix time in seconds; the server's time when left out.",
          "type": "number",
          "format": "double",
          "nullable": true
         },
         "url": {
          "description": "URL of the thing; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 65536,
          "format": "text"
         },
         "html": {
          "description": "Note or other content; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 16777216,
          "format": "text"
         },
         "archived": {
          "description": "Whether the thing is archived.",
          "type": "boolean",
          "nullable": true
         },
         "todoStatus": {
          "description": "Completion of a todo.",
          "type": "boolean",
          "nullable": true
         }
        }
       },
       "examples": {
        "archive": {
         "value": {
          "_id": "d4e5f6",
          "archived": true
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "Fields of a thing to change; those that are left out stay.",
        "type": "object",
        "required": [
         "_id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "_id": {
          "description": "Identifier that the server gave.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         },
         "title": {
          "description": "Title of the thing; may be empty.",
          "type": "string",
          "nullable": true,
          "maxLength": 65536,
          "format": "text"
         },
         "tags": {
          "description": "Tags, separated by spaces; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 65536,
          "format": "text"
         },
         "date": {
          "description": "Time of creation, Unix time in seconds; the server's time when left out.",
          "type": "number",
          "format": "double",
          "nullable": true
         },
         "url": {
          "description": "URL of the thing; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 65536,
          "format": "text"
         },
         "html": {
          "description": "Note or other content; \"\" clears, null is absent.",
          "type": "string",
          "nullable": true,
          "maxLength": 16777216,
          "format": "text"
         },
         "archived": {
          "description": "Whether the thing is archived.",
          "type": "boolean",
          "nullable": true
         },
         "todoStatus": {
          "description": "Completion of a todo.",
          "type": "boolean",
          "nullable": true
         }
        }
       },
       "examples": {
        "archive": {
         "value": {
          "_id": "d4e5f6",
          "archived": true
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The thing as it is now.",
      "content": {
       "application/json": {
        "schema": {
         "description": "A thing as the server returns it.",
         "type": "object",
         "required": [
          "_id",
          "title",
          "tags",
          "date"
         ],
         "properties": {
          "_id": {
           "description": "Identifier.",
           "type": "string",
           "pattern": "^[0-9A-Za-z]+$"
          },
          "title": {
           "description": "Title.",
           "type": "string"
          },
          "tags": {
           "description": "Tags, separated by spaces; empty for none.",
           "type": "string"
          },
          "date": {
           "description": "Time of creation, Unix time in seconds.",
           "type": "number",
           "format": "double"
          },
          "url": {
           "description": "There only when a url is set.",
           "type": "string",
           "minLength": 1
          },
          "html": {
           "description": "There only when html is set.",
           "type": "string",
           "minLength": 1
          },
          "archived": {
           "description": "There only when the thing is archived.",
           "type": "boolean",
           "enum": [
            true
           ]
          },
          "todoStatus": {
           "description": "There only when one of the tags makes the thing a todo.",
           "type": "boolean"
          }
         }
        },
        "examples": {
         "thing": {
          "summary": "The changed thing",
          "value": {
           "_id": "d4e5f6",
           "title": "A page",
           "tags": "reading",
           "date": 1767225601,
           "url": "https://example.org/",
           "archived": true
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "403": {
      "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The access token may not do this (RFC 6750 3.1).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "insufficient_scope"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "readOnly": {
          "summary": "The token may only read",
          "value": {
           "error": "insufficient_scope",
           "error_description": "This access token may only read"
          }
         }
        }
       }
      }
     },
     "404": {
      "description": "The user has no thing with this `_id`; drop it.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "unknown": {
          "summary": "The thing is unknown",
          "value": {
           "error": "not_found",
           "error_description": "_id names no thing of this user"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/thing/delete": {
   "post": {
    "operationId": "deleteThing",
    "tags": [
     "things"
    ],
    "summary": "Delete a thing",
    "description": "Deletes a thing for good. A second time it is not found.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A thing to delete.",
        "type": "object",
        "required": [
         "_id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "_id": {
          "description": "Identifier that the server gave.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         }
        }
       },
       "examples": {
        "delete": {
         "value": {
          "_id": "d4e5f6"
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "A thing to delete.",
        "type": "object",
        "required": [
         "_id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "_id": {
          "description": "Identifier that the server gave.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         }
        }
       },
       "examples": {
        "delete": {
         "value": {
          "_id": "d4e5f6"
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The thing is gone.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The thing that was deleted.",
         "type": "object",
         "required": [
          "deleted_thing"
         ],
         "properties": {
          "deleted_thing": {
           "description": "Its `_id`.",
           "type": "string"
          }
         }
        },
        "examples": {
         "deleted": {
          "summary": "The id",
          "value": {
           "deleted_thing": "d4e5f6"
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "403": {
      "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The access token may not do this (RFC 6750 3.1).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "insufficient_scope"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "readOnly": {
          "summary": "The token may only read",
          "value": {
           "error": "insufficient_scope",
           "error_description": "This access token may only read"
          }
         }
        }
       }
      }
     },
     "404": {
      "description": "The user has no thing with this `_id`; drop it.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "unknown": {
          "summary": "The thing is unknown",
          "value": {
           "error": "not_found",
           "error_description": "_id names no thing of this user"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/things/get": {
   "get": {
    "operationId": "getThings",
    "tags": [
     "things"
    ],
    "summary": "List things",
    "description": "All living things in the order of their last change, without archived ones unless asked for.\n",
    "parameters": [
     {
      "name": "archived",
      "in": "query",
      "description": "Left out or `false` lists living things that are not archived, `include` archived ones too, `true` only archived ones; booleans in any spelling.",
      "schema": {
       "type": "string",
       "pattern": "^([Ff][Aa][Ll][Ss][Ee]|[Tt][Rr][Uu][Ee]|0|1|include)$"
      },
      "example": "include"
     },
     {
      "name": "tag",
      "in": "query",
      "description": "Only things that carry this tag.",
      "schema": {
       "type": "string",
       "format": "text",
       "maxLength": 1024
      },
      "example": "todo"
     },
     {
      "name": "skip",
      "in": "query",
      "description": "Leave out the first things of the listing.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      },
      "example": 100
     },
     {
      "name": "limit",
      "in": "query",
      "description": "Return at most this many things.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      },
      "example": 100
     }
    ],
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "responses": {
     "200": {
      "description": "The things.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Things in the order of their last change.",
         "type": "array",
         "items": {
          "description": "A thing as the server returns it.",
          "type": "object",
          "required": [
           "_id",
           "title",
           "tags",
           "date"
          ],
          "properties": {
           "_id": {
            "description": "Identifier.",
            "type": "string",
            "pattern": "^[0-9A-Za-z]+$"
           },
           "title": {
            "description": "Title.",
            "type": "string"
           },
           "tags": {
            "description": "Tags, separated by spaces; empty for none.",
            "type": "string"
           },
           "date": {
            "description": "Time of creation, Unix time in seconds.",
            "type": "number",
            "format": "double"
           },
           "url": {
            "description": "There only when a url is set.",
            "type": "string",
            "minLength": 1
           },
           "html": {
            "description": "There only when html is set.",
            "type": "string",
            "minLength": 1
           },
           "archived": {
            "description": "There only when the thing is archived.",
            "type": "boolean",
            "enum": [
             true
            ]
           },
           "todoStatus": {
            "description": "There only when one of the tags makes the thing a todo.",
            "type": "boolean"
           }
          }
         }
        },
        "examples": {
         "things": {
          "summary": "One thing",
          "value": [
           {
            "_id": "a1b2c3",
            "title": "Buy milk",
            "tags": "todo",
            "date": 1767225600,
            "todoStatus": false
           }
          ]
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/user/get": {
   "get": {
    "operationId": "getUser",
    "tags": [
     "user"
    ],
    "summary": "Get the user",
    "description": "Name, date of creation, position and number of things of the user.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "responses": {
     "200": {
      "description": "The user.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The user behind the access token.",
         "type": "object",
         "required": [
          "username",
          "date",
          "pos",
          "thingCount"
         ],
         "properties": {
          "username": {
           "description": "Name of the user.",
           "type": "string"
          },
          "date": {
           "description": "Time of creation of the account, Unix time in seconds.",
           "type": "number",
           "format": "double"
          },
          "pos": {
           "description": "Current position.",
           "type": "integer",
           "format": "int64"
          },
          "thingCount": {
           "description": "Number of living things, archived ones too.",
           "type": "integer",
           "format": "int64",
           "minimum": 0
          }
         }
        },
        "examples": {
         "user": {
          "summary": "Anna",
          "value": {
           "username": "anna",
           "date": 1767225600,
           "pos": 16,
           "thingCount": 15
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/session/list": {
   "get": {
    "operationId": "listSessions",
    "tags": [
     "user"
    ],
    "summary": "List sessions",
    "description": "What may act for the user at the moment, the last used first, as far as the one who asks may know it. A personal access\ntoken gets all: applications with tokens, personal access tokens, and browsers that are signed in to the pages; one\nthat is read-only gets itself. An application gets its own sessions. An addition: the interface has no such operation.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "responses": {
     "200": {
      "description": "The sessions.",
      "content": {
       "application/json": {
        "schema": {
         "description": "What may act for the user, the last used first.",
         "type": "array",
         "items": {
          "description": "One of the ways in which somebody may act for the user at the moment. What is not known is left out.",
          "type": "object",
          "required": [
           "id",
           "kind",
           "current",
           "date"
          ],
          "properties": {
           "id": {
            "description": "Its id, for `/session/revoke`.",
            "type": "string"
           },
           "kind": {
            "description": "An application with tokens, a personal access token, or a browser that is signed in to the pages.",
            "type": "string",
            "enum": [
             "app",
             "token",
             "browser"
            ]
           },
           "current": {
            "description": "True for the session that asks.",
            "type": "boolean"
           },
           "date": {
            "description": "When it began, Unix time in seconds.",
            "type": "number",
            "format": "double"
           },
           "name": {
            "description": "Name of the application or the token; a browser has none.",
            "type": "string"
           },
           "client_id": {
            "description": "The application.",
            "type": "string"
           },
           "began": {
            "description": "The grant by which an application began it.",
            "type": "string",
            "enum": [
             "password",
             "code"
            ]
           },
           "read_only": {
            "description": "A personal access token that may only read.",
            "type": "boolean"
           },
           "last_used": {
            "description": "When it was last used, give or take an hour, Unix time in seconds.",
            "type": "number",
            "format": "double"
           },
           "expires": {
            "description": "When it ends unless it is used before, Unix time in seconds; absent when it does not.",
            "type": "number",
            "format": "double"
           },
           "address": {
            "description": "Network address that it was last granted tokens at, or began at.",
            "type": "string"
           },
           "user_agent": {
            "description": "What the program there said of itself, cut short.",
            "type": "string"
           }
          }
         }
        },
        "examples": {
         "sessions": {
          "summary": "This one",
          "value": [
           {
            "id": "3kTSh0Yx2mLw8QdR5uVa",
            "kind": "app",
            "current": true,
            "date": 1767225600,
            "name": "my client",
            "client_id": "8QdR5uVa3kTSh0Yx2mLw",
            "began": "code",
            "last_used": 1767229200,
            "expires": 1775005200,
            "address": "192.0.2.1",
            "user_agent": "my client/1.0"
           }
          ]
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/session/revoke": {
   "post": {
    "operationId": "revokeSession",
    "tags": [
     "user"
    ],
    "summary": "End a session",
    "description": "Ends one of the sessions that `/session/list` lists, at once; it may be the one that asks. A second time it is not found,\nand neither is one that is not listed for the one who asks.\nAn addition: the interface has no such operation.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A session to end.",
        "type": "object",
        "required": [
         "id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "id": {
          "description": "Identifier that the server gave.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         }
        }
       },
       "examples": {
        "revoke": {
         "value": {
          "id": "3kTSh0Yx2mLw8QdR5uVa"
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "A session to end.",
        "type": "object",
        "required": [
         "id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "id": {
          "description": "Identifier that the server gave.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         }
        }
       },
       "examples": {
        "revoke": {
         "value": {
          "id": "3kTSh0Yx2mLw8QdR5uVa"
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The session has ended.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The session that has ended.",
         "type": "object",
         "required": [
          "revoked_session"
         ],
         "properties": {
          "revoked_session": {
           "description": "Its id.",
           "type": "string"
          }
         }
        },
        "examples": {
         "revoked": {
          "summary": "The id",
          "value": {
           "revoked_session": "3kTSh0Yx2mLw8QdR5uVa"
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "403": {
      "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The access token may not do this (RFC 6750 3.1).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "insufficient_scope"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "readOnly": {
          "summary": "The token may only read",
          "value": {
           "error": "insufficient_scope",
           "error_description": "This access token may only read"
          }
         }
        }
       }
      }
     },
     "404": {
      "description": "The user has no thing with this `_id`; drop it.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "unknown": {
          "summary": "The thing is unknown",
          "value": {
           "error": "not_found",
           "error_description": "_id names no thing of this user"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/register/device": {
   "post": {
    "operationId": "registerDevice",
    "tags": [
     "notifications"
    ],
    "summary": "Register a device",
    "description": "Stores where a device can be told that something changed. For `type` `webpush` the fields `endpoint`, `p256dh` and `auth`\nare required. Registering again replaces what was stored. Of more than 100 devices, the one that was not registered for\nthe longest time is forgotten. Devices of other types are kept and never told anything, and answered with\n`delivered: false`; this field is an addition.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A device to tell of changes.",
        "type": "object",
        "required": [
         "type",
         "id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "type": {
          "description": "`webpush`, or the name of another push service.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         },
         "id": {
          "description": "The client's name of the device, or its id at the push service.",
          "type": "string",
          "minLength": 1,
          "maxLength": 4096,
          "format": "text"
         },
         "endpoint": {
          "description": "For `webpush`; address of the push service, absolute http or https, without user name and password.",
          "type": "string",
          "nullable": true,
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$",
          "maxLength": 4096,
          "format": "web-address"
         },
         "p256dh": {
          "description": "For `webpush`; public key of the device.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024,
          "format": "text"
         },
         "auth": {
          "description": "For `webpush`; authentication secret of the device.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024,
          "format": "text"
         }
        }
       },
       "examples": {
        "webpush": {
         "value": {
          "type": "webpush",
          "id": "phone",
          "endpoint": "https://push.example.org/x",
          "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          "auth": "BTBZMqHH6r4Tts7J_aSIgg"
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "A device to tell of changes.",
        "type": "object",
        "required": [
         "type",
         "id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "type": {
          "description": "`webpush`, or the name of another push service.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         },
         "id": {
          "description": "The client's name of the device, or its id at the push service.",
          "type": "string",
          "minLength": 1,
          "maxLength": 4096,
          "format": "text"
         },
         "endpoint": {
          "description": "For `webpush`; address of the push service, absolute http or https, without user name and password.",
          "type": "string",
          "nullable": true,
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$",
          "maxLength": 4096,
          "format": "web-address"
         },
         "p256dh": {
          "description": "For `webpush`; public key of the device.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024,
          "format": "text"
         },
         "auth": {
          "description": "For `webpush`; authentication secret of the device.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024,
          "format": "text"
         }
        }
       },
       "examples": {
        "webpush": {
         "value": {
          "type": "webpush",
          "id": "phone",
          "endpoint": "https://push.example.org/x",
          "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          "auth": "BTBZMqHH6r4Tts7J_aSIgg"
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The device is registered.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The device is registered.",
         "type": "object",
         "required": [
          "registered"
         ],
         "properties": {
          "registered": {
           "description": "Always true.",
           "type": "boolean",
           "enum": [
            true
           ]
          },
          "delivered": {
           "description": "There only for a device of a type that this server tells nothing.",
           "type": "boolean",
           "enum": [
            false
           ]
          }
         }
        },
        "examples": {
         "registered": {
          "summary": "Registered",
          "value": {
           "registered": true
          }
         },
         "kept": {
          "summary": "A device of another type",
          "value": {
           "registered": true,
           "delivered": false
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "403": {
      "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The access token may not do this (RFC 6750 3.1).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "insufficient_scope"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "readOnly": {
          "summary": "The token may only read",
          "value": {
           "error": "insufficient_scope",
           "error_description": "This access token may only read"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/device/register": {
   "post": {
    "operationId": "registerDeviceAlias",
    "x-sdk": "omit",
    "tags": [
     "notifications"
    ],
    "summary": "Register a device (other name)",
    "description": "The other name of `register/device`. Stores where a device can be told that something changed. For `type` `webpush` the\nfields `endpoint`, `p256dh` and `auth` are required. Registering again replaces what was stored. Of more than 100 devices,\nthe one that was not registered for the longest time is forgotten. Devices of other types are kept and never told\nanything, and answered with `delivered: false`; this field is an addition.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A device to tell of changes.",
        "type": "object",
        "required": [
         "type",
         "id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "type": {
          "description": "`webpush`, or the name of another push service.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         },
         "id": {
          "description": "The client's name of the device, or its id at the push service.",
          "type": "string",
          "minLength": 1,
          "maxLength": 4096,
          "format": "text"
         },
         "endpoint": {
          "description": "For `webpush`; address of the push service, absolute http or https, without user name and password.",
          "type": "string",
          "nullable": true,
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$",
          "maxLength": 4096,
          "format": "web-address"
         },
         "p256dh": {
          "description": "For `webpush`; public key of the device.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024,
          "format": "text"
         },
         "auth": {
          "description": "For `webpush`; authentication secret of the device.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024,
          "format": "text"
         }
        }
       },
       "examples": {
        "webpush": {
         "value": {
          "type": "webpush",
          "id": "phone",
          "endpoint": "https://push.example.org/x",
          "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          "auth": "BTBZMqHH6r4Tts7J_aSIgg"
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "A device to tell of changes.",
        "type": "object",
        "required": [
         "type",
         "id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "type": {
          "description": "`webpush`, or the name of another push service.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         },
         "id": {
          "description": "The client's name of the device, or its id at the push service.",
          "type": "string",
          "minLength": 1,
          "maxLength": 4096,
          "format": "text"
         },
         "endpoint": {
          "description": "For `webpush`; address of the push service, absolute http or https, without user name and password.",
          "type": "string",
          "nullable": true,
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$",
          "maxLength": 4096,
          "format": "web-address"
         },
         "p256dh": {
          "description": "For `webpush`; public key of the device.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024,
          "format": "text"
         },
         "auth": {
          "description": "For `webpush`; authentication secret of the device.",
          "type": "string",
          "nullable": true,
          "maxLength": 1024,
          "format": "text"
         }
        }
       },
       "examples": {
        "webpush": {
         "value": {
          "type": "webpush",
          "id": "phone",
          "endpoint": "https://push.example.org/x",
          "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          "auth": "BTBZMqHH6r4Tts7J_aSIgg"
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The device is registered.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The device is registered.",
         "type": "object",
         "required": [
          "registered"
         ],
         "properties": {
          "registered": {
           "description": "Always true.",
           "type": "boolean",
           "enum": [
            true
           ]
          },
          "delivered": {
           "description": "There only for a device of a type that this server tells nothing.",
           "type": "boolean",
           "enum": [
            false
           ]
          }
         }
        },
        "examples": {
         "registered": {
          "summary": "Registered",
          "value": {
           "registered": true
          }
         },
         "kept": {
          "summary": "A device of another type",
          "value": {
           "registered": true,
           "delivered": false
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "403": {
      "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The access token may not do this (RFC 6750 3.1).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "insufficient_scope"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "readOnly": {
          "summary": "The token may only read",
          "value": {
           "error": "insufficient_scope",
           "error_description": "This access token may only read"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/unregister/device": {
   "post": {
    "operationId": "unregisterDevice",
    "tags": [
     "notifications"
    ],
    "summary": "Unregister a device",
    "description": "Forgets a device. One that is not registered is answered in the same way.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A device to forget.",
        "type": "object",
        "required": [
         "type",
         "id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "type": {
          "description": "As it was registered.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         },
         "id": {
          "description": "As it was registered.",
          "type": "string",
          "minLength": 1,
          "maxLength": 4096,
          "format": "text"
         }
        }
       },
       "examples": {
        "webpush": {
         "value": {
          "type": "webpush",
          "id": "phone"
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "A device to forget.",
        "type": "object",
        "required": [
         "type",
         "id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "type": {
          "description": "As it was registered.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         },
         "id": {
          "description": "As it was registered.",
          "type": "string",
          "minLength": 1,
          "maxLength": 4096,
          "format": "text"
         }
        }
       },
       "examples": {
        "webpush": {
         "value": {
          "type": "webpush",
          "id": "phone"
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The device is not registered any more.",
      "content": {
       "application/json": {
        "schema": {
         "description": "It is not registered any more.",
         "type": "object",
         "required": [
          "unregistered"
         ],
         "properties": {
          "unregistered": {
           "description": "Always true.",
           "type": "boolean",
           "enum": [
            true
           ]
          }
         }
        },
        "examples": {
         "unregistered": {
          "summary": "Unregistered",
          "value": {
           "unregistered": true
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "403": {
      "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The access token may not do this (RFC 6750 3.1).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "insufficient_scope"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "readOnly": {
          "summary": "The token may only read",
          "value": {
           "error": "insufficient_scope",
           "error_description": "This access token may only read"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/device/unregister": {
   "post": {
    "operationId": "unregisterDeviceAlias",
    "x-sdk": "omit",
    "tags": [
     "notifications"
    ],
    "summary": "Unregister a device (other name)",
    "description": "The other name of `unregister/device`. Forgets a device. One that is not registered is answered in the same way.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A device to forget.",
        "type": "object",
        "required": [
         "type",
         "id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "type": {
          "description": "As it was registered.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         },
         "id": {
          "description": "As it was registered.",
          "type": "string",
          "minLength": 1,
          "maxLength": 4096,
          "format": "text"
         }
        }
       },
       "examples": {
        "webpush": {
         "value": {
          "type": "webpush",
          "id": "phone"
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "A device to forget.",
        "type": "object",
        "required": [
         "type",
         "id"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "type": {
          "description": "As it was registered.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "format": "text"
         },
         "id": {
          "description": "As it was registered.",
          "type": "string",
          "minLength": 1,
          "maxLength": 4096,
          "format": "text"
         }
        }
       },
       "examples": {
        "webpush": {
         "value": {
          "type": "webpush",
          "id": "phone"
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The device is not registered any more.",
      "content": {
       "application/json": {
        "schema": {
         "description": "It is not registered any more.",
         "type": "object",
         "required": [
          "unregistered"
         ],
         "properties": {
          "unregistered": {
           "description": "Always true.",
           "type": "boolean",
           "enum": [
            true
           ]
          }
         }
        },
        "examples": {
         "unregistered": {
          "summary": "Unregistered",
          "value": {
           "unregistered": true
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "403": {
      "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The access token may not do this (RFC 6750 3.1).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "insufficient_scope"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "readOnly": {
          "summary": "The token may only read",
          "value": {
           "error": "insufficient_scope",
           "error_description": "This access token may only read"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/device/list": {
   "get": {
    "operationId": "listDevices",
    "tags": [
     "notifications"
    ],
    "summary": "List devices",
    "description": "Devices of the user, the last registered first, with what became of the last messages to them: those that the\napplication registered that asks, and those of which it is not known who did. A personal access token that may do\neverything gets all. Addresses and keys are never shown. An addition: the interface has no such operation.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "responses": {
     "200": {
      "description": "The devices.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Devices of a user, the last registered first.",
         "type": "array",
         "items": {
          "description": "A device and what became of the last messages to it. What is not known is left out.",
          "type": "object",
          "required": [
           "type",
           "id",
           "current",
           "delivered"
          ],
          "properties": {
           "type": {
            "description": "As it was registered.",
            "type": "string"
           },
           "id": {
            "description": "As it was registered.",
            "type": "string"
           },
           "current": {
            "description": "True for a device that the session registered that asks.",
            "type": "boolean"
           },
           "delivered": {
            "description": "False for a device of a type that this server tells nothing.",
            "type": "boolean"
           },
           "date": {
            "description": "When it was last registered, Unix time in seconds.",
            "type": "number",
            "format": "double"
           },
           "last_success": {
            "description": "When its push service last took a message, Unix time in seconds.",
            "type": "number",
            "format": "double"
           },
           "last_failure": {
            "description": "The last message that was not taken.",
            "type": "object",
            "required": [
             "date",
             "reason"
            ],
            "properties": {
             "date": {
              "description": "When, Unix time in seconds.",
              "type": "number",
              "format": "double"
             },
             "reason": {
              "description": "A sentence for a person.",
              "type": "string"
             }
            }
           }
          }
         }
        },
        "examples": {
         "devices": {
          "summary": "A browser",
          "value": [
           {
            "type": "webpush",
            "id": "phone",
            "current": true,
            "delivered": true,
            "date": 1767225600,
            "last_success": 1767229200
           }
          ]
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/device/key": {
   "get": {
    "operationId": "getDeviceKey",
    "tags": [
     "notifications"
    ],
    "summary": "Get the server's public key",
    "description": "The public key of this server for Web Push (VAPID, RFC 8292). A browser takes it as `applicationServerKey` when it\nsubscribes, and its push service then takes messages from this server only. It is made once and stays the same. An\naddition: the interface has no such operation.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "responses": {
     "200": {
      "description": "The key.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The server's public key for Web Push.",
         "type": "object",
         "required": [
          "key"
         ],
         "properties": {
          "key": {
           "description": "The uncompressed point of a P-256 key, 65 bytes as base64url.",
           "type": "string",
           "minLength": 1
          }
         }
        },
        "examples": {
         "key": {
          "summary": "A key",
          "value": {
           "key": "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/webhook/register": {
   "post": {
    "operationId": "registerWebhook",
    "tags": [
     "notifications"
    ],
    "summary": "Register a webhook",
    "description": "Stores an address to call when something has changed. A hook belongs to the app that registers it. Its secret is answered\nonce, when it is new; registering again changes nothing and answers no secret. A user has at most 20.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "An address to call and when.",
        "type": "object",
        "required": [
         "target_url",
         "event"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "target_url": {
          "description": "Absolute http or https address without user name and password.",
          "type": "string",
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$",
          "maxLength": 2048,
          "format": "web-address"
         },
         "event": {
          "description": "What to be told of: `new_thing`, `changed_thing`, `deleted_thing`, `tag` or `any`.",
          "x-sdk": {
           "type": "string",
           "pattern": "^(new_thing|changed_thing|deleted_thing|tag|any)$"
          },
          "type": "string",
          "enum": [
           "new_thing",
           "changed_thing",
           "deleted_thing",
           "tag",
           "any"
          ]
         }
        }
       },
       "examples": {
        "any": {
         "value": {
          "target_url": "https://hooks.example.org/x",
          "event": "any"
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "An address to call and when.",
        "type": "object",
        "required": [
         "target_url",
         "event"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "target_url": {
          "description": "Absolute http or https address without user name and password.",
          "type": "string",
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$",
          "maxLength": 2048,
          "format": "web-address"
         },
         "event": {
          "description": "What to be told of: `new_thing`, `changed_thing`, `deleted_thing`, `tag` or `any`.",
          "x-sdk": {
           "type": "string",
           "pattern": "^(new_thing|changed_thing|deleted_thing|tag|any)$"
          },
          "type": "string",
          "enum": [
           "new_thing",
           "changed_thing",
           "deleted_thing",
           "tag",
           "any"
          ]
         }
        }
       },
       "examples": {
        "any": {
         "value": {
          "target_url": "https://hooks.example.org/x",
          "event": "any"
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The webhook is registered.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The webhook is registered.",
         "type": "object",
         "required": [
          "registered"
         ],
         "properties": {
          "registered": {
           "description": "Always true.",
           "type": "boolean",
           "enum": [
            true
           ]
          },
          "secret": {
           "description": "Secret of the webhook, `whsec_` and base64; only in the answer that made it.",
           "type": "string",
           "minLength": 1
          }
         }
        },
        "examples": {
         "registered": {
          "summary": "With its secret",
          "value": {
           "registered": true,
           "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
          }
         },
         "again": {
          "summary": "It was registered already",
          "value": {
           "registered": true
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "403": {
      "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The access token may not do this (RFC 6750 3.1).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "insufficient_scope"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "readOnly": {
          "summary": "The token may only read",
          "value": {
           "error": "insufficient_scope",
           "error_description": "This access token may only read"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/webhook/unregister": {
   "post": {
    "operationId": "unregisterWebhook",
    "tags": [
     "notifications"
    ],
    "summary": "Unregister a webhook",
    "description": "Forgets a webhook of the app. One that is not registered is answered in the same way.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "An address to call and when.",
        "type": "object",
        "required": [
         "target_url",
         "event"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "target_url": {
          "description": "Absolute http or https address without user name and password.",
          "type": "string",
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$",
          "maxLength": 2048,
          "format": "web-address"
         },
         "event": {
          "description": "What to be told of: `new_thing`, `changed_thing`, `deleted_thing`, `tag` or `any`.",
          "x-sdk": {
           "type": "string",
           "pattern": "^(new_thing|changed_thing|deleted_thing|tag|any)$"
          },
          "type": "string",
          "enum": [
           "new_thing",
           "changed_thing",
           "deleted_thing",
           "tag",
           "any"
          ]
         }
        }
       },
       "examples": {
        "any": {
         "value": {
          "target_url": "https://hooks.example.org/x",
          "event": "any"
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "An address to call and when.",
        "type": "object",
        "required": [
         "target_url",
         "event"
        ],
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         },
         "target_url": {
          "description": "Absolute http or https address without user name and password.",
          "type": "string",
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$",
          "maxLength": 2048,
          "format": "web-address"
         },
         "event": {
          "description": "What to be told of: `new_thing`, `changed_thing`, `deleted_thing`, `tag` or `any`.",
          "x-sdk": {
           "type": "string",
           "pattern": "^(new_thing|changed_thing|deleted_thing|tag|any)$"
          },
          "type": "string",
          "enum": [
           "new_thing",
           "changed_thing",
           "deleted_thing",
           "tag",
           "any"
          ]
         }
        }
       },
       "examples": {
        "any": {
         "value": {
          "target_url": "https://hooks.example.org/x",
          "event": "any"
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The webhook is not registered any more.",
      "content": {
       "application/json": {
        "schema": {
         "description": "It is not registered any more.",
         "type": "object",
         "required": [
          "unregistered"
         ],
         "properties": {
          "unregistered": {
           "description": "Always true.",
           "type": "boolean",
           "enum": [
            true
           ]
          }
         }
        },
        "examples": {
         "unregistered": {
          "summary": "Unregistered",
          "value": {
           "unregistered": true
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "403": {
      "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "The access token may not do this (RFC 6750 3.1).",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "insufficient_scope"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "readOnly": {
          "summary": "The token may only read",
          "value": {
           "error": "insufficient_scope",
           "error_description": "This access token may only read"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/webhook/list": {
   "get": {
    "operationId": "listWebhooks",
    "tags": [
     "notifications"
    ],
    "summary": "List webhooks",
    "description": "The webhooks that the application registered that asks, the oldest first, and how it is going with each. Secrets are\nnever shown. An addition: the interface has no such operation.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "responses": {
     "200": {
      "description": "The webhooks.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Webhooks of an application, the oldest first.",
         "type": "array",
         "items": {
          "description": "A webhook and how it is going. What is not known is left out.",
          "type": "object",
          "required": [
           "target_url",
           "event",
           "state",
           "waiting"
          ],
          "properties": {
           "target_url": {
            "description": "As it was registered.",
            "type": "string"
           },
           "event": {
            "description": "As it was registered.",
            "type": "string",
            "enum": [
             "new_thing",
             "changed_thing",
             "deleted_thing",
             "tag",
             "any"
            ]
           },
           "state": {
            "description": "`working`; `retrying` after a failure; `resting` after the last try, until it is registered again or woken on the account page; `paused` by the operator of the server.",
            "type": "string",
            "enum": [
             "working",
             "retrying",
             "resting",
             "paused"
            ]
           },
           "waiting": {
            "description": "Whether there is something that the receiver was not told of yet.",
            "type": "boolean"
           },
           "date": {
            "description": "When it was registered, Unix time in seconds.",
            "type": "number",
            "format": "double"
           },
           "last_success": {
            "description": "When the receiver last took a message, Unix time in seconds.",
            "type": "number",
            "format": "double"
           },
           "last_failure": {
            "description": "The last message that was not taken.",
            "type": "object",
            "required": [
             "date",
             "reason"
            ],
            "properties": {
             "date": {
              "description": "When, Unix time in seconds.",
              "type": "number",
              "format": "double"
             },
             "reason": {
              "description": "A sentence for a person.",
              "type": "string"
             }
            }
           },
           "next_try": {
            "description": "When it is tried next, Unix time in seconds; there only while it is `retrying`.",
            "type": "number",
            "format": "double"
           }
          }
         }
        },
        "examples": {
         "webhooks": {
          "summary": "One that works, and one whose receiver answers with an error",
          "value": [
           {
            "target_url": "https://hooks.example.org/x",
            "event": "any",
            "state": "working",
            "waiting": false,
            "date": 1767225600,
            "last_success": 1767229200
           },
           {
            "target_url": "https://hooks.example.org/y",
            "event": "tag",
            "state": "retrying",
            "waiting": true,
            "date": 1767225600,
            "last_success": 1767229200,
            "last_failure": {
             "date": 1767232800,
             "reason": "The receiver answered 500"
            },
            "next_try": 1767233100
           }
          ]
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  },
  "/test": {
   "get": {
    "operationId": "getTest",
    "tags": [
     "user"
    ],
    "summary": "Check the access token",
    "description": "Answers the user's name; a quick way to see whether the access token still works.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "responses": {
     "200": {
      "description": "The token works.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The name of the user.",
         "type": "object",
         "required": [
          "user"
         ],
         "properties": {
          "user": {
           "description": "Name of the user.",
           "type": "string"
          }
         }
        },
        "examples": {
         "user": {
          "summary": "Anna",
          "value": {
           "user": "anna"
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   },
   "post": {
    "operationId": "postTest",
    "x-sdk": "omit",
    "tags": [
     "user"
    ],
    "summary": "Check the access token by POST",
    "description": "Answers the user's name, as GET does.\n",
    "security": [
     {
      "bearerToken": []
     },
     {
      "headerToken": []
     },
     {
      "queryToken": []
     },
     {
      "oauth": []
     }
    ],
    "requestBody": {
     "required": false,
     "content": {
      "application/json": {
       "schema": {
        "description": "The access token and nothing else.",
        "type": "object",
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         }
        }
       }
      },
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "The access token and nothing else.",
        "type": "object",
        "properties": {
         "access_token": {
          "description": "The access token, when it is not in the header or in the query; the first field of a form.",
          "type": "string",
          "nullable": true,
          "maxLength": 4096
         }
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The token works.",
      "content": {
       "application/json": {
        "schema": {
         "description": "The name of the user.",
         "type": "object",
         "required": [
          "user"
         ],
         "properties": {
          "user": {
           "description": "Name of the user.",
           "type": "string"
          }
         }
        },
        "examples": {
         "user": {
          "summary": "Anna",
          "value": {
           "user": "anna"
          }
         }
        }
       }
      }
     },
     "400": {
      "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "missing": {
          "summary": "A title is missing",
          "value": {
           "error": "parameter_invalid",
           "error_description": "new_thing[3].title is required"
          }
         },
         "twice": {
          "summary": "Two different access tokens",
          "value": {
           "error": "invalid_request",
           "error_description": "The request gives more than one access token"
          }
         },
         "inAddress": {
          "summary": "An access token in the query, where that is switched off",
          "value": {
           "error": "invalid_request",
           "error_description": "This server takes no access token in the address; send it in the Authorization header"
          }
         }
        }
       }
      }
     },
     "401": {
      "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
      "headers": {
       "WWW-Authenticate": {
        "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
        "schema": {
         "type": "string"
        },
        "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "invalid": {
          "summary": "The token is expired or invalid",
          "value": {
           "error": "invalid_grant",
           "error_description": "The access token provided is invalid"
          }
         },
         "none": {
          "summary": "There is no token",
          "value": {
           "error": "invalid_request",
           "error_description": "An access token is required"
          }
         }
        }
       }
      }
     },
     "408": {
      "description": "The request arrived too slowly; the connection is closed. Send it again.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "slow": {
          "summary": "The rest of the request never came",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "413": {
      "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "body": {
          "summary": "The body is too large",
          "value": {
           "error": "too_large",
           "error_description": "The request body is larger than 33554432 bytes"
          }
         },
         "tags": {
          "summary": "The account would hold too many tags with settings",
          "value": {
           "error": "too_large",
           "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
          }
         }
        }
       }
      }
     },
     "415": {
      "description": "The operation does not take this content type; send one that it declares.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "text": {
          "summary": "Plain text",
          "value": {
           "error": "unsupported_media_type",
           "error_description": "This operation does not take text/plain"
          }
         }
        }
       }
      }
     },
     "429": {
      "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "busy": {
          "summary": "Too much at once",
          "value": {
           "error": "slow_down",
           "error_description": "Too many large requests of this user are under way; try again in 5 s"
          }
         }
        }
       }
      }
     },
     "431": {
      "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "headers": {
          "summary": "The access token in the address is too long",
          "value": {
           "error": "parameter_invalid",
           "error_description": "The request cannot be read as HTTP"
          }
         }
        }
       }
      }
     },
     "500": {
      "description": "A bug in the server. Nothing was changed; send it again later.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "bug": {
          "summary": "A bug",
          "value": {
           "error": "server_error",
           "error_description": "The server failed to answer this request"
          }
         }
        }
       }
      }
     },
     "503": {
      "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
      "headers": {
       "Retry-After": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {
         "type": "integer",
         "format": "int64",
         "minimum": 1
        },
        "example": 30
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "required": [
          "error",
          "error_description"
         ],
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string",
           "enum": [
            "parameter_invalid",
            "invalid_request",
            "invalid_grant",
            "invalid_client",
            "unauthorized_client",
            "unsupported_grant_type",
            "not_found",
            "method_not_allowed",
            "too_large",
            "unsupported_media_type",
            "slow_down",
            "temporarily_unavailable",
            "server_error"
           ]
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         }
        },
        "examples": {
         "full": {
          "summary": "The disk is full",
          "value": {
           "error": "temporarily_unavailable",
           "error_description": "The server cannot store or read data at the moment"
          }
         }
        }
       }
      }
     }
    }
   }
  }
 },
 "components": {
  "securitySchemes": {
   "oauth": {
    "type": "oauth2",
    "description": "How tools get an access token, to be sent as `Authorization: Bearer T`. The addresses are those of a server on this machine; of another one they stand in its `/.well-known/oauth-authorization-server`. There are no scopes: a token may do everything.",
    "flows": {
     "authorizationCode": {
      "authorizationUrl": "http://127.0.0.1:8484/authorize",
      "tokenUrl": "http://127.0.0.1:8484/v1/token",
      "refreshUrl": "http://127.0.0.1:8484/v1/token",
      "scopes": {}
     },
     "password": {
      "tokenUrl": "http://127.0.0.1:8484/v1/token",
      "refreshUrl": "http://127.0.0.1:8484/v1/token",
      "scopes": {}
     }
    }
   },
   "bearerToken": {
    "type": "http",
    "scheme": "bearer",
    "description": "The access token as `Authorization: Bearer T`, the way to prefer."
   },
   "headerToken": {
    "type": "apiKey",
    "in": "header",
    "name": "Authorization",
    "description": "Other spellings of the same header: `OAuth T`, `Token T`, `T` and `<name>=T`, as in `access_token=T`, in double quotes or not."
   },
   "queryToken": {
    "type": "apiKey",
    "in": "query",
    "name": "access_token",
    "description": "The access token as a query parameter. Addresses end up in logs; prefer the header."
   }
  },
  "parameters": {
   "From": {
    "name": "from",
    "in": "query",
    "description": "A `pos` that was returned earlier; left out or 0 asks for everything.",
    "schema": {
     "type": "integer",
     "format": "int64",
     "minimum": 0
    },
    "example": 12
   },
   "Skip": {
    "name": "skip",
    "in": "query",
    "description": "Leave out the first things of the listing.",
    "schema": {
     "type": "integer",
     "format": "int64",
     "minimum": 0
    },
    "example": 100
   },
   "Limit": {
    "name": "limit",
    "in": "query",
    "description": "Return at most this many things.",
    "schema": {
     "type": "integer",
     "format": "int64",
     "minimum": 0
    },
    "example": 100
   },
   "SkipId": {
    "name": "skip_id",
    "in": "query",
    "description": "Ids to leave out of the changed and deleted things.",
    "x-repeated-as": "skip_id[]",
    "schema": {
     "type": "array",
     "maxItems": 100000,
     "items": {
      "description": "Identifier that the server gave.",
      "type": "string",
      "minLength": 1,
      "maxLength": 128,
      "format": "text"
     }
    },
    "example": [
     "d4e5f6"
    ]
   },
   "Wait": {
    "name": "wait",
    "in": "query",
    "x-sdk": "omit",
    "description": "Seconds for which an answer that would say that nothing has changed is held back, unless another session changes\nsomething before. What there is after `from` already and a page with `skip` are answered at once; a full listing too,\nthough one of an account in which nothing ever was may be held back. So a client that cannot read `/sync/events` sends\none sync after the other and is told as quickly. The session's own changes do not end the wait, but stand in the answer\nthat ends it. A server that is being stopped answers at once, and when the access token ends meanwhile, the answer is\n401 within 25 seconds. In a POST `wait` is ignored. An addition: the interface has no `wait`.\n",
    "schema": {
     "type": "integer",
     "format": "int64",
     "minimum": 1,
     "maximum": 60
    },
    "example": 60
   },
   "LastEventId": {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The `id` of the last event that came; whatever it is, the stream is the same.",
    "schema": {
     "type": "string"
    },
    "example": "16"
   },
   "Archived": {
    "name": "archived",
    "in": "query",
    "description": "Left out or `false` lists living things that are not archived, `include` archived ones too, `true` only archived ones; booleans in any spelling.",
    "schema": {
     "type": "string",
     "pattern": "^([Ff][Aa][Ll][Ss][Ee]|[Tt][Rr][Uu][Ee]|0|1|include)$"
    },
    "example": "include"
   },
   "Tag": {
    "name": "tag",
    "in": "query",
    "description": "Only things that carry this tag.",
    "schema": {
     "type": "string",
     "format": "text",
     "maxLength": 1024
    },
    "example": "todo"
   }
  },
  "headers": {
   "WwwAuthenticate": {
    "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
    "schema": {
     "type": "string"
    },
    "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
   },
   "RetryAfter": {
    "description": "Seconds to wait before the next attempt.",
    "schema": {
     "type": "integer",
     "format": "int64",
     "minimum": 1
    },
    "example": 30
   },
   "CacheControl": {
    "description": "Tokens must not be cached.",
    "schema": {
     "type": "string"
    },
    "example": "no-store"
   },
   "NotCached": {
    "description": "Events are for now.",
    "schema": {
     "type": "string"
    },
    "example": "no-store"
   },
   "NotBuffered": {
    "description": "Asks proxies to hand over each event at once.",
    "schema": {
     "type": "string"
    },
    "example": "no"
   }
  },
  "responses": {
   "BadRequest": {
    "description": "The request is refused: `parameter_invalid`, and the description names the parameter, or `invalid_request` for two different access tokens. Nothing was changed; mend the request.",
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "missing": {
        "summary": "A title is missing",
        "value": {
         "error": "parameter_invalid",
         "error_description": "new_thing[3].title is required"
        }
       },
       "twice": {
        "summary": "Two different access tokens",
        "value": {
         "error": "invalid_request",
         "error_description": "The request gives more than one access token"
        }
       },
       "inAddress": {
        "summary": "An access token in the query, where that is switched off",
        "value": {
         "error": "invalid_request",
         "error_description": "This server takes no access token in the address; send it in the Authorization header"
        }
       }
      }
     }
    }
   },
   "GrantRefused": {
    "description": "No tokens are issued. `invalid_grant`: user name, password, refresh token or code is wrong; ask the user to sign in. `invalid_request`: a parameter is missing or wrong. `unauthorized_client`, `unsupported_grant_type`: use another grant.",
    "content": {
     "application/json": {
      "schema": {
       "description": "An error of the token endpoint (RFC 6749 5.2).",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "invalid_request",
          "invalid_grant",
          "unauthorized_client",
          "unsupported_grant_type"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "wrongPassword": {
        "summary": "User name or password is wrong",
        "value": {
         "error": "invalid_grant",
         "error_description": "username or password is wrong"
        }
       },
       "usedToken": {
        "summary": "The refresh token is unknown, ended or used up",
        "value": {
         "error": "invalid_grant",
         "error_description": "The refresh_token provided is invalid"
        }
       },
       "usedCode": {
        "summary": "The code is unknown, expired, used before, or another application's",
        "value": {
         "error": "invalid_grant",
         "error_description": "The code provided is invalid, expired or used before"
        }
       },
       "wrongRedirect": {
        "summary": "The code was sent to another address",
        "value": {
         "error": "invalid_grant",
         "error_description": "redirect_uri is not the one that the code was sent to"
        }
       },
       "wrongVerifier": {
        "summary": "The verifier is not that of the challenge",
        "value": {
         "error": "invalid_grant",
         "error_description": "code_verifier is not the one of the code_challenge"
        }
       },
       "unsupportedGrant": {
        "summary": "There is no such grant",
        "value": {
         "error": "unsupported_grant_type",
         "error_description": "grant_type must be authorization_code, refresh_token or password"
        }
       },
       "missing": {
        "summary": "A parameter is missing",
        "value": {
         "error": "invalid_request",
         "error_description": "username is required"
        }
       }
      }
     }
    }
   },
   "RevocationRefused": {
    "description": "A parameter is missing or wrong; mend the request.",
    "content": {
     "application/json": {
      "schema": {
       "description": "An error of the token endpoint (RFC 6749 5.2).",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "invalid_request",
          "invalid_grant",
          "unauthorized_client",
          "unsupported_grant_type"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "missing": {
        "summary": "The token is missing",
        "value": {
         "error": "invalid_request",
         "error_description": "token is required"
        }
       },
       "clientTwice": {
        "summary": "Client credentials in the body and by HTTP Basic",
        "value": {
         "error": "invalid_request",
         "error_description": "The client credentials must be given in exactly one way"
        }
       }
      }
     }
    }
   },
   "Unauthorized": {
    "description": "`invalid_grant`: the access token is expired or invalid; renew it once and send the request again. `invalid_request`: there is none.",
    "headers": {
     "WWW-Authenticate": {
      "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
      "schema": {
       "type": "string"
      },
      "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
     }
    },
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "invalid": {
        "summary": "The token is expired or invalid",
        "value": {
         "error": "invalid_grant",
         "error_description": "The access token provided is invalid"
        }
       },
       "none": {
        "summary": "There is no token",
        "value": {
         "error": "invalid_request",
         "error_description": "An access token is required"
        }
       }
      }
     }
    }
   },
   "ReadOnly": {
    "description": "`insufficient_scope`: the access token is a personal one that may only read. Nothing was changed; use another token.",
    "headers": {
     "WWW-Authenticate": {
      "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
      "schema": {
       "type": "string"
      },
      "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
     }
    },
    "content": {
     "application/json": {
      "schema": {
       "description": "The access token may not do this (RFC 6750 3.1).",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "insufficient_scope"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "readOnly": {
        "summary": "The token may only read",
        "value": {
         "error": "insufficient_scope",
         "error_description": "This access token may only read"
        }
       }
      }
     }
    }
   },
   "ClientRefused": {
    "description": "The application is unknown, or its secret is wrong. Mend its settings; the tokens may be kept.",
    "headers": {
     "WWW-Authenticate": {
      "description": "How to authenticate, `Bearer`; `Basic` beside it only when client credentials were sent by HTTP Basic.",
      "schema": {
       "type": "string"
      },
      "example": "Bearer realm=\"thingsync\", error=\"invalid_token\""
     }
    },
    "content": {
     "application/json": {
      "schema": {
       "description": "The credentials of the application are wrong (RFC 6749 5.2).",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "invalid_client"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "wrongClient": {
        "summary": "Wrong client credentials",
        "value": {
         "error": "invalid_client",
         "error_description": "client_id or client_secret is wrong"
        }
       }
      }
     }
    }
   },
   "NotFound": {
    "description": "The user has no thing with this `_id`; drop it.",
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "unknown": {
        "summary": "The thing is unknown",
        "value": {
         "error": "not_found",
         "error_description": "_id names no thing of this user"
        }
       }
      }
     }
    }
   },
   "RequestTimeout": {
    "description": "The request arrived too slowly; the connection is closed. Send it again.",
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "slow": {
        "summary": "The rest of the request never came",
        "value": {
         "error": "parameter_invalid",
         "error_description": "The request cannot be read as HTTP"
        }
       }
      }
     }
    }
   },
   "TooLarge": {
    "description": "The body is too large, or holds too many things, fields, members or values: send less at once. Or the account would hold more things, bytes or tags with settings than it may: the sentence names the limit. Nothing was changed.",
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "body": {
        "summary": "The body is too large",
        "value": {
         "error": "too_large",
         "error_description": "The request body is larger than 33554432 bytes"
        }
       },
       "tags": {
        "summary": "The account would hold too many tags with settings",
        "value": {
         "error": "too_large",
         "error_description": "This account may have 10000 tags with settings (quota_tags); clear the settings of some, or ask the administrator"
        }
       }
      }
     }
    }
   },
   "UnsupportedMediaType": {
    "description": "The operation does not take this content type; send one that it declares.",
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "text": {
        "summary": "Plain text",
        "value": {
         "error": "unsupported_media_type",
         "error_description": "This operation does not take text/plain"
        }
       }
      }
     }
    }
   },
   "SlowDown": {
    "description": "Too many large requests are under way, or too many without an access token came from this address; try again after `Retry-After` seconds. Nothing was changed.",
    "headers": {
     "Retry-After": {
      "description": "Seconds to wait before the next attempt.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 1
      },
      "example": 30
     }
    },
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "busy": {
        "summary": "Too much at once",
        "value": {
         "error": "slow_down",
         "error_description": "Too many large requests of this user are under way; try again in 5 s"
        }
       }
      }
     }
    }
   },
   "TooManyWaiting": {
    "description": "The session has 10 requests already that wait for changes; end one of them, or try again after `Retry-After` seconds.",
    "headers": {
     "Retry-After": {
      "description": "Seconds to wait before the next attempt.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 1
      },
      "example": 30
     }
    },
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "waiting": {
        "summary": "One too many",
        "value": {
         "error": "slow_down",
         "error_description": "This session has 10 requests already that wait for changes; end one of them or try again in 5 s"
        }
       }
      }
     }
    }
   },
   "TooManyAttempts": {
    "description": "Wrong passwords, clients and refresh tokens above a limit from this address or for this account, too many sign-ins at once, or too many large requests under way; try again after `Retry-After` seconds, and keep the tokens. What is right in a refresh or revocation is never refused for failed attempts.",
    "headers": {
     "Retry-After": {
      "description": "Seconds to wait before the next attempt.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 1
      },
      "example": 30
     }
    },
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "slowDown": {
        "summary": "Too many attempts",
        "value": {
         "error": "slow_down",
         "error_description": "Too many failed attempts; try again in 30 s"
        }
       }
      }
     }
    }
   },
   "HeadersTooLarge": {
    "description": "Address and headers are larger than 16 KB together, or there are too many headers; the connection is closed. Put the access token into the header, and uploads into a body.",
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "headers": {
        "summary": "The access token in the address is too long",
        "value": {
         "error": "parameter_invalid",
         "error_description": "The request cannot be read as HTTP"
        }
       }
      }
     }
    }
   },
   "ServerError": {
    "description": "A bug in the server. Nothing was changed; send it again later.",
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "bug": {
        "summary": "A bug",
        "value": {
         "error": "server_error",
         "error_description": "The server failed to answer this request"
        }
       }
      }
     }
    }
   },
   "Unavailable": {
    "description": "The server cannot store or read data at the moment. Nothing was changed; keep the tokens, wait and send it again.",
    "headers": {
     "Retry-After": {
      "description": "Seconds to wait before the next attempt.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 1
      },
      "example": 30
     }
    },
    "content": {
     "application/json": {
      "schema": {
       "description": "Every error.",
       "type": "object",
       "required": [
        "error",
        "error_description"
       ],
       "properties": {
        "error": {
         "description": "The code.",
         "type": "string",
         "enum": [
          "parameter_invalid",
          "invalid_request",
          "invalid_grant",
          "invalid_client",
          "unauthorized_client",
          "unsupported_grant_type",
          "not_found",
          "method_not_allowed",
          "too_large",
          "unsupported_media_type",
          "slow_down",
          "temporarily_unavailable",
          "server_error"
         ]
        },
        "error_description": {
         "description": "A sentence for the developer of the client.",
         "type": "string"
        }
       }
      },
      "examples": {
       "full": {
        "summary": "The disk is full",
        "value": {
         "error": "temporarily_unavailable",
         "error_description": "The server cannot store or read data at the moment"
        }
       }
      }
     }
    }
   }
  },
  "schemas": {
   "ErrorBody": {
    "description": "Every error.",
    "type": "object",
    "required": [
     "error",
     "error_description"
    ],
    "properties": {
     "error": {
      "description": "The code.",
      "type": "string",
      "enum": [
       "parameter_invalid",
       "invalid_request",
       "invalid_grant",
       "invalid_client",
       "unauthorized_client",
       "unsupported_grant_type",
       "not_found",
       "method_not_allowed",
       "too_large",
       "unsupported_media_type",
       "slow_down",
       "temporarily_unavailable",
       "server_error"
      ]
     },
     "error_description": {
      "description": "A sentence for the developer of the client.",
      "type": "string"
     }
    }
   },
   "GrantErrorBody": {
    "description": "An error of the token endpoint (RFC 6749 5.2).",
    "type": "object",
    "required": [
     "error",
     "error_description"
    ],
    "properties": {
     "error": {
      "description": "The code.",
      "type": "string",
      "enum": [
       "invalid_request",
       "invalid_grant",
       "unauthorized_client",
       "unsupported_grant_type"
      ]
     },
     "error_description": {
      "description": "A sentence for the developer of the client.",
      "type": "string"
     }
    }
   },
   "ClientErrorBody": {
    "description": "The credentials of the application are wrong (RFC 6749 5.2).",
    "type": "object",
    "required": [
     "error",
     "error_description"
    ],
    "properties": {
     "error": {
      "description": "The code.",
      "type": "string",
      "enum": [
       "invalid_client"
      ]
     },
     "error_description": {
      "description": "A sentence for the developer of the client.",
      "type": "string"
     }
    }
   },
   "ScopeErrorBody": {
    "description": "The access token may not do this (RFC 6750 3.1).",
    "type": "object",
    "required": [
     "error",
     "error_description"
    ],
    "properties": {
     "error": {
      "description": "The code.",
      "type": "string",
      "enum": [
       "insufficient_scope"
      ]
     },
     "error_description": {
      "description": "A sentence for the developer of the client.",
      "type": "string"
     }
    }
   },
   "AccessTokenText": {
    "description": "The access token, when it is not in the header or in the query; the first field of a form.",
    "type": "string",
    "nullable": true,
    "maxLength": 4096
   },
   "Id": {
    "description": "Identifier that the server gave.",
    "type": "string",
    "minLength": 1,
    "maxLength": 128,
    "format": "text"
   },
   "Title": {
    "description": "Title of the thing; may be empty.",
    "type": "string",
    "maxLength": 65536,
    "format": "text"
   },
   "Tags": {
    "description": "Tags, separated by spaces; \"\" clears, null is absent.",
    "type": "string",
    "nullable": true,
    "maxLength": 65536,
    "format": "text"
   },
   "Url": {
    "description": "URL of the thing; \"\" clears, null is absent.",
    "type": "string",
    "nullable": true,
    "maxLength": 65536,
    "format": "text"
   },
   "Html": {
    "description": "Note or other content; \"\" clears, null is absent.",
    "type": "string",
    "nullable": true,
    "maxLength": 16777216,
    "format": "text"
   },
   "ThingDate": {
    "description": "Time of creation, Unix time in seconds; the server's time when left out.",
    "type": "number",
    "format": "double",
    "nullable": true
   },
   "ThingCreate": {
    "description": "A thing to create.",
    "type": "object",
    "required": [
     "local_id",
     "title"
    ],
    "properties": {
     "local_id": {
      "description": "The client's identifier, unique in one request. A number that loses digits as a double goes as text.",
      "x-sdk": {
       "type": "string"
      },
      "oneOf": [
       {
        "type": "string",
        "maxLength": 1024,
        "format": "text"
       },
       {
        "type": "number",
        "format": "double",
        "minimum": -9007199254740991,
        "maximum": 9007199254740991
       }
      ]
     },
     "title": {
      "description": "Title of the thing; may be empty.",
      "type": "string",
      "maxLength": 65536,
      "format": "text"
     },
     "tags": {
      "description": "Tags, separated by spaces; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 65536,
      "format": "text"
     },
     "date": {
      "description": "Time of creation, Unix time in seconds; the server's time when left out.",
      "type": "number",
      "format": "double",
      "nullable": true
     },
     "url": {
      "description": "URL of the thing; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 65536,
      "format": "text"
     },
     "html": {
      "description": "Note or other content; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 16777216,
      "format": "text"
     },
     "archived": {
      "description": "Left out means false.",
      "type": "boolean",
      "nullable": true
     },
     "todoStatus": {
      "description": "Completion of a todo.",
      "type": "boolean",
      "nullable": true
     }
    },
    "example": {
     "local_id": "n1",
     "title": "Buy milk",
     "tags": "todo"
    }
   },
   "ThingUpdate": {
    "description": "A thing to change by sync. Fields that are left out stay, but `archived` becomes false.",
    "type": "object",
    "required": [
     "_id",
     "title"
    ],
    "properties": {
     "_id": {
      "description": "Identifier that the server gave.",
      "type": "string",
      "minLength": 1,
      "maxLength": 128,
      "format": "text"
     },
     "title": {
      "description": "Title of the thing; may be empty.",
      "type": "string",
      "maxLength": 65536,
      "format": "text"
     },
     "tags": {
      "description": "Tags, separated by spaces; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 65536,
      "format": "text"
     },
     "date": {
      "description": "Time of creation, Unix time in seconds; the server's time when left out.",
      "type": "number",
      "format": "double",
      "nullable": true
     },
     "url": {
      "description": "URL of the thing; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 65536,
      "format": "text"
     },
     "html": {
      "description": "Note or other content; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 16777216,
      "format": "text"
     },
     "archived": {
      "description": "Left out means false.",
      "type": "boolean",
      "nullable": true
     },
     "todoStatus": {
      "description": "Completion of a todo.",
      "type": "boolean",
      "nullable": true
     }
    },
    "example": {
     "_id": "a1b2c3",
     "title": "Buy oat milk",
     "tags": "todo",
     "todoStatus": true
    }
   },
   "Thing": {
    "description": "A thing as the server returns it.",
    "type": "object",
    "required": [
     "_id",
     "title",
     "tags",
     "date"
    ],
    "properties": {
     "_id": {
      "description": "Identifier.",
      "type": "string",
      "pattern": "^[0-9A-Za-z]+$"
     },
     "title": {
      "description": "Title.",
      "type": "string"
     },
     "tags": {
      "description": "Tags, separated by spaces; empty for none.",
      "type": "string"
     },
     "date": {
      "description": "Time of creation, Unix time in seconds.",
      "type": "number",
      "format": "double"
     },
     "url": {
      "description": "There only when a url is set.",
      "type": "string",
      "minLength": 1
     },
     "html": {
      "description": "There only when html is set.",
      "type": "string",
      "minLength": 1
     },
     "archived": {
      "description": "There only when the thing is archived.",
      "type": "boolean",
      "enum": [
       true
      ]
     },
     "todoStatus": {
      "description": "There only when one of the tags makes the thing a todo.",
      "type": "boolean"
     }
    }
   },
   "TagSettingsChange": {
    "description": "Settings of a tag to change. Fields that are left out stay as they are.",
    "type": "object",
    "properties": {
     "favorite": {
      "description": "Whether the tag is a favorite.",
      "type": "boolean",
      "nullable": true
     },
     "color": {
      "description": "False for none, or the hex code of a background colour; it comes back in lower case.",
      "x-sdk": {},
      "oneOf": [
       {
        "type": "boolean",
        "enum": [
         false
        ]
       },
       {
        "type": "string",
        "nullable": true,
        "pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"
       }
      ]
     },
     "todo": {
      "description": "Whether things that carry the tag are todos; true is kept as \"strike\".",
      "x-sdk": {},
      "oneOf": [
       {
        "type": "boolean",
        "nullable": true
       },
       {
        "type": "string",
        "enum": [
         "strike",
         "dont-strike"
        ]
       }
      ]
     }
    },
    "example": {
     "todo": true,
     "color": "#f80"
    }
   },
   "TagSettings": {
    "description": "Settings of a tag as the server returns them.",
    "type": "object",
    "required": [
     "favorite",
     "color",
     "todo"
    ],
    "properties": {
     "favorite": {
      "description": "Whether the tag is a favorite.",
      "type": "boolean"
     },
     "color": {
      "description": "False for none, or the hex code of a background colour, in lower case.",
      "x-sdk": {},
      "oneOf": [
       {
        "type": "boolean",
        "enum": [
         false
        ]
       },
       {
        "type": "string",
        "pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"
       }
      ]
     },
     "todo": {
      "description": "When not false, things that carry the tag are shown with a checkbox.",
      "x-sdk": {},
      "oneOf": [
       {
        "type": "boolean",
        "enum": [
         false
        ]
       },
       {
        "type": "string",
        "enum": [
         "strike",
         "dont-strike"
        ]
       }
      ]
     }
    }
   },
   "SyncForm": {
    "description": "The form of a sync upload, as it is on the wire; objects and lists are JSON text. Several things of one kind go into\none JSON array or into repeated fields (`x-repeated-as`), tag settings into `tag[<name>]`, one field for each tag.\n",
    "type": "object",
    "properties": {
     "access_token": {
      "description": "The access token, when it is not in the header or in the query; the first field of a form.",
      "type": "string",
      "nullable": true,
      "maxLength": 4096
     },
     "from": {
      "description": "A `pos` that was returned earlier; left out or 0 asks for everything.",
      "type": "integer",
      "format": "int64",
      "minimum": 0
     },
     "skip": {
      "description": "Leave out the first things of the listing.",
      "type": "integer",
      "format": "int64",
      "minimum": 0
     },
     "limit": {
      "description": "Return at most this many things.",
      "type": "integer",
      "format": "int64",
      "minimum": 0
     },
     "new_thing": {
      "description": "JSON text of one ThingCreate or of an array of them; in the repeated spelling of one each.",
      "x-repeated-as": "new_thing[]",
      "type": "string",
      "format": "json-ThingCreate"
     },
     "changed_thing": {
      "description": "JSON text of one ThingUpdate or of an array of them; in the repeated spelling of one each.",
      "x-repeated-as": "changed_thing[]",
      "type": "string",
      "format": "json-ThingUpdate"
     },
     "deleted_thing": {
      "description": "An `_id`, or JSON text of an array of them; in the repeated spelling one each.",
      "x-repeated-as": "deleted_thing[]",
      "type": "string",
      "minLength": 1,
      "format": "text"
     },
     "tag": {
      "description": "JSON texts of one TagSettingsChange each, by tag name of at most 1,000 characters: `tag[<name>]`.",
      "type": "object",
      "additionalProperties": {
       "type": "string",
       "format": "json-TagSettingsChange"
      }
     },
     "skip_id": {
      "description": "An `_id` to leave out of the answer, or JSON text of an array of them; in the repeated spelling one each.",
      "x-repeated-as": "skip_id[]",
      "type": "string",
      "minLength": 1,
      "format": "text"
     }
    }
   },
   "SyncRequest": {
    "description": "A sync upload. A single object may stand for an array of one.",
    "type": "object",
    "properties": {
     "access_token": {
      "description": "The access token, when it is not in the header or in the query; the first field of a form.",
      "type": "string",
      "nullable": true,
      "maxLength": 4096
     },
     "from": {
      "description": "A `pos` that was returned earlier; left out or 0 asks for everything.",
      "type": "integer",
      "format": "int64",
      "nullable": true,
      "minimum": 0
     },
     "skip": {
      "description": "Leave out the first things of the listing.",
      "type": "integer",
      "format": "int64",
      "nullable": true,
      "minimum": 0
     },
     "limit": {
      "description": "Return at most this many things.",
      "type": "integer",
      "format": "int64",
      "nullable": true,
      "minimum": 0
     },
     "new_thing": {
      "description": "Things to create.",
      "type": "array",
      "nullable": true,
      "maxItems": 100000,
      "items": {
       "description": "A thing to create.",
       "type": "object",
       "required": [
        "local_id",
        "title"
       ],
       "properties": {
        "local_id": {
         "description": "The client's identifier, unique in one request. A number that loses digits as a double goes as text.",
         "x-sdk": {
          "type": "string"
         },
         "oneOf": [
          {
           "type": "string",
           "maxLength": 1024,
           "format": "text"
          },
          {
           "type": "number",
           "format": "double",
           "minimum": -9007199254740991,
           "maximum": 9007199254740991
          }
         ]
        },
        "title": {
         "description": "Title of the thing; may be empty.",
         "type": "string",
         "maxLength": 65536,
         "format": "text"
        },
        "tags": {
         "description": "Tags, separated by spaces; \"\" clears, null is absent.",
         "type": "string",
         "nullable": true,
         "maxLength": 65536,
         "format": "text"
        },
        "date": {
         "description": "Time of creation, Unix time in seconds; the server's time when left out.",
         "type": "number",
         "format": "double",
         "nullable": true
        },
        "url": {
         "description": "URL of the thing; \"\" clears, null is absent.",
         "type": "string",
         "nullable": true,
         "maxLength": 65536,
         "format": "text"
        },
        "html": {
         "description": "Note or other content; \"\" clears, null is absent.",
         "type": "string",
         "nullable": true,
         "maxLength": 16777216,
         "format": "text"
        },
        "archived": {
         "description": "Left out means false.",
         "type": "boolean",
         "nullable": true
        },
        "todoStatus": {
         "description": "Completion of a todo.",
         "type": "boolean",
         "nullable": true
        }
       },
       "example": {
        "local_id": "n1",
        "title": "Buy milk",
        "tags": "todo"
       }
      }
     },
     "changed_thing": {
      "description": "Things to change.",
      "type": "array",
      "nullable": true,
      "maxItems": 100000,
      "items": {
       "description": "A thing to change by sync. Fields that are left out stay, but `archived` becomes false.",
       "type": "object",
       "required": [
        "_id",
        "title"
       ],
       "properties": {
        "_id": {
         "description": "Identifier that the server gave.",
         "type": "string",
         "minLength": 1,
         "maxLength": 128,
         "format": "text"
        },
        "title": {
         "description": "Title of the thing; may be empty.",
         "type": "string",
         "maxLength": 65536,
         "format": "text"
        },
        "tags": {
         "description": "Tags, separated by spaces; \"\" clears, null is absent.",
         "type": "string",
         "nullable": true,
         "maxLength": 65536,
         "format": "text"
        },
        "date": {
         "description": "Time of creation, Unix time in seconds; the server's time when left out.",
         "type": "number",
         "format": "double",
         "nullable": true
        },
        "url": {
         "description": "URL of the thing; \"\" clears, null is absent.",
         "type": "string",
         "nullable": true,
         "maxLength": 65536,
         "format": "text"
        },
        "html": {
         "description": "Note or other content; \"\" clears, null is absent.",
         "type": "string",
         "nullable": true,
         "maxLength": 16777216,
         "format": "text"
        },
        "archived": {
         "description": "Left out means false.",
         "type": "boolean",
         "nullable": true
        },
        "todoStatus": {
         "description": "Completion of a todo.",
         "type": "boolean",
         "nullable": true
        }
       },
       "example": {
        "_id": "a1b2c3",
        "title": "Buy oat milk",
        "tags": "todo",
        "todoStatus": true
       }
      }
     },
     "deleted_thing": {
      "description": "Things to delete.",
      "type": "array",
      "nullable": true,
      "maxItems": 100000,
      "items": {
       "description": "Identifier that the server gave.",
       "type": "string",
       "minLength": 1,
       "maxLength": 128,
       "format": "text"
      }
     },
     "tag": {
      "description": "Tag settings to change, by tag name of at most 1,000 characters.",
      "type": "object",
      "nullable": true,
      "maxProperties": 10000,
      "x-property-names": {
       "maxLength": 1000,
       "format": "text"
      },
      "additionalProperties": {
       "description": "Settings of a tag to change. Fields that are left out stay as they are.",
       "type": "object",
       "properties": {
        "favorite": {
         "description": "Whether the tag is a favorite.",
         "type": "boolean",
         "nullable": true
        },
        "color": {
         "description": "False for none, or the hex code of a background colour; it comes back in lower case.",
         "x-sdk": {},
         "oneOf": [
          {
           "type": "boolean",
           "enum": [
            false
           ]
          },
          {
           "type": "string",
           "nullable": true,
           "pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"
          }
         ]
        },
        "todo": {
         "description": "Whether things that carry the tag are todos; true is kept as \"strike\".",
         "x-sdk": {},
         "oneOf": [
          {
           "type": "boolean",
           "nullable": true
          },
          {
           "type": "string",
           "enum": [
            "strike",
            "dont-strike"
           ]
          }
         ]
        }
       },
       "example": {
        "todo": true,
        "color": "#f80"
       }
      }
     },
     "skip_id": {
      "description": "Ids to leave out of the changed and deleted things.",
      "type": "array",
      "nullable": true,
      "maxItems": 100000,
      "items": {
       "description": "Identifier that the server gave.",
       "type": "string",
       "minLength": 1,
       "maxLength": 128,
       "format": "text"
      }
     }
    }
   },
   "SyncThings": {
    "description": "Things of a sync answer; each part is there only when it is not empty.",
    "type": "object",
    "minProperties": 1,
    "properties": {
     "new": {
      "description": "From each submitted local_id to the new `_id`.",
      "type": "object",
      "minProperties": 1,
      "additionalProperties": {
       "type": "string",
       "pattern": "^[0-9A-Za-z]+$"
      }
     },
     "changed": {
      "description": "Things that are new or changed, in their latest state.",
      "type": "array",
      "minItems": 1,
      "items": {
       "description": "A thing as the server returns it.",
       "type": "object",
       "required": [
        "_id",
        "title",
        "tags",
        "date"
       ],
       "properties": {
        "_id": {
         "description": "Identifier.",
         "type": "string",
         "pattern": "^[0-9A-Za-z]+$"
        },
        "title": {
         "description": "Title.",
         "type": "string"
        },
        "tags": {
         "description": "Tags, separated by spaces; empty for none.",
         "type": "string"
        },
        "date": {
         "description": "Time of creation, Unix time in seconds.",
         "type": "number",
         "format": "double"
        },
        "url": {
         "description": "There only when a url is set.",
         "type": "string",
         "minLength": 1
        },
        "html": {
         "description": "There only when html is set.",
         "type": "string",
         "minLength": 1
        },
        "archived": {
         "description": "There only when the thing is archived.",
         "type": "boolean",
         "enum": [
          true
         ]
        },
        "todoStatus": {
         "description": "There only when one of the tags makes the thing a todo.",
         "type": "boolean"
        }
       }
      }
     },
     "deleted": {
      "description": "Ids of things that were deleted.",
      "type": "array",
      "minItems": 1,
      "items": {
       "type": "string"
      }
     }
    }
   },
   "SyncAnswer": {
    "description": "The answer of sync.",
    "type": "object",
    "required": [
     "pos"
    ],
    "properties": {
     "pos": {
      "description": "Current position, to be sent later as `from`.",
      "type": "integer",
      "format": "int64"
     },
     "thingCount": {
      "description": "Number of things new, changed or deleted, whatever skip and limit; left out when 0.",
      "type": "integer",
      "format": "int64",
      "minimum": 1
     },
     "tags": {
      "description": "Tag settings that apply, by tag name; left out when there are none.",
      "type": "object",
      "minProperties": 1,
      "additionalProperties": {
       "description": "Settings of a tag as the server returns them.",
       "type": "object",
       "required": [
        "favorite",
        "color",
        "todo"
       ],
       "properties": {
        "favorite": {
         "description": "Whether the tag is a favorite.",
         "type": "boolean"
        },
        "color": {
         "description": "False for none, or the hex code of a background colour, in lower case.",
         "x-sdk": {},
         "oneOf": [
          {
           "type": "boolean",
           "enum": [
            false
           ]
          },
          {
           "type": "string",
           "pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"
          }
         ]
        },
        "todo": {
         "description": "When not false, things that carry the tag are shown with a checkbox.",
         "x-sdk": {},
         "oneOf": [
          {
           "type": "boolean",
           "enum": [
            false
           ]
          },
          {
           "type": "string",
           "enum": [
            "strike",
            "dont-strike"
           ]
          }
         ]
        }
       }
      }
     },
     "things": {
      "description": "Things of a sync answer; each part is there only when it is not empty.",
      "type": "object",
      "minProperties": 1,
      "properties": {
       "new": {
        "description": "From each submitted local_id to the new `_id`.",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": {
         "type": "string",
         "pattern": "^[0-9A-Za-z]+$"
        }
       },
       "changed": {
        "description": "Things that are new or changed, in their latest state.",
        "type": "array",
        "minItems": 1,
        "items": {
         "description": "A thing as the server returns it.",
         "type": "object",
         "required": [
          "_id",
          "title",
          "tags",
          "date"
         ],
         "properties": {
          "_id": {
           "description": "Identifier.",
           "type": "string",
           "pattern": "^[0-9A-Za-z]+$"
          },
          "title": {
           "description": "Title.",
           "type": "string"
          },
          "tags": {
           "description": "Tags, separated by spaces; empty for none.",
           "type": "string"
          },
          "date": {
           "description": "Time of creation, Unix time in seconds.",
           "type": "number",
           "format": "double"
          },
          "url": {
           "description": "There only when a url is set.",
           "type": "string",
           "minLength": 1
          },
          "html": {
           "description": "There only when html is set.",
           "type": "string",
           "minLength": 1
          },
          "archived": {
           "description": "There only when the thing is archived.",
           "type": "boolean",
           "enum": [
            true
           ]
          },
          "todoStatus": {
           "description": "There only when one of the tags makes the thing a todo.",
           "type": "boolean"
          }
         }
        }
       },
       "deleted": {
        "description": "Ids of things that were deleted.",
        "type": "array",
        "minItems": 1,
        "items": {
         "type": "string"
        }
       }
      }
     }
    }
   },
   "EventStream": {
    "description": "Server-sent events (HTML Living Standard, 9.2); the data of each is `{\"pos\": N}`.",
    "type": "string"
   },
   "TokenGrant": {
    "description": "Request of a token. Which fields a grant needs is said in the operation.",
    "type": "object",
    "required": [
     "grant_type"
    ],
    "properties": {
     "grant_type": {
      "description": "`authorization_code`, `refresh_token` or `password`.",
      "type": "string",
      "maxLength": 256
     },
     "client_id": {
      "description": "The registered application.",
      "type": "string",
      "maxLength": 1024
     },
     "client_secret": {
      "description": "Its secret, if it has one.",
      "type": "string",
      "maxLength": 1024
     },
     "username": {
      "description": "For `password`.",
      "type": "string",
      "maxLength": 400
     },
     "password": {
      "description": "For `password`.",
      "type": "string",
      "maxLength": 4096
     },
     "refresh_token": {
      "description": "For `refresh_token`; the `request_token` of an earlier answer.",
      "type": "string",
      "maxLength": 4096
     },
     "code": {
      "description": "For `authorization_code`; what the web flow sent.",
      "type": "string",
      "maxLength": 4096
     },
     "redirect_uri": {
      "description": "For `authorization_code`; where it was sent to.",
      "type": "string",
      "maxLength": 16384
     },
     "code_verifier": {
      "description": "For `authorization_code`; what the `code_challenge` was made of (RFC 7636).",
      "type": "string",
      "maxLength": 4096
     }
    }
   },
   "TokenPair": {
    "description": "A new pair of tokens.",
    "type": "object",
    "required": [
     "access_token",
     "expires_in",
     "request_token",
     "refresh_token",
     "token_type"
    ],
    "x-sdk": {
     "required": [
      "access_token",
      "expires_in",
      "request_token",
      "token_type"
     ]
    },
    "properties": {
     "access_token": {
      "description": "Token to call the API with.",
      "type": "string",
      "minLength": 1
     },
     "expires_in": {
      "description": "Validity of the access token in seconds.",
      "type": "integer",
      "format": "int64",
      "minimum": 1
     },
     "request_token": {
      "description": "What the refresh_token grant takes as `refresh_token`.",
      "type": "string",
      "minLength": 1
     },
     "refresh_token": {
      "description": "The value of `request_token`, under the name that OAuth libraries read.",
      "type": "string",
      "minLength": 1
     },
     "token_type": {
      "description": "Always \"bearer\".",
      "type": "string",
      "enum": [
       "bearer"
      ]
     },
     "scope": {
      "description": "Always null, and left out for applications that are registered as standard.",
      "type": "string",
      "nullable": true,
      "maxLength": 0
     }
    }
   },
   "TokenRevocation": {
    "description": "A token to give back (RFC 7009).",
    "type": "object",
    "required": [
     "token"
    ],
    "properties": {
     "token": {
      "description": "An access token or a request token.",
      "type": "string",
      "maxLength": 4096
     },
     "token_type_hint": {
      "description": "Which of the two it is; not needed.",
      "type": "string",
      "nullable": true,
      "maxLength": 256
     },
     "client_id": {
      "description": "The registered application.",
      "type": "string",
      "nullable": true,
      "maxLength": 1024
     },
     "client_secret": {
      "description": "Its secret, if it has one.",
      "type": "string",
      "nullable": true,
      "maxLength": 1024
     }
    }
   },
   "Empty": {
    "description": "Nothing to say.",
    "type": "object"
   },
   "TokenOnly": {
    "description": "The access token and nothing else.",
    "type": "object",
    "properties": {
     "access_token": {
      "description": "The access token, when it is not in the header or in the query; the first field of a form.",
      "type": "string",
      "nullable": true,
      "maxLength": 4096
     }
    }
   },
   "TagCounts": {
    "description": "Numbers of things per tag.",
    "type": "object",
    "required": [
     "pos",
     "favorite",
     "other"
    ],
    "properties": {
     "pos": {
      "description": "Current position.",
      "type": "integer",
      "format": "int64"
     },
     "favorite": {
      "description": "Favorite tags, with 0 for those without things.",
      "type": "object",
      "additionalProperties": {
       "type": "integer",
       "format": "int64"
      }
     },
     "other": {
      "description": "All other tags that things carry.",
      "type": "object",
      "additionalProperties": {
       "type": "integer",
       "format": "int64"
      }
     }
    }
   },
   "ThingAddition": {
    "description": "A thing to create on its own.",
    "type": "object",
    "required": [
     "title"
    ],
    "properties": {
     "access_token": {
      "description": "The access token, when it is not in the header or in the query; the first field of a form.",
      "type": "string",
      "nullable": true,
      "maxLength": 4096
     },
     "title": {
      "description": "Title of the thing; may be empty.",
      "type": "string",
      "maxLength": 65536,
      "format": "text"
     },
     "tags": {
      "description": "Tags, separated by spaces; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 65536,
      "format": "text"
     },
     "date": {
      "description": "Time of creation, Unix time in seconds; the server's time when left out.",
      "type": "number",
      "format": "double",
      "nullable": true
     },
     "url": {
      "description": "URL of the thing; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 65536,
      "format": "text"
     },
     "html": {
      "description": "Note or other content; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 16777216,
      "format": "text"
     },
     "archived": {
      "description": "Left out means false.",
      "type": "boolean",
      "nullable": true
     },
     "todoStatus": {
      "description": "Completion of a todo.",
      "type": "boolean",
      "nullable": true
     },
     "prevent_duplicate": {
      "description": "Answer an existing thing with the same url instead of creating another.",
      "type": "boolean",
      "nullable": true
     }
    }
   },
   "AddedThing": {
    "description": "The created thing, or the one that was there before.",
    "allOf": [
     {
      "description": "A thing as the server returns it.",
      "type": "object",
      "required": [
       "_id",
       "title",
       "tags",
       "date"
      ],
      "properties": {
       "_id": {
        "description": "Identifier.",
        "type": "string",
        "pattern": "^[0-9A-Za-z]+$"
       },
       "title": {
        "description": "Title.",
        "type": "string"
       },
       "tags": {
        "description": "Tags, separated by spaces; empty for none.",
        "type": "string"
       },
       "date": {
        "description": "Time of creation, Unix time in seconds.",
        "type": "number",
        "format": "double"
       },
       "url": {
        "description": "There only when a url is set.",
        "type": "string",
        "minLength": 1
       },
       "html": {
        "description": "There only when html is set.",
        "type": "string",
        "minLength": 1
       },
       "archived": {
        "description": "There only when the thing is archived.",
        "type": "boolean",
        "enum": [
         true
        ]
       },
       "todoStatus": {
        "description": "There only when one of the tags makes the thing a todo.",
        "type": "boolean"
       }
      }
     },
     {
      "type": "object",
      "properties": {
       "duplicate": {
        "description": "There only when nothing was created.",
        "type": "boolean",
        "enum": [
         true
        ]
       }
      }
     }
    ]
   },
   "ThingChange": {
    "description": "Fields of a thing to change; those that are left out stay.",
    "type": "object",
    "required": [
     "_id"
    ],
    "properties": {
     "access_token": {
      "description": "The access token, when it is not in the header or in the query; the first field of a form.",
      "type": "string",
      "nullable": true,
      "maxLength": 4096
     },
     "_id": {
      "description": "Identifier that the server gave.",
      "type": "string",
      "minLength": 1,
      "maxLength": 128,
      "format": "text"
     },
     "title": {
      "description": "Title of the thing; may be empty.",
      "type": "string",
      "nullable": true,
      "maxLength": 65536,
      "format": "text"
     },
     "tags": {
      "description": "Tags, separated by spaces; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 65536,
      "format": "text"
     },
     "date": {
      "description": "Time of creation, Unix time in seconds; the server's time when left out.",
      "type": "number",
      "format": "double",
      "nullable": true
     },
     "url": {
      "description": "URL of the thing; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 65536,
      "format": "text"
     },
     "html": {
      "description": "Note or other content; \"\" clears, null is absent.",
      "type": "string",
      "nullable": true,
      "maxLength": 16777216,
      "format": "text"
     },
     "archived": {
      "description": "Whether the thing is archived.",
      "type": "boolean",
      "nullable": true
     },
     "todoStatus": {
      "description": "Completion of a todo.",
      "type": "boolean",
      "nullable": true
     }
    }
   },
   "ThingDeletion": {
    "description": "A thing to delete.",
    "type": "object",
    "required": [
     "_id"
    ],
    "properties": {
     "access_token": {
      "description": "The access token, when it is not in the header or in the query; the first field of a form.",
      "type": "string",
      "nullable": true,
      "maxLength": 4096
     },
     "_id": {
      "description": "Identifier that the server gave.",
      "type": "string",
      "minLength": 1,
      "maxLength": 128,
      "format": "text"
     }
    }
   },
   "DeletedThing": {
    "description": "The thing that was deleted.",
    "type": "object",
    "required": [
     "deleted_thing"
    ],
    "properties": {
     "deleted_thing": {
      "description": "Its `_id`.",
      "type": "string"
     }
    }
   },
   "ThingList": {
    "description": "Things in the order of their last change.",
    "type": "array",
    "items": {
     "description": "A thing as the server returns it.",
     "type": "object",
     "required": [
      "_id",
      "title",
      "tags",
      "date"
     ],
     "properties": {
      "_id": {
       "description": "Identifier.",
       "type": "string",
       "pattern": "^[0-9A-Za-z]+$"
      },
      "title": {
       "description": "Title.",
       "type": "string"
      },
      "tags": {
       "description": "Tags, separated by spaces; empty for none.",
       "type": "string"
      },
      "date": {
       "description": "Time of creation, Unix time in seconds.",
       "type": "number",
       "format": "double"
      },
      "url": {
       "description": "There only when a url is set.",
       "type": "string",
       "minLength": 1
      },
      "html": {
       "description": "There only when html is set.",
       "type": "string",
       "minLength": 1
      },
      "archived": {
       "description": "There only when the thing is archived.",
       "type": "boolean",
       "enum": [
        true
       ]
      },
      "todoStatus": {
       "description": "There only when one of the tags makes the thing a todo.",
       "type": "boolean"
      }
     }
    }
   },
   "UserInfo": {
    "description": "The user behind the access token.",
    "type": "object",
    "required": [
     "username",
     "date",
     "pos",
     "thingCount"
    ],
    "properties": {
     "username": {
      "description": "Name of the user.",
      "type": "string"
     },
     "date": {
      "description": "Time of creation of the account, Unix time in seconds.",
      "type": "number",
      "format": "double"
     },
     "pos": {
      "description": "Current position.",
      "type": "integer",
      "format": "int64"
     },
     "thingCount": {
      "description": "Number of living things, archived ones too.",
      "type": "integer",
      "format": "int64",
      "minimum": 0
     }
    }
   },
   "Webhook": {
    "description": "An address to call and when.",
    "type": "object",
    "required": [
     "target_url",
     "event"
    ],
    "properties": {
     "access_token": {
      "description": "The access token, when it is not in the header or in the query; the first field of a form.",
      "type": "string",
      "nullable": true,
      "maxLength": 4096
     },
     "target_url": {
      "description": "Absolute http or https address without user name and password.",
      "type": "string",
      "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$",
      "maxLength": 2048,
      "format": "web-address"
     },
     "event": {
      "description": "What to be told of: `new_thing`, `changed_thing`, `deleted_thing`, `tag` or `any`.",
      "x-sdk": {
       "type": "string",
       "pattern": "^(new_thing|changed_thing|deleted_thing|tag|any)$"
      },
      "type": "string",
      "enum": [
       "new_thing",
       "changed_thing",
       "deleted_thing",
       "tag",
       "any"
      ]
     }
    }
   },
   "RegisteredWebhook": {
    "description": "The webhook is registered.",
    "type": "object",
    "required": [
     "registered"
    ],
    "properties": {
     "registered": {
      "description": "Always true.",
      "type": "boolean",
      "enum": [
       true
      ]
     },
     "secret": {
      "description": "Secret of the webhook, `whsec_` and base64; only in the answer that made it.",
      "type": "string",
      "minLength": 1
     }
    }
   },
   "Registered": {
    "description": "The device is registered.",
    "type": "object",
    "required": [
     "registered"
    ],
    "properties": {
     "registered": {
      "description": "Always true.",
      "type": "boolean",
      "enum": [
       true
      ]
     },
     "delivered": {
      "description": "There only for a device of a type that this server tells nothing.",
      "type": "boolean",
      "enum": [
       false
      ]
     }
    }
   },
   "WebhookList": {
    "description": "Webhooks of an application, the oldest first.",
    "type": "array",
    "items": {
     "description": "A webhook and how it is going. What is not known is left out.",
     "type": "object",
     "required": [
      "target_url",
      "event",
      "state",
      "waiting"
     ],
     "properties": {
      "target_url": {
       "description": "As it was registered.",
       "type": "string"
      },
      "event": {
       "description": "As it was registered.",
       "type": "string",
       "enum": [
        "new_thing",
        "changed_thing",
        "deleted_thing",
        "tag",
        "any"
       ]
      },
      "state": {
       "description": "`working`; `retrying` after a failure; `resting` after the last try, until it is registered again or woken on the account page; `paused` by the operator of the server.",
       "type": "string",
       "enum": [
        "working",
        "retrying",
        "resting",
        "paused"
       ]
      },
      "waiting": {
       "description": "Whether there is something that the receiver was not told of yet.",
       "type": "boolean"
      },
      "date": {
       "description": "When it was registered, Unix time in seconds.",
       "type": "number",
       "format": "double"
      },
      "last_success": {
       "description": "When the receiver last took a message, Unix time in seconds.",
       "type": "number",
       "format": "double"
      },
      "last_failure": {
       "description": "The last message that was not taken.",
       "type": "object",
       "required": [
        "date",
        "reason"
       ],
       "properties": {
        "date": {
         "description": "When, Unix time in seconds.",
         "type": "number",
         "format": "double"
        },
        "reason": {
         "description": "A sentence for a person.",
         "type": "string"
        }
       }
      },
      "next_try": {
       "description": "When it is tried next, Unix time in seconds; there only while it is `retrying`.",
       "type": "number",
       "format": "double"
      }
     }
    }
   },
   "WebhookInfo": {
    "description": "A webhook and how it is going. What is not known is left out.",
    "type": "object",
    "required": [
     "target_url",
     "event",
     "state",
     "waiting"
    ],
    "properties": {
     "target_url": {
      "description": "As it was registered.",
      "type": "string"
     },
     "event": {
      "description": "As it was registered.",
      "type": "string",
      "enum": [
       "new_thing",
       "changed_thing",
       "deleted_thing",
       "tag",
       "any"
      ]
     },
     "state": {
      "description": "`working`; `retrying` after a failure; `resting` after the last try, until it is registered again or woken on the account page; `paused` by the operator of the server.",
      "type": "string",
      "enum": [
       "working",
       "retrying",
       "resting",
       "paused"
      ]
     },
     "waiting": {
      "description": "Whether there is something that the receiver was not told of yet.",
      "type": "boolean"
     },
     "date": {
      "description": "When it was registered, Unix time in seconds.",
      "type": "number",
      "format": "double"
     },
     "last_success": {
      "description": "When the receiver last took a message, Unix time in seconds.",
      "type": "number",
      "format": "double"
     },
     "last_failure": {
      "description": "The last message that was not taken.",
      "type": "object",
      "required": [
       "date",
       "reason"
      ],
      "properties": {
       "date": {
        "description": "When, Unix time in seconds.",
        "type": "number",
        "format": "double"
       },
       "reason": {
        "description": "A sentence for a person.",
        "type": "string"
       }
      }
     },
     "next_try": {
      "description": "When it is tried next, Unix time in seconds; there only while it is `retrying`.",
      "type": "number",
      "format": "double"
     }
    }
   },
   "DeliveryFailure": {
    "description": "The last message that was not taken.",
    "type": "object",
    "required": [
     "date",
     "reason"
    ],
    "properties": {
     "date": {
      "description": "When, Unix time in seconds.",
      "type": "number",
      "format": "double"
     },
     "reason": {
      "description": "A sentence for a person.",
      "type": "string"
     }
    }
   },
   "DeviceList": {
    "description": "Devices of a user, the last registered first.",
    "type": "array",
    "items": {
     "description": "A device and what became of the last messages to it. What is not known is left out.",
     "type": "object",
     "required": [
      "type",
      "id",
      "current",
      "delivered"
     ],
     "properties": {
      "type": {
       "description": "As it was registered.",
       "type": "string"
      },
      "id": {
       "description": "As it was registered.",
       "type": "string"
      },
      "current": {
       "description": "True for a device that the session registered that asks.",
       "type": "boolean"
      },
      "delivered": {
       "description": "False for a device of a type that this server tells nothing.",
       "type": "boolean"
      },
      "date": {
       "description": "When it was last registered, Unix time in seconds.",
       "type": "number",
       "format": "double"
      },
      "last_success": {
       "description": "When its push service last took a message, Unix time in seconds.",
       "type": "number",
       "format": "double"
      },
      "last_failure": {
       "description": "The last message that was not taken.",
       "type": "object",
       "required": [
        "date",
        "reason"
       ],
       "properties": {
        "date": {
         "description": "When, Unix time in seconds.",
         "type": "number",
         "format": "double"
        },
        "reason": {
         "description": "A sentence for a person.",
         "type": "string"
        }
       }
      }
     }
    }
   },
   "DeviceInfo": {
    "description": "A device and what became of the last messages to it. What is not known is left out.",
    "type": "object",
    "required": [
     "type",
     "id",
     "current",
     "delivered"
    ],
    "properties": {
     "type": {
      "description": "As it was registered.",
      "type": "string"
     },
     "id": {
      "description": "As it was registered.",
      "type": "string"
     },
     "current": {
      "description": "True for a device that the session registered that asks.",
      "type": "boolean"
     },
     "delivered": {
      "description": "False for a device of a type that this server tells nothing.",
      "type": "boolean"
     },
     "date": {
      "description": "When it was last registered, Unix time in seconds.",
      "type": "number",
      "format": "double"
     },
     "last_success": {
      "description": "When its push service last took a message, Unix time in seconds.",
      "type": "number",
      "format": "double"
     },
     "last_failure": {
      "description": "The last message that was not taken.",
      "type": "object",
      "required": [
       "date",
       "reason"
      ],
      "properties": {
       "date": {
        "description": "When, Unix time in seconds.",
        "type": "number",
        "format": "double"
       },
       "reason": {
        "description": "A sentence for a person.",
        "type": "string"
       }
      }
     }
    }
   },
   "DeviceKey": {
    "description": "The server's public key for Web Push.",
    "type": "object",
    "required": [
     "key"
    ],
    "properties": {
     "key": {
      "description": "The uncompressed point of a P-256 key, 65 bytes as base64url.",
      "type": "string",
      "minLength": 1
     }
    }
   },
   "Unregistered": {
    "description": "It is not registered any more.",
    "type": "object",
    "required": [
     "unregistered"
    ],
    "properties": {
     "unregistered": {
      "description": "Always true.",
      "type": "boolean",
      "enum": [
       true
      ]
     }
    }
   },
   "DeviceRegistration": {
    "description": "A device to tell of changes.",
    "type": "object",
    "required": [
     "type",
     "id"
    ],
    "properties": {
     "access_token": {
      "description": "The access token, when it is not in the header or in the query; the first field of a form.",
      "type": "string",
      "nullable": true,
      "maxLength": 4096
     },
     "type": {
      "description": "`webpush`, or the name of another push service.",
      "type": "string",
      "minLength": 1,
      "maxLength": 128,
      "format": "text"
     },
     "id": {
      "description": "The client's name of the device, or its id at the push service.",
      "type": "string",
      "minLength": 1,
      "maxLength": 4096,
      "format": "text"
     },
     "endpoint": {
      "description": "For `webpush`; address of the push service, absolute http or https, without user name and password.",
      "type": "string",
      "nullable": true,
      "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$",
      "maxLength": 4096,
      "format": "web-address"
     },
     "p256dh": {
      "description": "For `webpush`; public key of the device.",
      "type": "string",
      "nullable": true,
      "maxLength": 1024,
      "format": "text"
     },
     "auth": {
      "description": "For `webpush`; authentication secret of the device.",
      "type": "string",
      "nullable": true,
      "maxLength": 1024,
      "format": "text"
     }
    }
   },
   "DeviceRemoval": {
    "description": "A device to forget.",
    "type": "object",
    "required": [
     "type",
     "id"
    ],
    "properties": {
     "access_token": {
      "description": "The access token, when it is not in the header or in the query; the first field of a form.",
      "type": "string",
      "nullable": true,
      "maxLength": 4096
     },
     "type": {
      "description": "As it was registered.",
      "type": "string",
      "minLength": 1,
      "maxLength": 128,
      "format": "text"
     },
     "id": {
      "description": "As it was registered.",
      "type": "string",
      "minLength": 1,
      "maxLength": 4096,
      "format": "text"
     }
    }
   },
   "SessionList": {
    "description": "What may act for the user, the last used first.",
    "type": "array",
    "items": {
     "description": "One of the ways in which somebody may act for the user at the moment. What is not known is left out.",
     "type": "object",
     "required": [
      "id",
      "kind",
      "current",
      "date"
     ],
     "properties": {
      "id": {
       "description": "Its id, for `/session/revoke`.",
       "type": "string"
      },
      "kind": {
       "description": "An application with tokens, a personal access token, or a browser that is signed in to the pages.",
       "type": "string",
       "enum": [
        "app",
        "token",
        "browser"
       ]
      },
      "current": {
       "description": "True for the session that asks.",
       "type": "boolean"
      },
      "date": {
       "description": "When it began, Unix time in seconds.",
       "type": "number",
       "format": "double"
      },
      "name": {
       "description": "Name of the application or the token; a browser has none.",
       "type": "string"
      },
      "client_id": {
       "description": "The application.",
       "type": "string"
      },
      "began": {
       "description": "The grant by which an application began it.",
       "type": "string",
       "enum": [
        "password",
        "code"
       ]
      },
      "read_only": {
       "description": "A personal access token that may only read.",
       "type": "boolean"
      },
      "last_used": {
       "description": "When it was last used, give or take an hour, Unix time in seconds.",
       "type": "number",
       "format": "double"
      },
      "expires": {
       "description": "When it ends unless it is used before, Unix time in seconds; absent when it does not.",
       "type": "number",
       "format": "double"
      },
      "address": {
       "description": "Network address that it was last granted tokens at, or began at.",
       "type": "string"
      },
      "user_agent": {
       "description": "What the program there said of itself, cut short.",
       "type": "string"
      }
     }
    }
   },
   "SessionInfo": {
    "description": "One of the ways in which somebody may act for the user at the moment. What is not known is left out.",
    "type": "object",
    "required": [
     "id",
     "kind",
     "current",
     "date"
    ],
    "properties": {
     "id": {
      "description": "Its id, for `/session/revoke`.",
      "type": "string"
     },
     "kind": {
      "description": "An application with tokens, a personal access token, or a browser that is signed in to the pages.",
      "type": "string",
      "enum": [
       "app",
       "token",
       "browser"
      ]
     },
     "current": {
      "description": "True for the session that asks.",
      "type": "boolean"
     },
     "date": {
      "description": "When it began, Unix time in seconds.",
      "type": "number",
      "format": "double"
     },
     "name": {
      "description": "Name of the application or the token; a browser has none.",
      "type": "string"
     },
     "client_id": {
      "description": "The application.",
      "type": "string"
     },
     "began": {
      "description": "The grant by which an application began it.",
      "type": "string",
      "enum": [
       "password",
       "code"
      ]
     },
     "read_only": {
      "description": "A personal access token that may only read.",
      "type": "boolean"
     },
     "last_used": {
      "description": "When it was last used, give or take an hour, Unix time in seconds.",
      "type": "number",
      "format": "double"
     },
     "expires": {
      "description": "When it ends unless it is used before, Unix time in seconds; absent when it does not.",
      "type": "number",
      "format": "double"
     },
     "address": {
      "description": "Network address that it was last granted tokens at, or began at.",
      "type": "string"
     },
     "user_agent": {
      "description": "What the program there said of itself, cut short.",
      "type": "string"
     }
    }
   },
   "SessionRevocation": {
    "description": "A session to end.",
    "type": "object",
    "required": [
     "id"
    ],
    "properties": {
     "access_token": {
      "description": "The access token, when it is not in the header or in the query; the first field of a form.",
      "type": "string",
      "nullable": true,
      "maxLength": 4096
     },
     "id": {
      "description": "Identifier that the server gave.",
      "type": "string",
      "minLength": 1,
      "maxLength": 128,
      "format": "text"
     }
    }
   },
   "RevokedSession": {
    "description": "The session that has ended.",
    "type": "object",
    "required": [
     "revoked_session"
    ],
    "properties": {
     "revoked_session": {
      "description": "Its id.",
      "type": "string"
     }
    }
   },
   "TestAnswer": {
    "description": "The name of the user.",
    "type": "object",
    "required": [
     "user"
    ],
    "properties": {
     "user": {
      "description": "Name of the user.",
      "type": "string"
     }
    }
   }
  }
 }
} as unknown as Document
