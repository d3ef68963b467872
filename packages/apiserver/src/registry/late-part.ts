/**
 * A part of the server that is loaded when it is first needed, so that nobody waits for it who never needs it. Whoever
 * answers a request sees to it that all parts are there before: what uses them need not wait.
 */
export class LatePart<Part> {
  readonly #name: string
  readonly #import: () => Promise<Part>
  #part: Part | undefined

  constructor(name: string, load: () => Promise<Part>) {
    this.#name = name
    this.#import = load
  }

  /** Loads it; undefined where it is there already. */
  load(): Promise<void> | undefined {
    return this.#part === undefined ? this.#load() : undefined
  }

  async #load(): Promise<void> {
    this.#part = await this.#import()
  }

  /** It must have been loaded. */
  get(): Part {
    if (this.#part === undefined)
      throw new Error(`${this.#name} is used before it was loaded: await load() first`)
    return this.#part
  }
}
