import { unpack } from './unpack.ts'

/** A component of an OpenAPI v3 document: a schema whose references lead to other components. */
export type Component = Readonly<Record<string, unknown>>

/** The content of a document of a group and version. */
export interface DocumentParts {
  readonly paths: Readonly<Record<string, unknown>>
  readonly schemas: Readonly<Record<string, Component>>
}

/** The shared content of all documents: schemas by name, and the parameters of operations. */
export interface SharedParts {
  readonly schemas: Readonly<Record<string, Component>>
  readonly parameters: readonly Component[]
  /** Every group and version of Kubernetes, also those that are not served: some types are registered in all of them. */
  readonly groupVersions: readonly { readonly group: string; readonly version: string }[]
}

/** The security section of all documents. */
export const BEARER_TOKEN = {
  description: 'Bearer Token authentication',
  type: 'apiKey',
  name: 'authorization',
  in: 'header',
}

interface PackedDocument {
  readonly paths: Readonly<Record<string, unknown>>
  readonly schemas: readonly string[]
  readonly own: Readonly<Record<string, Component>>
}

let shared: Promise<SharedParts> | undefined

/** The shared content of the native documents, loaded on first use and cached. */
export function sharedParts(): Promise<SharedParts> {
  return (shared ??= loadShared())
}

async function loadShared(): Promise<SharedParts> {
  const { packedShared } = await import('./generated/packed-documents.ts')
  return (await unpack(packedShared)) as SharedParts
}

/** The document of a native group and version, or of one of the addresses that name no group, as Kubernetes writes it. */
export async function nativeDocument(address: string): Promise<DocumentParts | undefined> {
  const { packedDocuments } = await import('./generated/packed-documents.ts')
  const packed = packedDocuments[address]
  if (packed === undefined) return undefined
  const [{ paths, schemas, own }, common] = await Promise.all([
    unpack(packed) as Promise<PackedDocument>,
    sharedParts(),
  ])
  return {
    paths: withParameters(paths, common.parameters) as DocumentParts['paths'],
    schemas: Object.fromEntries(schemas.map((name) => [name, own[name] ?? common.schemas[name]!])),
  }
}

/** Replaces the numbers of parameters in operations by the parameters. */
function withParameters(value: unknown, parameters: readonly Component[]): unknown {
  if (Array.isArray(value)) return value.map((part) => withParameters(part, parameters))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === 'parameters' && Array.isArray(part)
        ? part.map((index: number) => parameters[index])
        : withParameters(part, parameters),
    ]),
  )
}
