import { specOf, statusOf, type ServerObject } from '../../registry/index.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../schema/index.ts'

/** An APIService that another API server answers. */
export interface Extension {
  /** The name of the APIService. */
  readonly name: string
  readonly group: string
  readonly version: string
  readonly groupPriority: number
  readonly versionPriority: number
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number }
  /** The authorities that may have signed the server's certificate, in PEM; undefined for those that the machine trusts. */
  readonly authorities: string | undefined
  /** Whether the certificate of the server is not verified. */
  readonly insecure: boolean
  /** Whether the APIService says that the server is available. */
  readonly available: boolean
}

/** The documents in which an extension API server describes itself. */
export interface ExtensionDocuments {
  /** The resources of the group and version, in the aggregated form of discovery. */
  readonly resources: readonly object[]
  readonly swagger?: JsonObject | undefined
  /** The addresses of its OpenAPI v3 documents, by what they describe. */
  readonly openApi: ReadonlyMap<string, string>
  /** An OpenAPI v3 document that was made from the server's v2 document, if it has no v3 document. */
  readonly converted?: ConvertedDocument | undefined
}

/** A document that was made from another one. */
export interface ConvertedDocument {
  readonly text: string
  readonly hash: string
}

export const NO_DOCUMENTS: ExtensionDocuments = { resources: [], openApi: new Map() }

/** The extension that an APIService describes; undefined where this server itself answers. */
export function extensionOf(apiService: ServerObject): Extension | undefined {
  const spec = specOf(apiService)
  const { service, caBundle } = spec
  if (!isObject(service)) return undefined
  return {
    name: apiService.metadata.name ?? '',
    group: textOf(spec['group'] ?? ''),
    version: textOf(spec['version']),
    groupPriority: Number(spec['groupPriorityMinimum'] ?? 0),
    versionPriority: Number(spec['versionPriority'] ?? 0),
    service: {
      namespace: textOf(service['namespace']),
      name: textOf(service['name']),
      port: Number(service['port'] ?? 443),
    },
    authorities: caBundle ? decoder.decode(bytesOf(textOf(caBundle))) : undefined,
    insecure: spec['insecureSkipTLSVerify'] === true,
    available: availableCondition(apiService)?.['status'] === 'True',
  }
}

/** The condition by which an APIService says whether its server is available. */
export function availableCondition(apiService: ServerObject): JsonObject | undefined {
  return listOf(statusOf(apiService)['conditions'])
    .map(objectOf)
    .find(({ type }) => type === 'Available')
}

/** Whether two extensions reach different servers, or the same server in different ways. */
export function leadsElsewhere(a: Extension, b: Extension): boolean {
  const way = ({ service, authorities, insecure }: Extension): string =>
    JSON.stringify([service, authorities, insecure])
  return way(a) !== way(b)
}

/** The name that the certificate of the server must be for. */
export function serverName({ service: { name, namespace } }: Extension): string {
  return `${name}.${namespace}.svc`
}

/** The path below which the server answers. */
export function pathOf({ group, version }: Extension): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}

const decoder = new TextDecoder()

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
