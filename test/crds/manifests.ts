import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '@homeostat/api'
import { parseDocument } from 'yaml'

/** An object of a module's files. */
export interface Manifest {
  /** The file below the module's folder, and the number of the document in it. */
  readonly place: string
  readonly object: ManifestObject
}

export interface ManifestObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata?: Record<string, unknown>
  readonly [field: string]: unknown
}

/** The content of a module. */
export interface ModuleManifests {
  /** One for each name. */
  readonly definitions: readonly Manifest[]
  /** Objects of the kinds that the definitions define, each text once. */
  readonly samples: readonly Manifest[]
  /** How many documents were left out, by reason. */
  readonly skipped: ReadonlyMap<string, number>
}

/** A document before it is parsed. */
interface Document {
  readonly place: string
  readonly text: string
}

/** Reads the definitions and sample objects in the YAML files and Markdown pages of a folder. */
export function readManifests(folder: string): ModuleManifests {
  const skipped = new Map<string, number>()
  const documents = filesOf(folder).flatMap((file) => documentsOf(folder, file))
  const definitions = chooseDefinitions(documents)
  const groups = new Set(definitions.map(({ object }) => definitionSpec(object).group))
  const samples: Manifest[] = []
  const seen = new Set<string>()
  for (const document of documents) {
    const named = [...document.text.matchAll(/^[\s-]*"?apiVersion"?: *["']?([a-z0-9.-]+)\//gm)]
    if (!named.some(([, group = '']) => groups.has(group))) continue
    if (isDefinitionText(document.text) || seen.has(document.text)) continue
    seen.add(document.text)
    const parsed = parse(document)
    if (typeof parsed === 'string') count(skipped, parsed)
    else samples.push(...parsed.filter(({ object }) => groups.has(groupOf(object))))
  }
  return { definitions, samples, skipped }
}

export interface DefinitionSpec {
  readonly group: string
  readonly scope: string
  readonly names: { readonly plural: string; readonly kind: string }
  readonly versions: readonly {
    readonly name: string
    readonly served: boolean
    readonly storage: boolean
    readonly subresources?: { readonly status?: unknown }
  }[]
  readonly conversion?: { readonly strategy?: string }
}

export function definitionSpec(object: ManifestObject): DefinitionSpec {
  return object['spec'] as DefinitionSpec
}

export function groupOf({ apiVersion }: ManifestObject): string {
  return apiVersion.split('/')[0] ?? ''
}

export function count(counts: Map<string, number>, reason: string): void {
  counts.set(reason, (counts.get(reason) ?? 0) + 1)
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ya?ml|md|golden)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function documentsOf(folder: string, file: string): Document[] {
  const text = readFileSync(file, 'utf8')
  const blocks = file.endsWith('.md')
    ? [...text.matchAll(/^( *)```ya?ml[^\n]*\n(.*?)^ *```/gms)].map(([, indent = '', block = '']) =>
        block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      )
    : [text]
  const documents = blocks.flatMap((block) => block.split(/^---.*$/m))
  const path = file.slice(folder.length + 1)
  return documents.map((one, index) => ({ place: `${path}#${index}`, text: one }))
}

function isDefinitionText(text: string): boolean {
  return /^kind: *["']?CustomResourceDefinition\b/m.test(text)
}

/** Chooses among definitions with one name the one outside folders of tests, and then the longest. */
function chooseDefinitions(documents: readonly Document[]): Manifest[] {
  const found = documents
    .filter(
      ({ text }) =>
        isDefinitionText(text) && /^apiVersion: *["']?apiextensions.k8s.io\/v1["']?\s*$/m.test(text),
    )
    .sort((a, b) => Number(isAside(a)) - Number(isAside(b)) || b.text.length - a.text.length)
  const chosen = new Map<string, Manifest>()
  for (const document of found) {
    const named = /^ {2}name: *["']?([a-z0-9.-]+)["']?\s*$/m.exec(document.text)?.[1]
    if (named !== undefined && chosen.has(named)) continue
    const parsed = parse(document)
    if (typeof parsed === 'string') continue
    for (const one of parsed) {
      const name = one.object.metadata?.['name']
      if (typeof name === 'string' && !chosen.has(name) && isDefinition(one.object)) chosen.set(name, one)
    }
  }
  return [...chosen.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

function isDefinition({ spec }: ManifestObject): boolean {
  const { group, names, versions } = (spec ?? {}) as Partial<DefinitionSpec>
  return typeof group === 'string' && typeof names?.plural === 'string' && Array.isArray(versions)
}

function nameOf({ object }: Manifest): string {
  return String(object.metadata?.['name'])
}

/** Whether a document is part of a project's tests or texts, not of what it installs. */
export function isAside({ place }: { readonly place: string }): boolean {
  return /(^|\/)(test|tests|e2e|testdata|examples?|hack|docs|design|fixtures|vendor)\/|\.md#/.test(place)
}

/** The objects in a document, or why it is left out. */
function parse({ place, text }: Document): Manifest[] | string {
  let value: unknown
  try {
    const document = parseDocument(text, { merge: true, logLevel: 'silent' })
    if (document.errors.length > 0) return /\{\{|<%/.test(text) ? 'a template' : 'not plain YAML'
    value = document.toJS({ maxAliasCount: 1000 })
  } catch {
    return 'not plain YAML'
  }
  const whole =
    isJsonObject(value) && value['kind'] === 'List' && Array.isArray(value['items'])
      ? value['items']
      : [value]
  const objects = whole.filter(isManifestObject)
  return objects.length === 0
    ? 'no object with apiVersion and kind'
    : objects.map((object) => ({ place, object }))
}

function isManifestObject(value: unknown): value is ManifestObject {
  return isJsonObject(value) && typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string'
}
