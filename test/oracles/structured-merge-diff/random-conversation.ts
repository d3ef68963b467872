import { KIND, type Conversation, type JsonObject, type Step } from './conversation.ts'
import { Thing } from './play-ours.ts'

type Chance = () => number
type Schema = JsonObject & {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema
}

/** An object with this metadata exists, also where it has no managers. */
const IDENTITY = { name: 'thing', uid: 'u' }
const FIELDS = ['a', 'b', 'c', 'd']
const MANAGERS = ['one', 'two', 'three']
const SCALARS: readonly Schema[] = [
  { type: 'string' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'number' },
  { 'x-kubernetes-int-or-string': true },
]

/** A random conversation about a kind of its own. Names and values are few, so that managers meet. */
export function randomConversation(chance: Chance): Conversation {
  const properties = { spec: objectSchema(chance, 2), data: mapSchema(chance, 1) }
  const thing = new Thing(properties)
  const steps: Step[] = []
  const count = 2 + below(chance, 6)
  for (let index = 0; index < count; index++) {
    const step = randomStep(chance, properties, thing.object)
    thing.take(step)
    steps.push(step)
  }
  return { properties, steps }
}

function randomStep(chance: Chance, properties: Record<string, Schema>, live: JsonObject | undefined): Step {
  const manager = pick(chance, MANAGERS)
  if (chance() < 0.6) {
    const object = { ...KIND, metadata: randomMetadata(chance), ...randomObject(chance, properties, true) }
    return { do: 'apply', manager, force: chance() < 0.3, object }
  }
  const before = live ?? { ...KIND, metadata: IDENTITY }
  const object = changed(chance, { type: 'object', properties }, before) as JsonObject
  return { do: 'update', manager, force: false, object: { ...object, ...KIND, metadata: before['metadata'] } }
}

function randomMetadata(chance: Chance): JsonObject {
  if (chance() < 0.7) return IDENTITY
  return {
    ...IDENTITY,
    labels: Object.fromEntries(some(chance, FIELDS, 0.4).map((name) => [name, pick(chance, ['x', 'y'])])),
    ...(chance() < 0.5 && { finalizers: some(chance, ['example.com/a', 'example.com/b'], 0.5) }),
  }
}

function randomSchema(chance: Chance, depth: number): Schema {
  const dice = chance()
  if (depth === 0 || dice < 0.3) return pick(chance, SCALARS)
  if (dice < 0.5) return objectSchema(chance, depth - 1)
  if (dice < 0.65) return mapSchema(chance, depth - 1)
  if (dice < 0.72) return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  return listSchema(chance, depth - 1)
}

function objectSchema(chance: Chance, depth: number): Schema {
  const names = some(chance, FIELDS, 0.7)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, randomSchema(chance, depth)])),
    ...(chance() < 0.1 && { 'x-kubernetes-map-type': 'atomic' }),
  }
}

function mapSchema(chance: Chance, depth: number): Schema {
  return {
    type: 'object',
    additionalProperties: randomSchema(chance, depth),
    ...(chance() < 0.15 && { 'x-kubernetes-map-type': 'atomic' }),
  }
}

function listSchema(chance: Chance, depth: number): Schema {
  const dice = chance()
  if (dice < 0.25) return { type: 'array', items: randomSchema(chance, depth) }
  if (dice < 0.35) {
    return { type: 'array', 'x-kubernetes-list-type': 'atomic', items: randomSchema(chance, depth) }
  }
  if (dice < 0.6) {
    const items = pick(chance, [{ type: 'string' }, { type: 'integer' }])
    return { type: 'array', 'x-kubernetes-list-type': 'set', items }
  }
  const { properties } = objectSchema(chance, depth)
  const keys = chance() < 0.7 ? ['k'] : ['k', 'n']
  return {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
    items: {
      type: 'object',
      required: ['k'],
      properties: { ...properties, k: { type: 'string' }, n: { type: 'integer', default: 1 } },
    },
  }
}

function randomValue(chance: Chance, schema: Schema, strange: boolean): unknown {
  if (strange && chance() < 0.01) return pick(chance, [null, 'x', 1, [], {}, ['x'], { a: 1 }])
  if (schema['x-kubernetes-int-or-string']) return pick(chance, [1, 2, 'x'])
  switch (schema.type) {
    case 'string':
      return pick(chance, ['x', 'y', 'z'])
    case 'integer':
      return 1 + below(chance, 3)
    case 'number':
      return pick(chance, [1, 1.5, 2.5])
    case 'boolean':
      return chance() < 0.5
    case 'array':
      return randomList(chance, schema, strange)
    default:
      return randomFields(chance, schema, strange)
  }
}

