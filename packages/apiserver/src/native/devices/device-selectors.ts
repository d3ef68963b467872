import {
  ANY,
  BOOL,
  ConstantError,
  estimateCost,
  Language,
  mapType,
  opaqueType,
  STRING,
  structType,
  type DeclaredType,
  type ExpressionScope,
} from '@homeostat/cel'
import { required } from '../../checks/index.ts'
import { authorizerLibrary } from '../../expressions/index.ts'
import {
  byteLength,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  textOf,
  tooLong,
} from '../../schema/index.ts'
import { patterns } from '../../validation/index.ts'
import { spend } from '../../work/index.ts'
import { limitedList } from './limited-lists.ts'

const MOST_SELECTORS = 32
const LONGEST_EXPRESSION = 10_240
const COST_LIMIT = 1_000_000
/** How many steps of work a character of an expression takes to compile. */
const COMPILED = 5

/** The most attributes and capacities of a device. */
const MOST_PARTS = 32
const ATTRIBUTE = sized(ANY, 64)
const DEVICE: DeclaredType = {
  ...sized(structType('kubernetes.DRADevice'), 0),
  fields: new Map([
    ['driver', sized(STRING, 63)],
    ['allowMultipleAllocations', sized(BOOL, 1)],
    ['attributes', byDomain(ATTRIBUTE)],
    ['capacity', byDomain(sized(opaqueType('kubernetes.Quantity'), 0))],
  ]),
}

function sized(type: DeclaredType['type'], maxElements: number): DeclaredType {
  return { type, maxElements, minSize: 0 }
}

/** Values by their domain and their identifier. */
function byDomain(element: DeclaredType): DeclaredType {
  return mapOf(sized(STRING, 63), mapOf(sized(STRING, 32), element))
}

function mapOf(key: DeclaredType, element: DeclaredType): DeclaredType {
  return { ...sized(mapType(key.type, element.type), MOST_PARTS), key, element }
}

const SCOPE: ExpressionScope = {
  variables: new Map([['device', DEVICE.type]]),
  field: (struct, field) => (struct === DEVICE.type.name ? DEVICE.fields?.get(field)?.type : undefined),
}

/** The most elements of the value at a path. All attributes have the same size. */
function sizeOf(path: readonly string[]): number | undefined {
  if (path[0] !== 'device') return undefined
  let current: DeclaredType | undefined = DEVICE
  for (const name of path.slice(1)) {
    if (name === '@items' || name === '@values') current = current.element
    else if (name === '@keys') current = current.key
    else current = current.fields?.get(name) ?? (current.element === ATTRIBUTE ? ATTRIBUTE : undefined)
    if (!current) return undefined
  }
  return current.maxElements
}

const language = new Language({ patterns, libraries: [authorizerLibrary], bindings: true })

/** Validates the selectors of devices: expressions that are true for each selected device. */
export function selectorErrors(selectors: unknown, field: string): FieldError[] {
  return limitedList(selectors, field, MOST_SELECTORS, ({ cel }, at) =>
    isObject(cel)
      ? expressionErrors(textOf(cel['expression'] ?? ''), `${at}.cel.expression`)
      : required(cel, `${at}.cel`),
  )
}

function expressionErrors(source: string, field: string): FieldError[] {
  if (byteLength(source) > LONGEST_EXPRESSION) return [tooLong(field, LONGEST_EXPRESSION)]
  spend(COMPILED * source.length)
  const checked = language.check(source, SCOPE)
  if (checked instanceof Error) return [invalidValue(field, source, `compilation failed: ${checked.message}`)]
  const { type } = checked
  if (type.kind !== 'bool' && type !== ANY) {
    return [invalidValue(field, source, `must evaluate to bool or the unknown type, not ${typeName(type)}`)]
  }
  try {
    language.compile(checked)
  } catch (error) {
    if (!(error instanceof ConstantError)) throw error
    const message = `Internal error: program instantiation failed: ${error.message}`
    return [{ field, reason: 'InternalError', message }]
  }
  const { max } = estimateCost(checked, (path) => {
    const size = sizeOf(path)
    return size === undefined ? undefined : { min: 0, max: size }
  })
  return max > COST_LIMIT ? [forbiddenValue(field, 'too complex, exceeds cost limit')] : []
}

/** A type as Go prints it, which differs from the compiler's messages. */
function typeName({ name, params }: DeclaredType['type']): string {
  return params.length === 0 ? name : `${name}(${params.map(typeName).join(', ')})`
}
