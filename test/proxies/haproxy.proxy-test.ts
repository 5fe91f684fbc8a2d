import { haproxy } from './proxies.ts'
import { tryProxy } from './proxy-trial.ts'

tryProxy(haproxy)
