// Made from openapi.yaml by redocly bundle (npm run generate); edit openapi.yaml instead.
import type { Document } from 'openapi-backend'

/** The resolved document for SDK generators. */
export const sdkDocument = {
 "openapi": "3.0.3",
 "info": {
  "title": "Thing synchronisation",
  "description": "A personal store of things (notes and bookmarks with tags) that devices, often offline, keep in step.",
  "version": "1.2.0",
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
   "url": "http://127.0.0.1:8484/v1"
  }
 ],
 "tags": [
  {
   "name": "thingsync",
   "description": "For generators of clients: one way to give the access token, one content type for each body, and schemas that\ngenerators of all languages understand. `openapi.yaml` describes the same interface with all its ways to write a\nrequest.\n\n## A first sync\n\nGet a token from `POST /token`, then call `/sync` with it as bearer token. Store the `pos` of the answer and send it as\n`from` the next time: the answer then holds only what changed since. A field that is null is the same as one that is\nleft out; to empty `tags`, `url` or `html` send `\"\"`.\n\n## Values\n\nPositions and counts are whole numbers below 2^53 and need an `int64` or a double; a 32-bit float loses changes. Dates are\nUnix times in seconds, with a fraction if one was given. Strings of `format: text` hold any Unicode text but NUL and lone\nsurrogates, and come back exactly as sent.\n\n## Limits\n\n| what | at most |\n| --- | --- |\n| a body | 32 MiB, if the server is not set up otherwise |\n| a body of `/token` and `/revoke` | 64 KiB, 100 fields |\n| a JSON body without an access token in header or query | 64 KiB |\n| fields of a form | 120,000 |\n| members of one JSON object | 10,000 |\n| JSON values in one request, lists and objects included | 1,000,000 |\n| all bodies under way whose sender is not known yet | 64 MiB together, else `slow_down` |\n| nesting of JSON | 32 levels |\n| things of one kind in one request | 100,000 |\n| tags whose settings are changed in one request | 10,000 |\n| tags with settings of a user | 10,000, if the server is not set up otherwise, and as many whose settings were cleared |\n| the name of a tag whose settings are changed | 1,000 characters |\n| address and headers together | 16 KB |\n| webhooks of a user | 20 |\n| devices of a user | 100; the one that was not registered for the longest time is forgotten |\n| `/sync/events` and syncs with `wait` under way in a session | 10 together |\n\n## Errors\n\nAn error is always a JSON object with `error`, a code, and `error_description`, a sentence that names the parameter. A\nrequest is all or nothing: whatever the error, nothing of it was applied, unless no answer came at all.\n\n| status | error | when | what to do |\n| --- | --- | --- | --- |\n| 400 | `parameter_invalid` | A parameter is missing, of a wrong type or too long, JSON cannot be read, two new things share a `local_id`, an upload stands in a GET. | Mend the request; as it is it will be refused again. |\n| 400 | `invalid_request` | Two different access tokens, or one in the query of a server that takes none there; at `/token` and `/revoke` a missing or wrong parameter, or client credentials in two ways. | Mend the request. |\n| 400 | `invalid_grant` | At `/token`: user name or password is wrong, the refresh token is unknown, ended or used up, or the code is, or is another application's, redirect's or verifier's. | After `password` ask the user again; after `refresh_token` and `authorization_code` forget the tokens, keep what was not uploaded, and ask the user to sign in. |\n| 400 | `unauthorized_client` | At `/token`: the application may not use this grant. | Use another grant. |\n| 400 | `unsupported_grant_type` | At `/token`: there is no such grant, or `password` is switched off on this server. | Use `authorization_code`, `refresh_token`, or `password` where it is on. |\n| 401 | `invalid_request` | There is no access token. | Send one. |\n| 401 | `invalid_grant` | The access token is expired or invalid. | Renew it by `refresh_token` once, then send the request again. |\n| 401 | `invalid_client` | At `/token` and `/revoke`: `client_id` or `client_secret` is wrong or missing. | Mend the settings of the application; keep the tokens. |\n| 403 | `insufficient_scope` | A personal access token that may only read was sent with something that changes. | Ask the user for another token. |\n| 404 | `not_found` | `_id` names no thing of this user, `id` no session, or there is no such operation. | Drop the thing, or mend the address. |\n| 405 | `method_not_allowed` | The operation has other methods; `Allow` names them. | Use one of them. |\n| 408 | `parameter_invalid` | The request arrived too slowly. | Send it again. |\n| 413 | `too_large` | The body is too large, or holds too many things, fields, members or values; or the account would hold more things, bytes or tags with settings than it may. | Send less at once; a large JSON body with the token in the header. Where the sentence names a limit of the account, keep the change and tell the user. |\n| 415 | `unsupported_media_type` | The operation does not take this content type. | Send a content type that the operation declares. |\n| 429 | `slow_down` | At `/token` and `/revoke`: too many failed attempts from this address or for this account, or too many sign-ins at once. At every POST: too many large requests under way. At `/sync/events` and with `wait`: the session has 10 of these already. Everywhere: too many requests without an access token from this address. | Wait as many seconds as `Retry-After` says, then send it again. |\n| 431 | `parameter_invalid` | Address and headers are too large, or headers too many. | Put the access token into the header, and uploads into a body. |\n| 500 | `server_error` | A bug of the server. | Send it again later; uploads with the same `from` and the same `local_id`. |\n| 503 | `temporarily_unavailable` | The server cannot store or read at the moment. | Keep the tokens, wait as `Retry-After` says, send it again. |\n\nWhat cannot be read as HTTP at all is answered with 400 `parameter_invalid` whatever its address, and the connection\nis closed. Wait longer after each failure, and never throw tokens away for a 429 or a 5xx.\n"
  }
 ],
 "paths": {
  "/token": {
   "post": {
    "operationId": "grantToken",
    "tags": [
     "thingsync"
    ],
    "summary": "Get or renew an access token",
    "description": "Issues a new pair of tokens. The body is a form and nothing else. The body may have 64 KiB and 100 fields.\n\n`grant_type=password` takes `username` and `password`; `grant_type=refresh_token` takes the `request_token` of an earlier\nanswer as `refresh_token`. The client credentials come in the form or by HTTP Basic (RFC 6749 2.3.1), never both; an\napplication that is registered without a secret gives its `client_id` alone. A refresh whose answer was lost can be sent\nagain until the new pair is first used; after that the old request token ends the whole session. Keep the newest\n`request_token`: it lives for 90 days from its last use.\n\n`grant_type=authorization_code` takes the `code` that the web flow sent to `redirect_uri`, that `redirect_uri` when the\nrequest named one, also followed by what was appended to it, and the `code_verifier` when the request had a\n`code_challenge`. A code that is presented a second time ends the session that it began.\n",
    "security": [],
    "x-codegen-request-body-name": "body",
    "requestBody": {
     "required": true,
     "content": {
      "application/x-www-form-urlencoded": {
       "schema": {
        "description": "Request of a token. Which fields a grant needs is said in the operation.",
        "type": "object",
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
        },
        "required": [
         "grant_type"
        ]
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The new pair of tokens.",
      "content": {
       "application/json": {
        "schema": {
         "description": "A new pair of tokens.",
         "type": "object",
         "properties": {
          "access_token": {
           "description": "Token to call the API with.",
           "type": "string"
          },
          "expires_in": {
           "description": "Validity of the access token in seconds.",
           "type": "integer",
           "format": "int64"
          },
          "request_token": {
           "description": "What the refresh_token grant takes as `refresh_token`.",
           "type": "string"
          },
          "refresh_token": {
           "description": "The value of `request_token`, under the name that OAuth libraries read.",
           "type": "string"
          },
          "token_type": {
           "description": "Always \"bearer\".",
           "type": "string"
          },
          "scope": {
           "description": "Always null, and left out for applications that are registered as standard.",
           "type": "string",
           "nullable": true
          }
         },
         "required": [
          "access_token",
          "expires_in",
          "request_token",
          "token_type"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Give a token back",
    "description": "Ends the session that the token belongs to, on either of its tokens (RFC 7009). A token that is unknown is answered in the\nsame way, so nothing can be learnt from it. The client credentials come in the body or by HTTP Basic; an application that\nis registered without a secret gives its `client_id` alone. The body may have 64 KiB and 100 fields.\n",
    "security": [],
    "x-codegen-request-body-name": "body",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A token to give back (RFC 7009).",
        "type": "object",
        "properties": {
         "token": {
          "description": "An access token or a request token.",
          "type": "string",
          "maxLength": 4096
         },
         "token_type_hint": {
          "description": "Which of the two it is; not needed.",
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
         }
        },
        "required": [
         "token"
        ]
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
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Download changes",
    "description": "Lists things and tag settings. Without `from`, or with 0, all things are listed; with the `pos` of an earlier answer only\nwhat changed since. Never changes anything; upload parameters belong into a POST.\n\nThings come in the order of their last change, deleted ids behind them. `skip` and `limit` page through that order; the\npages of one listing are taken from one snapshot for up to 15 minutes and all return its position. When a page has\nanother `pos` than the first, the server was restarted, or more than 16 other listings of the session were begun:\nbegin again with the first page. Answers can be very\nlarge: parse them as a stream.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "parameters": [
     {
      "name": "from",
      "in": "query",
      "description": "A `pos` that was returned earlier; left out or 0 asks for everything.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      }
     },
     {
      "name": "skip",
      "in": "query",
      "description": "Leave out the first things of the listing.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      }
     },
     {
      "name": "limit",
      "in": "query",
      "description": "Return at most this many things.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      }
     },
     {
      "name": "skip_id",
      "in": "query",
      "description": "Ids to leave out of the changed and deleted things.",
      "schema": {
       "type": "array",
       "items": {
        "description": "Identifier that the server gave.",
        "type": "string",
        "format": "text",
        "minLength": 1,
        "maxLength": 128
       },
       "maxItems": 100000
      }
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
         "properties": {
          "pos": {
           "description": "Current position, to be sent later as `from`.",
           "type": "integer",
           "format": "int64"
          },
          "thingCount": {
           "description": "Number of things new, changed or deleted, whatever skip and limit; left out when 0.",
           "type": "integer",
           "format": "int64"
          },
          "tags": {
           "description": "Tag settings that apply, by tag name; left out when there are none.",
           "type": "object",
           "additionalProperties": {
            "description": "Settings of a tag as the server returns them.",
            "type": "object",
            "properties": {
             "favorite": {
              "description": "Whether the tag is a favorite.",
              "type": "boolean"
             },
             "color": {
              "description": "False for none, or the hex code of a background colour, in lower case."
             },
             "todo": {
              "description": "When not false, things that carry the tag are shown with a checkbox."
             }
            },
            "required": [
             "favorite",
             "color",
             "todo"
            ]
           }
          },
          "things": {
           "description": "Things of a sync answer; each part is there only when it is not empty.",
           "type": "object",
           "properties": {
            "new": {
             "description": "From each submitted local_id to the new `_id`.",
             "type": "object",
             "additionalProperties": {
              "type": "string"
             }
            },
            "changed": {
             "description": "Things that are new or changed, in their latest state.",
             "type": "array",
             "items": {
              "description": "A thing as the server returns it.",
              "type": "object",
              "properties": {
               "_id": {
                "description": "Identifier.",
                "type": "string"
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
                "type": "string"
               },
               "html": {
                "description": "There only when html is set.",
                "type": "string"
               },
               "archived": {
                "description": "There only when the thing is archived.",
                "type": "boolean"
               },
               "todoStatus": {
                "description": "There only when one of the tags makes the thing a todo.",
                "type": "boolean"
               }
              },
              "required": [
               "_id",
               "title",
               "tags",
               "date"
              ]
             }
            },
            "deleted": {
             "description": "Ids of things that were deleted.",
             "type": "array",
             "items": {
              "type": "string"
             }
            }
           }
          }
         },
         "required": [
          "pos"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
        }
       }
      }
     }
    }
   },
   "post": {
    "operationId": "postSync",
    "tags": [
     "thingsync"
    ],
    "summary": "Upload local changes and download changes",
    "description": "Applies creations, changes, deletions and tag settings, in this order, all or none; then lists what other clients changed.\nOwn uploads are not listed again.\n\n`things.new` names the `_id` of every submitted `local_id`; use it from then on. **When an answer is lost**, send the same\nupload with the same explicit `from` again, 0 at first. A repeated `local_id` is a retry when title, url or given date is\nthe same as before; otherwise it is another thing. After a later `from`, or once the session has named the thing by its\n`_id`, it is a new thing. A changed thing that was deleted elsewhere comes back in `things.deleted`; drop it.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "x-codegen-request-body-name": "body",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A sync upload. A single object may stand for an array of one.",
        "type": "object",
        "properties": {
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
          "description": "Things to create.",
          "type": "array",
          "items": {
           "description": "A thing to create.",
           "type": "object",
           "properties": {
            "local_id": {
             "description": "The client's identifier, unique in one request. A number that loses digits as a double goes as text.",
             "type": "string"
            },
            "title": {
             "description": "Title of the thing; may be empty.",
             "type": "string",
             "format": "text",
             "maxLength": 65536
            },
            "tags": {
             "description": "Tags, separated by spaces; \"\" clears, null is absent.",
             "type": "string",
             "format": "text",
             "maxLength": 65536
            },
            "date": {
             "description": "Time of creation, Unix time in seconds; the server's time when left out.",
             "type": "number",
             "format": "double"
            },
            "url": {
             "description": "URL of the thing; \"\" clears, null is absent.",
             "type": "string",
             "format": "text",
             "maxLength": 65536
            },
            "html": {
             "description": "Note or other content; \"\" clears, null is absent.",
             "type": "string",
             "format": "text",
             "maxLength": 16777216
            },
            "archived": {
             "description": "Left out means false.",
             "type": "boolean"
            },
            "todoStatus": {
             "description": "Completion of a todo.",
             "type": "boolean"
            }
           },
           "required": [
            "local_id",
            "title"
           ]
          },
          "maxItems": 100000
         },
         "changed_thing": {
          "description": "Things to change.",
          "type": "array",
          "items": {
           "description": "A thing to change by sync. Fields that are left out stay, but `archived` becomes false.",
           "type": "object",
           "properties": {
            "_id": {
             "description": "Identifier that the server gave.",
             "type": "string",
             "format": "text",
             "minLength": 1,
             "maxLength": 128
            },
            "title": {
             "description": "Title of the thing; may be empty.",
             "type": "string",
             "format": "text",
             "maxLength": 65536
            },
            "tags": {
             "description": "Tags, separated by spaces; \"\" clears, null is absent.",
             "type": "string",
             "format": "text",
             "maxLength": 65536
            },
            "date": {
             "description": "Time of creation, Unix time in seconds; the server's time when left out.",
             "type": "number",
             "format": "double"
            },
            "url": {
             "description": "URL of the thing; \"\" clears, null is absent.",
             "type": "string",
             "format": "text",
             "maxLength": 65536
            },
            "html": {
             "description": "Note or other content; \"\" clears, null is absent.",
             "type": "string",
             "format": "text",
             "maxLength": 16777216
            },
            "archived": {
             "description": "Left out means false.",
             "type": "boolean"
            },
            "todoStatus": {
             "description": "Completion of a todo.",
             "type": "boolean"
            }
           },
           "required": [
            "_id",
            "title"
           ]
          },
          "maxItems": 100000
         },
         "deleted_thing": {
          "description": "Things to delete.",
          "type": "array",
          "items": {
           "description": "Identifier that the server gave.",
           "type": "string",
           "format": "text",
           "minLength": 1,
           "maxLength": 128
          },
          "maxItems": 100000
         },
         "tag": {
          "description": "Tag settings to change, by tag name of at most 1,000 characters.",
          "type": "object",
          "additionalProperties": {
           "description": "Settings of a tag to change. Fields that are left out stay as they are.",
           "type": "object",
           "properties": {
            "favorite": {
             "description": "Whether the tag is a favorite.",
             "type": "boolean"
            },
            "color": {
             "description": "False for none, or the hex code of a background colour; it comes back in lower case."
            },
            "todo": {
             "description": "Whether things that carry the tag are todos; true is kept as \"strike\"."
            }
           }
          },
          "maxProperties": 10000
         },
         "skip_id": {
          "description": "Ids to leave out of the changed and deleted things.",
          "type": "array",
          "items": {
           "description": "Identifier that the server gave.",
           "type": "string",
           "format": "text",
           "minLength": 1,
           "maxLength": 128
          },
          "maxItems": 100000
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
         "properties": {
          "pos": {
           "description": "Current position, to be sent later as `from`.",
           "type": "integer",
           "format": "int64"
          },
          "thingCount": {
           "description": "Number of things new, changed or deleted, whatever skip and limit; left out when 0.",
           "type": "integer",
           "format": "int64"
          },
          "tags": {
           "description": "Tag settings that apply, by tag name; left out when there are none.",
           "type": "object",
           "additionalProperties": {
            "description": "Settings of a tag as the server returns them.",
            "type": "object",
            "properties": {
             "favorite": {
              "description": "Whether the tag is a favorite.",
              "type": "boolean"
             },
             "color": {
              "description": "False for none, or the hex code of a background colour, in lower case."
             },
             "todo": {
              "description": "When not false, things that carry the tag are shown with a checkbox."
             }
            },
            "required": [
             "favorite",
             "color",
             "todo"
            ]
           }
          },
          "things": {
           "description": "Things of a sync answer; each part is there only when it is not empty.",
           "type": "object",
           "properties": {
            "new": {
             "description": "From each submitted local_id to the new `_id`.",
             "type": "object",
             "additionalProperties": {
              "type": "string"
             }
            },
            "changed": {
             "description": "Things that are new or changed, in their latest state.",
             "type": "array",
             "items": {
              "description": "A thing as the server returns it.",
              "type": "object",
              "properties": {
               "_id": {
                "description": "Identifier.",
                "type": "string"
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
                "type": "string"
               },
               "html": {
                "description": "There only when html is set.",
                "type": "string"
               },
               "archived": {
                "description": "There only when the thing is archived.",
                "type": "boolean"
               },
               "todoStatus": {
                "description": "There only when one of the tags makes the thing a todo.",
                "type": "boolean"
               }
              },
              "required": [
               "_id",
               "title",
               "tags",
               "date"
              ]
             }
            },
            "deleted": {
             "description": "Ids of things that were deleted.",
             "type": "array",
             "items": {
              "type": "string"
             }
            }
           }
          }
         },
         "required": [
          "pos"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Count things per tag",
    "description": "Numbers of living things, archived ones too, per tag: favorite tags and all others. With `from` equal to the current\nposition both maps are empty; otherwise both are complete.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "parameters": [
     {
      "name": "from",
      "in": "query",
      "description": "A `pos` that was returned earlier; left out or 0 asks for everything.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      }
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
         },
         "required": [
          "pos",
          "favorite",
          "other"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Create a thing",
    "description": "Creates a thing and answers it. A `title` that is an absolute http or https address becomes the `url` too when none is\ngiven. With `prevent_duplicate` and a living thing that has the same `url`, nothing is created and that thing is answered\nwith `duplicate: true`.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "x-codegen-request-body-name": "body",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A thing to create on its own.",
        "type": "object",
        "properties": {
         "title": {
          "description": "Title of the thing; may be empty.",
          "type": "string",
          "format": "text",
          "maxLength": 65536
         },
         "tags": {
          "description": "Tags, separated by spaces; \"\" clears, null is absent.",
          "type": "string",
          "format": "text",
          "maxLength": 65536
         },
         "date": {
          "description": "Time of creation, Unix time in seconds; the server's time when left out.",
          "type": "number",
          "format": "double"
         },
         "url": {
          "description": "URL of the thing; \"\" clears, null is absent.",
          "type": "string",
          "format": "text",
          "maxLength": 65536
         },
         "html": {
          "description": "Note or other content; \"\" clears, null is absent.",
          "type": "string",
          "format": "text",
          "maxLength": 16777216
         },
         "archived": {
          "description": "Left out means false.",
          "type": "boolean"
         },
         "todoStatus": {
          "description": "Completion of a todo.",
          "type": "boolean"
         },
         "prevent_duplicate": {
          "description": "Answer an existing thing with the same url instead of creating another.",
          "type": "boolean"
         }
        },
        "required": [
         "title"
        ]
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
         "type": "object",
         "properties": {
          "_id": {
           "description": "Identifier.",
           "type": "string"
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
           "type": "string"
          },
          "html": {
           "description": "There only when html is set.",
           "type": "string"
          },
          "archived": {
           "description": "There only when the thing is archived.",
           "type": "boolean"
          },
          "todoStatus": {
           "description": "There only when one of the tags makes the thing a todo.",
           "type": "boolean"
          },
          "duplicate": {
           "description": "There only when nothing was created.",
           "type": "boolean"
          }
         },
         "required": [
          "_id",
          "title",
          "tags",
          "date"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Change a thing",
    "description": "Changes the given fields of a thing and answers it whole. Fields that are left out stay as they are, `archived` too; `\"\"`\nempties `url`, `html` and `tags`.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "x-codegen-request-body-name": "body",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "Fields of a thing to change; those that are left out stay.",
        "type": "object",
        "properties": {
         "_id": {
          "description": "Identifier that the server gave.",
          "type": "string",
          "format": "text",
          "minLength": 1,
          "maxLength": 128
         },
         "title": {
          "description": "Title of the thing; may be empty.",
          "type": "string",
          "format": "text",
          "maxLength": 65536
         },
         "tags": {
          "description": "Tags, separated by spaces; \"\" clears, null is absent.",
          "type": "string",
          "format": "text",
          "maxLength": 65536
         },
         "date": {
          "description": "Time of creation, Unix time in seconds; the server's time when left out.",
          "type": "number",
          "format": "double"
         },
         "url": {
          "description": "URL of the thing; \"\" clears, null is absent.",
          "type": "string",
          "format": "text",
          "maxLength": 65536
         },
         "html": {
          "description": "Note or other content; \"\" clears, null is absent.",
          "type": "string",
          "format": "text",
          "maxLength": 16777216
         },
         "archived": {
          "description": "Whether the thing is archived.",
          "type": "boolean"
         },
         "todoStatus": {
          "description": "Completion of a todo.",
          "type": "boolean"
         }
        },
        "required": [
         "_id"
        ]
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
         "properties": {
          "_id": {
           "description": "Identifier.",
           "type": "string"
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
           "type": "string"
          },
          "html": {
           "description": "There only when html is set.",
           "type": "string"
          },
          "archived": {
           "description": "There only when the thing is archived.",
           "type": "boolean"
          },
          "todoStatus": {
           "description": "There only when one of the tags makes the thing a todo.",
           "type": "boolean"
          }
         },
         "required": [
          "_id",
          "title",
          "tags",
          "date"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Delete a thing",
    "description": "Deletes a thing for good. A second time it is not found.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "x-codegen-request-body-name": "body",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A thing to delete.",
        "type": "object",
        "properties": {
         "_id": {
          "description": "Identifier that the server gave.",
          "type": "string",
          "format": "text",
          "minLength": 1,
          "maxLength": 128
         }
        },
        "required": [
         "_id"
        ]
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
         "properties": {
          "deleted_thing": {
           "description": "Its `_id`.",
           "type": "string"
          }
         },
         "required": [
          "deleted_thing"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "List things",
    "description": "All living things in the order of their last change, without archived ones unless asked for.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "parameters": [
     {
      "name": "archived",
      "in": "query",
      "description": "Left out or `false` lists living things that are not archived, `include` archived ones too, `true` only archived ones; booleans in any spelling.",
      "schema": {
       "type": "string",
       "pattern": "^([Ff][Aa][Ll][Ss][Ee]|[Tt][Rr][Uu][Ee]|0|1|include)$"
      }
     },
     {
      "name": "tag",
      "in": "query",
      "description": "Only things that carry this tag.",
      "schema": {
       "type": "string",
       "format": "text",
       "maxLength": 1024
      }
     },
     {
      "name": "skip",
      "in": "query",
      "description": "Leave out the first things of the listing.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      }
     },
     {
      "name": "limit",
      "in": "query",
      "description": "Return at most this many things.",
      "schema": {
       "type": "integer",
       "format": "int64",
       "minimum": 0
      }
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
          "properties": {
           "_id": {
            "description": "Identifier.",
            "type": "string"
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
            "type": "string"
           },
           "html": {
            "description": "There only when html is set.",
            "type": "string"
           },
           "archived": {
            "description": "There only when the thing is archived.",
            "type": "boolean"
           },
           "todoStatus": {
            "description": "There only when one of the tags makes the thing a todo.",
            "type": "boolean"
           }
          },
          "required": [
           "_id",
           "title",
           "tags",
           "date"
          ]
         }
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Get the user",
    "description": "Name, date of creation, position and number of things of the user.\n",
    "security": [
     {
      "bearerToken": []
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
           "format": "int64"
          }
         },
         "required": [
          "username",
          "date",
          "pos",
          "thingCount"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "List sessions",
    "description": "What may act for the user at the moment, the last used first, as far as the one who asks may know it. A personal access\ntoken gets all: applications with tokens, personal access tokens, and browsers that are signed in to the pages; one\nthat is read-only gets itself. An application gets its own sessions. An addition: the interface has no such operation.\n",
    "security": [
     {
      "bearerToken": []
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
          "properties": {
           "id": {
            "description": "Its id, for `/session/revoke`.",
            "type": "string"
           },
           "kind": {
            "description": "An application with tokens, a personal access token, or a browser that is signed in to the pages.",
            "type": "string"
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
            "type": "string"
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
          },
          "required": [
           "id",
           "kind",
           "current",
           "date"
          ]
         }
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "End a session",
    "description": "Ends one of the sessions that `/session/list` lists, at once; it may be the one that asks. A second time it is not found,\nand neither is one that is not listed for the one who asks.\nAn addition: the interface has no such operation.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "x-codegen-request-body-name": "body",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A session to end.",
        "type": "object",
        "properties": {
         "id": {
          "description": "Identifier that the server gave.",
          "type": "string",
          "format": "text",
          "minLength": 1,
          "maxLength": 128
         }
        },
        "required": [
         "id"
        ]
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
         "properties": {
          "revoked_session": {
           "description": "Its id.",
           "type": "string"
          }
         },
         "required": [
          "revoked_session"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Register a device",
    "description": "Stores where a device can be told that something changed. For `type` `webpush` the fields `endpoint`, `p256dh` and `auth`\nare required. Registering again replaces what was stored. Of more than 100 devices, the one that was not registered for\nthe longest time is forgotten. Devices of other types are kept and never told anything, and answered with\n`delivered: false`; this field is an addition.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "x-codegen-request-body-name": "body",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A device to tell of changes.",
        "type": "object",
        "properties": {
         "type": {
          "description": "`webpush`, or the name of another push service.",
          "type": "string",
          "format": "text",
          "minLength": 1,
          "maxLength": 128
         },
         "id": {
          "description": "The client's name of the device, or its id at the push service.",
          "type": "string",
          "format": "text",
          "minLength": 1,
          "maxLength": 4096
         },
         "endpoint": {
          "description": "For `webpush`; address of the push service, absolute http or https, without user name and password.",
          "type": "string",
          "format": "web-address",
          "maxLength": 4096,
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"
         },
         "p256dh": {
          "description": "For `webpush`; public key of the device.",
          "type": "string",
          "format": "text",
          "maxLength": 1024
         },
         "auth": {
          "description": "For `webpush`; authentication secret of the device.",
          "type": "string",
          "format": "text",
          "maxLength": 1024
         }
        },
        "required": [
         "type",
         "id"
        ]
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
         "properties": {
          "registered": {
           "description": "Always true.",
           "type": "boolean"
          },
          "delivered": {
           "description": "There only for a device of a type that this server tells nothing.",
           "type": "boolean"
          }
         },
         "required": [
          "registered"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Unregister a device",
    "description": "Forgets a device. One that is not registered is answered in the same way.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "x-codegen-request-body-name": "body",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "A device to forget.",
        "type": "object",
        "properties": {
         "type": {
          "description": "As it was registered.",
          "type": "string",
          "format": "text",
          "minLength": 1,
          "maxLength": 128
         },
         "id": {
          "description": "As it was registered.",
          "type": "string",
          "format": "text",
          "minLength": 1,
          "maxLength": 4096
         }
        },
        "required": [
         "type",
         "id"
        ]
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
         "properties": {
          "unregistered": {
           "description": "Always true.",
           "type": "boolean"
          }
         },
         "required": [
          "unregistered"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "List devices",
    "description": "Devices of the user, the last registered first, with what became of the last messages to them: those that the\napplication registered that asks, and those of which it is not known who did. A personal access token that may do\neverything gets all. Addresses and keys are never shown. An addition: the interface has no such operation.\n",
    "security": [
     {
      "bearerToken": []
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
            },
            "required": [
             "date",
             "reason"
            ]
           }
          },
          "required": [
           "type",
           "id",
           "current",
           "delivered"
          ]
         }
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Get the server's public key",
    "description": "The public key of this server for Web Push (VAPID, RFC 8292). A browser takes it as `applicationServerKey` when it\nsubscribes, and its push service then takes messages from this server only. It is made once and stays the same. An\naddition: the interface has no such operation.\n",
    "security": [
     {
      "bearerToken": []
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
         "properties": {
          "key": {
           "description": "The uncompressed point of a P-256 key, 65 bytes as base64url.",
           "type": "string"
          }
         },
         "required": [
          "key"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Register a webhook",
    "description": "Stores an address to call when something has changed. A hook belongs to the app that registers it. Its secret is answered\nonce, when it is new; registering again changes nothing and answers no secret. A user has at most 20.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "x-codegen-request-body-name": "body",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "An address to call and when.",
        "type": "object",
        "properties": {
         "target_url": {
          "description": "Absolute http or https address without user name and password.",
          "type": "string",
          "format": "web-address",
          "maxLength": 2048,
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"
         },
         "event": {
          "description": "What to be told of: `new_thing`, `changed_thing`, `deleted_thing`, `tag` or `any`.",
          "type": "string",
          "pattern": "^(new_thing|changed_thing|deleted_thing|tag|any)$"
         }
        },
        "required": [
         "target_url",
         "event"
        ]
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
         "properties": {
          "registered": {
           "description": "Always true.",
           "type": "boolean"
          },
          "secret": {
           "description": "Secret of the webhook, `whsec_` and base64; only in the answer that made it.",
           "type": "string"
          }
         },
         "required": [
          "registered"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Unregister a webhook",
    "description": "Forgets a webhook of the app. One that is not registered is answered in the same way.\n",
    "security": [
     {
      "bearerToken": []
     }
    ],
    "x-codegen-request-body-name": "body",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "description": "An address to call and when.",
        "type": "object",
        "properties": {
         "target_url": {
          "description": "Absolute http or https address without user name and password.",
          "type": "string",
          "format": "web-address",
          "maxLength": 2048,
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"
         },
         "event": {
          "description": "What to be told of: `new_thing`, `changed_thing`, `deleted_thing`, `tag` or `any`.",
          "type": "string",
          "pattern": "^(new_thing|changed_thing|deleted_thing|tag|any)$"
         }
        },
        "required": [
         "target_url",
         "event"
        ]
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
         "properties": {
          "unregistered": {
           "description": "Always true.",
           "type": "boolean"
          }
         },
         "required": [
          "unregistered"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "List webhooks",
    "description": "The webhooks that the application registered that asks, the oldest first, and how it is going with each. Secrets are\nnever shown. An addition: the interface has no such operation.\n",
    "security": [
     {
      "bearerToken": []
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
          "properties": {
           "target_url": {
            "description": "As it was registered.",
            "type": "string"
           },
           "event": {
            "description": "As it was registered.",
            "type": "string"
           },
           "state": {
            "description": "`working`; `retrying` after a failure; `resting` after the last try, until it is registered again or woken on the account page; `paused` by the operator of the server.",
            "type": "string"
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
            },
            "required": [
             "date",
             "reason"
            ]
           },
           "next_try": {
            "description": "When it is tried next, Unix time in seconds; there only while it is `retrying`.",
            "type": "number",
            "format": "double"
           }
          },
          "required": [
           "target_url",
           "event",
           "state",
           "waiting"
          ]
         }
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
     "thingsync"
    ],
    "summary": "Check the access token",
    "description": "Answers the user's name; a quick way to see whether the access token still works.\n",
    "security": [
     {
      "bearerToken": []
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
         "properties": {
          "user": {
           "description": "Name of the user.",
           "type": "string"
          }
         },
         "required": [
          "user"
         ]
        }
       }
      }
     },
     "default": {
      "description": "Every error.",
      "content": {
       "application/json": {
        "schema": {
         "description": "Every error.",
         "type": "object",
         "properties": {
          "error": {
           "description": "The code.",
           "type": "string"
          },
          "error_description": {
           "description": "A sentence for the developer of the client.",
           "type": "string"
          }
         },
         "required": [
          "error",
          "error_description"
         ]
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
   "bearerToken": {
    "type": "http",
    "scheme": "bearer",
    "description": "The access token as `Authorization: Bearer T`, the way to prefer."
   }
  },
  "schemas": {
   "ErrorBody": {
    "description": "Every error.",
    "type": "object",
    "properties": {
     "error": {
      "description": "The code.",
      "type": "string"
     },
     "error_description": {
      "description": "A sentence for the developer of the client.",
      "type": "string"
     }
    },
    "required": [
     "error",
     "error_description"
    ]
   },
   "Id": {
    "description": "Identifier that the server gave.",
    "type": "string",
    "format": "text",
    "minLength": 1,
    "maxLength": 128
   },
   "Title": {
    "description": "Title of the thing; may be empty.",
    "type": "string",
    "format": "text",
    "maxLength": 65536
   },
   "Tags": {
    "description": "Tags, separated by spaces; \"\" clears, null is absent.",
    "type": "string",
    "format": "text",
    "maxLength": 65536
   },
   "Url": {
    "description": "URL of the thing; \"\" clears, null is absent.",
    "type": "string",
    "format": "text",
    "maxLength": 65536
   },
   "Html": {
    "description": "Note or other content; \"\" clears, null is absent.",
    "type": "string",
    "format": "text",
    "maxLength": 16777216
   },
   "ThingDate": {
    "description": "Time of creation, Unix time in seconds; the server's time when left out.",
    "type": "number",
    "format": "double"
   },
   "ThingCreate": {
    "description": "A thing to create.",
    "type": "object",
    "properties": {
     "local_id": {
      "description": "The client's identifier, unique in one request. A number that loses digits as a double goes as text.",
      "type": "string"
     },
     "title": {
      "description": "Title of the thing; may be empty.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "tags": {
      "description": "Tags, separated by spaces; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "date": {
      "description": "Time of creation, Unix time in seconds; the server's time when left out.",
      "type": "number",
      "format": "double"
     },
     "url": {
      "description": "URL of the thing; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "html": {
      "description": "Note or other content; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 16777216
     },
     "archived": {
      "description": "Left out means false.",
      "type": "boolean"
     },
     "todoStatus": {
      "description": "Completion of a todo.",
      "type": "boolean"
     }
    },
    "required": [
     "local_id",
     "title"
    ]
   },
   "ThingUpdate": {
    "description": "A thing to change by sync. Fields that are left out stay, but `archived` becomes false.",
    "type": "object",
    "properties": {
     "_id": {
      "description": "Identifier that the server gave.",
      "type": "string",
      "format": "text",
      "minLength": 1,
      "maxLength": 128
     },
     "title": {
      "description": "Title of the thing; may be empty.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "tags": {
      "description": "Tags, separated by spaces; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "date": {
      "description": "Time of creation, Unix time in seconds; the server's time when left out.",
      "type": "number",
      "format": "double"
     },
     "url": {
      "description": "URL of the thing; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "html": {
      "description": "Note or other content; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 16777216
     },
     "archived": {
      "description": "Left out means false.",
      "type": "boolean"
     },
     "todoStatus": {
      "description": "Completion of a todo.",
      "type": "boolean"
     }
    },
    "required": [
     "_id",
     "title"
    ]
   },
   "Thing": {
    "description": "A thing as the server returns it.",
    "type": "object",
    "properties": {
     "_id": {
      "description": "Identifier.",
      "type": "string"
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
      "type": "string"
     },
     "html": {
      "description": "There only when html is set.",
      "type": "string"
     },
     "archived": {
      "description": "There only when the thing is archived.",
      "type": "boolean"
     },
     "todoStatus": {
      "description": "There only when one of the tags makes the thing a todo.",
      "type": "boolean"
     }
    },
    "required": [
     "_id",
     "title",
     "tags",
     "date"
    ]
   },
   "TagSettingsChange": {
    "description": "Settings of a tag to change. Fields that are left out stay as they are.",
    "type": "object",
    "properties": {
     "favorite": {
      "description": "Whether the tag is a favorite.",
      "type": "boolean"
     },
     "color": {
      "description": "False for none, or the hex code of a background colour; it comes back in lower case."
     },
     "todo": {
      "description": "Whether things that carry the tag are todos; true is kept as \"strike\"."
     }
    }
   },
   "TagSettings": {
    "description": "Settings of a tag as the server returns them.",
    "type": "object",
    "properties": {
     "favorite": {
      "description": "Whether the tag is a favorite.",
      "type": "boolean"
     },
     "color": {
      "description": "False for none, or the hex code of a background colour, in lower case."
     },
     "todo": {
      "description": "When not false, things that carry the tag are shown with a checkbox."
     }
    },
    "required": [
     "favorite",
     "color",
     "todo"
    ]
   },
   "SyncRequest": {
    "description": "A sync upload. A single object may stand for an array of one.",
    "type": "object",
    "properties": {
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
      "description": "Things to create.",
      "type": "array",
      "items": {
       "description": "A thing to create.",
       "type": "object",
       "properties": {
        "local_id": {
         "description": "The client's identifier, unique in one request. A number that loses digits as a double goes as text.",
         "type": "string"
        },
        "title": {
         "description": "Title of the thing; may be empty.",
         "type": "string",
         "format": "text",
         "maxLength": 65536
        },
        "tags": {
         "description": "Tags, separated by spaces; \"\" clears, null is absent.",
         "type": "string",
         "format": "text",
         "maxLength": 65536
        },
        "date": {
         "description": "Time of creation, Unix time in seconds; the server's time when left out.",
         "type": "number",
         "format": "double"
        },
        "url": {
         "description": "URL of the thing; \"\" clears, null is absent.",
         "type": "string",
         "format": "text",
         "maxLength": 65536
        },
        "html": {
         "description": "Note or other content; \"\" clears, null is absent.",
         "type": "string",
         "format": "text",
         "maxLength": 16777216
        },
        "archived": {
         "description": "Left out means false.",
         "type": "boolean"
        },
        "todoStatus": {
         "description": "Completion of a todo.",
         "type": "boolean"
        }
       },
       "required": [
        "local_id",
        "title"
       ]
      },
      "maxItems": 100000
     },
     "changed_thing": {
      "description": "Things to change.",
      "type": "array",
      "items": {
       "description": "A thing to change by sync. Fields that are left out stay, but `archived` becomes false.",
       "type": "object",
       "properties": {
        "_id": {
         "description": "Identifier that the server gave.",
         "type": "string",
         "format": "text",
         "minLength": 1,
         "maxLength": 128
        },
        "title": {
         "description": "Title of the thing; may be empty.",
         "type": "string",
         "format": "text",
         "maxLength": 65536
        },
        "tags": {
         "description": "Tags, separated by spaces; \"\" clears, null is absent.",
         "type": "string",
         "format": "text",
         "maxLength": 65536
        },
        "date": {
         "description": "Time of creation, Unix time in seconds; the server's time when left out.",
         "type": "number",
         "format": "double"
        },
        "url": {
         "description": "URL of the thing; \"\" clears, null is absent.",
         "type": "string",
         "format": "text",
         "maxLength": 65536
        },
        "html": {
         "description": "Note or other content; \"\" clears, null is absent.",
         "type": "string",
         "format": "text",
         "maxLength": 16777216
        },
        "archived": {
         "description": "Left out means false.",
         "type": "boolean"
        },
        "todoStatus": {
         "description": "Completion of a todo.",
         "type": "boolean"
        }
       },
       "required": [
        "_id",
        "title"
       ]
      },
      "maxItems": 100000
     },
     "deleted_thing": {
      "description": "Things to delete.",
      "type": "array",
      "items": {
       "description": "Identifier that the server gave.",
       "type": "string",
       "format": "text",
       "minLength": 1,
       "maxLength": 128
      },
      "maxItems": 100000
     },
     "tag": {
      "description": "Tag settings to change, by tag name of at most 1,000 characters.",
      "type": "object",
      "additionalProperties": {
       "description": "Settings of a tag to change. Fields that are left out stay as they are.",
       "type": "object",
       "properties": {
        "favorite": {
         "description": "Whether the tag is a favorite.",
         "type": "boolean"
        },
        "color": {
         "description": "False for none, or the hex code of a background colour; it comes back in lower case."
        },
        "todo": {
         "description": "Whether things that carry the tag are todos; true is kept as \"strike\"."
        }
       }
      },
      "maxProperties": 10000
     },
     "skip_id": {
      "description": "Ids to leave out of the changed and deleted things.",
      "type": "array",
      "items": {
       "description": "Identifier that the server gave.",
       "type": "string",
       "format": "text",
       "minLength": 1,
       "maxLength": 128
      },
      "maxItems": 100000
     }
    }
   },
   "SyncThings": {
    "description": "Things of a sync answer; each part is there only when it is not empty.",
    "type": "object",
    "properties": {
     "new": {
      "description": "From each submitted local_id to the new `_id`.",
      "type": "object",
      "additionalProperties": {
       "type": "string"
      }
     },
     "changed": {
      "description": "Things that are new or changed, in their latest state.",
      "type": "array",
      "items": {
       "description": "A thing as the server returns it.",
       "type": "object",
       "properties": {
        "_id": {
         "description": "Identifier.",
         "type": "string"
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
         "type": "string"
        },
        "html": {
         "description": "There only when html is set.",
         "type": "string"
        },
        "archived": {
         "description": "There only when the thing is archived.",
         "type": "boolean"
        },
        "todoStatus": {
         "description": "There only when one of the tags makes the thing a todo.",
         "type": "boolean"
        }
       },
       "required": [
        "_id",
        "title",
        "tags",
        "date"
       ]
      }
     },
     "deleted": {
      "description": "Ids of things that were deleted.",
      "type": "array",
      "items": {
       "type": "string"
      }
     }
    }
   },
   "SyncAnswer": {
    "description": "The answer of sync.",
    "type": "object",
    "properties": {
     "pos": {
      "description": "Current position, to be sent later as `from`.",
      "type": "integer",
      "format": "int64"
     },
     "thingCount": {
      "description": "Number of things new, changed or deleted, whatever skip and limit; left out when 0.",
      "type": "integer",
      "format": "int64"
     },
     "tags": {
      "description": "Tag settings that apply, by tag name; left out when there are none.",
      "type": "object",
      "additionalProperties": {
       "description": "Settings of a tag as the server returns them.",
       "type": "object",
       "properties": {
        "favorite": {
         "description": "Whether the tag is a favorite.",
         "type": "boolean"
        },
        "color": {
         "description": "False for none, or the hex code of a background colour, in lower case."
        },
        "todo": {
         "description": "When not false, things that carry the tag are shown with a checkbox."
        }
       },
       "required": [
        "favorite",
        "color",
        "todo"
       ]
      }
     },
     "things": {
      "description": "Things of a sync answer; each part is there only when it is not empty.",
      "type": "object",
      "properties": {
       "new": {
        "description": "From each submitted local_id to the new `_id`.",
        "type": "object",
        "additionalProperties": {
         "type": "string"
        }
       },
       "changed": {
        "description": "Things that are new or changed, in their latest state.",
        "type": "array",
        "items": {
         "description": "A thing as the server returns it.",
         "type": "object",
         "properties": {
          "_id": {
           "description": "Identifier.",
           "type": "string"
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
           "type": "string"
          },
          "html": {
           "description": "There only when html is set.",
           "type": "string"
          },
          "archived": {
           "description": "There only when the thing is archived.",
           "type": "boolean"
          },
          "todoStatus": {
           "description": "There only when one of the tags makes the thing a todo.",
           "type": "boolean"
          }
         },
         "required": [
          "_id",
          "title",
          "tags",
          "date"
         ]
        }
       },
       "deleted": {
        "description": "Ids of things that were deleted.",
        "type": "array",
        "items": {
         "type": "string"
        }
       }
      }
     }
    },
    "required": [
     "pos"
    ]
   },
   "TokenGrant": {
    "description": "Request of a token. Which fields a grant needs is said in the operation.",
    "type": "object",
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
    },
    "required": [
     "grant_type"
    ]
   },
   "TokenPair": {
    "description": "A new pair of tokens.",
    "type": "object",
    "properties": {
     "access_token": {
      "description": "Token to call the API with.",
      "type": "string"
     },
     "expires_in": {
      "description": "Validity of the access token in seconds.",
      "type": "integer",
      "format": "int64"
     },
     "request_token": {
      "description": "What the refresh_token grant takes as `refresh_token`.",
      "type": "string"
     },
     "refresh_token": {
      "description": "The value of `request_token`, under the name that OAuth libraries read.",
      "type": "string"
     },
     "token_type": {
      "description": "Always \"bearer\".",
      "type": "string"
     },
     "scope": {
      "description": "Always null, and left out for applications that are registered as standard.",
      "type": "string",
      "nullable": true
     }
    },
    "required": [
     "access_token",
     "expires_in",
     "request_token",
     "token_type"
    ]
   },
   "TokenRevocation": {
    "description": "A token to give back (RFC 7009).",
    "type": "object",
    "properties": {
     "token": {
      "description": "An access token or a request token.",
      "type": "string",
      "maxLength": 4096
     },
     "token_type_hint": {
      "description": "Which of the two it is; not needed.",
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
     }
    },
    "required": [
     "token"
    ]
   },
   "Empty": {
    "description": "Nothing to say.",
    "type": "object"
   },
   "TagCounts": {
    "description": "Numbers of things per tag.",
    "type": "object",
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
    },
    "required": [
     "pos",
     "favorite",
     "other"
    ]
   },
   "ThingAddition": {
    "description": "A thing to create on its own.",
    "type": "object",
    "properties": {
     "title": {
      "description": "Title of the thing; may be empty.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "tags": {
      "description": "Tags, separated by spaces; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "date": {
      "description": "Time of creation, Unix time in seconds; the server's time when left out.",
      "type": "number",
      "format": "double"
     },
     "url": {
      "description": "URL of the thing; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "html": {
      "description": "Note or other content; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 16777216
     },
     "archived": {
      "description": "Left out means false.",
      "type": "boolean"
     },
     "todoStatus": {
      "description": "Completion of a todo.",
      "type": "boolean"
     },
     "prevent_duplicate": {
      "description": "Answer an existing thing with the same url instead of creating another.",
      "type": "boolean"
     }
    },
    "required": [
     "title"
    ]
   },
   "AddedThing": {
    "description": "The created thing, or the one that was there before.",
    "type": "object",
    "properties": {
     "_id": {
      "description": "Identifier.",
      "type": "string"
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
      "type": "string"
     },
     "html": {
      "description": "There only when html is set.",
      "type": "string"
     },
     "archived": {
      "description": "There only when the thing is archived.",
      "type": "boolean"
     },
     "todoStatus": {
      "description": "There only when one of the tags makes the thing a todo.",
      "type": "boolean"
     },
     "duplicate": {
      "description": "There only when nothing was created.",
      "type": "boolean"
     }
    },
    "required": [
     "_id",
     "title",
     "tags",
     "date"
    ]
   },
   "ThingChange": {
    "description": "Fields of a thing to change; those that are left out stay.",
    "type": "object",
    "properties": {
     "_id": {
      "description": "Identifier that the server gave.",
      "type": "string",
      "format": "text",
      "minLength": 1,
      "maxLength": 128
     },
     "title": {
      "description": "Title of the thing; may be empty.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "tags": {
      "description": "Tags, separated by spaces; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "date": {
      "description": "Time of creation, Unix time in seconds; the server's time when left out.",
      "type": "number",
      "format": "double"
     },
     "url": {
      "description": "URL of the thing; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 65536
     },
     "html": {
      "description": "Note or other content; \"\" clears, null is absent.",
      "type": "string",
      "format": "text",
      "maxLength": 16777216
     },
     "archived": {
      "description": "Whether the thing is archived.",
      "type": "boolean"
     },
     "todoStatus": {
      "description": "Completion of a todo.",
      "type": "boolean"
     }
    },
    "required": [
     "_id"
    ]
   },
   "ThingDeletion": {
    "description": "A thing to delete.",
    "type": "object",
    "properties": {
     "_id": {
      "description": "Identifier that the server gave.",
      "type": "string",
      "format": "text",
      "minLength": 1,
      "maxLength": 128
     }
    },
    "required": [
     "_id"
    ]
   },
   "DeletedThing": {
    "description": "The thing that was deleted.",
    "type": "object",
    "properties": {
     "deleted_thing": {
      "description": "Its `_id`.",
      "type": "string"
     }
    },
    "required": [
     "deleted_thing"
    ]
   },
   "ThingList": {
    "description": "Things in the order of their last change.",
    "type": "array",
    "items": {
     "description": "A thing as the server returns it.",
     "type": "object",
     "properties": {
      "_id": {
       "description": "Identifier.",
       "type": "string"
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
       "type": "string"
      },
      "html": {
       "description": "There only when html is set.",
       "type": "string"
      },
      "archived": {
       "description": "There only when the thing is archived.",
       "type": "boolean"
      },
      "todoStatus": {
       "description": "There only when one of the tags makes the thing a todo.",
       "type": "boolean"
      }
     },
     "required": [
      "_id",
      "title",
      "tags",
      "date"
     ]
    }
   },
   "UserInfo": {
    "description": "The user behind the access token.",
    "type": "object",
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
      "format": "int64"
     }
    },
    "required": [
     "username",
     "date",
     "pos",
     "thingCount"
    ]
   },
   "Webhook": {
    "description": "An address to call and when.",
    "type": "object",
    "properties": {
     "target_url": {
      "description": "Absolute http or https address without user name and password.",
      "type": "string",
      "format": "web-address",
      "maxLength": 2048,
      "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"
     },
     "event": {
      "description": "What to be told of: `new_thing`, `changed_thing`, `deleted_thing`, `tag` or `any`.",
      "type": "string",
      "pattern": "^(new_thing|changed_thing|deleted_thing|tag|any)$"
     }
    },
    "required": [
     "target_url",
     "event"
    ]
   },
   "RegisteredWebhook": {
    "description": "The webhook is registered.",
    "type": "object",
    "properties": {
     "registered": {
      "description": "Always true.",
      "type": "boolean"
     },
     "secret": {
      "description": "Secret of the webhook, `whsec_` and base64; only in the answer that made it.",
      "type": "string"
     }
    },
    "required": [
     "registered"
    ]
   },
   "Registered": {
    "description": "The device is registered.",
    "type": "object",
    "properties": {
     "registered": {
      "description": "Always true.",
      "type": "boolean"
     },
     "delivered": {
      "description": "There only for a device of a type that this server tells nothing.",
      "type": "boolean"
     }
    },
    "required": [
     "registered"
    ]
   },
   "WebhookList": {
    "description": "Webhooks of an application, the oldest first.",
    "type": "array",
    "items": {
     "description": "A webhook and how it is going. What is not known is left out.",
     "type": "object",
     "properties": {
      "target_url": {
       "description": "As it was registered.",
       "type": "string"
      },
      "event": {
       "description": "As it was registered.",
       "type": "string"
      },
      "state": {
       "description": "`working`; `retrying` after a failure; `resting` after the last try, until it is registered again or woken on the account page; `paused` by the operator of the server.",
       "type": "string"
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
       },
       "required": [
        "date",
        "reason"
       ]
      },
      "next_try": {
       "description": "When it is tried next, Unix time in seconds; there only while it is `retrying`.",
       "type": "number",
       "format": "double"
      }
     },
     "required": [
      "target_url",
      "event",
      "state",
      "waiting"
     ]
    }
   },
   "WebhookInfo": {
    "description": "A webhook and how it is going. What is not known is left out.",
    "type": "object",
    "properties": {
     "target_url": {
      "description": "As it was registered.",
      "type": "string"
     },
     "event": {
      "description": "As it was registered.",
      "type": "string"
     },
     "state": {
      "description": "`working`; `retrying` after a failure; `resting` after the last try, until it is registered again or woken on the account page; `paused` by the operator of the server.",
      "type": "string"
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
      },
      "required": [
       "date",
       "reason"
      ]
     },
     "next_try": {
      "description": "When it is tried next, Unix time in seconds; there only while it is `retrying`.",
      "type": "number",
      "format": "double"
     }
    },
    "required": [
     "target_url",
     "event",
     "state",
     "waiting"
    ]
   },
   "DeliveryFailure": {
    "description": "The last message that was not taken.",
    "type": "object",
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
    },
    "required": [
     "date",
     "reason"
    ]
   },
   "DeviceList": {
    "description": "Devices of a user, the last registered first.",
    "type": "array",
    "items": {
     "description": "A device and what became of the last messages to it. What is not known is left out.",
     "type": "object",
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
       },
       "required": [
        "date",
        "reason"
       ]
      }
     },
     "required": [
      "type",
      "id",
      "current",
      "delivered"
     ]
    }
   },
   "DeviceInfo": {
    "description": "A device and what became of the last messages to it. What is not known is left out.",
    "type": "object",
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
      },
      "required": [
       "date",
       "reason"
      ]
     }
    },
    "required": [
     "type",
     "id",
     "current",
     "delivered"
    ]
   },
   "DeviceKey": {
    "description": "The server's public key for Web Push.",
    "type": "object",
    "properties": {
     "key": {
      "description": "The uncompressed point of a P-256 key, 65 bytes as base64url.",
      "type": "string"
     }
    },
    "required": [
     "key"
    ]
   },
   "Unregistered": {
    "description": "It is not registered any more.",
    "type": "object",
    "properties": {
     "unregistered": {
      "description": "Always true.",
      "type": "boolean"
     }
    },
    "required": [
     "unregistered"
    ]
   },
   "DeviceRegistration": {
    "description": "A device to tell of changes.",
    "type": "object",
    "properties": {
     "type": {
      "description": "`webpush`, or the name of another push service.",
      "type": "string",
      "format": "text",
      "minLength": 1,
      "maxLength": 128
     },
     "id": {
      "description": "The client's name of the device, or its id at the push service.",
      "type": "string",
      "format": "text",
      "minLength": 1,
      "maxLength": 4096
     },
     "endpoint": {
      "description": "For `webpush`; address of the push service, absolute http or https, without user name and password.",
      "type": "string",
      "format": "web-address",
      "maxLength": 4096,
      "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"
     },
     "p256dh": {
      "description": "For `webpush`; public key of the device.",
      "type": "string",
      "format": "text",
      "maxLength": 1024
     },
     "auth": {
      "description": "For `webpush`; authentication secret of the device.",
      "type": "string",
      "format": "text",
      "maxLength": 1024
     }
    },
    "required": [
     "type",
     "id"
    ]
   },
   "DeviceRemoval": {
    "description": "A device to forget.",
    "type": "object",
    "properties": {
     "type": {
      "description": "As it was registered.",
      "type": "string",
      "format": "text",
      "minLength": 1,
      "maxLength": 128
     },
     "id": {
      "description": "As it was registered.",
      "type": "string",
      "format": "text",
      "minLength": 1,
      "maxLength": 4096
     }
    },
    "required": [
     "type",
     "id"
    ]
   },
   "SessionList": {
    "description": "What may act for the user, the last used first.",
    "type": "array",
    "items": {
     "description": "One of the ways in which somebody may act for the user at the moment. What is not known is left out.",
     "type": "object",
     "properties": {
      "id": {
       "description": "Its id, for `/session/revoke`.",
       "type": "string"
      },
      "kind": {
       "description": "An application with tokens, a personal access token, or a browser that is signed in to the pages.",
       "type": "string"
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
       "type": "string"
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
     },
     "required": [
      "id",
      "kind",
      "current",
      "date"
     ]
    }
   },
   "SessionInfo": {
    "description": "One of the ways in which somebody may act for the user at the moment. What is not known is left out.",
    "type": "object",
    "properties": {
     "id": {
      "description": "Its id, for `/session/revoke`.",
      "type": "string"
     },
     "kind": {
      "description": "An application with tokens, a personal access token, or a browser that is signed in to the pages.",
      "type": "string"
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
      "type": "string"
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
    },
    "required": [
     "id",
     "kind",
     "current",
     "date"
    ]
   },
   "SessionRevocation": {
    "description": "A session to end.",
    "type": "object",
    "properties": {
     "id": {
      "description": "Identifier that the server gave.",
      "type": "string",
      "format": "text",
      "minLength": 1,
      "maxLength": 128
     }
    },
    "required": [
     "id"
    ]
   },
   "RevokedSession": {
    "description": "The session that has ended.",
    "type": "object",
    "properties": {
     "revoked_session": {
      "description": "Its id.",
      "type": "string"
     }
    },
    "required": [
     "revoked_session"
    ]
   },
   "TestAnswer": {
    "description": "The name of the user.",
    "type": "object",
    "properties": {
     "user": {
      "description": "Name of the user.",
      "type": "string"
     }
    },
    "required": [
     "user"
    ]
   }
  }
 }
} as unknown as Document
