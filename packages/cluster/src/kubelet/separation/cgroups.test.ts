import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isRunning } from '../../../test/process-facts.ts'
import { findCgroupPlaces, type CgroupPlaces } from './cgroup-places.ts'
import { Cgroups, type Cgroup } from './cgroups.ts'
import { enterCgroup } from './enter-cgroup.ts'

/** Where v2 is mounted and groups may be made, with or without controllers: the rest can be tried there. */
function unifiedPlace(): CgroupPlaces | undefined {
  const mounts = existsSync('/proc/self/mountinfo') ? readFileSync('/proc/self/mountinfo', 'utf8') : ''
  const folder = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(mounts)?.[1]
  const tried = join(folder ?? '/nowhere', `homeostat-test-${process.pid}`)
  try {
    mkdirSync(tried)
    rmdirSync(tried)
    return { version: 2, folder: folder ?? '', controllers: [] }
  } catch {
    return undefined
  }
}

const found = findCgroupPlaces(`homeostat-test-${process.pid}`)
const limited = 'problem' in found ? undefined : found
const identity = `test ${process.pid}`
const opened: Cgroups[] = []
const started: number[] = []

afterEach(() => {
  for (const pid of started.splice(0)) if (isRunning(pid)) process.kill(-pid, 'SIGKILL')
  for (const cgroups of opened.splice(0)) cgroups.close()
})

function open(places: CgroupPlaces | undefined, name = identity): Cgroups {
  const cgroups = new Cgroups(name, places)
  opened.push(cgroups)
  return cgroups
}

/** Runs a script in the group. It is the leader of a process group. */
function run(cgroup: Cgroup, script: string, env: Record<string, string> = {}) {
  const entering = enterCgroup(cgroup, { program: '/bin/sh', args: ['-c', script] }, env)
  const child = spawn(entering.program, entering.args, {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const pid = child.pid ?? 0
  started.push(pid)
  entering.started(pid)
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  return { pid, closed: once(child, 'close').then(() => output) }
}

const places = [
  ['v1 or v2 as this machine has it', limited],
  ['v2, as it is mounted here', unifiedPlace()],
] as const

describe.each(places)('a control group of %s', (_, place) => {
  describe.skipIf(place === undefined)('where groups may be made', () => {
    it('has a process from its start, with all that it starts, and ends them', async () => {
      const cgroup = open(place).make({}) as Cgroup
      const { pid } = run(cgroup, 'setsid sleep 600 & (setsid sleep 600 &) ; exec sleep 600')
      await expect.poll(() => cgroup.processes()).toHaveLength(3)
      const all = cgroup.processes()
      expect(all).toContain(pid)
      await cgroup.end()
      expect(all.filter(isRunning)).toEqual([])
      for (const file of cgroup.entrances) expect(existsSync(file)).toBe(false)
    })

    it('takes a process whose variables no shell would pass on', async () => {
      const cgroup = open(place).make({}) as Cgroup
      const env = { 'a.b': 'c', PWD: '/nowhere' }
      const { pid, closed } = run(cgroup, 'exec sleep 600', env)
      expect(cgroup.processes()).toContain(pid)
      await cgroup.end()
      await closed
    })

    it('is ended by the next process of the same node, and by no other', async () => {
      const left = open(place).make({}) as Cgroup
      const { pid } = run(left, 'exec sleep 600')
      await expect.poll(() => left.processes()).toEqual([pid])
      await open(place, 'another').endLeftovers()
      await open(place).endLeftovers()
      expect(isRunning(pid)).toBe(true)
      await left.end()
    })

    it('removes what a process that was killed has left empty', () => {
      const roots = open(place).folders.map((folder) => dirname(folder))
      const left = roots.map((root) => join(root, 'homeostat-0123456789abcdef-4194305', '0'))
      for (const folder of left) mkdirSync(folder, { recursive: true })
      open(place).make({})
      expect(left.filter((folder) => existsSync(dirname(folder)))).toEqual([])
    })

    it('leaves no folder behind', async () => {
      const cgroups = open(place)
      const cgroup = cgroups.make({}) as Cgroup
      const folders = cgroups.folders
      expect(folders.map((folder) => existsSync(folder))).not.toContain(false)
      await cgroup.end()
      cgroups.close()
      expect(folders.map((folder) => existsSync(folder))).not.toContain(true)
    })
  })
})

describe.skipIf(limited === undefined)('the limits of a control group', () => {
  it('hold for processes', async () => {
    const cgroup = open(limited).make({ processes: 5 }) as Cgroup
    const { closed } = run(cgroup, 'for n in 1 2 3 4 5 6 7 8; do sleep 600 >/dev/null 2>&1 & done')
    expect(await closed).toMatch(/fork/i)
    expect(cgroup.processes().length).toBeLessThanOrEqual(5)
    await cgroup.end()
  })

  it('hold for memory, and the processes that the system ends are counted', async () => {
    const cgroup = open(limited).make({ memory: 32 << 20 }) as Cgroup
    const { closed } = run(cgroup, 'exec dd if=/dev/zero of=/dev/null bs=256M count=1')
    await closed
    expect(cgroup.outOfMemory()).toBe(1)
    await cgroup.end()
  })
})
