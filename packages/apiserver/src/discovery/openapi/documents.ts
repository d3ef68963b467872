import type { Catalogue, Resource } from '../../registry/index.ts'
import { digest } from '../answer/digest.ts'
import { customDocument } from './custom-document.ts'
import { BEARER_TOKEN, type DocumentParts, type NativeDocuments } from './native-documents.ts'

/** The documents of one revision of a catalogue. */
interface Listed {
  /** The custom resources of each address. */
  readonly custom: ReadonlyMap<string, readonly Resource[]>
  /** The hashes of all documents, by address. */
  readonly hashes: ReadonlyMap<string, string>
}

/**
 * The OpenAPI v3 documents of a catalogue. Their addresses and hashes are known at once. A document is made on its
 * first request, and again only after a resource of its group and version has changed.
 */
export class OpenApiDocuments {
  readonly #catalogue: Catalogue
  readonly #native: NativeDocuments
  /** The version of Kubernetes, as the native documents name it. */
  readonly #version: string
  #made: { readonly revision: number; readonly listed: Promise<Listed> } | undefined
  readonly #texts = new Map<string, { readonly hash: string; readonly text: Promise<string> }>()

  constructor(catalogue: Catalogue, native: NativeDocuments, version: string) {
    this.#catalogue = catalogue
    this.#native = native
    this.#version = version
  }

  /** The addresses of all documents, such as `apis/apps/v1`, each with a hash that changes with its content. */
  async hashes(): Promise<ReadonlyMap<string, string>> {
    return (await this.#listed()).hashes
  }

  /** The document at an address as {@link hashes} names it. */
  async text(address: string): Promise<string | undefined> {
    const { hashes, custom } = await this.#listed()
    const hash = hashes.get(address)
    if (hash === undefined) return undefined
    let made = this.#texts.get(address)
    if (made?.hash !== hash) {
      made = { hash, text: this.#make(address, custom.get(address)) }
      this.#texts.set(address, made)
    }
    return made.text
  }

  async #make(address: string, resources: readonly Resource[] | undefined): Promise<string> {
    const native = await this.#native.document(address)
    if (!resources) return native ? this.#nativeText(native) : '{}'
    const custom = customDocument(resources, await this.#native.shared())
    if (native) {
      return this.#nativeText({
        paths: { ...native.paths, ...custom.paths },
        schemas: { ...native.schemas, ...custom.schemas },
      })
    }
    const { paths, schemas } = custom
    const info = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' }
    return JSON.stringify({ openapi: '3.0.0', info, paths, components: { schemas } })
  }

  #nativeText({ paths, schemas }: DocumentParts): string {
    const info = { title: 'Kubernetes', version: this.#version }
    const components = {
      ...(Object.keys(schemas).length > 0 && { schemas }),
      securitySchemes: { BearerToken: BEARER_TOKEN },
    }
    return JSON.stringify({ openapi: '3.0.0', info, paths, components })
  }

  #listed(): Promise<Listed> {
    const { revision } = this.#catalogue
    if (this.#made?.revision !== revision) this.#made = { revision, listed: this.#list() }
    return this.#made.listed
  }

  async #list(): Promise<Listed> {
    const custom = customByAddress(this.#catalogue)
    const hashes = new Map(Object.entries(await this.#native.hashes()))
    for (const [address, resources] of custom) {
      hashes.set(address, await digest(JSON.stringify([hashes.get(address), resources])))
    }
    for (const address of this.#texts.keys()) if (!hashes.has(address)) this.#texts.delete(address)
    return { custom, hashes: new Map([...hashes].sort(([a], [b]) => (a < b ? -1 : 1))) }
  }
}

function customByAddress(catalogue: Catalogue): Map<string, readonly Resource[]> {
  const byAddress = new Map<string, Resource[]>()
  for (const resource of catalogue.all()) {
    if (!resource.custom) continue
    const address = `apis/${resource.group}/${resource.version}`
    byAddress.set(address, [...(byAddress.get(address) ?? []), resource])
  }
  return byAddress
}
