import { fieldAt } from '../../registry/index.ts'
import { eachObject, network, networkWarnings, positive } from '../../checks/index.ts'
import {
  copyJson,
  duplicateValue,
  equalJson,
  familyOf,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isNetwork,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { roundList } from '../compute-resources/resource-defaults.ts'
import { validateAmount } from '../compute-resources/resource-validation.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { validateTaints } from '../pod-spec/validation/scheduling-validation.ts'
import { nodeProxyAction } from '../proxy/proxy-actions.ts'
import { nodePrinter } from './table.ts'

/** Nodes. */
export const node: NativeKind = {
  group: '',
  kind: 'Node',
  fieldLabels: { read: { 'spec.unschedulable': fieldAt('spec.unschedulable', 'false') } },
  table: nodePrinter,
  subresources: { proxy: ({ connect, kubelets }) => nodeProxyAction(connect, kubelets) },
  updateSteps: ['metadata', 'object', 'metadata change', 'change'],
  default(object) {
    const status = objectOf(object['status'])
    roundList(status['capacity'])
    if (isObject(status['capacity'])) status['allocatable'] ??= copyJson(status['capacity'])
    roundList(status['allocatable'])
    const spec = objectOf(object['spec'])
    const [first] = listOf(spec['podCIDRs'])
    // Where the two differ, the older field `podCIDR` takes precedence.
    if (spec['podCIDR'] && first !== spec['podCIDR']) spec['podCIDRs'] = [spec['podCIDR']]
    else if (first !== undefined) spec['podCIDR'] = first
  },
  // Kubernetes no longer supports `configSource`.
  dropDisabled(object) {
    delete objectOf(object['spec'])['configSource']
    delete objectOf(object['status'])['config']
  },
  prepareStatus(object) {
    delete objectOf(object['status'])['config']
  },
  validate(object) {
    const spec = objectOf(object['spec'])
    const networks = listOf(spec['podCIDRs'])
    const errors: FieldError[] = [
      ...validateTaints(spec['taints'], 'metadata.taints'),
      ...resourceErrors(object),
      ...swapErrors(object),
      ...networks.flatMap((one, index) => network(one, `spec.podCIDRs[${index}]`)),
    ]
    if (networks.length < 2) return errors
    const wrong = networks.findIndex((one) => !isNetwork(textOf(one)))
    if (wrong >= 0) {
      const message = `Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${textOf(networks[wrong])})`
      errors.push({ field: 'spec.podCIDRs', reason: 'InternalError', message })
    }
    const families = new Set(networks.map((one) => familyOf(textOf(one).split('/')[0] ?? '')))
    if (wrong >= 0 || families.size < 2 || networks.length > 2) {
      const detail = 'may specify no more than one CIDR for each IP family'
      errors.push(invalidValue('spec.podCIDRs', networks, detail))
    }
    return errors
  },
  validateUpdate: changeErrors,
  warnings(object) {
    const spec = objectOf(object['spec'])
    return [
      ...(spec['externalID']
        ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes']
        : []),
      ...listOf(spec['podCIDRs']).flatMap((one, index) => networkWarnings(one, `spec.podCIDRs[${index}]`)),
    ]
  },
  validateStatus: (object, old) => changeErrors(object, old),
}

function resourceErrors(object: JsonObject): FieldError[] {
  const status = objectOf(object['status'])
  return ['capacity', 'allocatable'].flatMap((list) =>
    Object.entries(objectOf(status[list])).flatMap(([name, amount]) =>
      // A resource without a name is shown as a key.
      validateAmount(name, amount, `status.${list}${name === '' ? '[]' : `.${name}`}`),
    ),
  )
}

function swapErrors(object: JsonObject): FieldError[] {
  const { swap } = objectOf(objectOf(object['status'])['nodeInfo'])
  return positive(objectOf(swap)['capacity'], 'metadata.nodeSwapStatus.capacity')
}

function changeErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectOf(object['spec'])
  const before = objectOf(old['spec'])
  const seen: unknown[] = []
  const errors = [
    ...resourceErrors(object),
    ...eachObject(objectOf(object['status'])['addresses'], 'status.addresses', (address, at) => {
      const again = seen.some((one) => equalJson(one, address))
      seen.push(address)
      if (!again) return []
      return [duplicateValue(at, { Type: address['type'], Address: address['address'] })]
    }),
  ]
  const [networks, had] = [listOf(spec['podCIDRs']), listOf(before['podCIDRs'])]
  if (had.length > 0 && !equalJson(networks, had)) {
    const detail = 'node updates may not change podCIDR except from "" to valid'
    errors.push(forbiddenValue('spec.podCIDRs', detail))
  }
  if (before['providerID'] && spec['providerID'] !== before['providerID']) {
    const detail = 'node updates may not change providerID except from "" to valid'
    errors.push(forbiddenValue('spec.providerID', detail))
  }
  addAll(errors, validateTaints(spec['taints'], 'metadata.taints'))
  if ((spec['externalID'] ?? '') !== (before['externalID'] ?? '')) {
    errors.push(forbiddenValue('spec.externalID', 'may not be updated'))
  }
  return errors
}
