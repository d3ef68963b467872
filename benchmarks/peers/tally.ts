import { createInterface } from 'node:readline'

/**
 * The shared part of the programs on Node: they count the reconciles, and report them to the benchmark. `README.md`
 * beside this file has the protocol.
 */
export class Tally {
  readonly #seen: Uint8Array
  readonly #lastWrite: Float64Array
  readonly #latencies: number[] = []
  readonly #startOfClock = startOfClock()
  #left: number
  #characters = 0

  constructor(objects: number) {
    this.#left = objects
    this.#seen = new Uint8Array(objects)
    this.#lastWrite = new Float64Array(objects)
  }

  /** The number of objects that the command line names. */
  static fromArguments(args: readonly string[] = process.argv): Tally {
    const objects = Number(args[args.indexOf('--objects') + 1])
    if (!(Number.isInteger(objects) && objects > 0))
      throw new Error('--objects must be a whole number from 1')
    return new Tally(objects)
  }

  /** Takes the three fields that every reconcile reads. */
  reconciled(index: number, writtenAt: number, image: string): void {
    const now = Math.round((this.#startOfClock + performance.now()) * 1_000)
    this.#characters += image.length
    if (this.#seen[index] === 0) {
      this.#seen[index] = 1
      this.#lastWrite[index] = writtenAt
      if (--this.#left === 0) process.stdout.write('{"event":"reconciled"}\n')
    } else if (writtenAt !== this.#lastWrite[index]) {
      this.#lastWrite[index] = writtenAt
      this.#latencies.push(now - writtenAt)
    }
  }

  /** Answers what the benchmark asks, and resolves when it asks no more. */
  async serve(): Promise<void> {
    for await (const _ of createInterface({ input: process.stdin })) {
      const answer = { event: 'report', latencies: this.#latencies, characters: this.#characters }
      process.stdout.write(`${JSON.stringify(answer)}\n`)
    }
  }
}

/**
 * The number to add to `performance.now()` for the milliseconds since 1970. `Date.now()` alone is too coarse, and
 * `performance.timeOrigin` may be off: so the moment is awaited at which the millisecond changes.
 */
export function startOfClock(): number {
  const before = Date.now()
  let now = before
  while (now === before) now = Date.now()
  return now - performance.now()
}
