import { caddy } from './proxies.ts'
import { tryProxy } from './open-proxy.ts'

tryProxy(caddy)
