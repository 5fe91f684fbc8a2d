import { apache } from './proxies.ts'
import { tryProxy } from './open-proxy.ts'

tryProxy(apache)
