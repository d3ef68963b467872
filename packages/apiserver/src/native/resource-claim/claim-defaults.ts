import { objectsIn } from '../../checks/index.ts'
import { type JsonObject, objectOf } from '../../schema/index.ts'

export function defaultClaim(spec: JsonObject): void {
  const devices = objectOf(spec['devices'])
  devices['requests'] ??= null
  for (const { exactly, firstAvailable } of objectsIn(devices['requests'])) {
    for (const request of [...objectsIn([exactly]), ...objectsIn(firstAvailable)]) {
      request['allocationMode'] ||= 'ExactCount'
      if (request['allocationMode'] === 'ExactCount') request['count'] ||= 1
    }
  }
}
