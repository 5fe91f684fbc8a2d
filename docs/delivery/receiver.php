<?php // php -S 127.0.0.1:8000 receiver.php
$key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$body = file_get_contents('php://input');
$header = fn ($name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '';
$own = 'v1,' . base64_encode(hash_hmac('sha256', "{$header('ID')}.{$header('TIMESTAMP')}.$body", $key, true));
$isOurs = in_array(true, array_map(fn ($one) => hash_equals($own, $one), explode(' ', $header('SIGNATURE'))), true);
$isFresh = abs(time() - (int) $header('TIMESTAMP')) < 300;
if ($isOurs && $isFresh) error_log('sync up to ' . json_decode($body)->data->pos);
http_response_code($isOurs && $isFresh ? 204 : 401);