function randomFields(chance: Chance, schema: Schema, strange: boolean): JsonObject {
  if (schema.properties) {
    const object = randomObject(chance, schema.properties, strange)
    if (strange && chance() < 0.01) object['unknown'] = 'x'
    return object
  }
  const { additionalProperties } = schema
  if (!additionalProperties) return randomJson(chance, 2) as JsonObject
  const names = some(chance, FIELDS, 0.4)
  return Object.fromEntries(names.map((name) => [name, randomValue(chance, additionalProperties, strange)]))
}

/** An object of which no schema knows anything. */
function randomJson(chance: Chance, depth: number): unknown {
  const inner = (): unknown => {
    const dice = chance()
    if (depth > 0 && dice < 0.3) return randomJson(chance, depth - 1)
    if (dice < 0.5) return some(chance, ['x', 1, { a: 1 }], 0.5)
    return pick(chance, ['x', 'y', 1, true])
  }
  return Object.fromEntries(some(chance, FIELDS, 0.4).map((name) => [name, inner()]))
}

function randomObject(chance: Chance, properties: Record<string, Schema>, strange: boolean): JsonObject {
  const names = some(chance, Object.keys(properties), 0.6)
  // The key of an element is never of another type.
  const value = (name: string) => randomValue(chance, properties[name]!, strange && name !== 'n')
  return Object.fromEntries(names.map((name) => [name, value(name)]))
}

function randomList(chance: Chance, schema: Schema, strange: boolean): unknown[] {
  const items = schema.items!
  const length = below(chance, 4)
  const values = Array.from({ length }, () => randomValue(chance, items, strange))
  const keys = schema['x-kubernetes-list-map-keys'] as string[] | undefined
  if (keys) {
    for (const value of values as JsonObject[]) {
      if (typeof value !== 'object' || value === null) continue
      if (!strange || chance() < 0.99) value['k'] = pick(chance, ['x', 'y', 'z'])
    }
  }
  const known = schema['x-kubernetes-list-type']
  if ((known !== 'set' && known !== 'map') || (strange && chance() < 0.03)) return values
  const identity = (value: any): string =>
    known === 'set' ? JSON.stringify(value) : JSON.stringify(keys?.map((key) => value?.[key] ?? 1))
  return [...new Map(values.map((value) => [identity(value), value])).values()]
}

/** The value with some of it changed, added or taken away, as an edit by a person would. */
function changed(chance: Chance, schema: Schema, value: unknown): unknown {
  if (chance() < 0.15) return randomValue(chance, schema, false)
  if (Array.isArray(value) && schema.items) {
    const kept = value.filter(() => chance() < 0.85).map((item) => changedItem(chance, schema, item))
    if (chance() < 0.04) kept.push(...kept.slice(0, 1))
    return chance() < 0.3 && schema['x-kubernetes-list-type'] === undefined
      ? [...kept, randomValue(chance, schema.items, false)]
      : kept
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const result: JsonObject = {}
  for (const [name, child] of Object.entries(value)) {
    const inner = schema.properties?.[name] ?? schema.additionalProperties
    if (chance() < 0.1 && name !== 'k' && name !== 'n') continue
    result[name] = inner && name !== 'k' && name !== 'n' ? changed(chance, inner, child) : child
  }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (!(name in result) && name !== 'n' && chance() < 0.2) result[name] = randomValue(chance, inner, false)
  }
  return result
}

function changedItem(chance: Chance, schema: Schema, item: unknown): unknown {
  const type = schema['x-kubernetes-list-type']
  if (type === 'set') return item
  const after = changed(chance, schema.items!, item)
  if (type !== 'map') return after
  const { k, n } = item as JsonObject
  return { ...(after as JsonObject), k, ...(n !== undefined && { n }) }
}

function some<T>(chance: Chance, values: readonly T[], likelihood: number): T[] {
  return values.filter(() => chance() < likelihood)
}

function pick<T>(chance: Chance, values: readonly T[]): T {
  return values[below(chance, values.length)]!
}

function below(chance: Chance, limit: number): number {
  return Math.floor(chance() * limit)
}
