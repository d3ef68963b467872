import type { StructuralSchema } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import {
  compareDefinitions,
  COMPATIBILITY_RULES,
  compatibilityText,
  type ComparedDefinition,
} from './index.ts'

/** `test/compat` tests each rule against servers. The tests here need no server, or cases that a test server does not have. */
const text: StructuralSchema = { type: 'string' }
const schemaOf = (fields: Readonly<Record<string, StructuralSchema>>): StructuralSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: fields } },
})
function definition(
  spec: Partial<ComparedDefinition['spec']> = {},
  status?: ComparedDefinition['status'],
): ComparedDefinition {
  return {
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Sample', plural: 'samples' },
      versions: [versionOf('v1', schemaOf({ a: text }))],
      ...spec,
    },
    status,
  }
}
const versionOf = (name: string, schema: StructuralSchema, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: schema },
  ...more,
})
const compared = (old: ComparedDefinition, next: ComparedDefinition): string[] =>
  compareDefinitions([old], [next]).map(({ rule, level, path }) => `${rule} ${level} ${path}`)

describe('compareDefinitions', () => {
  it('finds nothing between equal definitions', () => {
    expect(compared(definition(), definition())).toEqual([])
    expect(compatibilityText([])).toBe('nothing changes for stored objects and clients\n')
  })

  it('finds definitions that are removed and added, also by another group or plural', () => {
    const other = definition({ group: 'other.example.com' })
    expect(
      compareDefinitions([definition()], [other]).map(({ rule, level, definition: name }) => [
        rule,
        level,
        name,
      ]),
    ).toEqual([
      ['C1', 'breaking', 'samples.example.com'],
      ['C2', 'safe', 'samples.other.example.com'],
    ])
  })

  it('names the place of a change in lists, maps and their items', () => {
    const nested = (longest: number): StructuralSchema => ({
      type: 'array',
      items: { type: 'object', additionalProperties: { ...text, maxLength: longest } },
    })
    const [old, next] = [5, 4].map((longest) =>
      definition({ versions: [versionOf('v1', schemaOf({ a: nested(longest) }))] }),
    )
    const [finding] = compareDefinitions([old!], [next!])
    expect(finding).toEqual({
      rule: 'C42',
      level: 'ratcheting',
      definition: 'samples.example.com',
      version: 'v1',
      path: 'spec.a[].*',
      reason:
        'maxLength changes from 5 to 4: creates with other values are refused, and stored objects stay valid while the list spec.a is not changed',
    })
    expect(compatibilityText([finding!])).toBe(
      `ratcheting samples.example.com/v1 spec.a[].*: ${finding!.reason} (C42)\n0 breaking, 1 ratcheting, 0 safe\n`,
    )
  })

  it('uses the stored versions in the status of a definition', () => {
    const old = {
      versions: [versionOf('v1', schemaOf({})), versionOf('v0', schemaOf({}), { served: false })],
    }
    const next = { versions: [versionOf('v1', schemaOf({}))] }
    const removed = (stored?: readonly string[]): string[] =>
      compared(definition(old, stored && { storedVersions: stored }), definition(next))
    expect(removed()).toEqual(['C4 breaking spec.versions[v0]'])
    expect(removed(['v0', 'v1'])).toEqual(['C4 breaking spec.versions[v0]'])
    expect(removed(['v1'])).toEqual(['C4 safe spec.versions[v0]'])
  })

  it('reports a webhook that no longer converts, where versions differ', () => {
    const webhook = { conversion: { strategy: 'Webhook' } }
    const versions = [versionOf('v1', schemaOf({ a: text })), versionOf('v2', schemaOf({ b: text }))]
    expect(compared(definition({ ...webhook, versions }), definition({ versions }))).toEqual([
      'C8 breaking spec.conversion.strategy',
    ])
    expect(compared(definition({ versions }), definition({ ...webhook, versions }))).toEqual([
      'C8 safe spec.conversion.strategy',
    ])
    expect(compared(definition(webhook), definition())).toEqual(['C8 safe spec.conversion.strategy'])
  })

  it('reports a definition that no longer preserves all unknown fields', () => {
    const old = definition({ preserveUnknownFields: true } as object)
    expect(compared(old, definition())).toEqual(['C13 breaking spec.preserveUnknownFields'])
  })

  it('does not confuse a text in a rule with the stored value', () => {
    const ruled = (rule: string) =>
      definition({
        versions: [versionOf('v1', schemaOf({ a: { ...text, 'x-kubernetes-validations': [{ rule }] } }))],
      })
    for (const rule of [
      "self != 'oldSelf'",
      String.raw`self != "\"oldSelf"`,
      "self != '''a'oldSelf'''",
      'self.oldSelf == 1',
      'oldSelfish',
    ])
      expect(compared(definition(), ruled(rule))).toEqual(['C60 ratcheting spec.a'])
    for (const rule of ['self == oldSelf', "self == 'a' || oldSelf != self"])
      expect(compared(definition(), ruled(rule))).toEqual(['C62 breaking spec.a'])
  })

  it('compares fields with the names of JavaScript properties, such as constructor', () => {
    const fields = Object.fromEntries(['constructor', '__proto__', 'toString'].map((name) => [name, text]))
    const schema = schemaOf(JSON.parse(JSON.stringify(fields)) as Record<string, StructuralSchema>)
    const found = compared(
      definition({ versions: [versionOf('v1', schemaOf({}))] }),
      definition({ versions: [versionOf('v1', schema)] }),
    )
    expect(found).toContain('C22 safe spec.constructor')
    expect(found).toContain('C22 safe spec.toString')
  })

  it('has a sentence for each rule', () => {
    for (const sentence of Object.values(COMPATIBILITY_RULES)) expect(sentence).toMatch(/^[A-Z].{10,}[^.]$/)
  })
})
