#!/usr/bin/env node
// CommonJS, because Node starts its thread pool while it loads the first ES module, and reads the size before that. Of
// the default 4 threads, password checks may keep two busy, and every durable write waits for one of the rest.
process.env.UV_THREADPOOL_SIZE ??= '8'
void import('./program.ts').then(({ runProcess }) => runProcess())
