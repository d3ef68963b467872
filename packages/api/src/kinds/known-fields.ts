/** The compiler's message at a field that does not exist. */
type UnknownField<Name> = `there is no field ${Name & string}`

type NameOf<T> = T extends object ? keyof T : never

type ValueAt<T, Name> = T extends object ? (Name extends keyof T ? T[Name] : never) : never

/** A type that is right keeps its name in the compiler's messages. */
type Kept<R, Known> = [R] extends [Known] ? R : Known

/**
 * The type `R`, where a message takes the place of each field that `T` does not have. TypeScript itself looks for unknown
 * fields in arguments, but not in what a function returns.
 */
export type KnownFields<R, T> = unknown extends T
  ? R
  : [NameOf<T>] extends [never]
    ? R
    : R extends readonly unknown[]
      ? { [I in keyof R]: KnownFields<R[I], ValueAt<T, number>> }
      : R extends object
        ? {
            [F in keyof R]: F extends NameOf<T>
              ? Kept<R[F], KnownFields<R[F], ValueAt<T, F>>>
              : UnknownField<F>
          }
        : R
