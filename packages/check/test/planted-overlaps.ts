import { controller, controllerReference, predicates, type Client, type Controller } from 'homeostat'
import { ConfigMap, Deployment } from 'homeostat/kinds'
import type { PlantedBug } from './planted-bugs.ts'
import { Widget } from './widget.ts'

const metadataOf = (widget: Widget, name = widget.metadata.name) => ({
  namespace: widget.metadata.namespace,
  name,
  ownerReferences: [controllerReference(widget)],
})

const base = () => controller('widgets').for(Widget).owns(ConfigMap)

/** Makes a Deployment, and writes a phase that `phaseOf` computes from the number of its Pods that are ready. */
function deploying(phaseOf: (available: number) => string): Controller {
  return controller('widgets')
    .for(Widget)
    .owns(Deployment)
    .writes(Deployment, 'apply')
    .writes(Widget, 'status.patch')
    .reconcile(async (key, { client }) => {
      const widget = await client.get(Widget, key)
      if (!widget) return
      const labels = { app: key.name }
      const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } }
      const { status } = await client.apply(Deployment, {
        metadata: metadataOf(widget),
        spec: { replicas: 1, selector: { matchLabels: labels }, template },
      })
      const phase = phaseOf(status.availableReplicas ?? 0)
      if (widget.status?.phase !== phase)
        await client.status.patch(Widget, key, { type: 'merge', body: { status: { phase } } })
    })
}

/** Says which generation it has acted on: before the work, which then waits, or after it. */
function observing(when: 'first' | 'last'): Controller {
  return controller('widgets')
    .for(Widget, { predicate: predicates.generationChanged })
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply')
    .writes(Widget, 'status.patch')
    .reconcile(async (key, { client }) => {
      const widget = await client.get(Widget, key)
      if (!widget) return {}
      const { generation: observedGeneration = 0 } = widget.metadata
      const isObserved = widget.status?.observedGeneration === observedGeneration
      const observe = (): Promise<unknown> =>
        client.status.patch(Widget, key, { type: 'merge', body: { status: { observedGeneration } } })
      if (when === 'first' && !isObserved) {
        await observe()
        return { requeueAfter: '5m' }
      }
      await client.apply(ConfigMap, { metadata: metadataOf(widget), data: { color: widget.spec.color } })
      if (!isObserved) await observe()
      return {}
    })
}

/** Bugs that show where reconciles overlap, where something is repeated, and where a status says more than is true. */
export const plantedOverlaps: readonly PlantedBug[] = [
  {
    class: 'status-untrue',
    title: 'says that it is ready as soon as the Deployment is created',
    wrong: () => deploying(() => 'Ready'),
    right: () => deploying((available) => (available > 0 ? 'Ready' : 'Progressing')),
  },
  {
    class: 'status-ahead',
    title: 'observes a generation, and works on it five minutes later',
    wrong: () => observing('first'),
    right: () => observing('last'),
  },
  {
    class: 'machine-clock',
    title: 'asks the machine for the time',
    wrong: () =>
      base()
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const isOld = Date.now() < 0
          await client.apply(ConfigMap, { metadata: metadataOf(widget), data: { old: String(isOld) } })
        }),
    right: () =>
      base()
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client, clock }) => {
          const widget = await client.get(Widget, key)
          if (!widget) return
          const isOld = clock.now() < Date.parse(widget.metadata.creationTimestamp)
          await client.apply(ConfigMap, { metadata: metadataOf(widget), data: { old: String(isOld) } })
        }),
  },
  {
    class: 'interleaving',
    title: 'keeps the object that it works on in a variable of all reconciles',
    wrong: () => {
      let current: Widget | undefined
      return named(async (key, client) => {
        current = await client.get(Widget, key)
        await client.live.get(ConfigMap, key)
        return current
      })
    },
    right: () =>
      named(async (key, client) => {
        const current = await client.get(Widget, key)
        await client.live.get(ConfigMap, key)
        return current
      }),
  },
]

/** Writes the name of what `read` gives into the status, once for each generation. */
function named(
  read: (key: { namespace: string; name: string }, client: Client) => Promise<Widget | undefined>,
): Controller {
  return controller('widgets')
    .for(Widget, { predicate: predicates.generationChanged })
    .reads(ConfigMap)
    .writes(Widget, 'status.patch')
    .options({ maxConcurrentReconciles: 4 })
    .reconcile(async (key, { client }) => {
      const name = (await read(key, client))?.metadata.name
      if (name !== undefined)
        await client.status.patch(Widget, key, { type: 'merge', body: { status: { name } } })
    })
}
