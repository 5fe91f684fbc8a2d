require 'uri'
require 'openapi_client'

def connect(token)
  configuration = OpenapiClient::Configuration.new
  base = URI(ENV.fetch('BASE_URL'))
  configuration.scheme = base.scheme
  configuration.host = "#{base.host}:#{base.port}"
  configuration.base_path = base.path
  configuration.server_index = nil
  configuration.access_token = token
  OpenapiClient::ThingsyncApi.new(OpenapiClient::ApiClient.new(configuration))
end

app = { client_id: ENV.fetch('CLIENT_ID'), client_secret: ENV.fetch('CLIENT_SECRET') }
owner = { username: ENV.fetch('USERNAME'), password: ENV.fetch('PASSWORD') }
token = connect(nil).grant_token('password', **app, **owner)
api = connect(token.access_token)

new_thing = OpenapiClient::ThingCreate.new(local_id: 'n1', title: 'Buy milk 🥛')
uploaded = api.post_sync(OpenapiClient::SyncRequest.new(from: 0, new_thing: [new_thing]))
id = uploaded.things.new['n1']
puts "created #{id}"

listing = api.get_sync
listing.things.changed.each { |thing| puts "listed #{thing.title}" }

changed_thing = OpenapiClient::ThingUpdate.new(_id: id, title: 'Buy oat milk')
api.post_sync(OpenapiClient::SyncRequest.new(from: listing.pos, changed_thing: [changed_thing]))
changes = api.get_sync(from: listing.pos)
changes.things.changed.each { |thing| puts "changed #{thing.title}" }

api.post_sync(OpenapiClient::SyncRequest.new(from: changes.pos, deleted_thing: [id]))
deletion = api.get_sync(from: changes.pos)
deletion.things.deleted.each { |deleted| puts "deleted #{deleted}" }

renewed = connect(nil).grant_token('refresh_token', **app, refresh_token: token.request_token)
puts "position #{connect(renewed.access_token).get_sync(from: deletion.pos).pos}"
