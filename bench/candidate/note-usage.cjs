// Loaded into a command that ends by itself (`--require`): writes the used resources to the file THINGSYNC_BENCH_USAGE.
const { writeFileSync } = require('node:fs')

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  const used = { peakMb: (maxRSS * 1024) / 1e6, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }
  writeFileSync(process.env.THINGSYNC_BENCH_USAGE, JSON.stringify(used))
})
