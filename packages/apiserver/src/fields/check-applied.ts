import { goText, isExactNumber } from '@homeostat/api'
import { isObject, quote } from '../schema/index.ts'
import { elementText, fieldElement, type PathElement } from './path-element.ts'
import type { FieldType, ScalarType } from './field-type.ts'
import { elementOf, fieldOf, shapeOf } from './list-elements.ts'

/**
 * Why a value cannot be applied, or `undefined` where it can. Reasons are a field that is not in the schema, a value
 * of another type, and a duplicate element of a list.
 */
export function appliedProblem(type: FieldType, value: unknown): string | undefined {
  const problems: string[] = []
  check(type, value, () => '', problems)
  if (problems.length <= 1) return problems[0]
  return ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n')
}

/** The path is computed only for a problem. */
function check(type: FieldType, value: unknown, path: () => string, problems: string[]): void {
  const report = (problem: string): void => {
    const at = path()
    problems.push(at === '' ? problem : `${at}: ${problem}`)
  }
  const shape = shapeOf(type, value)
  if (shape.kind === 'scalar') {
    const problem = scalarProblem(type.scalar ?? 'untyped', value)
    if (problem) report(problem)
  } else if (value === null) {
    return
  } else if (shape.kind === 'map') {
    if (!isObject(value)) return report(`expected map, got &{${goText(value)}}`)
    for (const name of Object.keys(value)) {
      const inner = (): string => path() + elementText(fieldElement(name))
      const field = fieldOf(shape.type, name)
      if (!field) {
        problems.push(`${inner()}: field not declared in schema`)
        return
      }
      check(field, value[name], inner, problems)
    }
  } else if (Array.isArray(value)) {
    const seen = new Set<PathElement>()
    for (const [index, item] of value.entries()) {
      let inner = (): string => `${path()}[${index}]`
      if (shape.type.associative) {
        const element = elementOf(shape.type, item)
        if (typeof element !== 'string') return report(`element ${index}: ${element.problem}`)
        if (seen.has(element)) report(`duplicate entries for key ${elementText(element)}`)
        seen.add(element)
        inner = () => path() + elementText(element)
      }
      check(shape.type.element, item, inner, problems)
    }
  } else {
    report(`expected list, got &{${goText(value)}}`)
  }
}

function scalarProblem(type: ScalarType, value: unknown): string | undefined {
  if (value === null) return undefined
  const actual = isExactNumber(value) ? 'number' : typeof value
  if (type === 'numeric') {
    return actual === 'number' || actual === 'bigint'
      ? undefined
      : `expected numeric (int or float), got ${goType(value)}`
  }
  if (type === 'string') {
    return actual === 'string'
      ? undefined
      : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`
  }
  if (type === 'boolean')
    return actual === 'boolean' ? undefined : `expected boolean, got &{${goText(value)}}`
  return actual === 'object' ? `expected any scalar, got &{${goText(value)}}` : undefined
}

function goType(value: unknown): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}

/** A value in Go syntax. */
function goSyntax(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map((item) => goSyntax(item)).join(', ')}}`
  if (typeof value === 'string') return quote(value)
  if (value === null) return 'interface {}(nil)'
  if (!isObject(value)) return goText(value)
  const fields = Object.keys(value).sort()
  return `map[string]interface {}{${fields.map((name) => `${quote(name)}:${goSyntax(value[name])}`).join(', ')}}`
}
