import { tryProxy } from './open-proxy.ts'
import { nginx } from './proxies.ts'

tryProxy(nginx)
