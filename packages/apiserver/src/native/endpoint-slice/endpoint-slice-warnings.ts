import { objectsIn } from '../../schema/checks/absent.ts'
import { listOf, type JsonObject } from '../../schema/json.ts'
import { addressWarnings } from '../pod-template/pod-warnings.ts'

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
