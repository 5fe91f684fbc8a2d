import type { ClientOptions } from '../../client/src/create-client.ts'
import { type Client, createClient } from '../../client/src/create-client.ts'
import { createMemoryTokenStorage } from '../../client/src/tokens.ts'
import type { TestServer } from './open-test-server.ts'

/** A client of the test server that is not signed in. */
export const createTestClient = (
  { baseUrl, clientId, clientSecret }: Pick<TestServer, 'baseUrl' | 'clientId' | 'clientSecret'>,
  options: Partial<ClientOptions> = {},
): Client => createClient({ baseUrl, clientId, clientSecret, tokens: createMemoryTokenStorage(), ...options })
