//! Every operation once, with the installed crate: the code samples of the API reference and of the README.

// sample: imports
use thingsync_client::apis::configuration::Configuration;
use thingsync_client::apis::thingsync_api as api;
use thingsync_client::models::*;
use thingsync_client::wire::{open_client, Wire};
// end

// sample: open
fn open(access_token: Option<&str>) -> Configuration {
    Configuration {
        base_path: "http://127.0.0.1:8484/v1".to_owned(),
        client: open_client(Wire::default()).expect("a TLS library"),
        bearer_access_token: access_token.map(str::to_owned),
        ..Configuration::default()
    }
}
// end

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // sample: grantToken
    let (id, secret) = (Some("app1"), Some("s3cret"));
    let (user, password) = (Some("anna"), Some("correct horse"));
    let mut pair = api::grant_token(&open(None), "password", id, secret, user, password, None, None, None, None).await?;
    let mut config = open(Some(&pair.access_token));
    // end
    // sample: getTest
    let user_name = api::get_test(&config).await?.user;
    // end
    println!("signed in as {user_name}");
    // sample: getSync
    let first = api::get_sync(&config, None, None, None, None).await?;
    // end
    // sample: postSync
    let new_thing = Some(vec![ThingCreate::new("n1".to_owned(), "Buy milk".to_owned())]);
    let response = api::post_sync(&config, SyncRequest { from: Some(first.pos), new_thing, ..Default::default() }).await?;
    let thing_id = response.things.unwrap().new.unwrap()["n1"].clone();
    // end
    // sample: addThing
    let mut addition = ThingAddition::new("Call Bert".to_owned());
    addition.tags = Some("phone".to_owned());
    addition.url = Some("https://example.com/".to_owned());
    let added = api::add_thing(&config, addition).await?;
    // end
    println!("added {} {}", added.title, added.url.unwrap_or_default());
    // sample: changeThing
    let mut change = ThingChange::new(thing_id.clone());
    change.title = Some("Buy oat milk".to_owned());
    let changed = api::change_thing(&config, change).await?;
    // end
    println!("changed {}", changed.title);
    // sample: getThings
    let things = api::get_things(&config, Some("include"), Some("phone"), None, None).await?;
    // end
    println!("listed {}", things[0].title);
    // sample: previewLink
    let preview = api::preview_link(&config, "https://page.example.com/").await?;
    // end
    println!("title {}", preview.title.unwrap_or_default());
    // sample: getTags
    let counts = api::get_tags(&config, None).await?;
    // end
    println!("tags {}", counts.other.keys().next().unwrap());
    // sample: getUser
    let user = api::get_user(&config).await?;
    // end
    println!("things {}", user.thing_count);
    // sample: paging
    let (mut skip, mut total) = (0, 1);
    while skip < total {
        let page = api::get_sync(&config, Some(first.pos), Some(skip), Some(500), None).await?;
        (skip, total) = (skip + 500, page.thing_count.unwrap_or(0));
    }
    // end
    println!("paged {total}");
    // sample: deleteThing
    let deleted = api::delete_thing(&config, ThingDeletion::new(thing_id.clone())).await?;
    // end
    println!("deleted {}", deleted.deleted_thing == thing_id);
    // sample: registerWebhook
    let target_url = "https://hooks.example.org/".to_owned();
    let hook = api::register_webhook(&config, Webhook::new(target_url, "any".to_owned())).await?;
    // end
    println!("hook {}", hook.registered);
    // sample: listWebhooks
    let hooks = api::list_webhooks(&config).await?;
    // end
    println!("hooks {}", hooks.len());
    // sample: unregisterWebhook
    let target_url = "https://hooks.example.org/".to_owned();
    api::unregister_webhook(&config, Webhook::new(target_url, "any".to_owned())).await?;
    // end
    // sample: getDeviceKey
    let key = api::get_device_key(&config).await?.key;
    // end
    println!("key {}", key.len());
    // sample: registerDevice
    let mut device = DeviceRegistration::new("webpush".to_owned(), "phone".to_owned());
    device.endpoint = Some("https://push.example.org/x".to_owned());
    device.p256dh = Some("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4".to_owned());
    device.auth = Some("BTBZMqHH6r4Tts7J_aSIgg".to_owned());
    api::register_device(&config, device).await?;
    // end
    // sample: listDevices
    let devices = api::list_devices(&config).await?;
    // end
    println!("devices {}", devices.len());
    // sample: unregisterDevice
    api::unregister_device(&config, DeviceRemoval::new("webpush".to_owned(), "phone".to_owned())).await?;
    // end
    // sample: refresh
    let newest = Some(&*pair.request_token);
    pair = api::grant_token(&open(None), "refresh_token", id, secret, None, None, newest, None, None, None).await?;
    config = open(Some(&pair.access_token));
    // end
    println!("refreshed as {}", api::get_test(&config).await?.user);
    let (user, password) = (Some("anna"), Some("correct horse"));
    api::grant_token(&open(None), "password", id, secret, user, password, None, None, None, None).await?;
    // sample: listSessions
    let sessions = api::list_sessions(&config).await?;
    // end
    println!("sessions {}", sessions.len());
    // sample: revokeSession
    for session in sessions.into_iter().filter(|session| !session.current) {
        api::revoke_session(&config, SessionRevocation::new(session.id)).await?;
    }
    // end
    println!("left {}", api::list_sessions(&config).await?.len());
    // sample: revokeToken
    let mut revocation = TokenRevocation::new(pair.request_token);
    (revocation.client_id, revocation.client_secret) = (id.map(str::to_owned), secret.map(str::to_owned));
    api::revoke_token(&open(None), revocation).await?;
    // end
    Ok(())
}
