import { joinBytes, turnOfTheEventLoop } from '@homeostat/api'
import type { Catalogue, Resource } from '../../registry/index.ts'
import { addAll, inTurns } from '../../work/index.ts'
import { digest } from '../answer/digest.ts'
import type { Extensions } from '../extensions/extensions.ts'
import { BEARER_TOKEN, type NativeDocuments, type SharedParts } from '../openapi/native-documents.ts'
import { DOCUMENT, documentEnd, documentHead, listHead } from './gnostic.ts'
import { extensionEntries } from './extension-entries.ts'
import { SharedParameters } from './shared-parameters.ts'
import { customEntries, nativeEntries } from './swagger-entries.ts'
import { SwaggerEntry, type SwaggerList } from './swagger-entry.ts'

const encoder = new TextEncoder()
/** How many bytes are written in protobuf in one turn of the event loop. */
const BYTES_PER_TURN = 64 * 1024

/** The document in one form. Both forms have the same tag; caches distinguish them by `Vary`. */
export interface WrittenDocument {
  readonly bytes: Uint8Array
  readonly etag: string
}

/** The document at one revision of the catalogue. */
interface Revision {
  /** The revisions of the catalogue and of the extensions. */
  readonly of: string
  readonly entries: Promise<Entries>
  json?: Promise<WrittenDocument>
  protobuf?: Promise<WrittenDocument>
}

type Entries = Readonly<Record<SwaggerList, readonly SwaggerEntry[]>>

interface Native {
  readonly entries: readonly SwaggerEntry[]
  readonly shared: SharedParts
  readonly parameters: SharedParameters
}

/**
 * The OpenAPI v2 document of a catalogue. It is made on its first request, from the data of the OpenAPI v3 documents.
 * After a change of a CustomResourceDefinition or of another API server, only the changed entries are encoded again. Each turn of the event
 * loop is short, however many kinds there are.
 */
export class SwaggerDocument {
  readonly #catalogue: Catalogue
  readonly #extensions: Extensions | undefined
  readonly #info: { readonly title: string; readonly version: string }
  /** The entries of custom kinds. A changed definition has new resource values. */
  readonly #custom = new WeakMap<Resource, readonly SwaggerEntry[]>()
  readonly #documents: NativeDocuments
  #native: Promise<Native> | undefined
  #current: Revision | undefined

  constructor(catalogue: Catalogue, documents: NativeDocuments, version: string, extensions?: Extensions) {
    this.#catalogue = catalogue
    this.#documents = documents
    this.#extensions = extensions
    this.#info = { title: 'Kubernetes', version }
  }

  /** The document in JSON. */
  json(): Promise<WrittenDocument> {
    const current = this.#revision()
    return (current.json ??= this.#writeJson(current.entries))
  }

  /** The document in the protobuf messages of gnostic. */
  protobuf(): Promise<WrittenDocument> {
    const current = this.#revision()
    return (current.protobuf ??= this.#writeProtobuf(current.entries, this.json()))
  }

  #revision(): Revision {
    const of = `${this.#catalogue.revision} ${this.#extensions?.revision}`
    if (this.#current?.of !== of) this.#current = { of, entries: this.#entries() }
    return this.#current
  }

  async #entries(): Promise<Entries> {
    const custom = this.#catalogue.all().filter((resource) => resource.custom)
    const native = await (this.#native ??= nativeParts(this.#documents))
    const all = new Map(native.entries.map((entry) => [`${entry.list} ${entry.name}`, entry]))
    for (const resource of custom) {
      // A definition of Kubernetes' own keeps its name.
      for (const entry of await this.#customEntries(resource, native)) {
        const key = `${entry.list} ${entry.name}`
        if (!all.has(key)) all.set(key, entry)
      }
    }
    for (const [name, parameter] of native.parameters.all) {
      all.set(`parameter ${name}`, new SwaggerEntry('parameter', name, parameter))
    }
    for (const extension of this.#extensions?.versions() ?? []) {
      for (const entry of extensionEntries(extension, all)) all.set(`${entry.list} ${entry.name}`, entry)
      await turnOfTheEventLoop()
    }
    const sorted = [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    const of = (list: SwaggerList): SwaggerEntry[] => sorted.filter((entry) => entry.list === list)
    return { path: of('path'), definition: of('definition'), parameter: of('parameter') }
  }

  async #customEntries(resource: Resource, { shared, parameters }: Native): Promise<readonly SwaggerEntry[]> {
    const known = this.#custom.get(resource)
    if (known) return known
    const entries = customEntries(resource, shared, parameters)
    this.#custom.set(resource, entries)
    await turnOfTheEventLoop()
    return entries
  }

  async #writeJson(made: Promise<Entries>): Promise<WrittenDocument> {
    const { path, definition, parameter } = await made
    const bytes = joinBytes([
      encoder.encode(`{"swagger":"2.0","info":${JSON.stringify(this.#info)},"paths":{`),
      ...commaSeparated(path),
      encoder.encode('},"definitions":{'),
      ...commaSeparated(definition),
      encoder.encode('},"parameters":{'),
      ...commaSeparated(parameter),
      encoder.encode(
        `},"securityDefinitions":${JSON.stringify({ BearerToken: BEARER_TOKEN })},"security":[{"BearerToken":[]}]}`,
      ),
    ])
    return { bytes, etag: `"${await digest(bytes)}"` }
  }

  async #writeProtobuf(made: Promise<Entries>, json: Promise<WrittenDocument>): Promise<WrittenDocument> {
    const { path, definition, parameter } = await made
    const bytes = joinBytes([
      documentHead('2.0', this.#info),
      ...(await protobufList(DOCUMENT.paths, path)),
      ...(await protobufList(DOCUMENT.definitions, definition)),
      ...(await protobufList(DOCUMENT.parameters, parameter)),
      documentEnd({ BearerToken: BEARER_TOKEN }),
    ])
    return { bytes, etag: (await json).etag }
  }
}

async function nativeParts(documents: NativeDocuments): Promise<Native> {
  const shared = await documents.shared()
  const parameters = new SharedParameters()
  const known = new Set<string>()
  const entries: SwaggerEntry[] = []
  for (const address of Object.keys(await documents.hashes())) {
    const document = await documents.document(address)
    if (document) addAll(entries, await inTurns(nativeEntries(document, shared, parameters, known)))
  }
  return { entries, shared, parameters }
}

async function protobufList(number: number, entries: readonly SwaggerEntry[]): Promise<Uint8Array[]> {
  let written = 0
  for (const entry of entries) {
    if (entry.hasProtobuf) continue
    written += entry.protobuf.length
    if (written < BYTES_PER_TURN) continue
    await turnOfTheEventLoop()
    written = 0
  }
  const parts = entries.map(({ protobuf }) => protobuf)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return [listHead(number, length), ...parts]
}

function commaSeparated(entries: readonly SwaggerEntry[]): Uint8Array<ArrayBuffer>[] {
  const comma = encoder.encode(',')
  return entries.flatMap(({ json }, index) => (index === 0 ? [json] : [comma, json]))
}
