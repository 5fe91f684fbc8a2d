import { nginx } from './proxies.ts'
import { tryProxy } from './proxy-trial.ts'

tryProxy(nginx)
