import {
  AGE,
  age,
  column,
  firstOf,
  labels,
  labelSelector,
  NAME,
  nameOf,
  wide,
  type Printer,
  type Stored,
} from './printer.ts'

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

function externalAddress(service: Stored): string {
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

/** The addresses that a load balancer gave, in order and each once. */
function loadBalancer(object: Stored): string {
  const ingress: Stored[] = object.status?.loadBalancer?.ingress ?? []
  const addresses = ingress.map((point) => point.ip || point.hostname || '').filter((text) => text !== '')
  return [...new Set<string>(addresses)].sort().join(',')
}

function servicePorts(ports: readonly Stored[]): string {
  return ports
    .map(({ port, nodePort, protocol }) => `${nodePort > 0 ? `${port}:${nodePort}` : port}/${protocol}`)
    .join(',')
}

export const endpointsPrinter: Printer = {
  columns: [NAME, column('Endpoints'), AGE],
  cells(object, now) {
    const subsets: Stored[] = object.subsets ?? []
    const addresses = subsets.flatMap((subset) => {
      const all: string[] = (subset.addresses ?? []).map((address: Stored) => address.ip)
      const ports: Stored[] = subset.ports ?? []
      return ports.length === 0 ? all : ports.flatMap(({ port }) => all.map((ip) => hostPort(ip, port)))
    })
    return [nameOf(object), subsets.length === 0 ? '<none>' : firstOf(addresses, 3), age(object, now)]
  },
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`
}

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

export const ingressPrinter: Printer = {
  columns: [NAME, column('Class'), column('Hosts'), column('Address'), column('Ports'), AGE],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.ingressClassName ?? '<none>',
    hosts(object.spec?.rules ?? []),
    loadBalancer(object),
    (object.spec?.tls ?? []).length > 0 ? '80, 443' : '80',
    age(object, now),
  ],
}

/** Rules without a host do not show, but count among those that are left out. */
function hosts(rules: readonly Stored[]): string {
  const shown = rules.filter((rule) => rule.host).slice(0, 3)
  const text = shown.map((rule) => rule.host).join(',')
  const more = shown.length === 3 && rules.at(-1) !== shown[2]
  return more ? `${text} + ${rules.length - 3} more...` : text || '*'
}

export const networkPolicyPrinter: Printer = {
  columns: [NAME, column('Pod-Selector'), AGE],
  cells: (object, now) => [nameOf(object), labelSelector(object.spec?.podSelector), age(object, now)],
}

export const ingressClassPrinter: Printer = {
  columns: [NAME, column('Controller'), column('Parameters'), AGE],
  cells(object, now) {
    const isDefault = object.metadata?.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true'
    return [
      `${nameOf(object)}${isDefault ? ' (default)' : ''}`,
      object.spec?.controller ?? '',
      parameters(object.spec?.parameters),
      age(object, now),
    ]
  },
}

/** `Config.example.com/name`. */
function parameters(reference: Stored | undefined): string {
  if (!reference) return '<none>'
  const group = reference.apiGroup === undefined ? '' : `.${reference.apiGroup}`
  return `${reference.kind ?? ''}${group}/${reference.name ?? ''}`
}

export const serviceCidrPrinter: Printer = {
  columns: [NAME, column('CIDRs'), AGE],
  cells: (object, now) => [nameOf(object), (object.spec?.cidrs ?? []).join(','), age(object, now)],
}

/** Its rows have an age, which no column describes: that is how Kubernetes has it. */
export const ipAddressPrinter: Printer = {
  columns: [NAME, column('ParentRef')],
  cells: (object, now) => [nameOf(object), parentRef(object.spec?.parentRef), age(object, now)],
}

/** `services/default/kubernetes`. */
function parentRef(reference: Stored | undefined): string {
  if (!reference) return '<none>'
  const { group, resource = '', namespace, name = '' } = reference
  const type = (group ? `${resource}.${group}` : resource).toLowerCase()
  return [type, ...(namespace ? [namespace] : []), name].join('/')
}
