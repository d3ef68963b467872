import { loadDocumentsData, patched, type Release } from '../../version/index.ts'
import { documentHashes } from './generated/document-hashes.ts'
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

const EMPTY: PackedDocument = { paths: {}, schemas: [], own: {} }

/** The differences of a release. Its parameters continue the list of the default release. */
interface DocumentsPatch extends SharedParts {
  readonly documents: Readonly<Record<string, object | null>>
}

/** The content of a release besides that which all releases share. */
interface ReleasePatch {
  readonly hashes: Readonly<Record<string, string>>
  readonly patch: DocumentsPatch
}

/**
 * The OpenAPI documents of the native groups of a release, as Kubernetes writes them. Their content is loaded on first use
 * and cached.
 */
export class NativeDocuments {
  readonly #release: Release
  #patch: Promise<ReleasePatch | undefined> | undefined
  #shared: Promise<SharedParts> | undefined

  constructor(release: Release) {
    this.#release = release
  }

  /** The addresses of the documents, each with a hash that changes with its content. */
  async hashes(): Promise<Readonly<Record<string, string>>> {
    return (await this.#loadPatch())?.hashes ?? documentHashes
  }

  /** The shared content of the documents. */
  shared(): Promise<SharedParts> {
    return (this.#shared ??= this.#loadShared())
  }

  /** The document of a native group and version, or of one of the addresses that name no group. */
  async document(address: string): Promise<DocumentParts | undefined> {
    const packed = await this.#packed(address)
    if (packed === undefined) return undefined
    const { paths, schemas, own } = packed
    const shared = await this.shared()
    return {
      paths: withParameters(paths, shared.parameters) as DocumentParts['paths'],
      schemas: Object.fromEntries(schemas.map((name) => [name, own[name] ?? shared.schemas[name]!])),
    }
  }

  async #packed(address: string): Promise<PackedDocument | undefined> {
    const { packedDocuments } = await import('./generated/packed-documents.ts')
    const text = packedDocuments[address]
    const changed = (await this.#loadPatch())?.patch.documents[address]
    if (changed === null || (text === undefined && !changed)) return undefined
    const packed = text === undefined ? EMPTY : await unpack<PackedDocument>(text)
    return changed ? patched(packed, changed) : packed
  }

  async #loadShared(): Promise<SharedParts> {
    const { packedShared } = await import('./generated/packed-documents.ts')
    const shared = await unpack<SharedParts>(packedShared)
    const changed = (await this.#loadPatch())?.patch
    if (!changed) return shared
    return {
      schemas: patched(shared.schemas, changed.schemas),
      parameters: [...shared.parameters, ...changed.parameters],
      groupVersions: changed.groupVersions,
    }
  }

  #loadPatch(): Promise<ReleasePatch | undefined> {
    return (this.#patch ??= loadPatch(this.#release))
  }
}

const loaded = new Map<Release, NativeDocuments>()

/** The documents of a release, which all servers of this process share. */
export function nativeDocumentsOf(release: Release): NativeDocuments {
  let documents = loaded.get(release)
  if (!documents) loaded.set(release, (documents = new NativeDocuments(release)))
  return documents
}

async function loadPatch(release: Release): Promise<ReleasePatch | undefined> {
  const data = await loadDocumentsData(release)
  return data && { hashes: data.documentHashes, patch: await unpack<DocumentsPatch>(data.packedPatch) }
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
