import { nginx } from './proxies.ts'
import { tryProxy } from './open-proxy.ts'

tryProxy(nginx)
