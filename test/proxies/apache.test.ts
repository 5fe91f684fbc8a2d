import { tryProxy } from './open-proxy.ts'
import { apache } from './proxies.ts'

tryProxy(apache)
