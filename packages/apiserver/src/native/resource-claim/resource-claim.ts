import { unchanged } from '../../checks/index.ts'
import { objectOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { clearStatus, keepWritableMetadata, keptMetadata } from '../status/clear-status.ts'
import { adminAccess } from './admin-access.ts'
import { defaultClaim } from './claim-defaults.ts'
import { dropDeallocated, validateClaimStatus } from './claim-status.ts'
import { validateClaim } from './claim-validation.ts'
import { resourceClaimPrinter } from './table.ts'

/** ResourceClaims: the devices that a Pod needs. */
export const resourceClaim: NativeKind = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  returnsDeleted: true,
  prepareCreate: clearStatus,
  prepareStatus(object, old) {
    keepWritableMetadata(object, old)
    dropDeallocated(object, old)
  },
  resetFields: keptMetadata,
  table: resourceClaimPrinter,
  updateSteps: ['metadata', 'metadata change', 'change'],
  validate: (object) => validateClaim(objectOf(object['spec']), 'spec'),
  validateUpdate: (object, old) => unchanged(object['spec'], old['spec'], 'spec'),
  validateStatus: validateClaimStatus,
  validateInStore: adminAccess((spec) => objectOf(spec)['devices']),
  default: (object) => defaultClaim(objectOf(object['spec'])),
}
