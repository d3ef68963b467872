import { controller, controllerReference, type Controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { check, textReport, type CheckOptions } from '../src/index.ts'
import { Widget, widgetOperator } from './widget.ts'

const HOUR = 3_600_000

/** Writes a ConfigMap each hour; of the older ones it keeps some. */
function hourly(keeps: number): Controller {
  return controller('widgets')
    .for(Widget)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply', 'delete')
    .reconcile(async ({ namespace, name }, { client, clock }) => {
      const widget = await client.get(Widget, { namespace, name })
      if (!widget) return {}
      const hour = Math.floor(clock.now() / HOUR)
      const ownerReferences = [controllerReference(widget)]
      await client.apply(ConfigMap, { metadata: { namespace, name: `${name}-${hour}`, ownerReferences } })
      const names = (await client.live.list(ConfigMap, { namespace }))
        .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === widget.metadata.uid))
        .map(({ metadata }) => metadata.name)
        .toSorted()
      for (const old of names.slice(0, -keeps)) await client.delete(ConfigMap, { namespace, name: old })
      return { requeueAfter: '1h' }
    })
}

/** Notes in the status which colors there were; of the older ones it keeps some. */
function colors(keeps: number): Controller {
  return controller('widgets')
    .for(Widget)
    .writes(Widget, 'status.apply')
    .reconcile(async (key, { client }) => {
      const widget = await client.get(Widget, key)
      const { generation } = widget?.metadata ?? {}
      if (!widget || widget.status?.observedGeneration === generation) return
      const all = [...(widget.status?.name?.split(',') ?? []), widget.spec.color]
      await client.status.apply(Widget, key, {
        observedGeneration: generation,
        name: all.slice(-keeps).join(','),
      })
    })
}

const options: CheckOptions = {
  only: ['growth'],
  varies: [{ kind: 'Widget', path: 'status.name', reason: 'it tells of the past' }],
}

test.for([
  [
    'objects by the hour',
    hourly(1_000),
    /^there are \d+ objects at the end and \d+ after half of the repetitions/,
  ],
  ['text by each change', colors(1_000), /^status.name of the Widget default\/w has \d+ characters/],
] as const)('J26: finds %s', async ([, wrong, summary]) => {
  const { findings } = await check(widgetOperator(wrong), options)
  expect(findings).toMatchObject([{ class: 'growth', summary: expect.stringMatching(summary) }])
})

test.for([
  ['objects', hourly(10)],
  ['text', colors(10)],
] as const)('J26: finds nothing where the last few %s are kept', async ([, right]) => {
  const report = await check(widgetOperator(right), options)
  expect(textReport(report)).toMatch(/\nno finding in \d+ runs/)
})
