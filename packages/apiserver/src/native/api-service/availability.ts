import { timestamp } from '@homeostat/api'
import { collectionOf, type Registry, specOf, textOf, storedObject, statusOf } from '../../registry/index.ts'
import { copyJson, isObject, type JsonObject } from '../../schema/index.ts'

const API_SERVICES = 'apiregistration.k8s.io/apiservices'

const SERVICES = '/services'

/**
 * Says of each APIService that another server would answer that it is not available, soon after it was created: as in a
 * Kubernetes API server the answer to the request does not say it yet.
 */
export function reportUnavailable(registry: Registry): void {
  registry.observe(({ resource, key, entry, previous }) => {
    if (!entry || previous || collectionOf(resource) !== API_SERVICES) return
    if (!isObject(specOf(storedObject(entry))['service'])) return
    registry.soon(`the availability of the APIService ${key}`, () => {
      const current = registry.get(resource, key)
      if (!current || statusOf(storedObject(current))['conditions'] !== undefined) return
      const object = copyJson(storedObject(current))
      const service = specOf(object)['service']
      if (!isObject(service)) return
      const found = condition(unavailable(registry, service), registry.clock.now())
      registry.put(resource, key, current.revision, { ...object, status: { conditions: [found] } })
    })
  })
}

interface Availability {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

export const LOCAL: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
}

export function condition({ status, reason, message }: Availability, now: number): JsonObject {
  return { type: 'Available', status, lastTransitionTime: timestamp(now), reason, message }
}

/** In the words of a Kubernetes API server where these are true. */
function unavailable({ store }: Registry, service: JsonObject): Availability {
  const [namespace, name] = [textOf(service['namespace']), textOf(service['name'])]
  if (!store.get(SERVICES, `${namespace}/${name}`)) {
    const message = `service/${name} in ${JSON.stringify(namespace)} is not present`
    return { status: 'False', reason: 'ServiceNotFound', message }
  }
  const message = 'this API server does not pass requests on to other API servers'
  return { status: 'False', reason: 'FailedDiscoveryCheck', message }
}
