import { controller, controllerOf, controllerReference, type CreateOf } from 'homeostat'
import { Pod } from 'homeostat/kinds'
import { At } from './at.ts'
import { parseSchedule } from './schedule.ts'

/** Runs the command of each At once, in a Pod, when its time has come. */
export const at = controller('at')
  .for(At)
  .owns(Pod)
  .writes(At, 'status.apply')
  .writes(Pod, 'create')
  .reconcile(async (request, { client, clock, events, log }) => {
    const at = await client.get(At, request)
    if (!at || at.metadata.deletionTimestamp) return

    switch (at.status?.phase) {
      case undefined:
      case 'PENDING': {
        const due = parseSchedule(at.spec.schedule)
        if (due === undefined) {
          const problem = `spec.schedule ${JSON.stringify(at.spec.schedule)} is not an RFC 3339 time in UTC, such as 2026-07-01T12:00:00Z`
          events.warning(at, 'InvalidSchedule', problem)
          throw new Error(problem)
        }
        const left = due - clock.now()
        await client.status.apply(At, request, { phase: left > 0 ? 'PENDING' : 'RUNNING' })
        return left > 0 ? { requeueAfter: left } : {}
      }
      case 'RUNNING': {
        const pod = await client.get(Pod, podKey(at))
        if (!pod) {
          await client.create(Pod, podOf(at))
          log.info({ pod: podKey(at).name }, 'the time has come: started the Pod')
        } else if (controllerOf(pod)?.uid !== at.metadata.uid) {
          // It belongs to an earlier At with this name: its deletion starts this reconcile again.
          log.info({ pod: podKey(at).name }, 'waiting until the Pod of another owner is gone')
        } else if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') {
          await client.status.apply(At, request, { phase: 'DONE' })
        }
        return {}
      }
      case 'DONE':
        return {}
    }
  })

function podKey(at: At) {
  return { namespace: at.metadata.namespace, name: `${at.metadata.name}-pod` }
}

function podOf(at: At): CreateOf<typeof Pod> {
  return {
    metadata: {
      ...podKey(at),
      labels: { app: at.metadata.name },
      ownerReferences: [controllerReference(at)],
    },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'busybox', image: 'busybox', command: ['sh', '-c', at.spec.command] }],
    },
  }
}
