import { tryProxy } from './open-proxy.ts'
import { caddy } from './proxies.ts'

tryProxy(caddy)
