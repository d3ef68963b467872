import { isNotFound, type AnyKind, type Client, type Clock, type ObjectKey } from 'homeostat'
import { Deployment, Pod, StatefulSet } from 'homeostat/kinds'
import type { Operator } from './operators.ts'

/** Where an operator is seen at work: a server, and the part of it that is the test's. */
export interface Stage {
  /** The test's own, not the operator's. */
  readonly client: Client
  readonly clock: Clock
  readonly namespace: string
  /** Whether Kubernetes' own controllers run. */
  readonly controllers: boolean
  /** Whether nodes run Pods. Default: false. */
  readonly nodes?: boolean
  until<T>(what: string, check: () => Promise<T | undefined | false>): Promise<T>
}

/** Plays the nodes, and where no controllers run also them, until the operator's object is where it should be. */
export async function reach(stage: Stage, operator: Operator, key: ObjectKey): Promise<void> {
  const { kind } = operator
  await stage.until(`${kind.kind} ${key.name} to be as it should`, async () => {
    await playNodes(stage)
    const object = await stage.client.get(kind, key)
    return object !== undefined && operator.reached(object)
  })
}

/** Deletes the operator's object, and plays on until it is gone. */
export async function remove(stage: Stage, { kind }: Operator, key: ObjectKey): Promise<void> {
  await stage.client.delete(kind, key)
  await stage.until(`${kind.kind} ${key.name} to go`, async () => {
    await playNodes(stage)
    return (await stage.client.get(kind, key)) === undefined
  })
}

/** The whole life of the operator's object: it is made, comes to where it should be, changes and goes. */
export async function live(stage: Stage, operator: Operator): Promise<void> {
  const key = await operator.create(stage)
  await reach(stage, operator, key)
  const changed = await operator.change?.(stage)
  if (changed) await stage.until('the change to be carried out', changed)
  await reach(stage, operator, key)
  await remove(stage, operator, key)
}

/**
 * Writes what nodes would, where none runs: Pods are ready at once, and those that are to end have succeeded. Without
 * controllers it also writes what those of Deployments and StatefulSets would, and lets go what waits for its Pods.
 */
async function playNodes(stage: Stage): Promise<void> {
  const { client, namespace } = stage
  if (stage.nodes) return
  for (const pod of await client.list(Pod, { namespace })) {
    if (pod.metadata.deletionTimestamp) await client.delete(Pod, pod.metadata, { gracePeriodSeconds: 0 })
    else if (!pod.status?.conditions?.some(({ type }) => type === 'Ready')) {
      const ends = pod.spec.restartPolicy === 'Never'
      const status = ends ? 'False' : 'True'
      const ready = { type: 'Ready', status, lastTransitionTime: '2026-01-01T00:00:00Z' }
      await write(stage, Pod, pod.metadata, { phase: ends ? 'Succeeded' : 'Running', conditions: [ready] })
    }
  }
  if (stage.controllers) return
  for (const kind of [Deployment, StatefulSet]) {
    for (const { metadata, spec, status } of await client.list(kind, { namespace })) {
      if (metadata.deletionTimestamp) {
        const body = { metadata: { finalizers: null } }
        await client.patch(kind, metadata, { type: 'merge', body })
      } else if (status?.readyReplicas !== spec.replicas) {
        const count = spec.replicas
        const counts = {
          replicas: count,
          readyReplicas: count,
          availableReplicas: count,
          updatedReplicas: count,
        }
        await write(stage, kind, metadata, counts)
      }
    }
  }
}

/** Writes a status. An object that a controller has removed since the list needs none. */
async function write(stage: Stage, kind: AnyKind, key: ObjectKey, status: object): Promise<void> {
  const { name, namespace } = key
  try {
    await stage.client.status.patch(kind, { name, namespace }, { type: 'merge', body: { status } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
