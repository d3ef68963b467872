import {
  named,
  notNegativeQuantity,
  selectorText,
  unchanged,
  validateLabelSelector,
} from '../../checks/index.ts'
import { objectOf, subdomainProblems } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { deprecatedLabel, termWarnings } from '../pod-spec/node-label-warnings.ts'

/** CSIStorageCapacities. */
export const csiStorageCapacity: NativeKind = {
  group: 'storage.k8s.io',
  kind: 'CSIStorageCapacity',
  unconditionalUpdate: false,
  validate(object) {
    return [
      ...validateLabelSelector(object['nodeTopology'], 'nodeTopology'),
      ...named(object['storageClassName'], 'storageClassName', subdomainProblems),
      ...notNegativeQuantity(object['capacity'], 'capacity'),
    ]
  },
  updateSteps: ['metadata', 'metadata change', 'object', 'change'],
  validateUpdate: (object, old) => [
    ...unchanged(
      object['nodeTopology'],
      old['nodeTopology'],
      'nodeTopology',
      selectorText(object['nodeTopology']),
    ),
    ...unchanged(object['storageClassName'], old['storageClassName'], 'storageClassName'),
  ],
  warnings(object) {
    const topology = objectOf(object['nodeTopology'])
    return [
      ...termWarnings(topology, 'nodeTopology'),
      ...Object.keys(objectOf(topology['matchLabels'])).flatMap((key) => {
        const why = deprecatedLabel(key)
        return why === undefined ? [] : [`nodeTopology.matchLabels.${key}: ${why}`]
      }),
    ]
  },
}
