import type { Meter } from '../cost/meter.ts'
import type { Value } from '../values/value.ts'

/** Gives variables their values; `undefined` where there is none. */
export type Variables = (name: string) => Value | undefined

/** The state of one evaluation of a program. */
export interface Frame {
  readonly variables: Variables
  readonly meter: Meter
  /** The variables of loops, by the places that the compiler gave them. */
  readonly locals: (Value | undefined)[]
}

/** Evaluates a part of a program. */
export type Run = (frame: Frame) => Value

/** A part of a program; `constant` where its value is known already. */
export interface Part {
  readonly run: Run
  readonly constant?: Value
}

/** A part that always has the same value, which costs nothing. */
export function constant(value: Value): Part {
  return { run: () => value, constant: value }
}

/** An invalid constant, such as `int('x')`. */
export class ConstantError extends Error {}
