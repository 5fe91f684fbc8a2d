// Loaded into the attacked server (node --expose-gc --require): reports figures that only the process itself can
// measure, over the IPC channel to its parent. It does not keep the server alive.
const { monitorEventLoopDelay } = require('node:perf_hooks')

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', async () => {
  const maxDelayMs = delay.max / 1e6
  // A first collection only finalizes some objects; later ones free them. The engine returns pages a little later.
  for (let round = 0; round < 4; round += 1) {
    global.gc()
    await new Promise((done) => setTimeout(done, 100))
  }
  process.send({
    maxDelayMs,
    residentMb: process.memoryUsage.rss() / 1e6,
    heapMb: process.memoryUsage().heapUsed / 1e6,
  })
  delay.reset()
})
process.channel.unref()
