import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { applyDefaults } from '../../schema/defaults.ts'
import { causesOf, type FieldError } from '../../schema/errors/field-error.ts'
import { definitions } from '../../schema/generated/native-resources.ts'
import { copyJson, isObject, objectOf, type JsonObject } from '../../schema/values/json.ts'
import { validateObjectMeta } from '../../schema/object-meta-validation.ts'
import { prune } from '../../schema/prune.ts'
import type { TypeSchema } from '../../schema/types/type-schema.ts'
import {
  defaultCustomResourceDefinition,
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionUpdate,
} from './validation.ts'

interface Step {
  readonly body: JsonObject
  readonly status: number
  readonly answer: JsonObject
}

const schema: TypeSchema = {
  root: definitions['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition']!,
  definitions,
}

function stepsOf(name: string): Step[] {
  const text = readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8')
  return (JSON.parse(text) as { steps: Step[] }).steps
}

function taken(body: JsonObject): JsonObject {
  const object = copyJson(body)
  prune(schema, object)
  applyDefaults(schema, object)
  defaultCustomResourceDefinition(object)
  return object
}

/** Go prints versions as internal structs, which the test does not compare. */
function lines(causes: readonly unknown[]): string[] {
  const text = causes.map((cause) => JSON.stringify(cause, ['reason', 'field', 'message']))
  const shown = text.map((line) =>
    line.replace(/Invalid value: (?:\[.*\]|null): must (have exactly|contain)/, 'Invalid value: …: must $1'),
  )
  return [...new Set(shown)].sort()
}

function causes(step: Step): string[] {
  return lines((objectOf(step.answer['details'])['causes'] as unknown[] | undefined) ?? [])
}

function problems(errors: readonly FieldError[]): string[] {
  return lines(causesOf(errors))
}

describe('a CRD gets the defaults of a real kube-apiserver', () => {
  it.each(stepsOf('crd-defaults').map((step, index) => [index + 1, step] as const))('%s', (_, step) => {
    const object = taken(step.body)
    expect(object['spec']).toEqual(step.answer['spec'])
    expect(validateCustomResourceDefinition(object)).toEqual([])
  })
})

describe('a CRD is refused as a real kube-apiserver does', () => {
  it.each(
    stepsOf('crd-invalid').map(
      (step, index) => [`${index + 1}: ${JSON.stringify(step.body)}`, step] as const,
    ),
  )('%s', (_, step) => {
    const object = taken(step.body)
    const errors = [
      ...validateObjectMeta(object['metadata'], { namespaced: false }),
      ...validateCustomResourceDefinition(object),
    ]
    expect(problems(errors)).toEqual(causes(step))
  })
})

describe('a change of a CRD is refused as a real kube-apiserver does', () => {
  const [first, ...changes] = stepsOf('crd-update')
  const old = taken(first!.answer)
  old['status'] = { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v1'] }
  it.each(changes.map((step) => [JSON.stringify(step.body), step] as const))('%s', (_, step) => {
    const object = taken(mergePatch(old, step.body) as JsonObject)
    const name = objectOf(object['metadata'])['name']
    const errors = [
      ...validateCustomResourceDefinition(object),
      ...validateCustomResourceDefinitionUpdate(object, old),
    ].filter(({ field }) => field !== 'metadata.name' || name !== 'changes.example.com')
    expect(problems(errors)).toEqual(causes(step))
  })
})

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: JsonObject = isObject(target) ? copyJson(target) : {}
  for (const [key, value] of Object.entries(patch)) result[key] = mergePatch(result[key], value)
  return result
}
