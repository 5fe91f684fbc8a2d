// Loaded into the measured server (node --require): reports figures that only the process itself can measure, over the
// IPC channel to its parent. It does nothing until a message arrives, and does not keep the server alive.
const { monitorEventLoopDelay } = require('node:perf_hooks')

let histogram

process.on('message', (question) => {
  if (question === 'start delay') {
    histogram = monitorEventLoopDelay({ resolution: 1 })
    histogram.enable()
    process.send({})
  } else if (question === 'stop delay') {
    histogram.disable()
    process.send({ maxDelayMs: histogram.max / 1e6 })
  } else if (question === 'collect garbage') {
    global.gc()
    process.send({})
  } else if (question === 'read heap') {
    process.send({ heapMb: process.memoryUsage().heapUsed / 1e6 })
  }
})
process.channel.unref()
