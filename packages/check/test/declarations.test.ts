import { controller, controllerReference, type Controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { check, textReport, type InvariantWorld } from '../src/index.ts'
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

test('J31, RE7: an object that is done for good need not be healed, where that is declared', async () => {
  const report = await check(widgetOperator(once('Done')), { final })
  expect(textReport(report)).toMatch(
    /^declared as intended: Widget: it is made once\nno finding in \d+ runs of Widget default\/w\n$/,
  )
})

test('J31: an object in another state is judged as always', async () => {
  const { findings } = await check(widgetOperator(once('Ready')), { final })
  expect(findings.map((finding) => finding.class)).toContain('not-healed')
})

/** A ConfigMap named by the color: a change of the color replaces it, in one order or the other. */
function byColor(deletesFirst: boolean): Controller {
  return controller('widgets')
    .for(Widget)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply', 'delete')
    .reconcile(async ({ namespace, name }, { client }) => {
      const widget = await client.get(Widget, { namespace, name })
      if (!widget) return
      const { uid } = widget.metadata
      const wanted = `${name}-${widget.spec.color}`
      const apply = () =>
        client.apply(ConfigMap, {
          metadata: { namespace, name: wanted, ownerReferences: [controllerReference(widget)] },
        })
      if (!deletesFirst) await apply()
      for (const { metadata } of await client.live.list(ConfigMap, { namespace })) {
        const isOwn = metadata.ownerReferences?.some((owner) => owner.uid === uid)
        if (isOwn && metadata.name !== wanted)
          await client.delete(ConfigMap, { namespace, name: metadata.name })
      }
      if (deletesFirst) await apply()
    })
}

const invariants = {
  'one ConfigMap for each Widget': (world: InvariantWorld): string | undefined => {
    for (const { metadata } of world.list(Widget)) {
      const own = world
        .list(ConfigMap)
        .filter((one) => one.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid))
      if (own.length > 1) return `${metadata.name} has ${own.map((one) => one.metadata.name).join(' and ')}`
    }
    return undefined
  },
}

test('J5: an invariant is looked at after each write', async () => {
  const { findings } = await check(widgetOperator(byColor(false)), { invariants, only: ['history'] })
  expect(findings).toMatchObject([
    { class: 'invariant', summary: 'one ConfigMap for each Widget: w has w-red and w-red2' },
  ])
})

test('J5: nothing is found where an invariant always holds', async () => {
  const report = await check(widgetOperator(byColor(true)), { invariants, only: ['history'] })
  expect(textReport(report)).toMatch(/^no finding in \d+ runs/)
})

/** Makes a bucket for each Widget, in a system of its own; with a finalizer it removes it again. */
function bucketsOf(hasFinalizer: boolean) {
  const buckets = new Set<string>()
  const made = controller('widgets')
    .for(Widget)
    .writes(Widget, 'patch')
    .reconcile(async (key, { client }) => {
      const widget = await client.get(Widget, key)
      if (!widget) return
      const { uid } = widget.metadata
      const patch = (finalizers: string[] | null) =>
        client.patch(Widget, key, { type: 'merge', body: { metadata: { uid, finalizers } } })
      if (widget.metadata.deletionTimestamp) {
        buckets.delete(uid)
        await patch(null)
        return
      }
      if (hasFinalizer && !widget.metadata.finalizers) await patch(['check.example.com/bucket'])
      buckets.add(uid)
    })
  const system = { name: 'buckets', reset: () => buckets.clear(), read: () => [...buckets] }
  return { made, external: [system] }
}

test('J32: what is left in an external system is found', async () => {
  const { made, external } = bucketsOf(false)
  const { findings } = await check(widgetOperator(made), { external, only: ['left-behind', 'crash'] })
  expect(findings).toMatchObject([
    { class: 'external', summary: 'something is left in the external buckets after the deletion' },
  ])
})

test('J32: nothing is found where an external system is empty again', async () => {
  const { made, external } = bucketsOf(true)
  const report = await check(widgetOperator(made), { external, only: ['left-behind', 'crash'] })
  expect(textReport(report)).toMatch(/^no finding in \d+ runs/)
})
