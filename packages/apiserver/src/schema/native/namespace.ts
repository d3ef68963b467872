import { objectOf } from '../json.ts'
import { ensureObject } from './absent.ts'
import type { NativeBehaviour } from './native-behaviour.ts'

/** Namespaces carry their own name as a label, so that selectors can choose them. */
export const namespace: NativeBehaviour = {
  default(object) {
    const { name } = objectOf(object['metadata'])
    if (typeof name === 'string' && name !== '') {
      ensureObject(ensureObject(object, 'metadata'), 'labels')['kubernetes.io/metadata.name'] = name
    }
    ensureObject(object, 'status')['phase'] ??= 'Active'
  },
}
