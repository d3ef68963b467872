import { objectsIn } from '../../checks/index.ts'
import { type JsonObject, objectOf } from '../../schema/index.ts'

export function defaultClaim(spec: JsonObject): void {
  for (const { exactly, firstAvailable } of objectsIn(objectOf(spec['devices'])['requests'])) {
    for (const request of [...objectsIn([exactly]), ...objectsIn(firstAvailable)]) {
      request['allocationMode'] ||= 'ExactCount'
      if (request['allocationMode'] === 'ExactCount') request['count'] ||= 1
    }
  }
}
