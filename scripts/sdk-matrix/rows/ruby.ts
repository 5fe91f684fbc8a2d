import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'

/** Ruby with Typhoeus, by openapi-generator. */
export const ruby: Row = {
  name: 'ruby',
  generator: 'openapi-generator ruby',
  version: generatorVersion,
  language: 'Ruby',
  generateNeeds: javaToGenerate,
  generate: generateByFront('ruby'),
  needs: [{ program: 'ruby', version: ['--version'], install: 'apt-get install ruby ruby-typhoeus' }],
  build: [['ruby', '-I', 'client/lib', '-e', 'require "openapi_client"']],
  run: ['ruby', '-I', 'client/lib', 'first_script.rb'],
  onWire: {
    script: 'first_script.rb',
    spelled: {
      // It fills every way to give the token that an operation offers, with nothing where it knows none.
      'configuration.access_token = token': `configuration.access_token = token
  configuration.api_key = { 'Authorization' => "Bearer #{token}", 'access_token' => token }`,
      'api.post_sync(OpenapiClient::SyncRequest.new(': 'api.post_sync(sync_request: OpenapiClient::SyncRequest.new(',
      "local_id: 'n1'": "local_id: OpenapiClient::ThingCreateLocalId.build('n1')",
    },
  },
}
