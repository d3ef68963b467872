import { unchanged, validateTemplateMetadata } from '../../checks/index.ts'
import { objectOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { adminAccess } from '../resource-claim/admin-access.ts'
import { defaultClaim } from '../resource-claim/claim-defaults.ts'
import { validateClaim } from '../resource-claim/claim-validation.ts'
import { plainPrinter } from '../table-cells/plain-table.ts'

/** ResourceClaimTemplates, from which each Pod gets its own claim. */
export const resourceClaimTemplate: NativeKind = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaimTemplate',
  returnsDeleted: true,
  table: plainPrinter,
  updateSteps: ['metadata', 'object', 'metadata change', 'change'],
  validate(object) {
    const { metadata, spec } = objectOf(object['spec'])
    return [
      ...validateTemplateMetadata(metadata, 'spec.metadata'),
      ...validateClaim(objectOf(spec), 'spec.spec'),
    ]
  },
  validateInStore: adminAccess((spec) => objectOf(objectOf(spec)['spec'])['devices']),
  validateUpdate: (object, old) => unchanged(object['spec'], old['spec'], 'spec'),
  default: (object) => defaultClaim(objectOf(objectOf(object['spec'])['spec'])),
}
