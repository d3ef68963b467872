import { controller, controllerReference, type Controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { check, textReport } from '../src/index.ts'
import { Widget, widgetOperator } from './widget.ts'

/** Makes a ConfigMap once, says so, and never looks at the Widget again. */
function once(phase: string): Controller {
  return controller('widgets')
    .for(Widget)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply')
    .writes(Widget, 'status.apply')
    .reconcile(async (key, { client }) => {
      const widget = await client.get(Widget, key)
      if (!widget || widget.status?.phase === phase) return
      const metadata = { ...key, ownerReferences: [controllerReference(widget)] }
      await client.apply(ConfigMap, { metadata, data: { color: widget.spec.color } })
      await client.status.apply(Widget, key, { phase })
    })
}

const final = [{ kind: 'Widget', path: 'status.phase', value: 'Done', reason: 'it is made once' }]

test('an object that is done for good need not be healed, where that is declared', async () => {
  const report = await check(widgetOperator(once('Done')), { final })
  expect(textReport(report)).toMatch(
    /^meant so: Widget: it is made once\nno finding in \d+ runs of Widget default\/w\n$/,
  )
})

test('an object in another state is judged as always', async () => {
  const { findings } = await check(widgetOperator(once('Ready')), { final })
  expect(findings.map((finding) => finding.class)).toContain('not-healed')
})
