import { controller, controllerReference, createOrUpdate, type Controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { FindingClass } from '../src/index.ts'
import { Widget } from './widget.ts'

/** A mistake that operators often have, as a small reconciler. */
export interface UsualBug {
  readonly title: string
  /** Any of these names it rightly. */
  readonly classes: readonly FindingClass[]
  readonly wrong: () => Controller
}

const metadataOf = (widget: Widget, name = widget.metadata.name) => ({
  namespace: widget.metadata.namespace,
  name,
  ownerReferences: [controllerReference(widget)],
})

const base = () => controller('widgets').for(Widget).owns(ConfigMap)

export const usualBugs: readonly UsualBug[] = [
  {
    title: 'merges labels of the spec into those of the child, so that a removed one stays',
    classes: ['history'],
    wrong: () =>
      base()
        .writes(ConfigMap, 'createOrUpdate')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          await createOrUpdate(client, ConfigMap, key, (child) => {
            child.metadata.labels = { ...child.metadata.labels, ...widget.spec.labels, app: key.name }
            child.metadata.ownerReferences = [controllerReference(widget)]
          })
        }),
  },
  {
    title: 'resizes the volume only while the set has the old size, and changes the set first',
    classes: ['crash', 'failed-request'],
    wrong: () =>
      base()
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const size = String(widget.spec.size ?? 0)
          const set = await client.live.get(ConfigMap, key)
          const isResized = set?.data?.['size'] !== size
          await client.apply(ConfigMap, { metadata: metadataOf(widget), data: { size } })
          if (isResized)
            await client.apply(ConfigMap, {
              metadata: metadataOf(widget, `${key.name}-volume`),
              data: { size },
            })
        }),
  },
  {
    title: 'compares the size alone, so that another change is never rolled out',
    classes: ['history', 'not-healed'],
    wrong: () =>
      base()
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const child = await client.get(ConfigMap, key)
          const size = String(widget.spec.size ?? 0)
          if (child?.data?.['size'] === size) return
          await client.apply(ConfigMap, {
            metadata: metadataOf(widget),
            data: { size, color: widget.spec.color },
          })
        }),
  },
  {
    title: 'removes volumes only when it sees the deletion happen',
    classes: ['downtime', 'left-behind'],
    wrong: () =>
      controller('widgets')
        .for(Widget)
        .writes(ConfigMap, 'apply', 'delete')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return void (await client.delete(ConfigMap, key))
          await client.apply(ConfigMap, { metadata: { ...key }, data: { color: widget.spec.color } })
        }),
  },
  {
    title: 'stops at a failed phase, so that a corrected value is never taken up',
    classes: ['history'],
    wrong: () =>
      base()
        .writes(ConfigMap, 'apply')
        .writes(Widget, 'status.patch')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget || widget.status?.phase === 'Failed') return
          const phase = widget.spec.color === 'red' ? 'Ready' : 'Failed'
          if (phase === 'Ready')
            await client.apply(ConfigMap, {
              metadata: metadataOf(widget),
              data: { size: String(widget.spec.size ?? 0) },
            })
          if (widget.status?.phase !== phase)
            await client.status.patch(Widget, key, { type: 'merge', body: { status: { phase } } })
        }),
  },
  {
    title: 'adds the users of the spec, and never removes one',
    classes: ['history', 'not-healed'],
    wrong: () =>
      base()
        .writes(ConfigMap, 'createOrUpdate')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          await createOrUpdate(client, ConfigMap, key, (child) => {
            const users = new Set([
              ...(child.data?.['users'] ?? '').split(',').filter(Boolean),
              widget.spec.color,
            ])
            child.data = { users: [...users].toSorted().join(',') }
            child.metadata.ownerReferences = [controllerReference(widget)]
          })
        }),
  },
  {
    title: 'reads an optional field without looking whether it is there',
    classes: ['always-fails'],
    wrong: () =>
      base()
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const { size } = widget.spec as { size: number }
          await client.apply(ConfigMap, { metadata: metadataOf(widget), data: { size: size.toFixed(0) } })
        }),
  },
  {
    title: 'sets a field when the spec has it, and leaves it when the spec no longer has',
    classes: ['history'],
    wrong: () =>
      base()
        .writes(ConfigMap, 'createOrUpdate')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          await createOrUpdate(client, ConfigMap, key, (child) => {
            const { size, color } = widget.spec
            child.data = { ...child.data, color, ...(size !== undefined && { size: String(size) }) }
            child.metadata.ownerReferences = [controllerReference(widget)]
          })
        }),
  },
  {
    title: 'names a node by the number of nodes that its cache has, and leaves two after a stale read',
    classes: ['stale-cache', 'crash', 'failed-request', 'combination'],
    wrong: () =>
      base()
        .writes(ConfigMap, 'create')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const nodes = await client.list(ConfigMap, { namespace: key.namespace })
          const own = nodes.filter(({ metadata }) =>
            metadata.ownerReferences?.some(({ uid }) => uid === widget.metadata.uid),
          )
          if (own.length >= 1) return
          const { name: _, ...metadata } = metadataOf(widget)
          await client.create(ConfigMap, { metadata: { ...metadata, generateName: `${key.name}-node-` } })
        }),
  },
]
