import { claim, pod, volume } from '../objects.ts'
import { topic } from '../scenario.ts'
import { create, deletePods, gone, pass, ready, remove, together } from '../steps.ts'

const storageClass = (volumeBindingMode: string) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: '{ns}' },
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode,
})

export const volumes = topic(
  'volumes',
  {
    'are bound to a claim that they suit': [
      create('persistentvolumes', volume('one', { storage: '1Gi' })),
      create('persistentvolumeclaims', claim('data', '1Gi')),
    ],
    'are bound when they come after the claim': [
      create('persistentvolumeclaims', claim('data', '1Gi')),
      // Kubernetes looks at claims that wait every 15 seconds.
      together(create('persistentvolumes', volume('late', { storage: '2Gi' })), pass('16s')),
    ],
    'are chosen by their size': [
      create(
        'persistentvolumes',
        volume('large', { storage: '10Gi' }),
        volume('fit', { storage: '3Gi' }),
        volume('small', { storage: '1Gi' }),
      ),
      create('persistentvolumeclaims', claim('data', '2Gi')),
    ],
    'are not bound where they do not suit': [
      create(
        'persistentvolumes',
        volume('small', { storage: '1Gi' }),
        volume('shared', { storage: '5Gi', accessModes: ['ReadOnlyMany'] }),
      ),
      create('persistentvolumeclaims', claim('data', '2Gi')),
    ],
    'are bound by name': [
      create('persistentvolumes', volume('one', { storage: '1Gi' }), volume('two', { storage: '1Gi' })),
      create('persistentvolumeclaims', claim('data', '1Gi', { volumeName: '{ns}-two' })),
    ],
    'are kept for the claim that they name': [
      create(
        'persistentvolumes',
        volume('kept', { storage: '1Gi', claimRef: { namespace: '{ns}', name: 'mine' } }),
      ),
      create('persistentvolumeclaims', claim('other', '1Gi')),
      create('persistentvolumeclaims', claim('mine', '1Gi')),
    ],
    'are released when their claim is deleted': [
      create('persistentvolumes', volume('one', { storage: '1Gi' })),
      create('persistentvolumeclaims', claim('data', '1Gi')),
      remove('persistentvolumeclaims/data'),
      create('persistentvolumeclaims', claim('data', '1Gi')),
    ],
    'wait for a Pod where their class says so': [
      create('storageclasses', storageClass('WaitForFirstConsumer')),
      create('persistentvolumes', volume('one', { storage: '1Gi' })),
      create('persistentvolumeclaims', claim('data', '1Gi')),
    ],
    'keep their claim while a Pod uses it': [
      create('persistentvolumes', volume('one', { storage: '1Gi' })),
      create('persistentvolumeclaims', claim('data', '1Gi')),
      create(
        'pods',
        pod('user', { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } }),
      ),
      ready({ count: 1 }),
      remove('persistentvolumeclaims/data'),
      deletePods({ name: 'user' }),
      gone(),
    ],
  },
  { also: ['persistentvolumes'] },
)
