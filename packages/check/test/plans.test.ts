import { controller, controllerReference, sample, operator, type Controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { beforeAll, describe, expect, test } from 'vitest'
import { LocalTrialHost } from '../src/run/index.ts'
import { makePlan, type Plan } from '../src/run/plan.ts'
import { checkedOperator, type CheckedOperator } from '../src/world/index.ts'
import { plantedBugs } from './planted-bugs.ts'
import { Widget, widgetOperator } from './widget.ts'

const plain = (): Controller => plantedBugs.find((bug) => bug.class === 'not-healed')!.right()

function manyChildren(count: number): Controller {
  return controller('widgets')
    .for(Widget)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply')
    .reconcile(async ({ namespace, name }, { client }) => {
      const widget = await client.get(Widget, { namespace, name })
      if (!widget) return
      const ownerReferences = [controllerReference(widget)]
      for (let index = 0; index < count; index++)
        await client.apply(ConfigMap, { metadata: { namespace, name: `${name}-${index}`, ownerReferences } })
    })
}

function twoSamples() {
  const spec = { color: 'red' }
  const samples = ['a', 'b'].map((name) => sample(Widget, { metadata: { name, namespace: 'default' }, spec }))
  return operator('widgets', { controllers: [plain()], samples })
}

describe('a plan', () => {
  let checked: CheckedOperator
  let plan: Plan
  beforeAll(async () => {
    checked = await checkedOperator(twoSamples())
    plan = await makePlan(checked, {})
  })

  test('RU2: numbers the trials of all samples, and no choice changes a number', async () => {
    const all = plan.samples.flatMap(({ trials }) => trials)
    expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1))
    const { chunks } = await makePlan(checked, { only: ['history'] })
    const history = all.filter((trial) => trial.class === 'history')
    expect(chunks.flatMap(({ trials }) => trials)).toEqual(history)
  })

  test('RU3: has at most so many trials of each sample, evenly spread', async () => {
    const { chunks } = await makePlan(checked, { trials: 5 })
    expect(chunks.map(({ trials }) => trials.length)).toEqual([5, 5])
    const numbers = chunks[0]!.trials.map(({ number }) => number)
    const gaps = numbers.slice(1).map((number, index) => number - numbers[index]!)
    const even = plan.samples[0]!.trials.length / 5
    expect(gaps.filter((gap) => Math.abs(gap - even) > 1)).toEqual([])
  })

  test('RU1, RU5: has chunks of at most 32 trials of one sample, the same each time', async () => {
    for (const { trials, sample: of } of plan.chunks) {
      expect(trials.length).toBeLessThanOrEqual(32)
      expect(trials.filter((trial) => !of.trials.includes(trial))).toEqual([])
    }
    const numbers = plan.chunks.flatMap(({ trials }) => trials.map(({ number }) => number))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    const again = await makePlan(checked, {})
    expect(again.chunks.map(({ trials }) => trials)).toEqual(plan.chunks.map(({ trials }) => trials))
  })

  test('RU5: has larger chunks in a long check, up to 128 trials', async () => {
    // With many requests there are many combinations of faults.
    const large = await checkedOperator(widgetOperator(manyChildren(12)))
    const lengthOf = async (combinations: number): Promise<number[]> => {
      const { chunks } = await makePlan(large, { combinations })
      return [chunks[0]!.trials.length, chunks[0]!.sample.trials.length]
    }
    const [length, trials] = await lengthOf(800)
    expect(length).toBe(Math.ceil(trials! / 16))
    expect(length).toBeGreaterThan(32)
    expect((await lengthOf(3_000))[0]).toBe(128)
  })

  test('RU4: has no trials of a sample that does not come to rest', async () => {
    const { wrong } = plantedBugs.find((bug) => bug.class === 'endless-loop')!
    const plan = await makePlan(await checkedOperator(widgetOperator(wrong())), { only: ['history'] })
    expect(plan.findings.map((finding) => finding.class)).toEqual(['endless-loop'])
    expect(plan.samples).toEqual([])
  })

  test('RU18: of other trials, or with other declarations, has another fingerprint', async () => {
    const idle = controller('widgets')
      .for(Widget)
      .reconcile(() => {})
    const fingerprint = async (options: ConstructorParameters<typeof LocalTrialHost>[1]) =>
      (await new LocalTrialHost(widgetOperator(idle), options).plan()).fingerprint
    const first = await fingerprint({})
    expect(await fingerprint({})).toBe(first)
    const others = [
      await fingerprint({ only: ['history'] }),
      await fingerprint({ trials: 3 }),
      await fingerprint({ final: [{ kind: 'Widget', path: 'status.phase', value: 'Done', reason: 'once' }] }),
    ]
    expect(new Set([first, ...others]).size).toBe(4)
  })
})
