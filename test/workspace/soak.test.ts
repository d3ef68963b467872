import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { memoryTrend } from '../../scripts/soak/memory-trend.ts'

const script = fileURLToPath(new URL('../../scripts/soak.ts', import.meta.url))
const run = (...args: string[]) =>
  spawnSync(process.execPath, ['--conditions=source', script, ...args], {
    encoding: 'utf8',
    timeout: 100_000,
  })

describe('npm run soak', () => {
  test('runs, and ends with 0 where nothing was lost', { timeout: 120_000 }, () => {
    const { status, stdout, stderr } = run('--minutes', '0.05', '--rate', '20', '--count', '10')
    expect(stderr).toBe('')
    expect(stdout).toMatch(/objects left behind +0 +ok/)
    expect(stdout).toMatch(/orderly stop +exit code 0 +ok/)
    expect(stdout).toContain('Rate and memory are not judged below 1 minute.')
    expect(status).toBe(0)
  })

  test('says what is wrong with its options', { timeout: 60_000 }, () => {
    const { status, stderr } = run('--rate', 'fast')
    expect([status, stderr]).toEqual([1, '--rate must be a number above 0, not fast\n'])
  })
})

describe('the trend of memory', () => {
  const MiB = 1024 * 1024
  const samples = (heap: (index: number) => number) =>
    Array.from({ length: 40 }, (_, index) => ({ seconds: 15 * index, heap: heap(index), resident: 0 }))

  test('is flat where it goes up and down, whatever the beginning was', () => {
    const sawTooth = samples((index) => (index < 8 ? 0 : 20 + (index % 4)) * MiB)
    expect(memoryTrend(sawTooth, 'heap').flat).toBe(true)
  })

  test('is not where little by little is never given back', () => {
    const leak = samples((index) => (20 + (index % 4) + 0.1 * index) * MiB)
    expect(memoryTrend(leak, 'heap').growth / MiB).toBeCloseTo(3.1, 0)
    expect(memoryTrend(leak, 'heap').flat).toBe(false)
  })
})
