import { HomeostatError } from '@homeostat/api'
import { describe, expect, test } from 'vitest'
import { checkBy } from './check.ts'
import type { Finding } from './judgements/index.ts'
import type { CheckMemory, CheckOptions, CheckProgress } from './options/index.ts'
import { textReport } from './report/index.ts'
import type { ChunkResult, Confirmation, PlanSummary, TrialHost } from './run/index.ts'

function findingOf(root: string, more: Partial<Finding> = {}): Finding {
  return {
    class: 'crash',
    summary: root,
    fact: { fact: 'message', message: root },
    story: [],
    differences: [],
    root,
    ...more,
  }
}

function chunkOf(
  index: number,
  ...suspects: readonly (readonly [number: number, root: string])[]
): ChunkResult {
  const found = suspects.map(([number, root]) => ({ number, root }))
  return { index, runs: 10, discarded: 1, suspects: found, states: [`state ${index}`, 'shared'] }
}

/** The work of a test's hosts: the chunks, and the results of the suspects. */
interface Played {
  readonly chunks: readonly ChunkResult[]
  readonly confirmed?: Readonly<Record<number, Finding | undefined>>
  readonly plan?: Partial<PlanSummary>
}

/** A host whose chunks end when the test says so. */
class FakeHost implements TrialHost {
  readonly asked: string[] = []
  readonly #played: Played
  readonly #before: (what: string) => unknown

  constructor(played: Played, before: (what: string) => unknown = () => {}) {
    this.#played = played
    this.#before = before
  }

  async plan(): Promise<PlanSummary> {
    return {
      samples: ['Note default/a'],
      intents: [],
      chunks: this.#played.chunks.map(() => ({ trials: 4, class: 'crash' })),
      findings: [],
      notes: [],
      runs: 3,
      fingerprint: 'same',
      ...this.#played.plan,
    }
  }

  async chunk(index: number): Promise<ChunkResult> {
    await this.#ask(`chunk ${index}`)
    return this.#played.chunks[index]!
  }

  async confirm(number: number): Promise<Confirmation> {
    await this.#ask(`confirm ${number}`)
    return { finding: this.#played.confirmed?.[number], runs: 5 }
  }

  async #ask(what: string): Promise<void> {
    this.asked.push(what)
    await this.#before(what)
  }
}

async function check(played: Played, options: CheckOptions = {}) {
  const host = new FakeHost(played)
  return { report: await checkBy([host], options), asked: host.asked }
}

const summaries = ({ findings }: { readonly findings: readonly Finding[] }): string[] =>
  findings.map(({ summary, others }) => `${summary}${others ? ` +${others}` : ''}`)

describe('the judgement of chunks', () => {
  test('RU10: a suspect that shows nothing alone is not a finding', async () => {
    const { report } = await check({
      chunks: [chunkOf(0, [1, 'a'], [2, 'b'])],
      confirmed: { 2: findingOf('b') },
    })
    expect(summaries(report)).toEqual(['b'])
    expect(report.runs).toBe(3 + 10 + 5 + 5)
  })

  test('RU12: a suspect with a known root is counted and not played', async () => {
    const { report, asked } = await check({
      chunks: [chunkOf(0, [1, 'a'], [2, 'a']), chunkOf(1, [9, 'a'])],
      confirmed: { 1: findingOf('a') },
    })
    expect(summaries(report)).toEqual(['a +2'])
    expect(asked).toEqual(['chunk 0', 'confirm 1', 'chunk 1'])
  })

  test('RU12: a root that turned out to be another one is known from then on', async () => {
    const { report, asked } = await check({
      chunks: [chunkOf(0, [1, 'suspected'], [2, 'suspected'])],
      confirmed: { 1: findingOf('real') },
    })
    expect(summaries(report)).toEqual(['real +1'])
    expect(asked).not.toContain('confirm 2')
  })

  test('RU12: a finding at the line of a known one is the same', async () => {
    const differences = [{ object: 'Job default/a', path: '', expected: undefined, found: {} }]
    const at = (root: string) => findingOf(root, { line: 'a.ts:3:1', differences })
    const { report } = await check({
      chunks: [chunkOf(0, [1, 'a'], [2, 'b'])],
      confirmed: { 1: at('a'), 2: at('b') },
    })
    expect(summaries(report)).toEqual(['a +1'])
  })

  test('RU1, RU11: chunks are judged in their order, whatever the order in which they end', async () => {
    const played: Played = {
      chunks: [chunkOf(0, [1, 'a']), chunkOf(1, [2, 'a']), chunkOf(2, [3, 'c'])],
      confirmed: {
        1: findingOf('a', { run: 1 }),
        2: findingOf('a', { run: 2 }),
        3: findingOf('c', { run: 3 }),
      },
    }
    const { report: expected } = await check(played)
    const last = Promise.withResolvers<void>()
    const slow = new FakeHost(played, (what) => (what === 'chunk 0' ? last.promise : undefined))
    const fast = new FakeHost(played)
    const write = (text: string): void => {
      if (JSON.parse(text).chunks.length === 2) last.resolve()
    }
    const report = await checkBy([slow, fast], { memory: { read: () => undefined, write } })
    expect(fast.asked.filter((what) => what.startsWith('chunk'))).toEqual(['chunk 1', 'chunk 2'])
    expect(report).toEqual(expected)
    expect(report.findings.map(({ run }) => run)).toEqual([1, 3])
  })

  test('RU9: runs, discarded trials and different states are counted', async () => {
    const { report } = await check({ chunks: [chunkOf(0), chunkOf(1)] })
    expect(report).toMatchObject({ runs: 23, discarded: 2, states: 3, ended: false })
  })

  test('RU4: what was found without any fault is reported', async () => {
    const { report } = await check(
      { chunks: [], plan: { findings: [findingOf('alone')] } },
      { only: ['history'] },
    )
    expect(summaries(report)).toEqual(['alone'])
  })
})

