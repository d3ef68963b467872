import { controller, controllerReference, type Controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { describe, expect, test } from 'vitest'
import { check } from '../src/index.ts'
import { makePlan } from '../src/run/plan.ts'
import { TrialRunner } from '../src/run/trial-runner.ts'
import { checkedOperator } from '../src/world/index.ts'
import { Widget, widgetOperator } from './widget.ts'

/** Gives an object up for ever after so many errors of its process. */
function givesUpAfter(most: number): Controller {
  const errors = new Map<string, number>()
  return controller('widgets')
    .for(Widget)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply')
    .reconcile(async (key, { client }) => {
      const widget = await client.get(Widget, key)
      if (!widget) return
      const { uid } = widget.metadata
      const count = errors.get(uid) ?? 0
      if (count >= most) return
      try {
        const ownerReferences = [controllerReference(widget)]
        const { color } = widget.spec
        await client.apply(ConfigMap, { metadata: { ...key, ownerReferences }, data: { color } })
      } catch (error) {
        errors.set(uid, count + 1)
        throw error
      }
    })
}

describe('further trials', () => {
  test('RU20: find what needs one fault more than a combination has', async () => {
    const operator = () => widgetOperator(givesUpAfter(3))
    const { findings } = await check(operator, { only: ['combination'] })
    expect(findings.map((finding) => finding.class)).toEqual(['combination'])
    const [{ story, run }] = findings as [(typeof findings)[number]]
    expect(story.filter(({ step }) => step === 'fail')).toHaveLength(3)
    expect((await check(operator, { replay: run })).findings[0]).toMatchObject({ run, story })
  })

  test('RU20: are played after combinations in which requests come in a new order', async () => {
    const checked = await checkedOperator(widgetOperator(givesUpAfter(1_000)))
    const plan = await makePlan(checked, { only: ['combination'] })
    const further = plan.samples.flatMap(({ trials }) => trials.flatMap((trial) => trial.further ?? []))
    const { length } = plan.samples.flatMap(({ trials }) => trials)
    expect(further.map(({ number }) => number)).toEqual(further.map((_, index) => length + index + 1))
    const played: number[] = []
    for (const chunk of plan.chunks) {
      await new TrialRunner(checked, {}).chunk(chunk, (number) => played.push(number))
    }
    const after = played.filter((number) => number > length)
    expect(after.length).toBeGreaterThan(0)
    // Most combinations repeat what others did.
    expect(after.length).toBeLessThan(further.length / 2)
  })
})
