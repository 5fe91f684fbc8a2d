// Loaded into the server that is measured (node --require): answers what only the process itself can tell, over the
// channel to its parent. It does nothing until it is asked, and does not keep the server alive.
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
