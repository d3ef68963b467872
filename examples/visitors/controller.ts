import {
  controller,
  controllerOf,
  createOrUpdate,
  FinalizerRegistry,
  setCondition,
  setControllerReference,
  type ReconcileContext,
} from 'homeostat'
import { Deployment, Secret, Service } from 'homeostat/kinds'
import { credentials, keyOf, tiersOf } from './tiers.ts'
import { VisitorsApp } from './visitors-app.ts'

const finalizers = new FinalizerRegistry(VisitorsApp).register('visitors.example.com', stop)

/** Runs each VisitorsApp by a database, back ends and a front end, which start in this order and stop in reverse. */
export const visitors = controller('visitors')
  .for(VisitorsApp)
  .owns(Deployment)
  .owns(Service)
  .owns(Secret)
  .uses(finalizers)
  .writes(VisitorsApp, 'status.apply')
  .writes(Deployment, 'apply', 'delete')
  .writes(Service, 'apply')
  .writes(Secret, 'createOrUpdate')
  .reconcile(async (request, context) => {
    const { client, clock } = context
    const found = await client.get(VisitorsApp, request)
    if (!found) return
    const { object: app, deleting } = await finalizers.finalize(client, found, context)
    if (deleting) return

    await createOrUpdate(client, Secret, keyOf(app, 'auth'), (secret) => {
      secret.data = { ...secret.data, ...credentials(secret.data) }
      setControllerReference(app, secret)
    })
    const images: Record<string, string | undefined> = {}
    let waitsFor: string | undefined
    for (const { name, deployment, service } of tiersOf(app)) {
      // A tier that runs is kept up to date; one that does not run yet waits for the tier before it.
      if (waitsFor && !(await client.get(Deployment, deployment.metadata))) break
      await client.apply(Service, service)
      const { spec, status } = await client.apply(Deployment, deployment)
      images[name] = spec.template.spec?.containers[0]?.image
      if (!status?.availableReplicas) waitsFor ??= name
    }

    const ready = waitsFor
      ? ({
          type: 'Ready',
          status: 'False',
          reason: 'Starting',
          message: `waiting for the ${waitsFor}`,
        } as const)
      : ({ type: 'Ready', status: 'True', reason: 'Running' } as const)
    await client.status.apply(VisitorsApp, request, {
      backendImage: images['backend'],
      frontendImage: images['frontend'],
      conditions: setCondition(app.status?.conditions, ready, clock),
    })
    return waitsFor ? { requeueAfter: '5s' } : {}
  })

/** Stops the tiers in reverse order, so that no visitor meets a front end without what is behind it. */
async function stop(app: VisitorsApp, { client }: ReconcileContext): Promise<'pending' | 'done'> {
  for (const { deployment } of tiersOf(app).toReversed()) {
    const running = await client.get(Deployment, deployment.metadata)
    // A cache that is behind may show an earlier app of this name: what belongs to the new one must go on.
    if (!running || controllerOf(running)?.uid !== app.metadata.uid) continue
    // It goes when its Pods are gone, and that is the event that starts the next reconcile.
    if (!running.metadata.deletionTimestamp) {
      await client.delete(Deployment, deployment.metadata, { propagation: 'Foreground' })
    }
    return 'pending'
  }
  return 'done'
}
