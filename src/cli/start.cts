#!/usr/bin/env node
// CommonJS, because Node starts its thread pool while it loads the first ES module, and the size counts only before
// that. Of the default 4 threads two may be busy with passwords, and every durable write waits for one of the rest.
process.env.UV_THREADPOOL_SIZE ??= '8'
void import('./main.ts')
