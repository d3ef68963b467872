import type { FuzzCase } from '../fuzz-case.ts'
import { found, NAMESPACED, patch, store, STRATEGIC } from './found-case.ts'

/** Strategic merges with directives that do not fit the object. */
export function strategicMerges(): FuzzCase[] {
  return [deletedItems(), revisionData()]
}

function deletedItems(): FuzzCase {
  const finalizers = ['example.com/a', 'example.com/b']
  const path = `${NAMESPACED}/configmaps`
  const bodies = [
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/none'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': [] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': [null] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': [1] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': [{}] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': null } },
    { metadata: { '$deleteFromPrimitiveList/ownerReferences': [] } },
    { metadata: { '$deleteFromPrimitiveList/ownerReferences': ['a'] } },
    { metadata: { '$deleteFromPrimitiveList/ownerReferences': [{ uid: 'u' }] } },
    { metadata: { '$deleteFromPrimitiveList/labels': ['a'] } },
    { data: { '$deleteFromPrimitiveList/a': ['b'] } },
  ]
  const owner = { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u' }
  return found(
    'v1 ConfigMap',
    'items that a strategic merge deletes',
    store(path, {
      metadata: { name: 'deleted-items', finalizers, ownerReferences: [owner] },
      data: { a: 'b' },
    }),
    ...bodies.map((body) => patch(`${path}/deleted-items`, STRATEGIC, body)),
  )
}

function revisionData(): FuzzCase {
  const path = '/apis/apps/v1/namespaces/{ns}/controllerrevisions'
  const bodies = [
    { data: {} },
    { data: { text: 'a' } },
    { data: { inner: { a: 'b' } } },
    { data: { list: ['a'] } },
    { data: { '$setElementOrder/list': [] } },
    { data: { '$setElementOrder/none': [] } },
    { data: { '$deleteFromPrimitiveList/list': ['a'] } },
    { data: { '$deleteFromPrimitiveList/none': ['a'] } },
  ]
  return found(
    'apps/v1 ControllerRevision',
    'data that a strategic merge changes',
    store(path, {
      metadata: { name: 'merged-data' },
      revision: 1,
      // In this order, since Kubernetes compares bytes.
      data: { inner: { a: 'b' }, list: ['a'], text: 'a' },
    }),
    ...bodies.map((body) => patch(`${path}/merged-data`, STRATEGIC, body)),
  )
}
