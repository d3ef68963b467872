import { spawnSync } from 'node:child_process'
import { test, expect } from 'vitest'

/** Fills the young generation in a process of its own, twice, and prints how large it became each time. */
function youngMegabytes(limit: boolean): { first: number; idle: number; again: number } {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    import { limitYoungGeneration } from ${JSON.stringify(new URL('young-generation.ts', import.meta.url).href)}
    ${limit ? 'limitYoungGeneration()' : ''}
    const megabytes = () => {
      const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
      return space.space_size / 1_048_576
    }
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const kept = []
    const fill = async () => {
      for (let round = 0; round < 60; round++) {
        for (let index = 0; index < 20_000; index++) {
          const made = { text: 'x' + index, list: [index] }
          if (index % 10 === 0) kept.push(made)
        }
        await turn()
      }
      return megabytes()
    }
    const first = await fill()
    gc({ type: 'major', flavor: 'last-resort' })
    const idle = megabytes()
    await turn()
    const again = await fill()
    console.log(JSON.stringify({ first, idle, again }), kept.length)`
  const args = ['--expose-gc', '--input-type=module', '-e', program]
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(run.stderr)
  return JSON.parse(run.stdout.slice(0, run.stdout.lastIndexOf(' ')))
}

test('the young generation stays small where it is limited, and only there', () => {
  expect(youngMegabytes(true).first).toBeLessThanOrEqual(16)
  expect(youngMegabytes(false).first).toBeGreaterThan(16)
})

test('a young generation that V8 shrank while idle grows again, up to the limit', () => {
  const { idle, again } = youngMegabytes(true)
  expect(idle).toBeLessThan(8)
  expect(again).toBeGreaterThanOrEqual(8)
  expect(again).toBeLessThanOrEqual(16)
})
