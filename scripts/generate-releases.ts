/**
 * Writes down how the API of other releases of Kubernetes differs from the one that the server follows by default: as merge
 * patches of the data that `generate-kinds.ts` makes, from the OpenAPI and discovery documents and the Go types of each release.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyMergePatch, createMergePatch, deepEqual } from '@homeostat/api'
import { DEFAULT_RELEASE, RELEASES } from '../packages/apiserver/src/version/index.ts'
import { disabledBehaviour, disabledFields } from './generate-kinds/gated-fields.ts'
import { goEnums } from './generate-kinds/go-enums.ts'
import { GoTypes } from './generate-kinds/go-types.ts'
import { apiFolder, readSource } from './generate-kinds/kubernetes-source.ts'
import { pack, packDocuments, type PackedDocuments } from './generate-kinds/openapi-module.ts'
import { schemaData, type SchemaData } from './generate-kinds/schema-module.ts'
import { groupsInOrder, IN_SUBRESOURCES, stableKinds } from './generate-kinds/stable-kinds.ts'

const TARGET = join(import.meta.dirname, '../packages/apiserver/src/version/generated')

type Json = Record<string, unknown>

/** The kinds of a release, without an order. */
interface Types {
  /** By group, version and plural: `apps/v1/deployments`. */
  readonly resources: Json
  readonly definitions: Json
}

const base = `v${RELEASES[DEFAULT_RELEASE]}`
console.log(`Reading the API of Kubernetes ${base}`)
const baseData = readTypes(base)
const baseTypes = typesOf(baseData)
const baseDocuments = packDocuments(apiFolder(base), goEnums(base))
mkdirSync(TARGET, { recursive: true })
for (const [release, recorded] of Object.entries(RELEASES)) {
  if (release === DEFAULT_RELEASE) continue
  const version = `v${recorded}`
  console.log(`Reading the API of Kubernetes ${version}`)
  const data = readTypes(version)
  checkOrder(data, version)
  const types = JSON.stringify(patch(baseTypes, withDisabled(typesOf(data), version)))
  if (/[`\\]|\$\{/.test(types))
    throw new Error('The definitions contain a text that a raw template literal cannot contain')
  write(
    `types-${release}.ts`,
    version,
    `/** Makes the kinds and definitions of ${base} those of ${version}: a merge patch, as JSON. */
export const typesPatch = \`${types}\`

/** The feature gates that change more than fields: on in ${base}, and off or unknown in ${version}. */
export const disabledGates: readonly string[] = ${JSON.stringify(disabledBehaviour(version))}
`,
  )
  const documents = packDocuments(apiFolder(version), goEnums(version), baseDocuments.shared.parameters)
  write(
    `documents-${release}.ts`,
    version,
    `/** The addresses of the native documents, each with a hash that changes with its content. */
export const documentHashes: Readonly<Record<string, string>> = ${JSON.stringify(documents.hashes, null, 2)}

/** Makes the packed OpenAPI documents of ${base} those of ${version}: merge patches, and further parameters of operations. */
export const packedPatch =
  '${pack(documentsPatch(documents))}'
`,
  )
}

function readTypes(version: string): SchemaData {
  const folder = apiFolder(version)
  return schemaData(readSource(folder, stableKinds(folder), IN_SUBRESOURCES), {
    groups: groupsInOrder(folder),
    types: new GoTypes(version),
  })
}

function typesOf({ resources, definitions }: SchemaData): Types {
  return {
    resources: Object.fromEntries(resources.map((resource) => [keyOf(resource), resource])),
    definitions: Object.fromEntries(definitions),
  }
}

/** Marks the fields that the release drops, since their feature is off. */
function withDisabled({ resources, definitions }: Types, version: string): Types {
  const marked = structuredClone(definitions) as Record<string, { properties?: Record<string, Json> }>
  for (const [definition, field] of disabledFields(version)) {
    const property = marked[definition]?.properties?.[field]
    if (property) property['x-homeostat-disabled'] = true
  }
  return { resources, definitions: marked }
}

function keyOf({ group, version, plural }: Json): string {
  return [group, version, plural].join('/')
}

/** A release's kinds must be in the default release too, in the same order: the server implements no others. */
function checkOrder({ resources }: SchemaData, version: string): void {
  const keys = resources.map(keyOf)
  const common = baseData.resources.map(keyOf).filter((key) => keys.includes(key))
  const unknown = keys.filter((key) => !common.includes(key))
  if (unknown.length > 0) throw new Error(`${version} serves ${unknown.join(', ')}, which ${base} does not`)
  if (!deepEqual(keys, common)) throw new Error(`${version} lists its kinds in another order than ${base}`)
}

function documentsPatch({ shared, documents }: PackedDocuments): Json {
  return {
    schemas: patch(baseDocuments.shared.schemas, shared.schemas),
    parameters: shared.parameters.slice(baseDocuments.shared.parameters.length),
    groupVersions: shared.groupVersions,
    documents: patch(baseDocuments.documents, documents),
  }
}

/** The merge patch between two values, which must lead from one to the other. */
function patch(before: object, after: object): unknown {
  const made = createMergePatch(before, after) ?? {}
  if (!deepEqual(applyMergePatch(before, made), after)) throw new Error('A merge patch cannot express a null')
  return made
}

function write(name: string, version: string, content: string): void {
  const header = `// Generated by scripts/generate-releases.ts from Kubernetes ${version}. Do not edit: run \`npm run generate\`.\n`
  writeFileSync(join(TARGET, name), header + content)
  console.log(`  wrote ${name} (${content.length} characters)`)
}
