import { countOf } from './amounts.ts'
import type { QuotaEvaluator } from './evaluator.ts'

/** The kinds of the core group that quotas can also count without the prefix `count/`. */
const OLD_NAMES = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets'])

/** `count/deployments.apps`: the name under which a quota counts objects. */
function countName({ group, plural }: { readonly group: string; readonly plural: string }): string {
  return group === '' ? `count/${plural}` : `count/${plural}.${group}`
}

/** Counts the objects of a custom or native resource. */
export function countEvaluator(resource: {
  readonly group: string
  readonly plural: string
}): QuotaEvaluator {
  const names = [countName(resource)]
  if (resource.group === '' && OLD_NAMES.has(resource.plural)) names.push(resource.plural)
  const usage = new Map(names.map((name) => [name, countOf(1)]))
  return {
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === undefined,
    measures: (name) => names.includes(name),
    usage: () => usage,
  }
}
