<?php

declare(strict_types=1);

namespace Thingsync;

use GuzzleHttp\Psr7\Query;
use GuzzleHttp\Psr7\Utils;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Thingsync\Client\ApiException;

/**
 * A Guzzle middleware that writes the generated client's requests as a server of the interface takes them, and checks the
 * responses. Give the access token as `$configuration->setAccessToken($token)`.
 */
final class Wire
{
    /** Members that a response must have, by the end of the path; the generated client does not check them. */
    private const REQUIRED = [
        '/token' => ['access_token', 'request_token'],
        '/sync' => ['pos'],
        '/tags/get' => ['favorite', 'other'],
        '/thing/add' => ['_id'],
        '/thing/change' => ['_id'],
        '/thing/delete' => ['deleted_thing'],
        '/user/get' => ['username', 'pos'],
    ];

    /**
     * @param string $bodies 'form' (works with every server) or 'json' (where the server's document offers it)
     * @param string $token where the access token goes: 'bearer' or 'pair' (access_token=T) for the header, 'query', or
     *     'body' (of a GET: the query)
     */
    public function __construct(private string $bodies = 'form', private string $token = 'bearer')
    {
    }

    public function __invoke(callable $next): callable
    {
        return fn (RequestInterface $request, array $options) => $next(
            $this->rewrite($request),
            self::sendOnce($request, $options),
        )->then(fn (ResponseInterface $response) => self::checkResponse($request->getUri()->getPath(), $response));
    }

    /** libcurl repeats a request by itself when a kept connection breaks; an upload would then create things twice. */
    private static function sendOnce(RequestInterface $request, array $options): array
    {
        if ($request->getMethod() === 'POST') {
            $options['curl'] = [CURLOPT_FRESH_CONNECT => true] + ($options['curl'] ?? []);
        }
        return $options;
    }

    /**
     * The fields as a form of interface 4.3: objects as JSON text, several things as one JSON array, several ids repeated,
     * maps as name[key].
     */
    public static function writeForm(object $fields): string
    {
        $pairs = [];
        foreach (get_object_vars($fields) as $name => $value) {
            if ($value === null) {
                continue;
            }
            if (is_array($value) && count($value) === 1) {
                $pairs[] = [$name, self::asText($value[0])];
            } elseif (is_array($value) && array_filter($value, 'is_string') === $value) {
                foreach ($value as $item) {
                    $pairs[] = [$name . '[]', $item];
                }
            } elseif (is_object($value)) {
                foreach (get_object_vars($value) as $key => $member) {
                    $pairs[] = [$name . '[' . $key . ']', self::asText($member)];
                }
            } else {
                $pairs[] = [$name, self::asText($value)];
            }
        }
        return implode('&', array_map(fn ($pair) => urlencode($pair[0]) . '=' . urlencode($pair[1]), $pairs));
    }

    private static function asText(mixed $value): string
    {
        return is_string($value) ? $value : self::encode($value);
    }

    private static function encode(mixed $value): string
    {
        return json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    }

    private static function readFields(string $body): object
    {
        // An array of PHP whose keys are 0, 1, 2, … is a list in JSON, an empty request too; both are meant as objects.
        $fields = (object) json_decode($body, false, 512, JSON_THROW_ON_ERROR);
        if (isset($fields->tag)) {
            // The models write null for settings that were left out.
            $isGiven = fn ($setting) => $setting !== null;
            $clean = fn ($settings) => (object) array_filter((array) $settings, $isGiven);
            $fields->tag = (object) array_map($clean, (array) $fields->tag);
        }
        return $fields;
    }

    /**
     * Without Location, Guzzle follows no redirect, which could send a password or token to another server. An error that
     * comes with a success status gets the status 400.
     */
    private static function checkResponse(string $path, ResponseInterface $response): ResponseInterface
    {
        $response = $response->withoutHeader('Location');
        if ($response->getStatusCode() < 200 || $response->getStatusCode() > 299) {
            return $response;
        }
        $text = (string) $response->getBody();
        $response->getBody()->rewind();
        $body = json_decode($text);
        if (is_object($body) && is_string($body->error ?? null)) {
            return $response->withStatus(400);
        }
        foreach (self::REQUIRED as $end => $members) {
            if (str_ends_with($path, $end)) {
                self::checkMembers($members, $body, $response, $text);
            }
        }
        return $response;
    }

    /** @param string[] $members */
    private static function checkMembers(array $members, mixed $body, ResponseInterface $response, string $text): void
    {
        foreach ($members as $member) {
            if (!is_object($body) || !property_exists($body, $member)) {
                $message = "The response lacks $member";
                throw new ApiException($message, $response->getStatusCode(), $response->getHeaders(), $text);
            }
        }
    }

    private function rewrite(RequestInterface $request): RequestInterface
    {
        $isJson = $request->getMethod() === 'POST' && $request->getHeaderLine('Content-Type') === 'application/json';
        $fields = $isJson ? self::readFields((string) $request->getBody()) : null;
        $request = $this->placeToken($request, $fields);
        if ($fields === null) {
            return $request;
        }
        $isForm = $this->bodies === 'form';
        return $request
            ->withHeader('Content-Type', $isForm ? 'application/x-www-form-urlencoded' : 'application/json')
            ->withoutHeader('Content-Length')
            ->withBody(Utils::streamFor($isForm ? self::writeForm($fields) : self::encode($fields)));
    }

    private function placeToken(RequestInterface $request, ?object $fields): RequestInterface
    {
        $header = $request->getHeaderLine('Authorization');
        if ($header === '') {
            return $request;
        }
        $token = preg_replace('/^Bearer /', '', $header);
        if ($this->token === 'bearer') {
            return $request->withHeader('Authorization', 'Bearer ' . $token);
        }
        if ($this->token === 'pair') {
            return $request->withHeader('Authorization', 'access_token=' . $token);
        }
        $request = $request->withoutHeader('Authorization');
        if ($this->token === 'body' && $fields !== null) {
            $fields->access_token = $token;
            return $request;
        }
        $query = Query::parse($request->getUri()->getQuery());
        $uri = $request->getUri()->withQuery(Query::build(['access_token' => $token] + $query));
        return $request->withUri($uri);
    }
}
