<?php

/** Every operation once, with the installed package: the code samples of the API reference and of the README. */

declare(strict_types=1);

require 'vendor/autoload.php';

// sample: imports
use GuzzleHttp\Client;
use GuzzleHttp\HandlerStack;
use Thingsync\Client\Api\ThingsyncApi;
use Thingsync\Client\Configuration;
use Thingsync\Client\Model;
use Thingsync\Wire;
// end

// sample: grantToken
function open(?string $accessToken = null): ThingsyncApi
{
    $stack = HandlerStack::create();
    $stack->push(new Wire());
    $configuration = (new Configuration())->setHost('http://127.0.0.1:8484/v1');
    if ($accessToken !== null) {
        $configuration->setAccessToken($accessToken);
    }
    return new ThingsyncApi(new Client(['handler' => $stack]), $configuration);
}

$pair = open()->grantToken('password', 'app1', 's3cret', 'anna', 'correct horse');
$api = open($pair->getAccessToken());
// end
// sample: getTest
$userName = $api->getTest()->getUser();
// end
echo "signed in as $userName\n";
// sample: getSync
$first = $api->getSync();
// end
// sample: postSync
$thing = new Model\ThingCreate(['local_id' => 'n1', 'title' => 'Buy milk']);
$response = $api->postSync(new Model\SyncRequest(['from' => $first->getPos(), 'new_thing' => [$thing]]));
$id = $response->getThings()->getNew()['n1'];
// end
// sample: addThing
$addition = ['title' => 'Call Bert', 'tags' => 'phone', 'url' => 'https://example.com/'];
$added = $api->addThing(new Model\ThingAddition($addition));
// end
echo "added {$added->getTitle()} {$added->getUrl()}\n";
// sample: changeThing
$changed = $api->changeThing(new Model\ThingChange(['_id' => $id, 'title' => 'Buy oat milk']));
// end
echo "changed {$changed->getTitle()}\n";
// sample: getThings
foreach ($api->getThings('include', 'phone') as $listed) {
    echo "listed {$listed->getTitle()}\n";
}
// end
// sample: previewLink
$preview = $api->previewLink('https://page.example.com/');
// end
echo "title {$preview->getTitle()}\n";
// sample: getTags
$counts = $api->getTags();
// end
echo 'tags ', implode(' ', array_keys($counts->getOther())), "\n";
// sample: getUser
$user = $api->getUser();
// end
echo "things {$user->getThingCount()}\n";
// sample: paging
for ($skip = 0, $total = 1; $skip < $total; $skip += 500) {
    $page = $api->getSync($first->getPos(), $skip, 500);
    $total = $page->getThingCount() ?? 0;
}
// end
echo "paged $total\n";
// sample: deleteThing
$deleted = $api->deleteThing(new Model\ThingDeletion(['_id' => $id]));
// end
echo 'deleted ', $deleted->getDeletedThing() === $id ? 'true' : 'false', "\n";
// sample: registerWebhook
$hook = $api->registerWebhook(new Model\Webhook(['target_url' => 'https://hooks.example.org/', 'event' => 'any']));
// end
echo 'hook ', $hook->getRegistered() ? 'true' : 'false', "\n";
// sample: listWebhooks
$hooks = $api->listWebhooks();
// end
echo 'hooks ', count($hooks), "\n";
// sample: unregisterWebhook
$api->unregisterWebhook(new Model\Webhook(['target_url' => 'https://hooks.example.org/', 'event' => 'any']));
// end
// sample: getDeviceKey
$key = $api->getDeviceKey()->getKey();
// end
echo 'key ', strlen($key), "\n";
// sample: registerDevice
$push = ['endpoint' => 'https://push.example.org/x', 'p256dh' => 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', 'auth' => 'BTBZMqHH6r4Tts7J_aSIgg'];
$api->registerDevice(new Model\DeviceRegistration(['type' => 'webpush', 'id' => 'phone', ...$push]));
// end
// sample: listDevices
$devices = $api->listDevices();
// end
echo 'devices ', count($devices), "\n";
// sample: unregisterDevice
$api->unregisterDevice(new Model\DeviceRemoval(['type' => 'webpush', 'id' => 'phone']));
// end
// sample: refresh
$pair = open()->grantToken('refresh_token', 'app1', 's3cret', refresh_token: $pair->getRequestToken());
$api = open($pair->getAccessToken());
// end
echo "refreshed as {$api->getTest()->getUser()}\n";
open()->grantToken('password', 'app1', 's3cret', 'anna', 'correct horse');
// sample: listSessions
$sessions = $api->listSessions();
// end
echo 'sessions ', count($sessions), "\n";
// sample: revokeSession
foreach ($sessions as $session) {
    if (!$session->getCurrent()) {
        $api->revokeSession(new Model\SessionRevocation(['id' => $session->getId()]));
    }
}
// end
echo 'left ', count($api->listSessions()), "\n";
// sample: revokeToken
open()->revokeToken(new Model\TokenRevocation([
    'token' => $pair->getRequestToken(),
    'client_id' => 'app1',
    'client_secret' => 's3cret',
]));
// end
