import { deepEqual } from '@homeostat/api'
import type { ReplicaSet, Deployment } from '@homeostat/api/kinds'
import { safeDigits } from '../objects/safe-digits.ts'

/** The label by which the Pods of one template differ from those of another. */
export const TEMPLATE_HASH_LABEL = 'pod-template-hash'

/**
 * A short name for a template: the same for equal templates. `collisions` gives another one where two
 * templates happen to have the same.
 */
export function templateHash(
  template: Deployment['spec']['template'],
  collisions: number | undefined,
): string {
  const text = canonical(template) + (collisions === undefined ? '' : `#${collisions}`)
  return safeDigits(fnv32a(text))
}

/** Whether a ReplicaSet has the template of the Deployment, except for the label of its hash. */
export function hasTemplate(replicaSet: ReplicaSet, template: Deployment['spec']['template']): boolean {
  const { [TEMPLATE_HASH_LABEL]: _, ...labels } = replicaSet.spec.template?.metadata?.labels ?? {}
  const { [TEMPLATE_HASH_LABEL]: __, ...wanted } = template.metadata?.labels ?? {}
  return deepEqual(
    { ...replicaSet.spec.template, metadata: { ...replicaSet.spec.template?.metadata, labels } },
    { ...template, metadata: { ...template.metadata, labels: wanted } },
  )
}

/** The value with its keys in order: equal values give equal text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

/** The 32-bit FNV-1a hash of the text's UTF-8 bytes. */
function fnv32a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) {
    hash ^= byte
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}
