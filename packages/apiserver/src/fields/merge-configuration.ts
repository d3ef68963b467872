import { isObject, type TypeSchema } from '../schema/index.ts'
import { appliedProblem } from './check-applied.ts'
import { fieldTypeOf, type FieldType } from './field-type.ts'
import { merge } from './merge.ts'
import { fieldElement, elementText } from './path-element.ts'
import { shapeOf } from './list-elements.ts'

/** Why a configuration cannot be merged into an object, in the words of kube-apiserver. */
export class ConfigurationProblem extends Error {
  override readonly name = 'ConfigurationProblem'
}

/**
 * An object with a configuration laid over it, as an admission policy does it: no manager comes to own what changes. The result
 * shares nothing with either. Fails with `ConfigurationProblem` where the schema does not know a part of the configuration, or
 * where a part of it would replace a whole list or map.
 */
export function mergeConfiguration(schema: TypeSchema, live: unknown, configuration: unknown): unknown {
  const type = fieldTypeOf(schema)
  const problem = appliedProblem(type, configuration)
  if (problem !== undefined) {
    throw new ConfigurationProblem(`failed to convert patch object to typed object: ${problem}`)
  }
  const atomic = atomicParts(type, configuration, '')
  if (atomic.length > 0) {
    throw new ConfigurationProblem(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`,
    )
  }
  return merge(type, live, configuration)
}

/** The paths of the lists and maps that are replaced as a whole. */
function atomicParts(type: FieldType, value: unknown, path: string): string[] {
  const shape = shapeOf(type, value)
  if (shape.kind === 'map' && isObject(value)) {
    const below = Object.keys(value).flatMap((name) => {
      const field = shape.type.field(name)
      return field ? atomicParts(field, value[name], `${path}${elementText(fieldElement(name))}`) : []
    })
    return shape.type.atomic ? [path, ...below] : below
  }
  if (shape.kind === 'list' && Array.isArray(value)) {
    const below = value.flatMap((item, index) => atomicParts(shape.type.element, item, `${path}[${index}]`))
    return shape.type.associative ? below : [path, ...below]
  }
  return []
}
