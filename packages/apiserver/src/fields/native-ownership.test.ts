import type { ManagedFieldsEntry } from '@homeostat/api'
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { applyDefaults } from '../schema/defaults.ts'
import { definitions, nativeResources } from '../schema/generated/native-resources.ts'
import { objectOf, textOf, type JsonObject } from '../schema/values/json.ts'
import { nativeKind } from '../native/kinds.ts'
import { prune } from '../schema/prune.ts'
import type { TypeSchema } from '../schema/types/type-schema.ts'
import { updateFields } from './index.ts'

interface Step {
  readonly body: JsonObject
  readonly answer: JsonObject
}

const folder = new URL('../native/', import.meta.url)
// The validation of definitions has its own tests, since their schemas have JavaScript numbers.
const files = globSync('*/recorded/*-defaults.json', { cwd: folder.pathname })
  .filter((file) => !file.includes('crd-defaults'))
  .sort()

function stepsOf(file: string): Step[] {
  return (JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { steps: Step[] }).steps
}

/** The fields that the creator of an object owns, for the object as it was sent. */
function ownedBy(body: JsonObject): unknown {
  const object = JSON.parse(JSON.stringify(body).replaceAll('{ns}', 'golden')) as JsonObject
  const [group, version] = textOf(object['apiVersion']).includes('/')
    ? textOf(object['apiVersion']).split('/')
    : ['', textOf(object['apiVersion'])]
  const resource = nativeResources.find(
    (one) => one.kind === object['kind'] && one.group === group && one.version === version,
  )!
  const schema: TypeSchema = { root: definitions[resource.definition]!, definitions }
  prune(schema, object)
  applyDefaults(schema, object)
  nativeKind(group!, textOf(object['kind']))?.default?.(object)
  const hasStatus = resource.subresources.status
  const apiVersion = textOf(object['apiVersion'])
  updateFields({ schema, apiVersion, manager: 'golden', hasStatus, now: 0, before: undefined, after: object })
  return entriesOf(object)
}

function entriesOf(object: JsonObject): unknown {
  const entries = objectOf(object['metadata'])['managedFields'] as ManagedFieldsEntry[] | undefined
  return entries?.map(({ fieldsV1 }) => fieldsV1)
}

describe('F8 F11: the creator of a native object owns the same fields as on a real kube-apiserver', () => {
  it.each(files)('%s', (file) => {
    for (const { body, answer } of stepsOf(file)) expect(ownedBy(body)).toEqual(entriesOf(answer))
  })
})
