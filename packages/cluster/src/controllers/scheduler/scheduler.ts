import { findCondition, timestamp } from '@homeostat/api'
import { Node, Pod, type CoreV1 } from '@homeostat/api/kinds'
import { controller, type Client, type ReconcileContext } from 'homeostat'
import { place } from './placement.ts'

/** Binds Pods to nodes that suit them. */
export const scheduler = controller('default-scheduler')
  .for(Pod, { predicate: ({ object }) => !object.spec.nodeName })
  .watches(Node, async (_node, { client }) => {
    const pods = await client.list(Pod)
    return pods
      .filter(isWaiting)
      .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
  })
  .reconcile(async (request, context) => {
    const { client, events } = context
    const pod = await client.get(Pod, request)
    if (!pod || !isWaiting(pod)) return
    const nodes = await client.list(Node)
    const pods = nodes.length > 1 ? await client.list(Pod) : []
    const placement = place(pod, nodes, (node) => pods.filter(({ spec }) => spec.nodeName === node).length)
    if ('reason' in placement) {
      await reportUnschedulable(pod, placement.reason, context)
      return
    }
    await bind(pod, placement.node, client)
    const name = `${request.namespace}/${request.name}`
    events.normal(pod, 'Scheduled', `Successfully assigned ${name} to ${placement.node}`)
  })

function isWaiting({ metadata, spec }: Pod): boolean {
  const ours = (spec.schedulerName ?? 'default-scheduler') === 'default-scheduler'
  return ours && !spec.nodeName && !metadata.deletionTimestamp && (spec.schedulingGates ?? []).length === 0
}

/** Puts a Pod on a node. The server sets the node and the condition in one step, and only once. */
async function bind(pod: Pod, node: string, client: Client): Promise<void> {
  await client.subresource('binding').create(Pod, pod.metadata, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { uid: pod.metadata.uid },
    target: { kind: 'Node', name: node },
  })
}

async function reportUnschedulable(
  pod: Pod,
  message: string,
  { client, clock, events }: ReconcileContext,
): Promise<void> {
  const before = findCondition(pod.status.conditions, 'PodScheduled')
  if (before?.status === 'False' && before.message === message) return
  const { generation } = pod.metadata
  const others = (pod.status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled')
  const condition: CoreV1.PodCondition = {
    type: 'PodScheduled',
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    status: 'False',
    lastTransitionTime: timestamp(clock.now()),
    reason: 'Unschedulable',
    message,
  }
  await client.status.update(Pod, { ...pod, status: { ...pod.status, conditions: [...others, condition] } })
  events.warning(pod, 'FailedScheduling', message)
}
