// Loaded into the attacked server: tells the longest delay of its event loop since it was asked last.
const { monitorEventLoopDelay } = require('node:perf_hooks')

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => {
  process.send(delay.max / 1e6)
  delay.reset()
})
process.channel.unref()
