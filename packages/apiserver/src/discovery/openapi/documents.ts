import type { Catalogue, Resource } from '../../registry/resource.ts'
import type { SchemaNode } from '../../schema/type-schema.ts'
import { digest } from '../digest.ts'
import { groupsOf, type GroupVersion } from '../group.ts'
import { Components } from './components.ts'
import { pathsOf } from './paths.ts'

/** A document in OpenAPI v3 of one group and version, as text, and what tells its versions apart. */
export interface OpenApiDocument {
  readonly text: string
  readonly hash: string
}

/**
 * The OpenAPI v3 documents of a catalogue. Each is made when it is first asked for, and again only when a
 * resource of its group and version has changed.
 */
export class OpenApiDocuments {
  #catalogue: Catalogue
  #version: string
  #revision: number | undefined
  #groupVersions = new Map<string, GroupVersion>()
  #made = new Map<string, OpenApiDocument & { readonly of: readonly Resource[] }>()

  /** `version` is the version of the server, as the documents tell it. */
  constructor(catalogue: Catalogue, version: string) {
    this.#catalogue = catalogue
    this.#version = version
  }

  /** The paths of all documents: `api/v1`, `apis/apps/v1`, …. */
  paths(): string[] {
    this.#refresh()
    return [...this.#groupVersions.keys()]
  }

  /** The document of a path as {@link paths} names it. */
  at(path: string): OpenApiDocument | undefined {
    this.#refresh()
    const groupVersion = this.#groupVersions.get(path)
    if (!groupVersion) return undefined
    const made = this.#made.get(path)
    if (made && sameResources(made.of, groupVersion.resources)) return made
    const text = JSON.stringify(this.#document(groupVersion))
    const document = { text, hash: digest(text), of: groupVersion.resources }
    this.#made.set(path, document)
    return document
  }

  #document({ resources }: GroupVersion): object {
    const components = new Components(sharedDefinitions(this.#catalogue))
    const paths = Object.assign({}, ...resources.map((resource) => pathsOf(resource, components)))
    return {
      openapi: '3.0.0',
      info: { title: 'Kubernetes', version: this.#version },
      paths,
      components: { schemas: components.schemas },
    }
  }

  #refresh(): void {
    if (this.#revision === this.#catalogue.revision) return
    this.#revision = this.#catalogue.revision
    this.#groupVersions = new Map(
      groupsOf(this.#catalogue).flatMap(({ name, versions }) =>
        versions.map((groupVersion) => [
          name === '' ? `api/${groupVersion.version}` : `apis/${name}/${groupVersion.version}`,
          groupVersion,
        ]),
      ),
    )
    for (const path of this.#made.keys()) if (!this.#groupVersions.has(path)) this.#made.delete(path)
  }
}

/** The definitions of the native kinds, which hold the types of metadata that custom kinds share. */
function sharedDefinitions(catalogue: Catalogue): Readonly<Record<string, SchemaNode>> {
  return catalogue.all().find((resource) => !resource.custom)?.schema.definitions ?? {}
}

function sameResources(one: readonly Resource[], other: readonly Resource[]): boolean {
  return one.length === other.length && one.every((resource, index) => resource === other[index])
}
