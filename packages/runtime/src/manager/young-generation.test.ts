import { spawnSync } from 'node:child_process'
import { test, expect } from 'vitest'

/** Fills the young generation in a process of its own, and prints how large it became. */
function youngMegabytes(limit: boolean): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    import { limitYoungGeneration } from ${JSON.stringify(new URL('young-generation.ts', import.meta.url).href)}
    ${limit ? 'limitYoungGeneration()' : ''}
    const kept = []
    for (let round = 0; round < 60; round++) {
      for (let index = 0; index < 20_000; index++) {
        const made = { text: 'x' + index, list: [index] }
        if (index % 10 === 0) kept.push(made)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    console.log(space.space_size / 1_048_576, kept.length)`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(run.stderr)
  return Number(run.stdout.split(' ')[0])
}

test('the young generation stays small where it is limited, and only there', () => {
  expect(youngMegabytes(true)).toBeLessThanOrEqual(16)
  expect(youngMegabytes(false)).toBeGreaterThan(16)
})
