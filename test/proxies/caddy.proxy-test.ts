import { caddy } from './proxies.ts'
import { tryProxy } from './proxy-trial.ts'

tryProxy(caddy)
