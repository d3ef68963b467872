import { ageOf } from './age.ts'

/** A column of a Table, as `columnDefinitions` holds it. */
export interface ColumnDefinition {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  /** 0 shows always, more only with `-o wide`. */
  readonly priority: number
}

/** A condition of a row: whether the object behind it is done. */
export interface RowCondition {
  readonly type: 'Completed'
  readonly status: 'True'
  readonly reason: string
  readonly message: string
}

/**
 * An object as it was stored, of a kind that the printer knows. Nothing of it is certain to be there: the
 * bookmark of a watch is printed too, and has only its metadata.
 */
export type Stored = Record<string, any>

/** How the objects of one kind become rows. */
export interface Printer {
  readonly columns: readonly ColumnDefinition[]
  /** The cells of an object's row, one for each column. `now` is wall time in milliseconds. */
  cells(object: Stored, now: number): unknown[]
  conditions?(object: Stored): RowCondition[] | undefined
}

/** A column of text that always shows, unless `options` says otherwise. */
export function column(
  name: string,
  type: 'string' | 'integer' | 'boolean' | 'date' = 'string',
  options: { wide?: boolean; format?: string } = {},
): ColumnDefinition {
  return { name, type, format: options.format ?? '', description: '', priority: options.wide ? 1 : 0 }
}

/** A column that shows only with `-o wide`. */
export function wide(name: string): ColumnDefinition {
  return column(name, 'string', { wide: true })
}

/** The column that tools take for the name of the object. */
export const NAME = column('Name', 'string', { format: 'name' })
export const AGE = column('Age')

/** The cell of the {@link NAME} column. */
export function nameOf(object: Stored): string {
  return object.metadata?.name ?? ''
}

/** The cell of the {@link AGE} column. */
export function age(object: Stored, now: number): string {
  return ageOf(object.metadata?.creationTimestamp, now)
}

/** `a=1,b=2` by key, or `<none>`. */
export function labels(map: Record<string, string> | undefined): string {
  const pairs = Object.entries(map ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
  return pairs.join(',') || '<none>'
}

/** A label selector in the notation of `kubectl get -l`, by key, or `<none>`. */
export function labelSelector(selector: Stored | undefined): string {
  const terms: [key: string, text: string][] = Object.entries(selector?.matchLabels ?? {}).map(
    ([key, value]) => [key, `${key}=${String(value)}`],
  )
  for (const { key, operator, values } of selector?.matchExpressions ?? []) {
    const list = `(${(values ?? []).toSorted().join(',')})`
    const text = new Map([
      ['In', `${key} in ${list}`],
      ['NotIn', `${key} notin ${list}`],
      ['Exists', key],
      ['DoesNotExist', `!${key}`],
    ])
    terms.push([key, text.get(operator) ?? ''])
  }
  const sorted = terms.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted.map(([, text]) => text).join(',') || '<none>'
}

/** The names and the images of a template's containers, as the two cells of wide tables. */
export function containers(podSpec: Stored | undefined): [names: string, images: string] {
  const all: Stored[] = podSpec?.containers ?? []
  return [
    all.map((container) => container.name ?? '').join(','),
    all.map((container) => container.image ?? '').join(','),
  ]
}

/** The first of a list joined by commas, and how many more there are. */
export function firstOf(list: readonly string[], max: number, separator = ','): string {
  const shown = list.slice(0, max).join(separator)
  return list.length > max ? `${shown} + ${list.length - max} more...` : shown
}

/** The condition of a type among an object's conditions. */
export function conditionOf(conditions: Stored[] | undefined, type: string): Stored | undefined {
  return conditions?.find((condition) => condition.type === type)
}
