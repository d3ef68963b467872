import { objectOf, type JsonObject } from '../../schema/json.ts'
import { objectsIn } from '../checks/absent.ts'
import type { NativeBehaviour } from '../kind/native-behaviour.ts'

/** What devices a Pod needs. */
export const resourceClaim: NativeBehaviour = { default: (object) => defaultClaim(objectOf(object['spec'])) }

/** Claims that are made for every Pod. */
export const resourceClaimTemplate: NativeBehaviour = {
  default: (object) => defaultClaim(objectOf(objectOf(object['spec'])['spec'])),
}

function defaultClaim(spec: JsonObject): void {
  for (const { exactly, firstAvailable } of objectsIn(objectOf(spec['devices'])['requests'])) {
    for (const request of [...objectsIn([exactly]), ...objectsIn(firstAvailable)]) {
      request['allocationMode'] ||= 'ExactCount'
      if (request['allocationMode'] === 'ExactCount') request['count'] ||= 1
    }
  }
}
