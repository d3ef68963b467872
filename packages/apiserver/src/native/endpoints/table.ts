import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'
import { firstOf } from '../table-cells/table-cells.ts'

export const endpointsPrinter: Printer = {
  columns: [NAME, column('Endpoints'), AGE],
  cells(object, now) {
    const subsets: PrintedObject[] = object.subsets ?? []
    const addresses = subsets.flatMap((subset) => {
      const all: string[] = (subset.addresses ?? []).map((address: PrintedObject) => address.ip)
      const ports: PrintedObject[] = subset.ports ?? []
      return ports.length === 0 ? all : ports.flatMap(({ port }) => all.map((ip) => hostPort(ip, port)))
    })
    return [nameOf(object), subsets.length === 0 ? '<none>' : firstOf(addresses, 3), age(object, now)]
  },
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`
}
