/** Where a walk through a value reports its errors: the paths of the walk are relative to it. */
export interface ErrorPlace {
  /** The field of errors about the whole value. */
  readonly root: string
  readonly prefix: string
  /**
   * Whether every format of a schema counts, as in a default of a definition. Where objects are validated, Kubernetes leaves out the
   * formats that it does not know for their type. Default: false.
   */
  readonly keepsFormats?: boolean
}

/** The field of an error, which the walk found at a path. */
export function fieldOf(place: ErrorPlace, path: string): string {
  const name = path.startsWith('.') ? path.slice(1) : path
  return name === '' ? place.root : place.prefix + name
}
