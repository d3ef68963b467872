import { controller, controllerReference, type Controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { describe, expect, test } from 'vitest'
import { check, type CheckOptions, type Finding } from '../src/index.ts'
import type { Trial } from '../src/judgements/index.ts'
import { makePlan } from '../src/run/plan.ts'
import { TrialRunner } from '../src/run/trial-runner.ts'
import type { PlainObject, Step, Story } from '../src/stories/index.ts'
import { checkedOperator, compare, play, WorldChain } from '../src/world/index.ts'
import { plantedBugs } from './planted-bugs.ts'
import { Widget, widgetOperator } from './widget.ts'

const widget = (color: string, size = 1): PlainObject => ({
  apiVersion: 'check.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'default' },
  spec: { color, size },
})
const create = (color: string, size?: number): Step => ({ step: 'create', object: widget(color, size) })
const change = (color: string): Step => ({ step: 'change', object: widget(color) })
const rest: Step = { step: 'rest' }

function wrongOf(name: string): Controller {
  return plantedBugs.find((bug) => bug.class === name)!.wrong()
}

function trialOf(story: Story, reference: Story): Trial {
  return { class: 'history', story, reference, expects: { type: 'same' } }
}

async function findingOf(
  made: Controller,
  trial: Trial,
  options: CheckOptions = {},
): Promise<Finding | undefined> {
  const runner = new TrialRunner(await checkedOperator(widgetOperator(made)), options)
  return (await runner.alone(trial, { isTimeDriven: false }))?.finding
}

/** Counts in the status of a Widget without an end, unless the Widget is red. */
function restless(): Controller {
  return controller('widgets')
    .for(Widget)
    .writes(Widget, 'status.patch')
    .reconcile(async (key, { client }) => {
      const current = await client.get(Widget, key)
      if (!current || current.spec.color === 'red') return
      const status = { count: (current.status?.count ?? 0) + 1 }
      await client.status.patch(Widget, key, { type: 'merge', body: { status } })
    })
}

/** Applies a ConfigMap, and looks again after the delay if that fails. */
function checksAgain(delay: '30m' | '2h'): Controller {
  return controller('widgets')
    .for(Widget)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply')
    .reconcile(async (key, { client }) => {
      const current = await client.get(Widget, key)
      if (!current) return {}
      const metadata = { ...key, ownerReferences: [controllerReference(current)] }
      return client.apply(ConfigMap, { metadata }).then(
        () => ({}),
        () => ({ requeueAfter: delay }),
      )
    })
}

describe('a trial', () => {
  test('J3: whose reference does not come to rest shows that', async () => {
    const reference = [create('blue'), rest]
    expect(await findingOf(restless(), trialOf([create('red'), rest], reference))).toMatchObject({
      class: 'endless-loop',
      story: reference,
    })
  })

  test('J3: whose reference the server refuses shows nothing', async () => {
    expect(
      await findingOf(restless(), trialOf([create('red'), rest], [create('red', 0), rest])),
    ).toBeUndefined()
  })

  test('J4: in which a reconcile throws a TypeError shows that, also where the reference has it as well', async () => {
    const mistaken = controller('widgets')
      .for(Widget)
      .reconcile(async (key, { client }) => {
        const current = await client.get(Widget, key)
        if (current?.spec.color === 'blue') (undefined as unknown as { call: () => void }).call()
      })
    const story = [create('blue'), rest]
    expect(await findingOf(mistaken, trialOf(story, story))).toMatchObject({ class: 'always-fails' })
    expect(await findingOf(mistaken, trialOf([create('red'), rest], story))).toMatchObject({ story })
    expect(await findingOf(mistaken, trialOf([create('red'), rest], [create('red'), rest]))).toBeUndefined()
  })

  test('J30: in which a field differs that is declared to vary shows nothing', async () => {
    const remembers = controller('widgets')
      .for(Widget)
      .writes(Widget, 'status.patch')
      .reconcile(async (key, { client }) => {
        const current = await client.get(Widget, key)
        if (!current || current.status?.name !== undefined) return
        const status = { name: current.spec.color }
        await client.status.patch(Widget, key, { type: 'merge', body: { status } })
      })
    const trial = trialOf([create('red'), rest, change('blue'), rest], [create('blue'), rest])
    const reason = 'it tells of the past'
    expect(await findingOf(remembers, trial)).toMatchObject({ differences: [{ path: 'status.name' }] })
    const varies = (kind: string, path: string) => ({ varies: [{ kind, path, reason }] })
    expect(await findingOf(remembers, trial, varies('Widget', 'status.name'))).toBeUndefined()
    expect(await findingOf(remembers, trial, varies('Widget', 'status'))).toBeUndefined()
    expect(await findingOf(remembers, trial, varies('Widget', 'status.na'))).toBeDefined()
    expect(await findingOf(remembers, trial, varies('Job', 'status.name'))).toBeDefined()
  })

  test('RU13: shows nothing that the operator makes up for within an hour', async () => {
    const fail: Step = { step: 'fail', request: 1, failure: 500 }
    const trial = trialOf([fail, create('red'), rest], [create('red'), rest])
    expect(await findingOf(checksAgain('30m'), trial)).toBeUndefined()
    expect(await findingOf(checksAgain('2h'), trial)).toMatchObject({
      summary: 'the ConfigMap default/w is missing',
      story: trial.story,
    })
  })

  test('SH12: that shows the same without its faults is reported without them', async () => {
    const { findings } = await check(widgetOperator(wrongOf('history')), { only: ['crash'] })
    expect(findings.map((finding) => finding.class)).toEqual(['history'])
    expect(findings[0]?.story.map(({ step }) => step)).toEqual(['create', 'change', 'rest'])
  })
})

describe('a chunk', () => {
  test('RU6: begins each story as if it were alone', async () => {
    const made = plantedBugs.find((bug) => bug.class === 'not-healed')!.right()
    const checked = await checkedOperator(widgetOperator(made))
    const { samples } = await makePlan(checked, { combinations: 0 })
    const [{ start }] = samples as [(typeof samples)[number]]
    const begin = [create('red'), rest]
    const stories: Story[] = [
      [...begin, { step: 'stop' }, change('blue')],
      [...begin, { step: 'hold', kind: 'ConfigMap' }, change('green'), rest],
      [...begin, { step: 'delete', object: { ...widget(''), ...widget('').metadata } }, rest],
      [create('red'), { step: 'wait', duration: '1s' }],
      [...begin, change('blue'), rest],
      [...begin, rest],
    ]
    await using chain = new WorldChain(checked, start)
    for (const story of stories) {
      const { state } = await chain.play(story)
      expect(compare((await play(checked, story)).state, state)).toEqual([])
    }
  })

  test('RU7: with external systems plays each story in a world of its own', async () => {
    let resets = 0
    const external = [{ name: 'nothing', reset: () => resets++, read: () => [] }]
    const made = plantedBugs.find((bug) => bug.class === 'not-healed')!.right()
    const { runs } = await check(widgetOperator(made), { external, only: ['history'], trials: 6 })
    expect(resets).toBe(runs)
  })

  test('RU7: of an operator that time moves plays each story in a world of its own', async () => {
    const ages = (isMoved: boolean): Controller =>
      controller('widgets')
        .for(Widget)
        .writes(Widget, 'status.patch')
        .reconcile(async (key, { client, clock }) => {
          const current = await client.get(Widget, key)
          if (!current) return {}
          const age = clock.now() - Date.parse(current.metadata.creationTimestamp)
          const status = { phase: isMoved && age > 1_800_000 ? 'Old' : 'New' }
          await client.status.patch(Widget, key, { type: 'merge', body: { status } })
          return { requeueAfter: '20m' }
        })
    const processesPerRun = async (isMoved: boolean): Promise<number> => {
      let processes = 0
      const source = () => {
        processes++
        return widgetOperator(ages(isMoved))
      }
      const { runs } = await check(source, { only: ['history'], trials: 6 })
      return processes / runs
    }
    expect(await processesPerRun(true)).toBeGreaterThanOrEqual(1)
    expect(await processesPerRun(false)).toBeLessThan(1)
  })

  test('RU7: of trials about rights plays each story in a world of its own', async () => {
    let processes = 0
    const checked = await checkedOperator(() => {
      processes++
      return widgetOperator(plantedBugs.find((bug) => bug.class === 'not-healed')!.right())
    })
    const { chunks } = await makePlan(checked, { only: ['right-not-declared'] })
    const { trials, ...chunk } = chunks[0]!
    processes = 0
    await new TrialRunner(checked, {}).chunk({ ...chunk, trials: [...trials, ...trials, ...trials] })
    expect(processes).toBe(3 * trials.length)
  })

  test('RU8: leaves out the rest of a class after two endless loops', async () => {
    const checked = await checkedOperator(widgetOperator(restless()))
    const { samples } = await makePlan(checked, { combinations: 0, only: [] })
    const loops = ['blue', 'green', 'grey', 'pink'].map((color, index) => ({
      ...trialOf([create('red'), rest, change(color), rest], [create('red'), rest]),
      number: index + 1,
    }))
    const other = { ...loops[0]!, class: 'downtime' as const, number: 9 }
    const played: number[] = []
    const trials = [...loops, other]
    const runner = new TrialRunner(checked, {})
    const { suspects } = await runner.chunk({ index: 0, sample: samples[0]!, trials }, (number) =>
      played.push(number),
    )
    expect(played).toEqual([1, 2, 9])
    expect(suspects.map(({ number }) => number)).toEqual([1, 2, 9])
  })
})
