<?php // php -S 127.0.0.1:8000 receiver.php
$key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$body = file_get_contents('php://input');
$time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'];
$own = 'v1,' . base64_encode(hash_hmac('sha256', "{$_SERVER['HTTP_WEBHOOK_ID']}.$time.$body", $key, true));
$given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE']);
$isOurs = in_array(true, array_map(fn ($one) => hash_equals($own, $one), $given), true);
$isFresh = abs(time() - (int) $time) < 300;
if ($isOurs && $isFresh) error_log('sync up to ' . json_decode($body)->data->pos);
http_response_code($isOurs && $isFresh ? 204 : 401);
