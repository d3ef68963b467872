/**
 * A module, or a value made from one, that is loaded when a request first needs it, so that servers that never need it start faster.
 * The first steps of request handling load every module that a request needs, so that later steps can call `get` without waiting.
 */
export class LazyModule<Module> {
  readonly #name: string
  readonly #import: () => Promise<Module>
  #module: Module | undefined
  #loading: Promise<void> | undefined

  constructor(name: string, load: () => Promise<Module>) {
    this.#name = name
    this.#import = load
  }

  get loaded(): boolean {
    return this.#module !== undefined
  }

  /** Loads the module; undefined where it is loaded already. */
  load(): Promise<void> | undefined {
    return this.#module === undefined ? (this.#loading ??= this.#load()) : undefined
  }

  async #load(): Promise<void> {
    try {
      this.#module = await this.#import()
    } finally {
      this.#loading = undefined
    }
  }

  /** The module, which must have been loaded. */
  get(): Module {
    if (this.#module === undefined)
      throw new Error(`${this.#name} is used before it was loaded: await load() first`)
    return this.#module
  }
}
