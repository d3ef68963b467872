import { eachObject, ensureObject, oneOf, unchanged } from '../../checks/index.ts'
import {
  duplicateValue,
  equalJson,
  type FieldError,
  invalidValue,
  isNumber,
  listOf,
  objectOf,
} from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { csiDriverPrinter } from './table.ts'

const TOKENS_IN_ATTRIBUTES =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes'

/** CSIDrivers. */
export const csiDriver: NativeKind = {
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  unconditionalUpdate: false,
  returnsDeleted: true,
  generation: 'late',
  warnings(object, old) {
    const { tokenRequests, serviceAccountTokenInSecrets } = objectOf(object['spec'])
    if (listOf(tokenRequests).length === 0 || serviceAccountTokenInSecrets !== undefined) return []
    if (old && equalJson(tokenRequests, objectOf(old['spec'])['tokenRequests'])) return []
    return [TOKENS_IN_ATTRIBUTES]
  },
  table: csiDriverPrinter,
  default(object) {
    const spec = ensureObject(object, 'spec')
    spec['attachRequired'] ??= true
    for (const name of ['podInfoOnMount', 'storageCapacity', 'requiresRepublish', 'seLinuxMount']) {
      spec[name] ??= false
    }
    spec['fsGroupPolicy'] ??= 'ReadWriteOnceWithFSType'
    if (listOf(spec['volumeLifecycleModes']).length === 0) spec['volumeLifecycleModes'] = ['Persistent']
  },
  dropDisabled: (object) => delete objectOf(object['spec'])['preventPodSchedulingIfMissing'],
  validate(object) {
    const spec = objectOf(object['spec'])
    const period = spec['nodeAllocatableUpdatePeriodSeconds']
    const errors = [
      ...oneOf(spec['fsGroupPolicy'], ['File', 'None', 'ReadWriteOnceWithFSType'], 'spec.fsGroupPolicy'),
      ...tokenErrors(spec['tokenRequests'], 'spec.tokenRequests'),
      ...listOf(spec['volumeLifecycleModes']).flatMap((mode) =>
        oneOf(mode, ['Persistent', 'Ephemeral'], 'spec.volumeLifecycleModes'),
      ),
    ]
    if (isNumber(period) && period < 10) {
      const detail = 'must be greater than or equal to 10 seconds'
      errors.push(invalidValue('spec.nodeAllocatableUpdatePeriodSeconds', period, detail))
    }
    const { serviceAccountTokenInSecrets } = spec
    if (serviceAccountTokenInSecrets !== undefined && listOf(spec['tokenRequests']).length === 0) {
      const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'
      errors.push(invalidValue('spec.serviceAccountTokenInSecrets', serviceAccountTokenInSecrets, detail))
    }
    return errors
  },
  validateUpdate(object, old) {
    const [spec, before] = [objectOf(object['spec']), objectOf(old['spec'])]
    return [
      ...unchanged(spec['attachRequired'], before['attachRequired'], 'spec.attachedRequired'),
      ...unchanged(spec['volumeLifecycleModes'], before['volumeLifecycleModes'], 'spec.volumeLifecycleModes'),
    ]
  },
}

function tokenErrors(value: unknown, field: string): FieldError[] {
  const seen = new Set<unknown>()
  return eachObject(value, field, ({ audience = '', expirationSeconds }, at) => {
    if (seen.has(audience)) return [duplicateValue(`${at}.audience`, audience)]
    seen.add(audience)
    if (!isNumber(expirationSeconds)) return []
    const where = `${at}.expirationSeconds`
    if (expirationSeconds < 600) {
      return [invalidValue(where, expirationSeconds, 'may not specify a duration less than 10 minutes')]
    }
    if (expirationSeconds <= 2 ** 32) return []
    return [invalidValue(where, expirationSeconds, 'may not specify a duration larger than 2^32 seconds')]
  })
}
