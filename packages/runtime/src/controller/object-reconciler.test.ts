import { ConfigMap } from '@homeostat/api/kinds'
import { expect, test } from 'vitest'
import type { ReconcileContext } from '../reconcile/index.ts'
import { objectReconciler } from './object-reconciler.ts'

test('an object reconciler gets the object, its result counts, and it is not called for one that is gone', async () => {
  const stored = { metadata: { namespace: 'default', name: 'a' } }
  const client = {
    get: async (_: unknown, { name }: { name: string }) => (name === 'a' ? stored : undefined),
  }
  const context = { client } as unknown as ReconcileContext
  const seen: unknown[] = []
  const reconcile = objectReconciler(ConfigMap, (object) => {
    seen.push(object)
    return { requeueAfter: '5s' }
  })
  expect(await reconcile({ namespace: 'default', name: 'a' }, context)).toEqual({ requeueAfter: '5s' })
  expect(await reconcile({ namespace: 'default', name: 'gone' }, context)).toBeUndefined()
  expect(seen).toEqual([stored])
})
