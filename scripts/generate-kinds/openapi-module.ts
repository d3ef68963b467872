import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FieldEnum } from './go-enums.ts'
import { readJson, type OpenApiSchema } from './kubernetes-source.ts'

type Json = unknown
type JsonObject = Record<string, Json>

interface Document {
  readonly info: JsonObject
  readonly paths: Record<string, JsonObject>
  readonly components: { readonly schemas?: Record<string, JsonObject>; readonly securitySchemes: JsonObject }
}

/** How a document is packed: what it shares with others is named, the rest is its own. */
interface PackedDocument {
  /** Operations, whose parameters are places in the shared list. */
  readonly paths: JsonObject
  /** The names of the shared schemas that it holds. */
  readonly schemas: readonly string[]
  /** The schemas that look different here. */
  readonly own: JsonObject
}

/** Documents that a server does not serve unless told to. */
const NOT_SERVED = /v\d+(alpha|beta)\d+|^apis__(internal|storagemigration)\b|^logs/
/** Ways to encode that are off by default. */
const NOT_ENCODED = /^application\/(apply-patch\+)?cbor/

const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'
/** Groups whose servers have types of their own, or that only webhooks speak. */
const OF_OTHER_SERVERS = /^(admission|apiextensions|apiregistration|imagepolicy)\.k8s\.io$/

/** The OpenAPI v3 documents of a release, packed. */
export interface PackedDocuments {
  /** By address, each with a hash that changes with its content. */
  readonly hashes: Readonly<Record<string, string>>
  readonly shared: {
    readonly schemas: JsonObject
    readonly parameters: readonly Json[]
    readonly groupVersions: readonly { group: string; version: string }[]
  }
  readonly documents: Readonly<Record<string, PackedDocument>>
}

/**
 * Packs the OpenAPI v3 documents of the groups that a server serves by default, complete with descriptions. The list of
 * parameters continues `known`, so that documents of two releases name the same parameter by the same number.
 */
export function packDocuments(
  api: string,
  enums: ReadonlyMap<string, ReadonlyMap<string, FieldEnum>>,
  known: readonly Json[] = [],
): PackedDocuments {
  // Documents of custom kinds have it with all groups; the native ones name their own.
  const shared: JsonObject = { [DELETE_OPTIONS]: deleteOptions(api) }
  const parameters = new Map<string, number>(
    known.map((parameter, index) => [JSON.stringify(parameter), index]),
  )
  const packed: Record<string, PackedDocument> = {}
  const hashes: Record<string, string> = {}
  for (const [address, document] of documents(api)) {
    const { paths, components } = served(document, enums)
    hashes[address] = createHash('sha512')
      .update(JSON.stringify([paths, components]))
      .digest('hex')
      .toUpperCase()
    packed[address] = {
      paths: mapParameters(paths, (parameter) => {
        const text = JSON.stringify(parameter)
        if (!parameters.has(text)) parameters.set(text, parameters.size)
        return parameters.get(text)!
      }) as JsonObject,
      schemas: Object.keys(components),
      own: Object.fromEntries(
        Object.entries(components).filter(
          ([name, schema]) => JSON.stringify((shared[name] ??= schema)) !== JSON.stringify(schema),
        ),
      ),
    }
  }
  return {
    hashes,
    shared: {
      schemas: inOrder(shared),
      parameters: [...parameters.keys()].map((text) => JSON.parse(text) as Json),
      groupVersions: groupVersions(api),
    },
    documents: packed,
  }
}

