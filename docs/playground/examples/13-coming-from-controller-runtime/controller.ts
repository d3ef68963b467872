import {
  controller,
  createOrUpdate,
  defineKind,
  objectReconciler,
  schema as s,
  setControllerReference,
} from 'homeostat'
import { Deployment } from 'homeostat/kinds'

// In Go, types, markers and a generated CustomResourceDefinition; here one value.
export const Guestbook = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Guestbook',
  spec: s.object({ image: s.string(), replicas: s.integer().min(0).default(1) }),
})

// ctrl.NewControllerManagedBy(mgr).For(&Guestbook{}).Owns(&appsv1.Deployment{}).Complete(r)
export const guestbook = controller('guestbook')
  .for(Guestbook)
  .owns(Deployment)
  .writes(Deployment, 'create', 'update')
  .reconcile(
    // reconcile.AsReconciler: the reconciler gets the object, and is not called where it is gone.
    objectReconciler(Guestbook, async (guestbook, { client }) => {
      const { name, namespace } = guestbook.metadata
      const { image, replicas } = guestbook.spec
      const labels = { app: name }
      // controllerutil.CreateOrUpdate
      await createOrUpdate(client, Deployment, { namespace, name }, (deployment) => {
        // controllerutil.SetControllerReference
        setControllerReference(guestbook, deployment)
        deployment.spec = {
          replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
        }
      })
    }),
  )