describe('an operator that ends its thread', () => {
  const played: Played = {
    chunks: [chunkOf(0, [1, 'a']), chunkOf(1, [2, 'b'])],
    confirmed: { 1: findingOf('a'), 2: findingOf('b') },
  }

  test.for(['chunk 1', 'confirm 2'])('RU16: ends the check with what was found before: %s', async (at) => {
    const host = new FakeHost(played, (what) => {
      if (what === at) throw new HomeostatError('CHECK_BLOCKED', 'the operator blocks the event loop')
    })
    const { findings } = await checkBy([host], {})
    expect(findings).toMatchObject([
      { summary: 'a' },
      { class: 'check-failed', summary: 'the operator blocks the event loop' },
    ])
  })
})

describe('a check that is ended', () => {
  const played: Played = {
    chunks: [chunkOf(0, [1, 'a']), chunkOf(1, [2, 'b']), chunkOf(2, [3, 'c'])],
    confirmed: { 1: findingOf('a'), 2: findingOf('b'), 3: findingOf('c') },
  }

  function memory(): CheckMemory & { text: string | undefined } {
    return {
      text: undefined,
      read() {
        return this.text
      },
      write(text) {
        this.text = text
      },
    }
  }

  test('RU17: ends at once, with the findings so far', async () => {
    const abort = new AbortController()
    const never = new FakeHost(played, (what) => {
      if (what !== 'chunk 1') return undefined
      abort.abort()
      return new Promise(() => {})
    })
    const report = await checkBy([never], { signal: abort.signal })
    expect(summaries(report)).toEqual(['a'])
    expect(report.ended).toBe(true)
  })

  test('RU17: ends at once, also while the plan is made', async () => {
    const abort = new AbortController()
    const host = new FakeHost(played)
    host.plan = () => {
      abort.abort()
      return new Promise(() => {})
    }
    const report = await checkBy([host], { signal: abort.signal })
    expect(textReport(report)).toBe(
      'no finding in 0 runs\nthe check was ended early: not everything was tried\n',
    )
  })

  test.for(['chunk 1', 'confirm 2', 'chunk 2'])('RU18: goes on where it was: %s', async (at) => {
    const { report: whole } = await check(played)
    const kept = memory()
    const abort = new AbortController()
    const killed = new FakeHost(played, (what) => {
      if (what !== at) return undefined
      abort.abort()
      return new Promise(() => {})
    })
    await checkBy([killed], { memory: kept, signal: abort.signal })
    const { report, asked } = await check(played, { memory: kept })
    expect(report).toEqual(whole)
    expect(asked.filter((what) => killed.asked.slice(0, -1).includes(what))).toEqual([])
    const { asked: none } = await check(played, { memory: kept })
    expect(none).toEqual([])
  })

  test('RU18: begins at the start where another plan was kept', async () => {
    const kept = memory()
    await check(played, { memory: kept })
    const { asked } = await check({ ...played, plan: { fingerprint: 'other' } }, { memory: kept })
    expect(asked).toContain('chunk 0')
  })

  test('RU18: tells how many trials are done', async () => {
    const told: CheckProgress[] = []
    await check(played, { onProgress: (progress) => told.push(progress) })
    expect(told.map(({ trials, planned, findings }) => [trials, planned, findings])).toEqual([
      [0, 12, 0],
      [4, 12, 1],
      [8, 12, 2],
      [12, 12, 3],
    ])
  })
})

test('RU19: a replay plays one trial, and reports that alone', async () => {
  const { report, asked } = await check(
    { chunks: [chunkOf(0)], confirmed: { 7: findingOf('b') }, plan: { findings: [findingOf('alone')] } },
    { replay: 7 },
  )
  expect(summaries(report)).toEqual(['b'])
  expect(asked).toEqual(['confirm 7'])
})
