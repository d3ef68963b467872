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
