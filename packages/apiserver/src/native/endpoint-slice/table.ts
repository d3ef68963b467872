import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'
import { firstOf } from '../table-cells/table-cells.ts'

export const endpointSlicePrinter: Printer = {
  columns: [NAME, column('AddressType'), column('Ports'), column('Endpoints'), AGE],
  cells(object, now) {
    const ports = (object.ports ?? []).map(({ port, name }: PrintedObject) => String(port ?? name ?? '*'))
    const addresses = (object.endpoints ?? []).flatMap(({ addresses }: PrintedObject) => addresses ?? [])
    return [
      nameOf(object),
      object.addressType ?? '',
      firstOf(ports, 3) || '<unset>',
      firstOf(addresses, 3) || '<unset>',
      age(object, now),
    ]
  },
}
