import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { moduleFolder } from './kubernetes-source.ts'

/** A field of a Go struct, as its JSON tag names it. */
export interface GoField {
  readonly type: string
  /** The options after the name in the tag: `omitempty`, `omitzero`. */
  readonly options: ReadonlySet<string>
  /** The inlined struct that the field belongs to; empty for the struct's own fields. */
  readonly inlined: string
}

/** Where the Go types of the definitions lie: the module, and the folder inside it. */
const PACKAGES: readonly (readonly [prefix: string, module: string, folder: string])[] = [
  ['io.k8s.api.', 'k8s.io/api', ''],
  ['io.k8s.apimachinery.pkg.', 'k8s.io/apimachinery', 'pkg'],
  ['io.k8s.apiextensions-apiserver.pkg.', 'k8s.io/apiextensions-apiserver', 'pkg'],
  ['io.k8s.kube-aggregator.pkg.', 'k8s.io/kube-aggregator', 'pkg'],
]

/**
 * The fields of the Go structs behind the definitions. OpenAPI does not say whether a field is a pointer, nor whether
 * it is left out when it is empty, and both decide how an object is written.
 */
export class GoTypes {
  readonly #version: string
  readonly #modules = new Map<string, string>()
  /** The structs of each folder by name. */
  readonly #packages = new Map<string, ReadonlyMap<string, string>>()

  /** `version` is that of Kubernetes; the modules of its types count from zero: `v0.36.3`. */
  constructor(version: string) {
    this.#version = version.replace(/^v1\./, 'v0.')
  }

  /** The fields of a definition by their JSON names; undefined where it is not a struct. */
  fieldsOf(definition: string): Map<string, GoField> | undefined {
    const known = PACKAGES.find(([prefix]) => definition.startsWith(prefix))
    if (!known) return undefined
    const [prefix, module, folder] = known
    const path = definition.slice(prefix.length).split('.')
    const name = path.pop()!
    return this.#fields(this.#package(module, join(folder, ...path)), name)
  }

  /** The markers before each field of a definition, such as `+default="TCP"`, by their JSON names. */
  markersOf(definition: string): ReadonlyMap<string, readonly string[]> {
    const body = this.#bodyOf(definition)
    const markers = new Map<string, readonly string[]>()
    let waiting: string[] = []
    for (const line of body?.split('\n') ?? []) {
      const marker = /^\s*\/\/ ?(\+\S.*)$/.exec(line)?.[1]
      const json = /json:"([^",]+)/.exec(line)?.[1]
      if (marker) waiting.push(marker.trim())
      if (!json) continue
      markers.set(json, waiting)
      waiting = []
    }
    for (const inlined of this.inlinedIn(definition)) {
      for (const [field, found] of this.markersOf(inlined)) markers.set(field, found)
    }
    return markers
  }

  /** The definitions whose fields a definition has as its own, because its struct embeds theirs. */
  inlinedIn(definition: string): string[] {
    const group = definition.slice(0, definition.lastIndexOf('.'))
    const embedded = (this.#bodyOf(definition) ?? '').matchAll(/^\s*(\w+)\s+`json:",inline"/gm)
    return Array.from(embedded, ([, name]) => `${group}.${name}`)
  }

  #bodyOf(definition: string): string | undefined {
    const known = PACKAGES.find(([prefix]) => definition.startsWith(prefix))
    if (!known) return undefined
    const [prefix, module, folder] = known
    const path = definition.slice(prefix.length).split('.')
    const name = path.pop()!
    return this.#package(module, join(folder, ...path)).get(name)
  }

  #fields(types: ReadonlyMap<string, string>, name: string): Map<string, GoField> | undefined {
    const body = types.get(name)
    if (body === undefined) return undefined
    const fields = new Map<string, GoField>()
    for (const line of body.split('\n')) {
      const match = /^\s*(?:(?<field>\w+)\s+)?(?<type>[\w.*[\]]+)\s+`[^`]*json:"(?<tag>[^"]*)"/.exec(line)
      if (!match?.groups) continue
      const { type = '', tag = '' } = match.groups
      const [json = '', ...options] = tag.split(',')
      if (json === '-') continue
      if (json === '' && options.includes('inline')) {
        for (const [key, value] of this.#fields(types, type) ?? []) {
          fields.set(key, { ...value, inlined: [type, value.inlined].filter(Boolean).join('.') })
        }
      } else {
        fields.set(json, { type, options: new Set(options), inlined: '' })
      }
    }
    return fields
  }

  #package(module: string, folder: string): ReadonlyMap<string, string> {
    const path = join(this.#module(module), folder)
    const known = this.#packages.get(path)
    if (known) return known
    const types = new Map<string, string>()
    for (const file of readdirSync(path)) {
      if (!file.endsWith('.go') || file.endsWith('_test.go') || file.startsWith('zz_generated')) continue
      const text = readFileSync(join(path, file), 'utf8')
      for (const match of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) types.set(match[1]!, match[2]!)
    }
    this.#packages.set(path, types)
    return types
  }

  #module(module: string): string {
    let folder = this.#modules.get(module)
    if (folder === undefined) this.#modules.set(module, (folder = moduleFolder(module, this.#version)))
    return folder
  }
}
