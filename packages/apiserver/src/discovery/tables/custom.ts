import { isExactNumber, type PrinterColumn } from '@homeostat/api'
import type { ColumnDefinition, Printer } from '../../registry/index.ts'
import { ageOf } from './age.ts'
import { parseJsonPath, type JsonPath } from './json-path.ts'
import { NAME, nameOf } from './printer.ts'

/** The descriptions of the columns Name and Age. */
interface CommonDescriptions {
  readonly name: string
  readonly age: string
}

/**
 * The printer of a custom kind: its name and the columns that it declares; only where it declares none, its
 * age. A column whose path cannot be read stays empty.
 */
export function customPrinter(columns: readonly PrinterColumn[], descriptions: CommonDescriptions): Printer {
  return makePrinter(columns.length === 0 ? [ageColumn(descriptions.age)] : columns, descriptions.name)
}

function ageColumn(description: string): PrinterColumn {
  return { name: 'Age', type: 'date', path: '.metadata.creationTimestamp', description }
}

function makePrinter(columns: readonly PrinterColumn[], nameDescription: string): Printer {
  const cells = columns.map(({ type, path }) => ({ type, read: pathOrNothing(path) }))
  return {
    columns: [{ ...NAME, description: nameDescription }, ...columns.map(definition)],
    cells: (object, now) => [
      nameOf(object),
      ...cells.map(({ type, read }) => {
        const [value] = read(object)
        return cell(type, value, now)
      }),
    ],
  }
}

function pathOrNothing(path: string): JsonPath {
  try {
    return parseJsonPath(path)
  } catch {
    return () => []
  }
}

function definition(column: PrinterColumn): ColumnDefinition {
  return {
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description:
      column.description ?? `Custom resource definition column (in JSONPath format): ${column.path}`,
    priority: column.priority ?? 0,
  }
}

/** A value that is not of the column's type is left empty, as a missing one is. */
function cell(type: PrinterColumn['type'], value: unknown, now: number): unknown {
  if (value === undefined) return null
  switch (type) {
    case 'string':
      return text(value)
    case 'integer':
      if (isExactNumber(value)) return value
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' || isExactNumber(value) ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      if (typeof value !== 'string') return null
      return value !== '' && Number.isNaN(Date.parse(value)) ? '<invalid>' : ageOf(value, now)
    default:
      return null
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
