import { controller, controllerReference, createOrUpdate, type Controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { FindingClass } from '../src/index.ts'
import { Widget } from './widget.ts'

/** A small operator with one fault, and one that looks alike and is right. */
export interface PlantedBug {
  readonly class: FindingClass
  readonly title: string
  readonly wrong: () => Controller
  readonly right: () => Controller
}

/** The ConfigMap that a Widget asks for. */
function desired(widget: Widget) {
  return {
    metadata: {
      namespace: widget.metadata.namespace,
      name: widget.metadata.name,
      ownerReferences: [controllerReference(widget)],
    },
    data: { color: widget.spec.color, size: String(widget.spec.size ?? 0) },
  }
}

function base() {
  return controller('widgets').for(Widget).owns(ConfigMap)
}

/** Applies the ConfigMap, and nothing else. */
function plain(): Controller {
  return base()
    .writes(ConfigMap, 'apply')
    .reconcile(async (key, { client }) => {
      const widget = await client.get(Widget, key)
      if (widget) await client.apply(ConfigMap, desired(widget))
    })
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    class: 'endless-loop',
    title: 'counts its reconciles in the status',
    wrong: () =>
      base()
        .writes(Widget, 'status.patch')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const status = { count: (widget.status?.count ?? 0) + 1 }
          await client.status.patch(Widget, key, { type: 'merge', body: { status } })
        }),
    right: () =>
      base()
        .writes(Widget, 'status.patch')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget || widget.status?.count === 1) return
          await client.status.patch(Widget, key, { type: 'merge', body: { status: { count: 1 } } })
        }),
  },
  {
    class: 'writes-at-rest',
    title: 'writes a new random value at each reconcile',
    wrong: () =>
      controller('widgets')
        .for(Widget)
        .writes(Widget, 'finalizers.update')
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client, clock }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          await client.apply(ConfigMap, { ...desired(widget), data: { token: String(clock.random()) } })
        }),
    right: () =>
      base()
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client, clock }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const existing = await client.live.get(ConfigMap, key)
          const token = existing?.data?.['token'] ?? String(clock.random())
          await client.apply(ConfigMap, { ...desired(widget), data: { token } })
        }),
  },
  {
    class: 'crash',
    title: 'does two things, the second only when the first was not there',
    wrong: () =>
      base()
        .writes(ConfigMap, 'create')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget || (await client.live.get(ConfigMap, key))) return
          const first = desired(widget)
          await client.create(ConfigMap, first)
          await client.create(ConfigMap, { ...first, metadata: { ...first.metadata, name: `${key.name}-b` } })
        }),
    right: () =>
      base()
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const first = desired(widget)
          await client.apply(ConfigMap, first)
          await client.apply(ConfigMap, { ...first, metadata: { ...first.metadata, name: `${key.name}-b` } })
        }),
  },
  {
    class: 'failed-request',
    title: 'swallows the error of a write',
    wrong: () =>
      base()
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          await client.apply(ConfigMap, desired(widget)).catch(() => {})
        }),
    right: () => plain(),
  },
  {
    class: 'stale-cache',
    title: 'creates a child with a generated name where the cache has none',
    wrong: () =>
      base()
        .writes(ConfigMap, 'create')
        .writes(Widget, 'status.patch')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const { metadata, data } = desired(widget)
          const children = await client.list(ConfigMap, { namespace: key.namespace })
          if (children.length > 0) return
          const { name, ...rest } = metadata
          await client.create(ConfigMap, { metadata: { ...rest, generateName: `${name}-` }, data })
          await client.status.patch(Widget, key, { type: 'merge', body: { status: { phase: 'Made' } } })
        }),
    right: () => plain(),
  },
  {
    class: 'not-healed',
    title: 'creates its child once and never looks at it again',
    wrong: () =>
      base()
        .writes(ConfigMap, 'create')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget || (await client.live.get(ConfigMap, key))) return
          await client.create(ConfigMap, desired(widget))
        }),
    right: () => plain(),
  },
  {
    class: 'foreign-field-lost',
    title: 'replaces all labels',
    wrong: () =>
      base()
        .writes(ConfigMap, 'apply', 'update')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const current = await client.apply(ConfigMap, desired(widget))
          const labels = { color: widget.spec.color }
          if (JSON.stringify(current.metadata.labels) === JSON.stringify(labels)) return
          await client.update(ConfigMap, { ...current, metadata: { ...current.metadata, labels } })
        }),
    right: () =>
      base()
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const { metadata, data } = desired(widget)
          await client.apply(ConfigMap, {
            metadata: { ...metadata, labels: { color: widget.spec.color } },
            data,
          })
        }),
  },
  {
    class: 'history',
    title: 'never removes the child that a spec no longer asks for',
    wrong: () =>
      base()
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const { metadata, data } = desired(widget)
          await client.apply(ConfigMap, {
            metadata: { ...metadata, name: `${key.name}-${widget.spec.color}` },
            data,
          })
        }),
    right: () =>
      base()
        .writes(ConfigMap, 'apply')
        .writes(ConfigMap, 'delete')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const { metadata, data } = desired(widget)
          const name = `${key.name}-${widget.spec.color}`
          await client.apply(ConfigMap, { metadata: { ...metadata, name }, data })
          for (const child of await client.list(ConfigMap, { namespace: key.namespace })) {
            const isOwn = child.metadata.ownerReferences?.some(({ uid }) => uid === widget.metadata.uid)
            if (isOwn && child.metadata.name !== name)
              await client.delete(ConfigMap, { ...key, name: child.metadata.name })
          }
        }),
  },
  {
    class: 'left-behind',
    title: 'makes a child without an owner',
    wrong: () =>
      controller('widgets')
        .for(Widget)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const { metadata, data } = desired(widget)
          const { ownerReferences: _, ...rest } = metadata
          await client.apply(ConfigMap, { metadata: rest, data })
        }),
    right: () => plain(),
  },
  {
    class: 'endless-loop',
    title: 'lets all Widgets share one child',
    wrong: () =>
      controller('widgets')
        .for(Widget)
        .owns(ConfigMap)
        .writes(ConfigMap, 'createOrUpdate')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          await createOrUpdate(client, ConfigMap, { ...key, name: 'shared' }, (configMap) => {
            configMap.data = desired(widget).data
            configMap.metadata.ownerReferences = [controllerReference(widget)]
          })
        }),
    right: () => plain(),
  },
  {
    class: 'takes-over',
    title: 'writes over an object that another controller owns',
    wrong: () =>
      base()
        .writes(ConfigMap, 'createOrUpdate')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          await createOrUpdate(client, ConfigMap, key, (configMap) => {
            configMap.data = { made: 'by widgets' }
            configMap.metadata.ownerReferences = [controllerReference(widget)]
          })
        }),
    right: () =>
      base()
        .writes(ConfigMap, 'createOrUpdate')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          await createOrUpdate(client, ConfigMap, key, (configMap) => {
            const owner = configMap.metadata.ownerReferences?.find((one) => one.controller)
            if (owner && owner.uid !== widget.metadata.uid)
              throw new Error(`${key.name} belongs to ${owner.name}`)
            configMap.data = { made: 'by widgets' }
            configMap.metadata.ownerReferences = [controllerReference(widget)]
          })
        }),
  },
  {
    class: 'not-isolated',
    title: 'counts all Widgets in the child of each',
    wrong: () =>
      base()
        .watches(Widget, async (_event, { client }) => {
          const all = await client.list(Widget)
          return all.map(({ metadata: { namespace, name } }) => ({ namespace, name }))
        })
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const all = await client.list(Widget, { namespace: key.namespace })
          await client.apply(ConfigMap, { ...desired(widget), data: { count: String(all.length) } })
        }),
    right: () =>
      base()
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const children = await client.list(ConfigMap, { namespace: key.namespace })
          const own = children.filter(({ metadata }) =>
            metadata.ownerReferences?.some(({ uid }) => uid === widget.metadata.uid),
          )
          await client.apply(ConfigMap, {
            ...desired(widget),
            data: { count: String(Math.min(own.length, 0)) },
          })
        }),
  },
  {
    class: 'deletion-stuck',
    title: 'removes its finalizer only if the child is still there',
    wrong: () =>
      base()
        .writes(ConfigMap, 'apply', 'delete')
        .writes(Widget, 'patch')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          if (widget.metadata.deletionTimestamp) {
            if (!(await client.live.get(ConfigMap, key))) return
            await client.delete(ConfigMap, key)
            await client.patch(Widget, key, { type: 'merge', body: { metadata: { finalizers: null } } })
            return
          }
          const finalizers = ['check.example.com/widget']
          if (!widget.metadata.finalizers)
            await client.patch(Widget, key, { type: 'merge', body: { metadata: { finalizers } } })
          await client.apply(ConfigMap, desired(widget))
        }),
    right: () =>
      base()
        .writes(ConfigMap, 'apply', 'delete')
        .writes(Widget, 'patch')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          if (widget.metadata.deletionTimestamp) {
            // The Widget in a stale cache may be an earlier one of this name.
            const { uid } = widget.metadata
            const child = await client.live.get(ConfigMap, key)
            const isOwn = child?.metadata.ownerReferences?.some((owner) => owner.uid === uid)
            if (isOwn) await client.delete(ConfigMap, key)
            // The finalizers of other controllers stay.
            const finalizers = widget.metadata.finalizers?.filter(
              (name) => name !== 'check.example.com/widget',
            )
            await client.patch(Widget, key, { type: 'merge', body: { metadata: { uid, finalizers } } })
            return
          }
          const finalizers = ['check.example.com/widget']
          if (!widget.metadata.finalizers)
            await client.patch(Widget, key, { type: 'merge', body: { metadata: { finalizers } } })
          await client.apply(ConfigMap, desired(widget))
        }),
  },
]
