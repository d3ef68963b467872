import { unchanged } from '../../checks/index.ts'
import { objectOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { clearStatus, keepWritableMetadata, keptMetadata } from '../status/clear-status.ts'
import { defaultClaim } from './claim-defaults.ts'
import { validateClaim } from './claim-validation.ts'
import { resourceClaimPrinter } from './table.ts'

/** ResourceClaims: the devices that a Pod needs. */
export const resourceClaim: NativeKind = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  returnsDeleted: true,
  prepareCreate: clearStatus,
  prepareStatus: keepWritableMetadata,
  resetFields: keptMetadata,
  table: resourceClaimPrinter,
  validate: (object, old) => (old ? [] : validateClaim(objectOf(object['spec']), 'spec')),
  validateUpdate: (object, old) => unchanged(object['spec'], old['spec'], 'spec'),
  default: (object) => defaultClaim(objectOf(object['spec'])),
}
