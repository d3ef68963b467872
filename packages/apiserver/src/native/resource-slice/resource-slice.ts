import { timestamp } from '@homeostat/api'
import { objectsIn, setDefault } from '../../checks/index.ts'
import { fieldsAt, nextGeneration } from '../../registry/index.ts'
import { equalJson, type JsonObject, objectOf, quote, textOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { validateSlice, validateSliceUpdate } from './slice-validation.ts'
import { resourceSlicePrinter } from './table.ts'

/** ResourceSlices: the devices of a driver on some nodes. */
export const resourceSlice: NativeKind = {
  group: 'resource.k8s.io',
  kind: 'ResourceSlice',
  generation: true,
  returnsDeleted: true,
  fieldLabels: {
    read: fieldsAt('spec.nodeName', 'spec.driver'),
    refusal: (label, { group, version, kind }) =>
      `field label not supported for ${group}/${version}, Kind=${kind}: ${label}`,
  },
  table: resourceSlicePrinter,
  default: defaultAmounts,
  dropDisabled,
  prepareCreate: (object, { clock }) => stampTaints(object, clock.now()),
  prepareUpdate(object, old, { clock }) {
    stampTaints(object, clock.now())
    // Kubernetes counts a change before it drops fields.
    if (!equalJson(object['spec'], old['spec'])) {
      object.metadata.generation = nextGeneration(old.metadata.generation)
    }
  },
  validate: (object, old) => validateSlice(objectOf(object['spec']), old ? objectOf(old['spec']) : undefined),
  validateUpdate: (object, old) => validateSliceUpdate(objectOf(object['spec']), objectOf(old['spec'])),
  warnings(object) {
    const driver = textOf(objectOf(object['spec'])['driver'] ?? '')
    if (driver === driver.toLowerCase()) return []
    return [`spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`]
  },
}

/** Sets an amount without a value to zero. */
function defaultAmounts(object: JsonObject): void {
  const { devices, sharedCounters } = objectOf(object['spec'])
  const capacities = objectsIn(devices).map(({ capacity }) => capacity)
  const consumed = objectsIn(devices).flatMap(({ consumesCounters }) => objectsIn(consumesCounters))
  const counters = [...objectsIn(sharedCounters), ...consumed].map((set) => set['counters'])
  for (const amounts of objectsIn([...capacities, ...counters])) {
    for (const amount of objectsIn(Object.values(amounts))) setDefault(amount, 'value', '0')
  }
}

/** Drops the resources of nodes and the attributes with several values. */
function dropDisabled(object: JsonObject): void {
  for (const device of objectsIn(objectOf(object['spec'])['devices'])) {
    delete device['nodeAllocatableResourceMappings']
    for (const attribute of objectsIn(Object.values(objectOf(device['attributes'])))) {
      for (const name of ['bools', 'ints', 'strings', 'versions']) delete attribute[name]
    }
  }
}

/** Records when a taint was added, where the client does not say it. */
function stampTaints(object: JsonObject, now: number): void {
  for (const device of objectsIn(objectOf(object['spec'])['devices'])) {
    for (const taint of objectsIn(device['taints'])) taint['timeAdded'] ??= timestamp(now)
  }
}
