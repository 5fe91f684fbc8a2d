import { make, steps } from './steps.ts'

const [name = '', folder = '', mebibytes = '0'] = process.argv.slice(2)
let [heap, rss] = [0, 0]
const sample = setInterval(() => {
  const used = process.memoryUsage()
  heap = Math.max(heap, used.heapUsed)
  rss = Math.max(rss, used.rss)
}, 20)
const begun = process.cpuUsage()
const startedAt = Date.now()
const says =
  name === 'make' ? `${await make(folder, Number(mebibytes))} things` : await steps[name as keyof typeof steps](folder)
clearInterval(sample)
const { user, system } = process.cpuUsage(begun)
const inMebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`
process.stdout.write(
  `${name}: ${says}; heap ${inMebibytes(heap)}, memory ${inMebibytes(rss)}, ` +
    `${((user + system) / 1e6).toFixed(1)} s of CPU, ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`,
)
