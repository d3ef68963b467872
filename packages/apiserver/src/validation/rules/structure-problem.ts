import { isObject, listOf, objectOf } from '../../schema/index.ts'

/** Why a schema cannot be read as a structural one, in the words and the order of Kubernetes; undefined where it can. */
export function structureProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined
  const { not, items, properties, additionalProperties } = schema
  const keyword = UNREADABLE.find(([name, isGiven]) => isGiven(schema[name]))?.[0]
  if (keyword !== undefined)
    return `OpenAPIV3Schema '${keyword.replace('$schema', 'schema')}' is not supported`
  const alternatives = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema[name]))
  const problem = firstProblem([not, ...alternatives])
  if (problem !== undefined) return problem
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
  }
  if (listOf(items).length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array"
  return firstProblem([items, ...Object.values(objectOf(properties)), additionalProperties])
}

const hasText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const hasKeys = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0
const isThere = (value: unknown): boolean => value !== undefined && value !== null

const UNREADABLE: readonly (readonly [string, (value: unknown) => boolean])[] = [
  ['id', hasText],
  ['$schema', hasText],
  ['$ref', hasText],
  ['patternProperties', hasKeys],
  ['dependencies', hasKeys],
  ['additionalItems', isThere],
  ['definitions', hasKeys],
]

function firstProblem(schemas: readonly unknown[]): string | undefined {
  for (const schema of schemas) {
    const problem = structureProblem(schema)
    if (problem !== undefined) return problem
  }
  return undefined
}
