//! Makes the calls that `npm run sdk:test` sends as lines of JSON, with the generated client, and answers each with a line.

use serde::{de::DeserializeOwned, Serialize};
use serde_json::{json, Value};
use std::fmt::Debug;
use thingsync_client::apis::configuration::Configuration;
use thingsync_client::apis::{thingsync_api as api, Error};
use thingsync_client::wire::{open_client, Bodies, Token, Wire};

type Refusal = Value;

fn read<T: DeserializeOwned>(given: &Value) -> Result<T, Refusal> {
    serde_json::from_value(given.clone()).map_err(|error| json!({ "failure": error.to_string() }))
}

fn show<T: Serialize, E: Debug>(answer: Result<T, Error<E>>) -> Result<Value, Refusal> {
    match answer {
        Ok(value) => Ok(json!({ "value": value })),
        Err(Error::ResponseError(refused)) => {
            let error: Value = serde_json::from_str(&refused.content).unwrap_or(Value::String(refused.content));
            Err(json!({ "status": refused.status.as_u16(), "error": error }))
        }
        Err(Error::Serde(error)) => Err(json!({ "failure": error.to_string(), "kind": "unexpected_response" })),
        Err(error @ (Error::Reqwest(_) | Error::ReqwestMiddleware(_))) => {
            Err(json!({ "failure": format!("{error:?}"), "kind": "network" }))
        }
        Err(other) => Err(json!({ "failure": format!("{other:?}") })),
    }
}

fn open(request: &Value) -> Configuration {
    let bodies = if request["wire"]["bodies"] == "json" { Bodies::Json } else { Bodies::Form };
    let token = match request["wire"]["token"].as_str() {
        Some("pair") => Token::Pair,
        Some("query") => Token::Query,
        Some("body") => Token::Body,
        _ => Token::Bearer,
    };
    Configuration {
        base_path: request["base_url"].as_str().unwrap_or_default().to_owned(),
        client: open_client(Wire { bodies, token }).expect("without TLS nothing can fail"),
        bearer_access_token: request["token"].as_str().map(str::to_owned),
        ..Configuration::default()
    }
}

async fn call(request: &Value) -> Result<Value, Refusal> {
    let c = &open(request);
    let with = &request["with"];
    let text = |name: &str| with[name].as_str();
    let skip_id: Option<Vec<String>> = read(&with["skip_id"])?;
    match request["call"].as_str().unwrap_or_default() {
        "grantToken" => show(
            api::grant_token(
                c,
                text("grant_type").unwrap_or_default(),
                text("client_id"),
                text("client_secret"),
                text("username"),
                text("password"),
                text("refresh_token"),
                None,
                None,
                None,
            )
            .await,
        ),
        "getSync" => show(api::get_sync(c, with["from"].as_i64(), with["skip"].as_i64(), with["limit"].as_i64(), skip_id).await),
        "getTest" => show(api::get_test(c).await),
        "getUser" => show(api::get_user(c).await),
        "getTags" => show(api::get_tags(c, None).await),
        "getThings" => show(api::get_things(c, text("archived"), text("tag"), None, None).await),
        "postSync" => show(api::post_sync(c, read(with)?).await),
        "addThing" => show(api::add_thing(c, read(with)?).await),
        "changeThing" => show(api::change_thing(c, read(with)?).await),
        "deleteThing" => show(api::delete_thing(c, read(with)?).await),
        "registerDevice" => show(api::register_device(c, read(with)?).await),
        "unregisterDevice" => show(api::unregister_device(c, read(with)?).await),
        "registerWebhook" => show(api::register_webhook(c, read(with)?).await),
        "unregisterWebhook" => show(api::unregister_webhook(c, read(with)?).await),
        "revokeToken" => show(api::revoke_token(c, read(with)?).await),
        other => Err(json!({ "failure": format!("{other}: no such call") })),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in std::io::stdin().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        println!("{}", call(&request).await.unwrap_or_else(|refusal| refusal));
    }
    Ok(())
}
