use openapi::apis::configuration::Configuration;
use openapi::apis::thingsync_api::{get_sync, grant_token, post_sync};
use openapi::models::{SyncRequest, ThingCreate, ThingUpdate};
use std::env::var;
use std::error::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut api = Configuration::new();
    api.base_path = var("BASE_URL")?;
    let (client_id, client_secret) = (var("CLIENT_ID")?, var("CLIENT_SECRET")?);
    let (id, secret) = (Some(client_id.as_str()), Some(client_secret.as_str()));
    let (username, password) = (var("USERNAME")?, var("PASSWORD")?);
    let (name, password) = (Some(&*username), Some(&*password));
    let token = grant_token(&api, "password", id, secret, name, password, None, None, None, None).await?;
    api.bearer_access_token = Some(token.access_token);

    let mut upload = SyncRequest::new();
    upload.from = Some(0);
    upload.new_thing = Some(vec![ThingCreate::new("n1".into(), "Buy milk 🥛".into())]);
    let uploaded = post_sync(&api, upload).await?;
    let thing_id = uploaded.things.unwrap().new.unwrap()["n1"].clone();
    println!("created {thing_id}");

    let listing = get_sync(&api, None, None, None, None).await?;
    for thing in listing.things.unwrap().changed.unwrap_or_default() {
        println!("listed {}", thing.title);
    }

    let mut change = SyncRequest::new();
    change.from = Some(listing.pos);
    change.changed_thing = Some(vec![ThingUpdate::new(thing_id.clone(), "Buy oat milk".into())]);
    post_sync(&api, change).await?;
    let changes = get_sync(&api, Some(listing.pos), None, None, None).await?;
    for thing in changes.things.unwrap().changed.unwrap_or_default() {
        println!("changed {}", thing.title);
    }

    let mut removal = SyncRequest::new();
    removal.from = Some(changes.pos);
    removal.deleted_thing = Some(vec![thing_id]);
    post_sync(&api, removal).await?;
    let deletion = get_sync(&api, Some(changes.pos), None, None, None).await?;
    for deleted in deletion.things.unwrap().deleted.unwrap_or_default() {
        println!("deleted {deleted}");
    }

    let request_token = Some(token.request_token.as_str());
    let renewed = grant_token(&api, "refresh_token", id, secret, None, None, request_token, None, None, None).await?;
    api.bearer_access_token = Some(renewed.access_token);
    let last = get_sync(&api, Some(deletion.pos), None, None, None).await?;
    println!("position {}", last.pos);
    Ok(())
}
