import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  enterGroup,
  findGroupTrees,
  LimitsUnavailable,
  readCount,
} from '../../../scripts/small-machine/limited-group.ts'

const split = `cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0
cgroup /sys/fs/cgroup/memory cgroup rw,relatime,memory 0 0
cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0
`

test('a tree of version 2 is used if it has both controllers', () => {
  const mounts = 'proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n'
  expect(findGroupTrees(mounts, () => 'cpuset cpu io memory pids\n')).toEqual({ version: 2, root: '/sys/fs/cgroup' })
})

test('otherwise the trees of version 1 are used, also with two controllers in one tree', () => {
  expect(findGroupTrees(split, () => '\n')).toEqual({
    version: 1,
    cpu: '/sys/fs/cgroup/cpu,cpuacct',
    memory: '/sys/fs/cgroup/memory',
  })
})

test('a missing controller is named in one line', () => {
  const find = () => findGroupTrees('cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\n', () => '')
  expect(find).toThrow(LimitsUnavailable)
  expect(find).toThrow('this machine has no cgroup with the controllers cpu and memory')
})

test('counts are read by their whole name', () => {
  const events = 'low 0\nhigh 12\nmax 7\noom 3\noom_kill 2\noom_group_kill 9\n'
  expect(readCount(events, 'oom_kill')).toBe(2)
  expect(readCount('oom_kill_disable 0\nunder_oom 0\n', 'oom_kill')).toBe(0)
})

const openGroup = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-group-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const entrances = [join(folder, 'cpu procs'), join(folder, 'memory procs')]
  return { entrances, readKills: () => 0, readWaitingSeconds: () => 0, readPeakBytes: () => undefined }
}

test('a command enters every group under its own process ID before it begins', async () => {
  const group = await openGroup()
  for (const file of group.entrances) await writeFile(file, '')
  const [file, args] = enterGroup(group, process.execPath, ['-p', 'process.pid + process.argv[1]', ' -- "$x"'])
  const { stdout, pid } = spawnSync(file, args, { encoding: 'utf8' })
  expect(stdout).toBe(`${pid} -- "$x"\n`)
  for (const entrance of group.entrances) expect(await readFile(entrance, 'utf8')).toBe(`${pid}\n`)
})

test('a command that cannot enter its group does not begin', async () => {
  const group = await openGroup()
  const entrances = group.entrances.map((entrance) => join(entrance, 'cgroup.procs'))
  const [file, args] = enterGroup({ ...group, entrances }, process.execPath, ['-p', '1'])
  expect(spawnSync(file, args, { encoding: 'utf8' })).toMatchObject({ status: 1, stdout: '' })
})
