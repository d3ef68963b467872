import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ProcessGroup } from './process-group.ts'

test('a group ends its processes and removes its folder, and a second stop is not a failure', async () => {
  const group = await ProcessGroup.create()
  group.start('idle', process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await group.expectRunning()
  await group.stop()
  await group.stop()
  expect(existsSync(group.directory)).toBe(false)
})

test('a script that has nothing else to do is held until the group has stopped', () => {
  const module = new URL('process-group.ts', import.meta.url).href
  const script = `
    const { ProcessGroup } = await import(${JSON.stringify(module)})
    const group = await ProcessGroup.create()
    group.start('idle', process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await group.stop()
    console.log('stopped')`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', script],
    { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8', timeout: 90_000 },
  )
  expect([status, stdout, stderr]).toEqual([0, 'stopped\n', ''])
})