/** A list of the documents' addresses and hashes, and a packed module that is loaded only when one of them is asked for. */
export function openApiModules({ hashes, shared, documents }: PackedDocuments): Record<string, string> {
  const documentTexts = Object.entries(documents)
    .map(([address, document]) => `  ${JSON.stringify(address)}:\n    '${pack(document)}',\n`)
    .join('')
  return {
    'document-hashes.ts': `/** The addresses of the native documents, each with a hash that changes with its content. */
export const documentHashes: Readonly<Record<string, string>> = ${JSON.stringify(hashes, null, 2)}
`,
    'packed-documents.ts': `/** The shared parts of the native documents: all schemas by name, the parameters of operations, and all groups and versions that have DeleteOptions. */
export const packedShared =
  '${pack(shared)}'

/** Each native document, without what it shares with others. */
export const packedDocuments: Readonly<Record<string, string>> = {
${documentTexts}}
`,
  }
}

/** The documents that are served, by address: `api/v1`, `apis/apps/v1`. */
function documents(api: string): [string, Document][] {
  const folder = join(api, 'openapi-spec/v3')
  return readdirSync(folder)
    .map((file) => file.replace('_openapi.json', ''))
    .filter((name) => !NOT_SERVED.test(name))
    .sort()
    .map((name) => [name.replaceAll('__', '/'), readJson(join(folder, `${name}_openapi.json`)) as Document])
}

/** DeleteOptions, which are registered in every group and version that there is. */
function deleteOptions(api: string): JsonObject {
  const core = readJson(join(api, 'openapi-spec/v3/api__v1_openapi.json')) as Document
  return {
    ...core.components.schemas![DELETE_OPTIONS],
    'x-kubernetes-group-version-kind': groupVersions(api)
      .filter(({ group }) => !OF_OTHER_SERVERS.test(group))
      .map(({ group, version }) => ({ group, kind: 'DeleteOptions', version })),
  }
}

/** Every group and version that there is: OpenAPI v2 tells them of the types that are registered in all of them. */
function groupVersions(api: string): { group: string; version: string }[] {
  const swagger = readJson(join(api, 'openapi-spec/swagger.json')) as {
    definitions: Record<string, OpenApiSchema>
  }
  const types = swagger.definitions[DELETE_OPTIONS]!['x-kubernetes-group-version-kind'] ?? []
  return types.map(({ group, version }) => ({ group, version }))
}

/** A document as a server shows it: with enumerations, without what is off by default. */
function served(
  document: Document,
  enums: ReadonlyMap<string, ReadonlyMap<string, FieldEnum>>,
): { paths: JsonObject; components: JsonObject } {
  const components = Object.fromEntries(
    Object.entries(document.components.schemas ?? {}).map(([name, schema]) => [
      name,
      withEnums(schema as OpenApiSchema, enums.get(name.split('.').slice(-3).join('_'))),
    ]),
  )
  return { paths: withoutEncodings(document.paths) as JsonObject, components }
}

function withEnums(schema: OpenApiSchema, enums: ReadonlyMap<string, FieldEnum> | undefined): JsonObject {
  if (!enums || !schema.properties) return schema
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const known = enums.get(name)
    if (!known) return [name, property]
    const { description, values, ofContent } = known
    if (ofContent) {
      const content = property.items ? 'items' : 'additionalProperties'
      return [name, { ...property, [content]: { ...property[content], enum: values } }]
    }
    return [name, { ...property, description, enum: values }]
  })
  return { ...schema, properties: Object.fromEntries(properties) as JsonObject }
}

function withoutEncodings(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEncodings)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !NOT_ENCODED.test(key))
      .map(([key, part]) => [key, withoutEncodings(part)]),
  )
}

/** The same paths with each parameter replaced, wherever a list of them stands. */
function mapParameters(value: Json, change: (parameter: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((part) => mapParameters(part, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === 'parameters' && Array.isArray(part) ? part.map(change) : mapParameters(part, change),
    ]),
  )
}

function inOrder(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Compressed, and written in characters that a source file can hold. The same on every machine. */
export function pack(value: Json): string {
  const bytes = gzipSync(JSON.stringify(value), { level: 9 })
  // The byte of the header that names the operating system.
  bytes[9] = 255
  return bytes.toString('base64')
}
