//! Writes the generated client's requests as a server of the interface takes them.

use http::Extensions;
use reqwest::header::{HeaderValue, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE};
use reqwest::{Request, Response, StatusCode};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Middleware, Next};
use serde_json::{Map, Value};
use url::form_urlencoded::Serializer;

/// How bodies are written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Bodies {
    /// Works with every server.
    #[default]
    Form,
    /// Only where the server's document offers it.
    Json,
}

/// Where the access token goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Token {
    /// `Authorization: Bearer T`
    #[default]
    Bearer,
    /// `Authorization: access_token=T`
    Pair,
    /// The query parameter `access_token`.
    Query,
    /// The body parameter `access_token`; of a GET the query.
    Body,
}

/// Opens the HTTP client for `apis::configuration::Configuration`. It follows no redirect, because that could send a password or
/// token to another server.
///
/// # Errors
/// When the TLS library cannot start.
pub fn open_client(wire: Wire) -> reqwest::Result<ClientWithMiddleware> {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
    Ok(ClientBuilder::new(client).with(wire).build())
}

/// A middleware for the client of `apis::configuration::Configuration`, whose `bearer_access_token` is the access token.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wire {
    pub bodies: Bodies,
    pub token: Token,
}

fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // A number that is whole has no fraction in a form; Display of f64 writes none, and no exponent.
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

/// The fields as a form of interface 4.3: objects as JSON text, several things as one JSON array, several ids repeated, maps
/// as `name[key]`.
pub fn write_form(fields: &Map<String, Value>) -> String {
    let mut form = Serializer::new(String::new());
    for (name, value) in fields {
        match value {
            Value::Null => {}
            Value::Array(items) if items.len() == 1 => {
                form.append_pair(name, &as_text(&items[0]));
            }
            Value::Array(items) if items.iter().all(Value::is_string) => {
                for item in items {
                    form.append_pair(&format!("{name}[]"), &as_text(item));
                }
            }
            Value::Object(members) => {
                for (key, member) in members {
                    form.append_pair(&format!("{name}[{key}]"), &as_text(member));
                }
            }
            other => {
                form.append_pair(name, &as_text(other));
            }
        }
    }
    form.finish()
}

fn read_fields(request: &Request) -> Option<Map<String, Value>> {
    if request.headers().get(CONTENT_TYPE)? != "application/json" {
        return None;
    }
    serde_json::from_slice(request.body()?.as_bytes()?).ok()
}

/// Errors are short; a longer text is none.
fn is_error(text: &[u8]) -> bool {
    let body = if text.len() > 65536 { None } else { serde_json::from_slice::<Value>(text).ok() };
    body.is_some_and(|body| body["error"].is_string())
}

/// Reads a response whole. An error that comes with a success status gets the status 400. Whether a body is JSON shows when it
/// is read: the generated code would reject other spellings of the content type.
async fn check_response(response: Response) -> reqwest_middleware::Result<Response> {
    let (mut status, version, mut headers) = (response.status(), response.version(), response.headers().clone());
    let text = response.bytes().await?;
    if status.is_success() && is_error(&text) {
        status = StatusCode::BAD_REQUEST;
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let mut checked = http::Response::new(text);
    *checked.status_mut() = status;
    *checked.version_mut() = version;
    *checked.headers_mut() = headers;
    Ok(checked.into())
}

impl Wire {
    fn place_token(&self, request: &mut Request, fields: Option<&mut Map<String, Value>>) {
        let Some(given) = request.headers_mut().remove(AUTHORIZATION) else {
            return;
        };
        let Ok(given) = given.to_str() else { return };
        let token = given.strip_prefix("Bearer ").unwrap_or(given);
        let header = match self.token {
            Token::Bearer => format!("Bearer {token}"),
            Token::Pair => format!("access_token={token}"),
            Token::Query | Token::Body => {
                match fields {
                    Some(fields) if self.token == Token::Body => {
                        fields.insert("access_token".to_owned(), Value::from(token));
                    }
                    _ => {
                        request.url_mut().query_pairs_mut().append_pair("access_token", token);
                    }
                }
                return;
            }
        };
        if let Ok(value) = HeaderValue::from_str(&header) {
            request.headers_mut().insert(AUTHORIZATION, value);
        }
    }
}

#[async_trait::async_trait]
impl Middleware for Wire {
    async fn handle(
        &self,
        mut request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let mut fields = read_fields(&request);
        self.place_token(&mut request, fields.as_mut());
        if let Some(fields) = fields {
            let (content_type, text) = match self.bodies {
                Bodies::Form => ("application/x-www-form-urlencoded", write_form(&fields)),
                Bodies::Json => ("application/json", Value::Object(fields).to_string()),
            };
            request.headers_mut().remove(CONTENT_LENGTH);
            request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
            *request.body_mut() = Some(text.into());
        }
        check_response(next.run(request, extensions).await?).await
    }
}
