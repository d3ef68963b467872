/** The same shape, not to be changed: what a cache may hand to several readers at once. */
export type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

/** The same shape as an argument: its lists may also be read-only ones, such as those of an object that was read. */
export type DeepInput<T> = T extends readonly (infer E)[]
  ? readonly DeepInput<E>[]
  : T extends object
    ? { [K in keyof T]: DeepInput<T[K]> }
    : T

/** Any part of a shape, as an argument: every key may be left out, also inside the items of lists. */
export type DeepPartial<T> = T extends readonly (infer E)[]
  ? readonly DeepPartial<E>[]
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T
