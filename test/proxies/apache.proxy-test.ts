import { apache } from './proxies.ts'
import { tryProxy } from './proxy-trial.ts'

tryProxy(apache)
