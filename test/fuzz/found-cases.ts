import type { FuzzCase } from './fuzz-case.ts'
import { changes } from './found/changes.ts'
import { configuration } from './found/configuration.ts'
import { defaults } from './found/defaults.ts'
import { definitions } from './found/definitions.ts'
import { deviceClaims } from './found/device-claims.ts'
import { devices } from './found/devices.ts'
import { emptyParts } from './found/empty-parts.ts'
import { endpointSlices } from './found/endpoint-slices.ts'
import { lengths } from './found/lengths.ts'
import { objects } from './found/objects.ts'
import { policies } from './found/policies.ts'
import { refusals } from './found/refusals.ts'
import { repeatedKeys } from './found/repeated-keys.ts'
import { requests } from './found/requests.ts'
import { storage } from './found/storage.ts'
import { strategicMerges } from './found/strategic-merges.ts'
import { updates } from './found/updates.ts'
import { workloads } from './found/workloads.ts'
import { zeroTimes } from './found/zero-times.ts'

/**
 * Cases that long runs of the fuzzer found, by the part of the server that they are about: requests to which our server
 * answered otherwise than the real one. Unlike the cases in kept-cases.ts they follow no plan.
 */
export function foundCases(): FuzzCase[] {
  return [
    ...requests(),
    ...changes(),
    ...configuration(),
    ...defaults(),
    ...definitions(),
    ...deviceClaims(),
    ...devices(),
    ...emptyParts(),
    ...endpointSlices(),
    ...lengths(),
    ...objects(),
    ...policies(),
    ...refusals(),
    ...repeatedKeys(),
    ...storage(),
    ...strategicMerges(),
    ...updates(),
    ...workloads(),
    ...zeroTimes(),
  ]
}
