import type { ApiRequest } from '@homeostat/api'

/** One request to the API, as it goes over the wire. */
export interface HostileCall {
  readonly method: ApiRequest['method']
  /** The path, with its query. */
  readonly path: string
  /** Default: `application/json`, and of a PATCH `application/merge-patch+json`. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as it is, everything else as JSON. */
  readonly body?: unknown
}

/** A request that costs a server much more than it costs its sender. */
export interface HostileRequest {
  readonly title: string
  /** The schema of `spec` of the custom kind `Hostile` that the request needs, at {@link HOSTILES}. */
  readonly spec?: object
  /** Further fields of the definition's version. */
  readonly version?: object
  /** Requests to send before it, which are not measured. Each must succeed. */
  readonly before?: (size: number) => readonly HostileCall[]
  /** The request. `size` is how much there is of what makes it hostile. */
  readonly request: (size: number) => HostileCall
  /** The largest size that is not refused for its length: of the body, or of the object that would be stored. */
  readonly size: number
  /** Whether the suite also sends it in this size, to see what is left to the server's own thread. Default: false. */
  readonly whole?: boolean
  /** A size that fills the body, where that is more: such an object is refused as etcd would, with 500. */
  readonly unstorable?: number
  /** The status code of the answer. Where kube-apiserver runs into its timeout instead, what it would answer with more time. */
  readonly code: number
  /** The status code of the answer over a port, where that differs: a port takes at most 10,000 headers. */
  readonly overPort?: number
}

/** The path of the custom kind's objects. */
export const HOSTILES = '/apis/hostile.dev/v1/hostiles'
/** The path of ConfigMaps. */
export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
/** The path of definitions of custom kinds. */
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** A definition of the custom kind `Hostile`. */
export function hostileDefinition(spec: object, version: object = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'hostiles.hostile.dev' },
    spec: {
      group: 'hostile.dev',
      scope: 'Cluster',
      names: { plural: 'hostiles', singular: 'hostile', kind: 'Hostile', listKind: 'HostileList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          ...version,
        },
      ],
    },
  }
}

/** An object of the custom kind. */
export function hostile(spec: unknown, metadata: object = {}): object {
  return { apiVersion: 'hostile.dev/v1', kind: 'Hostile', metadata: { name: 'h', ...metadata }, spec }
}

/** POST of an object of the custom kind. `dry`: without storing it, so that the limit of the store does not matter. */
export function create(spec: unknown, dry = true): HostileCall {
  return { method: 'POST', path: dry ? `${HOSTILES}?dryRun=All` : HOSTILES, body: hostile(spec) }
}

/** A list of `length` items. */
export function many<T>(length: number, item: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => item(index))
}
