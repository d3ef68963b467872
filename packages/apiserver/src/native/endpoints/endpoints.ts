import {
  address,
  addressWarnings,
  eachObject,
  named,
  objectsIn,
  port,
  qualifiedName,
  requiredOneOf,
  setDefault,
} from '../../checks/index.ts'
import {
  equalJson,
  type FieldError,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { PROTOCOLS, unicast } from '../service/service-validation.ts'
import { endpointsPrinter } from './table.ts'

/** Endpoints. */
export const endpoints: NativeKind = {
  group: '',
  kind: 'Endpoints',
  createOnUpdate: true,
  table: endpointsPrinter,
  default(object) {
    for (const subset of objectsIn(object['subsets'])) {
      for (const item of objectsIn(subset['ports'])) setDefault(item, 'protocol', 'TCP')
    }
  },
  updateSteps: ['metadata change', 'metadata', 'object'],
  validate(object, old) {
    // Unchanged subsets are not validated again: an earlier release may have accepted them.
    if (old && equalJson(object['subsets'], old['subsets'])) return []
    return eachObject(object['subsets'], 'subsets', subsetErrors)
  },
  warnings: (object) =>
    objectsIn(object['subsets']).flatMap((subset, outer) =>
      ['addresses', 'notReadyAddresses'].flatMap((kind) =>
        objectsIn(subset[kind]).flatMap(({ ip }, index) =>
          addressWarnings(ip, `subsets[${outer}].${kind}[${index}].ip`),
        ),
      ),
    ),
}

function subsetErrors(subset: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  if (listOf(subset['addresses']).length === 0 && listOf(subset['notReadyAddresses']).length === 0) {
    errors.push(requiredValue(field, 'must specify `addresses` or `notReadyAddresses`'))
  }
  for (const kind of ['addresses', 'notReadyAddresses']) {
    addAll(
      errors,
      eachObject(subset[kind], `${field}.${kind}`, (item, at) => {
        const ip = textOf(item['ip'] ?? '')
        const { hostname, nodeName } = item
        return [
          ...address(ip, `${at}.ip`),
          ...(hostname ? named(hostname, `${at}.hostname`, labelProblems) : []),
          ...(nodeName === undefined ? [] : named(nodeName, `${at}.nodeName`, subdomainProblems)),
          ...unicast(ip, `${at}.ip`),
        ]
      }),
    )
  }
  const ports = listOf(subset['ports'])
  for (const [index, item] of ports.entries()) {
    const at = `${field}.ports[${index}]`
    const { name, port: number, protocol, appProtocol } = objectOf(item)
    if (ports.length > 1 && !name) errors.push(requiredValue(`${at}.name`))
    else if (name) addAll(errors, named(name, `${at}.name`, labelProblems))
    addAll(errors, port(number ?? 0, `${at}.port`), requiredOneOf(protocol, PROTOCOLS, `${at}.protocol`))
    if (appProtocol !== undefined) addAll(errors, qualifiedName(appProtocol, `${at}.appProtocol`))
  }
  return errors
}
