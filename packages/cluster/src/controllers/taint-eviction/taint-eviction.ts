import { deepEqual, findCondition, timestamp, type DeepReadonly } from '@homeostat/api'
import { Node, Pod, type CoreV1 } from '@homeostat/api/kinds'
import { controller, isNotFound, type Client, type Controller, type ReconcileContext } from 'homeostat'
import { toleratedSeconds } from '../scheduler/taints.ts'

type Taint = DeepReadonly<CoreV1.Taint>

/** A Pod on a node with `NoExecute` taints, and since when. */
interface TaintedPod {
  readonly taints: readonly Taint[]
  readonly since: number
}

/**
 * Deletes Pods from nodes with `NoExecute` taints that they do not tolerate, or no longer: a toleration with
 * `tolerationSeconds` ends.
 */
export function taintEviction(): Controller {
  const tainted = new Map<string, TaintedPod>()
  return controller('taint-eviction-controller')
    .for(Pod, {
      predicate: (event) =>
        event.type === 'added' ||
        event.type === 'deleted' ||
        (event.type === 'updated' &&
          (event.object.spec.nodeName !== event.before.spec.nodeName ||
            !deepEqual(event.object.spec.tolerations, event.before.spec.tolerations))),
    })
    .watches(Node, ({ metadata }, { client }) => podsOn(metadata.name, client), {
      predicate: (event) =>
        event.type === 'updated' && !deepEqual(noExecute(event.object), noExecute(event.before)),
    })
    .reconcile(async (request, context) => {
      const { client, clock } = context
      const key = `${request.namespace}/${request.name}`
      const pod = await client.get(Pod, request)
      const { nodeName } = pod?.spec ?? {}
      const node = nodeName === undefined ? undefined : await client.get(Node, { name: nodeName })
      const taints = node ? noExecute(node) : []
      if (!pod || taints.length === 0 || pod.metadata.deletionTimestamp) {
        if (tainted.delete(key) && pod && !pod.metadata.deletionTimestamp) cancelled(pod, context)
        return undefined
      }
      const seconds = toleratedSeconds(pod, taints)
      if (seconds === Infinity) {
        tainted.delete(key)
        return undefined
      }
      const known = tainted.get(key)
      const current = known && deepEqual(known.taints, taints) ? known : { taints, since: clock.now() }
      tainted.set(key, current)
      const left = current.since + seconds * 1_000 - clock.now()
      if (left > 0) return { requeueAfter: left }
      tainted.delete(key)
      await evict(pod, context)
      return undefined
    })
}

function noExecute({ spec }: Node): readonly Taint[] {
  return (spec.taints ?? []).filter(({ effect }) => effect === 'NoExecute')
}

async function podsOn(
  node: string,
  client: Pick<Client, 'list'>,
): Promise<{ namespace: string; name: string }[]> {
  const pods = await client.list(Pod)
  return pods
    .filter(({ spec }) => spec.nodeName === node)
    .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
}

function cancelled(pod: Pod, { events }: ReconcileContext): void {
  const { namespace, name } = pod.metadata
  events.normal(pod, 'TaintManagerEviction', `Cancelling deletion of Pod ${namespace}/${name}`)
}

/** Writes the reason into the status of the Pod before it is deleted. */
async function evict(pod: Pod, { client, clock, events }: ReconcileContext): Promise<void> {
  const { namespace, name, uid, generation } = pod.metadata
  events.normal(pod, 'TaintManagerEviction', `Marking for deletion Pod ${namespace}/${name}`)
  try {
    if (findCondition(pod.status.conditions, 'DisruptionTarget')?.status !== 'True') {
      const condition: CoreV1.PodCondition = {
        type: 'DisruptionTarget',
        ...(generation === undefined ? {} : { observedGeneration: generation }),
        status: 'True',
        lastTransitionTime: timestamp(clock.now()),
        reason: 'DeletionByTaintManager',
        message: 'Taint manager: deleting due to NoExecute taint',
      }
      const conditions = (pod.status.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget')
      await client.status.update(Pod, {
        ...pod,
        status: { ...pod.status, conditions: [...conditions, condition] },
      })
    }
    await client.delete(Pod, { namespace, name }, { preconditions: { uid } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
