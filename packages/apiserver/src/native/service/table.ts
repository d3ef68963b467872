import { AGE, age, column, NAME, nameOf, wide } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'
import { labels } from '../table-cells/table-cells.ts'
import { loadBalancer } from './load-balancer-cell.ts'

export const servicePrinter: Printer = {
  columns: [
    NAME,
    column('Type'),
    column('Cluster-IP'),
    column('External-IP'),
    column('Port(s)'),
    AGE,
    wide('Selector'),
  ],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.type ?? '',
    object.spec?.clusterIPs?.[0] ?? '<none>',
    externalAddress(object),
    servicePorts(object.spec?.ports ?? []) || '<none>',
    age(object, now),
    labels(object.spec?.selector),
  ],
}

function externalAddress(service: PrintedObject): string {
  const external: string[] = service.spec?.externalIPs ?? []
  switch (service.spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>'
    case 'LoadBalancer':
      return [loadBalancer(service), ...external].filter((text) => text !== '').join(',') || '<pending>'
    case 'ExternalName':
      return service.spec.externalName ?? ''
    default:
      return '<unknown>'
  }
}

function servicePorts(ports: readonly PrintedObject[]): string {
  return ports
    .map(({ port, nodePort, protocol }) => `${nodePort > 0 ? `${port}:${nodePort}` : port}/${protocol}`)
    .join(',')
}
