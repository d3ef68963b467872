import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../schema/index.ts'
import type { Endpoint } from '../../upstream/index.ts'
import { aggregatedResources } from './aggregated-resources.ts'
import type { Extension, ExtensionDocuments } from './extension.ts'
import type { ExtensionDocument, ExtensionNetwork } from './extension-network.ts'
import { AGGREGATOR, OPENAPI_AGGREGATOR, userHeaders } from './front-proxy.ts'
import { openApiOfSwagger } from './openapi-of-swagger.ts'

const DISCOVERY_TIMEOUT = 5_000
const OPENAPI_TIMEOUT = 60_000
const AGGREGATED = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .join(',')

/** Asks an extension API server for its documents. */
export class DocumentReader {
  readonly #network: ExtensionNetwork
  readonly #extension: Extension
  readonly #endpoint: Endpoint

  constructor(network: ExtensionNetwork, extension: Extension, endpoint: Endpoint) {
    this.#network = network
    this.#extension = extension
    this.#endpoint = endpoint
  }

  /** The resources of the group and version, in whichever form the server has them. Rejects where it has none. */
  async resources(): Promise<readonly object[]> {
    const { group, version } = this.#extension
    const all = await this.#get('/apis', AGGREGATED)
    if (all.status === 503) throw new Error('the server is not available')
    const type = textOf(all.headers['content-type'] ?? '')
    if (all.status === 200 && type.includes('as=APIGroupDiscoveryList')) {
      const found = listOf(jsonOf(all)['items'])
        .map(objectOf)
        .find(({ metadata }) => textOf(objectOf(metadata)['name'] ?? '') === group)
      const served = listOf(found?.['versions'])
        .map(objectOf)
        .find((one) => one['version'] === version)
      return listOf(served?.['resources']).map(withResponseKinds)
    }
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const list = await this.#get(path, 'application/json')
    if (list.status !== 200) throw new Error(`the server answers ${path} with ${list.status}`)
    return aggregatedResources(listOf(jsonOf(list)['resources']).map(objectOf))
  }

  /** The OpenAPI documents of the server. A server may have none. */
  async openApi(): Promise<Omit<ExtensionDocuments, 'resources'>> {
    const [index, document] = await Promise.all([
      this.#get('/openapi/v3', 'application/json', OPENAPI_TIMEOUT),
      this.#get('/openapi/v2', 'application/json', OPENAPI_TIMEOUT),
    ])
    const swagger = document.status === 200 ? jsonOf(document) : undefined
    if (index.status === 200) {
      const paths = Object.entries(objectOf(jsonOf(index)['paths'])).map(
        ([path, item]) => [path, textOf(objectOf(item)['serverRelativeURL'])] as const,
      )
      return { swagger, openApi: new Map(paths) }
    }
    if (!swagger || index.status !== 404) return { swagger, openApi: new Map() }
    const { group, version } = this.#extension
    const address = `apis/${group}/${version}`
    const text = JSON.stringify(openApiOfSwagger(swagger))
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-512', new TextEncoder().encode(text)))
    const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0'))
      .join('')
      .toUpperCase()
    return {
      swagger,
      converted: { text, hash },
      openApi: new Map([[address, `/openapi/v3/${address}?hash=${hash}`]]),
    }
  }

  #get(path: string, accept: string, timeout = DISCOVERY_TIMEOUT): Promise<ExtensionDocument> {
    const user = timeout === DISCOVERY_TIMEOUT ? AGGREGATOR : OPENAPI_AGGREGATOR
    const headers = { accept, ...userHeaders(user) }
    return this.#network.get(this.#extension, this.#endpoint, { path, headers, timeout })
  }
}

function jsonOf({ body }: ExtensionDocument): JsonObject {
  const value: unknown = JSON.parse(body.toString())
  if (!isObject(value)) throw new Error('the server answers with JSON that is not an object')
  return value
}

/** Clients of some versions cannot read resources without a kind. */
function withResponseKinds(value: unknown): object {
  const resource = objectOf(value)
  const none = { group: '', version: '', kind: '' }
  const subresources = listOf(resource['subresources'])
    .map(objectOf)
    .map((one) => ({ ...one, responseKind: one['responseKind'] ?? none }))
  return {
    ...resource,
    responseKind: resource['responseKind'] ?? none,
    ...(subresources.length > 0 && { subresources }),
  }
}
