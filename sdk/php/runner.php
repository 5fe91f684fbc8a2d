<?php

/** Makes the calls that `npm run sdk:test` sends as lines of JSON, with the generated client, and answers each with a line. */

declare(strict_types=1);

use GuzzleHttp\Client;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Utils;
use Thingsync\Client\Api\ThingsyncApi;
use Thingsync\Client\ApiException;
use Thingsync\Client\Configuration;
use Thingsync\Client\ObjectSerializer;
use Thingsync\Wire;

require is_file(__DIR__ . '/vendor/autoload.php') ? __DIR__ . '/vendor/autoload.php' : 'GuzzleHttp/autoload.php';

spl_autoload_register(function (string $class): void {
    foreach (['Thingsync\\Client\\' => 'lib', 'Thingsync\\' => 'src'] as $prefix => $folder) {
        $file = __DIR__ . "/$folder/" . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
            return;
        }
    }
});

const MODELS = [
    'revokeToken' => 'TokenRevocation',
    'postSync' => 'SyncRequest',
    'addThing' => 'ThingAddition',
    'changeThing' => 'ThingChange',
    'deleteThing' => 'ThingDeletion',
    'registerDevice' => 'DeviceRegistration',
    'unregisterDevice' => 'DeviceRemoval',
    'registerWebhook' => 'Webhook',
    'unregisterWebhook' => 'Webhook',
];

function makeCall(ThingsyncApi $api, string $name, object $given): mixed
{
    if (isset(MODELS[$name])) {
        $body = ObjectSerializer::deserialize($given, '\\Thingsync\\Client\\Model\\' . MODELS[$name]);
        $answer = $api->$name($body);
        return $name === 'revokeToken' ? (object) $answer : $answer;
    }
    return $api->$name(...get_object_vars($given));
}

/** Marks the maps of a response as objects: json_encode writes an array whose keys are 0, 1, 2, … as a list. */
function showMaps(mixed $value): mixed
{
    foreach (['tags', 'favorite', 'other', 'new'] as $name) {
        if (is_object($value) && is_array($value->$name ?? null)) {
            $value->$name = (object) $value->$name;
        }
    }
    if (isset($value->things)) {
        showMaps($value->things);
    }
    return $value;
}

/** The HTTP client of an application, with its kept connections. */
function openHttp(object $wire): Client
{
    static $handler = null;
    $handler ??= Utils::chooseHandler();
    $stack = HandlerStack::create($handler);
    $stack->push(new Wire($wire->bodies, $wire->token));
    return new Client(['handler' => $stack]);
}

function answer(object $request): array
{
    $configuration = (new Configuration())->setHost($request->base_url);
    if (isset($request->token)) {
        $configuration->setAccessToken($request->token);
    }
    try {
        $api = new ThingsyncApi(openHttp($request->wire), $configuration);
        $value = ObjectSerializer::sanitizeForSerialization(makeCall($api, $request->call, $request->with));
        return ['value' => showMaps($value)];
    } catch (ApiException $error) {
        if ($error->getCode() === 0) {
            return ['failure' => $error->getMessage(), 'kind' => 'network'];
        }
        $text = (string) $error->getResponseBody();
        return ['status' => $error->getCode(), 'error' => json_decode($text) ?? $text];
    } catch (Throwable $error) { // whatever else goes wrong is what the scenario has to show
        return ['failure' => (string) $error];
    }
}

// The standard input of a child of Node is a socket: PHP would end the input after default_socket_timeout, 60 s.
stream_set_timeout(STDIN, 365 * 86400);
while (($line = fgets(STDIN)) !== false) {
    // The body of a broken response may end inside a character.
    echo json_encode(answer(json_decode($line)), JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
