/** A column of a Table, as `columnDefinitions` holds it. */
export interface ColumnDefinition {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  /** 0 is always shown; others only with `-o wide`. */
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
 * An object of the printer's kind. Any field may be missing: the bookmark of a watch, which has only metadata,
 * is printed too.
 */
export type PrintedObject = Record<string, any>

/** How the objects of one kind become rows. */
export interface Printer {
  readonly columns: readonly ColumnDefinition[]
  /** The cells of an object's row, one for each column. `now` is wall time in milliseconds. */
  cells(object: PrintedObject, now: number): unknown[]
  conditions?(object: PrintedObject): RowCondition[] | undefined
}
