import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, Stored } from '../../registry/index.ts'
import { firstOf } from '../table-cells/table-cells.ts'

export const endpointSlicePrinter: Printer = {
  columns: [NAME, column('AddressType'), column('Ports'), column('Endpoints'), AGE],
  cells(object, now) {
    const ports = (object.ports ?? []).map(({ port, name }: Stored) => String(port ?? name ?? '*'))
    const addresses = (object.endpoints ?? []).flatMap(({ addresses }: Stored) => addresses ?? [])
    return [
      nameOf(object),
      object.addressType ?? '',
      firstOf(ports, 3) || '<unset>',
      firstOf(addresses, 3) || '<unset>',
      age(object, now),
    ]
  },
}
