<?php

declare(strict_types=1);

use OpenAPI\Client\Api\ThingsyncApi;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\SyncRequest;
use OpenAPI\Client\Model\ThingCreate;
use OpenAPI\Client\Model\ThingUpdate;

// In a project of its own this is vendor/autoload.php, by Composer.
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    require __DIR__ . '/client/lib/' . str_replace('\\', '/', substr($class, strlen('OpenAPI\\Client\\'))) . '.php';
});

function connect(?string $token): ThingsyncApi
{
    $configuration = (new Configuration())->setHost(getenv('BASE_URL'));
    return new ThingsyncApi(null, $token === null ? $configuration : $configuration->setAccessToken($token));
}

[$clientId, $clientSecret] = [getenv('CLIENT_ID'), getenv('CLIENT_SECRET')];
$token = connect(null)->grantToken('password', $clientId, $clientSecret, getenv('USERNAME'), getenv('PASSWORD'));
$api = connect($token->getAccessToken());

$newThing = new ThingCreate(['local_id' => 'n1', 'title' => 'Buy milk 🥛']);
$uploaded = $api->postSync(new SyncRequest(['from' => 0, 'new_thing' => [$newThing]]));
$id = $uploaded->getThings()->getNew()['n1'];
echo "created $id\n";

$listing = $api->getSync();
foreach ($listing->getThings()->getChanged() as $thing) {
    echo "listed {$thing->getTitle()}\n";
}

$changedThing = new ThingUpdate(['_id' => $id, 'title' => 'Buy oat milk']);
$api->postSync(new SyncRequest(['from' => $listing->getPos(), 'changed_thing' => [$changedThing]]));
$changes = $api->getSync($listing->getPos());
foreach ($changes->getThings()->getChanged() as $thing) {
    echo "changed {$thing->getTitle()}\n";
}

$api->postSync(new SyncRequest(['from' => $changes->getPos(), 'deleted_thing' => [$id]]));
$deletion = $api->getSync($changes->getPos());
foreach ($deletion->getThings()->getDeleted() as $deleted) {
    echo "deleted $deleted\n";
}

$renewed = connect(null)->grantToken('refresh_token', $clientId, $clientSecret, null, null, $token->getRequestToken());
$last = connect($renewed->getAccessToken())->getSync($deletion->getPos());
echo "position {$last->getPos()}\n";
