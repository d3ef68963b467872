import { deepEqual, type CustomResourceVersionSource, type StructuralSchema } from '@homeostat/api'
import { compareSchemas } from './compare-schemas.ts'
import type { ComparedDefinition } from './compared-definition.ts'
import { WHOLE } from './place.ts'
import type { Report } from './rules.ts'
import { compareSubresources } from './subresources.ts'

/** C4 to C13: compares the versions of one definition, their subresources, and the conversion between them. */
export function compareVersions(
  old: ComparedDefinition,
  next: ComparedDefinition,
  reportIn: (version?: string) => Report,
): void {
  for (const before of old.spec.versions) {
    const after = next.spec.versions.find(({ name }) => name === before.name)
    if (!after) reportRemoved(old, before, reportIn())
    else compareVersion(before, after, reportIn)
  }
  for (const { name, served } of next.spec.versions) {
    if (!served || old.spec.versions.some((version) => version.name === name)) continue
    reportIn()('C6', 'safe', `spec.versions[${name}]`, 'the version is new')
  }
  compareConversion(old, next, reportIn())
  compareStorage(old, next, reportIn())
  if (preservesUnknown(old) && !preservesUnknown(next)) {
    const reason = 'fields that the schema does not name are dropped, in stored objects too'
    reportIn()('C13', 'breaking', 'spec.preserveUnknownFields', reason)
  }
}

function preservesUnknown({ spec }: ComparedDefinition): boolean {
  return 'preserveUnknownFields' in spec && spec.preserveUnknownFields === true
}

/** C4. */
function reportRemoved(
  { status }: ComparedDefinition,
  { name, served, storage }: CustomResourceVersionSource,
  report: Report,
): void {
  const path = `spec.versions[${name}]`
  const isStored = status?.storedVersions ? status.storedVersions.includes(name) : storage
  if (isStored) {
    const reason = `the version is removed, but objects are stored in it: servers refuse the definition until the objects are stored in another version and ${name} is gone from status.storedVersions`
    report('C4', 'breaking', path, reason)
  } else if (served) {
    report('C4', 'breaking', path, 'the version is removed: clients that use it get 404')
  } else if (status?.storedVersions) {
    report('C4', 'safe', path, 'the version is removed; it was neither served nor stored')
  } else {
    const reason = `the version is removed: servers refuse the definition while status.storedVersions names ${name}; to find out, compare with the definition in the cluster`
    report('C4', 'breaking', path, reason)
  }
}

function compareVersion(
  old: CustomResourceVersionSource,
  next: CustomResourceVersionSource,
  reportIn: (version?: string) => Report,
): void {
  const path = `spec.versions[${old.name}]`
  if (old.served && !next.served)
    reportIn()('C5', 'breaking', path, 'the version is no longer served: clients that use it get 404')
  if (!old.served && next.served) reportIn()('C6', 'safe', path, 'the version is served again')
  const report = reportIn(old.name)
  compareSubresources(old, next, report)
  compareSchemas(schemaOf(old), schemaOf(next), WHOLE, report)
}

function schemaOf({ schema }: CustomResourceVersionSource): StructuralSchema {
  return schema?.openAPIV3Schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
}

function strategyOf({ spec: { conversion } }: ComparedDefinition): string {
  const strategy = conversion && 'strategy' in conversion ? conversion.strategy : undefined
  return typeof strategy === 'string' ? strategy : 'None'
}

/** C8. */
function compareConversion(old: ComparedDefinition, next: ComparedDefinition, report: Report): void {
  const [before, after] = [strategyOf(old), strategyOf(next)]
  if (before === after) return
  const path = 'spec.conversion.strategy'
  const schemas = next.spec.versions.map(schemaOf)
  const differ = schemas.some((schema) => !deepEqual(schema, schemas[0]))
  if (after === 'None' && differ)
    report(
      'C8',
      'breaking',
      path,
      'no webhook converts objects: an object of one version is served unchanged in the others',
    )
  else report('C8', 'safe', path, `the conversion is ${after} instead of ${before}`)
}

/** C7: without a webhook, a stored object keeps only the fields that the schema of the stored version names. */
function compareStorage(old: ComparedDefinition, next: ComparedDefinition, report: Report): void {
  const [before, after] = [old, next].map(({ spec }) => spec.versions.find(({ storage }) => storage))
  if (!before || !after || before.name === after.name) return
  const path = `spec.versions[${after.name}].storage`
  const lost: string[] = []
  if (strategyOf(next) === 'None') {
    compareSchemas(schemaOf(before), schemaOf(after), WHOLE, (rule, level, field) => {
      if (level === 'breaking' && ['C20', 'C21', 'C28', 'C29'].includes(rule)) lost.push(field)
    })
  }
  const change = `objects are stored in ${after.name} instead of ${before.name}`
  if (lost.length > 0)
    report(
      'C7',
      'breaking',
      path,
      `${change}, and the server drops or refuses the fields that ${after.name} does not name: ${lost.join(', ')}`,
    )
  else report('C7', 'safe', path, `${change} when they are written next`)
}
