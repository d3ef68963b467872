import type { Printer, Resource } from '../../registry/index.ts'
import { columnDescriptions } from './generated/column-descriptions.ts'
import { column, NAME, nameOf } from './printer.ts'

/** The table of kinds for which Kubernetes has no table, such as roles. */
const CREATED_AT: Printer = {
  columns: [NAME, column('Created At', 'date')],
  cells: (object) => [nameOf(object), object.metadata?.creationTimestamp ?? null],
}

const described = new Map<string, Printer>()
let descriptions: ColumnDescriptions | undefined

interface ColumnDescriptions {
  readonly texts: readonly string[]
  /** The index of each column's description, by kind and column. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** The printer of a native kind, with the descriptions of its columns. */
export function nativePrinter({ group, plural, strategy }: Resource): Printer {
  const key = group === '' ? plural : `${plural}.${group}`
  let printer = described.get(key)
  if (!printer) described.set(key, (printer = describe(key, strategy().table ?? CREATED_AT)))
  return printer
}

/** The descriptions of the columns `Name` and `Age`, which most kinds have. */
export function commonDescriptions(): { readonly name: string; readonly age: string } {
  const { texts, kinds } = readDescriptions()
  const { Name = -1, Age = -1 } = Object.values(kinds).find((places) => 'Age' in places) ?? {}
  return { name: texts[Name] ?? '', age: texts[Age] ?? '' }
}

function readDescriptions(): ColumnDescriptions {
  return (descriptions ??= JSON.parse(columnDescriptions) as ColumnDescriptions)
}

function describe(key: string, printer: Printer): Printer {
  const { texts, kinds } = readDescriptions()
  const places = kinds[key] ?? {}
  const columns = printer.columns.map((one) => ({ ...one, description: texts[places[one.name] ?? -1] ?? '' }))
  return { ...printer, columns }
}
