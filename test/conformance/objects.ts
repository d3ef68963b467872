/** Where the objects of the scenarios are. `/~` stands for the scenario's namespace. */
export const configMaps = '/api/v1/~/configmaps'
export const secrets = '/api/v1/~/secrets'
export const pods = '/api/v1/~/pods'
export const services = '/api/v1/~/services'
export const deployments = '/apis/apps/v1/~/deployments'
export const leases = '/apis/coordination.k8s.io/v1/~/leases'
export const namespaces = '/api/v1/namespaces'
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
export const widgets = '/apis/conformance.example.com/v1/~/widgets'
export const gadgets = '/apis/conformance.example.com/v1/gadgets'

type Fields = Readonly<Record<string, unknown>>

export function configMap(name: string, data?: Fields, metadata: Fields = {}): Fields {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...(data && { data }) }
}

/** A Secret without content: of its kind a namespace has none by itself, so lists show what a scenario made. */
export function secret(name: string, metadata: Fields = {}): Fields {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, ...metadata } }
}

export function pod(name: string, spec: Fields = {}, metadata: Fields = {}): Fields {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'web', image: 'web:1' }], ...spec },
  }
}

export function deployment(name: string, spec: Fields = {}, container: Fields = {}): Fields {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'web:1', ...container }] },
      },
      ...spec,
    },
  }
}

export function service(name: string, spec: Fields = {}): Fields {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }], ...spec },
  }
}

/** An object of the custom kind that most topics install. */
export function widget(name: string, spec: Fields = {}, metadata: Fields = {}): Fields {
  return {
    apiVersion: 'conformance.example.com/v1',
    kind: 'Widget',
    metadata: { name, ...metadata },
    spec,
  }
}

/** An object of the custom kind that lives outside of namespaces. */
export function gadget(name: string, more: Fields = {}): Fields {
  return { apiVersion: 'conformance.example.com/v1', kind: 'Gadget', metadata: { name }, ...more }
}

/** The definition of a kind with one version. */
export function definition(kind: string, schema: Fields, more: { spec?: Fields; version?: Fields } = {}) {
  const singular = kind.toLowerCase()
  const group = (more.spec?.['group'] as string | undefined) ?? 'conformance.example.com'
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: `${singular}s`, singular },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: schema } },
          ...more.version,
        },
      ],
      ...more.spec,
    },
  }
}

const text = { type: 'string' }

/** A custom kind with a status, a scale, lists of every type and a default. */
export const widgetDefinition = definition(
  'Widget',
  {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', minimum: 0, maximum: 100, default: 1 },
        color: { type: 'string', enum: ['red', 'green', 'blue'] },
        replicas: { type: 'integer' },
        labels: { type: 'object', additionalProperties: text },
        fixed: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: text, count: { type: 'integer', default: 1 }, note: text },
          },
        },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        order: { type: 'array', items: text },
        port: { 'x-kubernetes-int-or-string': true },
        raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: {
      type: 'object',
      properties: { phase: text, replicas: { type: 'integer' }, selector: text },
    },
  },
  {
    version: {
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
    },
  },
)

/** A custom kind outside of namespaces, without a status of its own. */
export const gadgetDefinition = definition(
  'Gadget',
  {
    spec: { type: 'object', properties: { size: { type: 'integer' }, name: text } },
    status: { type: 'object', properties: { phase: text } },
  },
  { spec: { scope: 'Cluster' } },
)
