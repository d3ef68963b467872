import { timestamp } from '@homeostat/api'
import { isObject, type JsonObject } from '../../schema/json.ts'
import type { KindRules, RulesContext } from '../kind-rules.ts'
import { specOf, textOf } from '../server-object.ts'
import { keepMetadata } from './clear-status.ts'

const SERVICES = '/services'

/** An APIService that this server answers itself is available at once; one that another server answers never is. */
export const apiServiceRules: KindRules = {
  names: 'segment',
  prepareCreate(object, context) {
    const { service } = specOf(object)
    const condition = isObject(service) ? unavailable(service, context) : LOCAL
    const lastTransitionTime = timestamp(context.clock.now())
    object['status'] = { conditions: [{ type: 'Available', ...condition, lastTransitionTime }] }
  },
  prepareStatus: keepMetadata,
}

interface Availability {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

const LOCAL: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
}

/** In the words of a Kubernetes API server where these are true. */
function unavailable(service: JsonObject, { store }: RulesContext): Availability {
  const [namespace, name] = [textOf(service['namespace']), textOf(service['name'])]
  if (!store.get(SERVICES, `${namespace}/${name}`)) {
    const message = `service/${name} in ${JSON.stringify(namespace)} is not present`
    return { status: 'False', reason: 'ServiceNotFound', message }
  }
  const message = 'this API server does not pass requests on to other API servers'
  return { status: 'False', reason: 'FailedDiscoveryCheck', message }
}
