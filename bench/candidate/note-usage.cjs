// Loaded into a command that ends by itself (`--require`): writes what it has used to the file that it is told.
const { writeFileSync } = require('node:fs')

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  const used = { peakMb: (maxRSS * 1024) / 1e6, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }
  writeFileSync(process.env.THINGSYNC_BENCH_USAGE, JSON.stringify(used))
})
