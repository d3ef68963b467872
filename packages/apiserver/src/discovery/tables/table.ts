import { failure, oncePerObject, type PrinterColumn } from '@homeostat/api'
import {
  type ColumnDefinition,
  Failure,
  kindInErrors,
  type Printer,
  type Resource,
  type RowCondition,
  type PrintedObject,
} from '../../registry/index.ts'
import { objectOf, textOf, type JsonObject } from '../../schema/index.ts'
import { customPrinter } from './custom.ts'
import { commonDescriptions, nativePrinter } from './native.ts'

/** The part of an object in its row. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

export interface TableOptions {
  /** Wall time in milliseconds, for ages. */
  readonly now: number
  /** Default: `Metadata`. Anything else fails with 400. */
  readonly includeObject?: IncludeObject | undefined
  /** The version of `meta.k8s.io`. Default: `v1`. */
  readonly version?: 'v1' | 'v1beta1' | undefined
  /** Whether the columns are described. In a watch only the first event does. Default: true. */
  readonly headers?: boolean | undefined
}

/** Objects as rows of text, as `kubectl get` prints them. */
export interface Table {
  readonly kind: 'Table'
  readonly apiVersion: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** Null after the first event of a watch. */
  readonly columnDefinitions: readonly ColumnDefinition[] | null
  readonly rows: readonly TableRow[]
}

interface TableRow {
  readonly cells: readonly unknown[]
  readonly conditions?: readonly RowCondition[]
  readonly object: unknown
}

const printerOfColumns = oncePerObject((columns: readonly PrinterColumn[]) =>
  customPrinter(columns, commonDescriptions()),
)

/** The table of an object, or of a list of objects with the list's own metadata. */
export function tableOf(resource: Resource, objectOrList: unknown, options: TableOptions): Table {
  const { includeObject } = options
  if (includeObject !== undefined && !['None', 'Metadata', 'Object'].includes(includeObject)) {
    const why = `includeObject: Invalid value: ${JSON.stringify(includeObject)}: must be 'Metadata', 'Object', 'None', or empty`
    throw new Failure(failure.badRequest(`Unable to convert to Table as requested: ${why}`))
  }
  const value: PrintedObject = objectOf(objectOrList)
  const printer = resource.custom ? printerOfColumns(resource.columns) : nativePrinter(resource)
  const isListOfThem = Array.isArray(value.items) && value.kind === resource.listKind
  const { resourceVersion, continue: next, remainingItemCount } = value.metadata ?? {}
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version ?? 'v1'}`,
    metadata: {
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(isListOfThem && next && { continue: next }),
      ...(isListOfThem && remainingItemCount !== undefined && { remainingItemCount }),
    },
    columnDefinitions: options.headers === false ? null : printer.columns,
    rows: (isListOfThem ? value.items : [value]).map((object: PrintedObject) =>
      rowOf(printer, object, options),
    ),
  }
}

function rowOf(printer: Printer, object: PrintedObject, options: TableOptions): TableRow {
  const conditions = printer.conditions?.(object)
  return {
    cells: printer.cells(object, options.now),
    ...(conditions && { conditions }),
    object: includedObject(object, options),
  }
}

/** The object of a row: null where the client wants none. */
function includedObject(object: PrintedObject, { includeObject, version }: TableOptions): unknown {
  if (includeObject === 'None') return null
  return includeObject === 'Object' ? object : partialObjectMetadata(object, version)
}

/** An object reduced to its metadata. A list fails with 406: it has another form. */
export function partialObjectMetadata(
  object: unknown,
  version: 'v1' | 'v1beta1' = 'v1',
  resource?: Resource,
): object {
  if (isList(object)) throw unfit('PartialObjectMetadata', `a list${goType(resource, 'List')}`)
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: objectOf(object)['metadata'] ?? {},
  }
}

/** A list whose objects are reduced to their metadata. A single object fails with 406. */
export function partialObjectMetadataList(
  list: unknown,
  version: 'v1' | 'v1beta1' = 'v1',
  resource?: Resource,
): object {
  if (!isList(list)) throw unfit('PartialObjectMetadataList', `not a list${goType(resource, '')}`)
  const { metadata, items } = list
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: withoutEmptyContinue(objectOf(metadata)),
    items: items.map((item: unknown) => partialObjectMetadata(item, version)),
  }
}

/** Only complete lists of custom kinds have an empty `continue` token. */
function withoutEmptyContinue({ continue: token, ...metadata }: JsonObject): JsonObject {
  return token === undefined || token === '' ? metadata : { ...metadata, continue: token }
}

/** The type that Kubernetes names when a form does not fit: ` (*core.ConfigMap)`. */
function goType(resource: Resource | undefined, suffix: '' | 'List'): string {
  if (!resource) return ''
  if (resource.custom) return ` (*unstructured.Unstructured${suffix})`
  const { group } = kindInErrors(resource)
  return ` (*${group.split('.')[0] || 'core'}.${resource.kind}${suffix})`
}

function isList(value: unknown): value is PrintedObject {
  const { kind, items } = objectOf(value)
  return Array.isArray(items) && textOf(kind).endsWith('List')
}

function unfit(form: string, found: string): Failure {
  const message = `you requested ${form}, but the requested object is ${found}`
  return new Failure({ ...failure.notAcceptable([]), message })
}
