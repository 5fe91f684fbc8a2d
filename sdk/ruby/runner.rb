# frozen_string_literal: true

# Makes the calls that `npm run sdk:test` sends as lines of JSON, with the generated client, and answers each with a line.

require 'json'
require 'thingsync_wire'

BODIES = {
  'revokeToken' => ThingsyncClient::TokenRevocation,
  'postSync' => ThingsyncClient::SyncRequest,
  'addThing' => ThingsyncClient::ThingAddition,
  'changeThing' => ThingsyncClient::ThingChange,
  'deleteThing' => ThingsyncClient::ThingDeletion,
  'registerDevice' => ThingsyncClient::DeviceRegistration,
  'unregisterDevice' => ThingsyncClient::DeviceRemoval,
  'registerWebhook' => ThingsyncClient::Webhook,
  'unregisterWebhook' => ThingsyncClient::Webhook
}.freeze

def as_json(value)
  return value.map { |item| as_json(item) } if value.is_a?(Array)

  value.respond_to?(:to_hash) ? value.to_hash : value
end

def make_call(api, name, given)
  method = name.gsub(/[A-Z]/) { |letter| "_#{letter.downcase}" }
  return api.public_send(method, BODIES[name].build_from_hash(given)) if BODIES.key?(name)
  return api.grant_token(given.delete(:grant_type), given) if name == 'grantToken'

  api.public_send(method, given)
end

def read_error(text)
  JSON.parse(text)
rescue JSON::ParserError
  # The body of a broken response may end inside a character.
  text.dup.force_encoding(Encoding::UTF_8).scrub
end

def answer(request)
  wire = request[:wire]
  api = ThingsyncWire.open(request[:base_url], request[:token], bodies: wire[:bodies], token: wire[:token])
  { value: as_json(make_call(api, request[:call], request[:with])) }
rescue ThingsyncClient::ApiError => e
  e.code&.positive? ? { status: e.code, error: read_error(e.response_body) } : { failure: e.message, kind: 'network' }
rescue StandardError => e # whatever else goes wrong is what the scenario has to show
  { failure: e.full_message(highlight: false) }
end

$stdin.set_encoding(Encoding::UTF_8)
$stdout.sync = true
$stdin.each_line { |line| puts JSON.generate(answer(JSON.parse(line, symbolize_names: true))) }
