import { addressWarnings, objectsIn } from '../../checks/index.ts'
import { type JsonObject, listOf } from '../../schema/index.ts'

export function sliceWarnings(slice: JsonObject, old: JsonObject | undefined): string[] {
  const kind = slice['addressType']
  return [
    ...(!old && kind === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...(kind === 'FQDN'
      ? []
      : objectsIn(slice['endpoints']).flatMap((endpoint, index) =>
          listOf(endpoint['addresses']).flatMap((one, at) =>
            addressWarnings(one, `endpoints[${index}].addresses[${at}]`),
          ),
        )),
  ]
}
