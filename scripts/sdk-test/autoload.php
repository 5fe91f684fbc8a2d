<?php

/** Replaces Composer's autoloader: loads the classes of the packed SDK by its composer.json, and Debian's Guzzle. */

declare(strict_types=1);

require 'GuzzleHttp/autoload.php';

$package = json_decode(file_get_contents(__DIR__ . '/thingsync/composer.json'), true, flags: JSON_THROW_ON_ERROR);

spl_autoload_register(function (string $class) use ($package): void {
    foreach ($package['autoload']['psr-4'] as $prefix => $folder) {
        $file = __DIR__ . "/thingsync/$folder" . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
            return;
        }
    }
});
