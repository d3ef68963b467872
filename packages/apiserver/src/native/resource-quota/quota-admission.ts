import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { manage, type Registry, statusOf, storedObject } from '../../registry/index.ts'
import { copyJson } from '../../schema/index.ts'
import type { Stored } from '../../storage/index.ts'
import { type Amounts, amountList } from './amounts.ts'
import { usageAfter } from './check-quota.ts'
import { evaluatorOf } from './evaluators.ts'
import { quotaOf } from './quota.ts'

const COLLECTION = '/resourcequotas'
const MANAGER = 'kube-apiserver'

/** The usage that a quota's status will have. */
interface Charge {
  readonly stored: Stored
  readonly used: Amounts
}

/**
 * Limits the writes of a namespace by its ResourceQuotas, according to their statuses. Counting and storing are one
 * step: a write that is not stored is not counted, and simultaneous writes cannot exceed a quota together.
 */
export function resourceQuotas(registry: Registry): AdmissionPlugin {
  return {
    isActive: ({ namespace }) => quotasIn(registry, namespace).length > 0,
    validate: (request) => void chargesOf(registry, request),
    commit(request) {
      const charges = chargesOf(registry, request)
      if (charges.length === 0) return undefined
      return () => {
        for (const one of charges) charge(registry, one)
      }
    },
  }
}

function chargesOf(registry: Registry, request: AdmissionRequest): Charge[] {
  const { namespace, operation, resource } = request
  if (operation !== 'CREATE' && operation !== 'UPDATE') return []
  const evaluator = evaluatorOf(resource)
  if (!evaluator?.handles(request)) return []
  const now = registry.clock.now()
  return quotasIn(registry, namespace).flatMap((stored) => {
    const used = usageAfter(quotaOf(stored.value), evaluator, request, now, request.refuse)
    return used ? [{ stored, used }] : []
  })
}

function quotasIn({ store }: Registry, namespace: string | undefined): readonly Stored[] {
  return namespace ? store.snapshot({ collection: COLLECTION, prefix: `${namespace}/` }) : []
}

function charge(registry: Registry, { stored, used }: Charge): void {
  const resource = registry.catalogue.find('', 'v1', 'resourcequotas')
  if (!resource) return
  const before = storedObject(stored)
  const object = copyJson(before)
  object['status'] = { ...statusOf(object), used: amountList(used) }
  manage(registry, { object, before, resource, manager: MANAGER, subresource: 'status' })
  registry.put(resource, stored.key, stored.revision, object)
}
