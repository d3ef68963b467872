import {
  equalJson,
  type FieldError,
  invalidValue,
  type JsonObject,
  objectOf,
  textOf,
} from '../../schema/index.ts'
import { isExtendedResource } from '../compute-resources/resource-names.ts'
import { selectorErrors } from '../devices/device-selectors.ts'
import { limitedList } from '../devices/limited-lists.ts'
import { configurationErrors } from '../devices/opaque-configuration.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { plainPrinter } from '../table-cells/plain-table.ts'

const MOST_CONFIGURATIONS = 32

/** DeviceClasses: which devices claims can ask for by a name. */
export const deviceClass: NativeKind = {
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  generation: true,
  uncheckedGenerateName: true,
  returnsDeleted: true,
  table: plainPrinter,
  updateSteps: ['metadata', 'metadata change', 'object'],
  validate: (object, old) => classErrors(objectOf(object['spec']), old && objectOf(old['spec'])),
}

function classErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const { selectors, config, extendedResourceName } = spec
  const stored = old !== undefined && equalJson(config, old['config'])
  const errors = [
    ...selectorErrors(selectors, 'spec.selectors'),
    ...limitedList(config, 'spec.config', MOST_CONFIGURATIONS, (one, at) =>
      configurationErrors(one, at, stored),
    ),
  ]
  if (extendedResourceName === undefined || extendedResourceName === null) return errors
  const name = textOf(extendedResourceName)
  if (isExtendedResource(name)) return errors
  const detail = 'must be a valid extended resource name'
  return [...errors, invalidValue('spec.extendedResourceName', name, detail)]
}
