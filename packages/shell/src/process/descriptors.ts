import type { Input } from './input.ts'
import type { Output } from './output.ts'

/** An open file or pipe that several processes may share. It closes when the last of them closes it. */
export class OpenFile {
  readonly input: Input | undefined
  readonly output: Output | undefined
  #holders = 0

  constructor(ends: { readonly input?: Input | undefined; readonly output?: Output | undefined }) {
    this.input = ends.input
    this.output = ends.output
  }

  hold(): this {
    this.#holders++
    return this
  }

  release(): void {
    if (--this.#holders > 0) return
    this.input?.close()
    this.output?.close?.()
  }
}

/** The descriptors of a process: 0, 1, 2, and whatever a script opens. */
export class Descriptors implements Disposable {
  readonly #open = new Map<number, OpenFile>()

  get(number: number): OpenFile | undefined {
    return this.#open.get(number)
  }

  /** Replaces a descriptor, or closes it. */
  set(number: number, file: OpenFile | undefined): void {
    const before = this.#open.get(number)
    if (file) this.#open.set(number, file.hold())
    else this.#open.delete(number)
    before?.release()
  }

  /** A copy of the descriptors for another process. */
  clone(): Descriptors {
    const copy = new Descriptors()
    for (const [number, file] of this.#open) copy.set(number, file)
    return copy
  }

  [Symbol.dispose](): void {
    for (const file of this.#open.values()) file.release()
    this.#open.clear()
  }
}
