import { isNotFound, type Client, type Clock } from 'homeostat'
import { Sample } from './sample.ts'

/** The expected final state of each object. */
export type Expected = Map<string, number>

const NAMESPACE = 'default'
/** One in so many writes deletes an object and makes it again. */
const REBIRTH = 50
const MOST_UNDER_WAY = 32
const TEXT = 'x'.repeat(1_000)

/** Writes objects at a steady rate, one write of an object at a time. */
export class Load {
  readonly #client: Client
  readonly #clock: Clock
  readonly #names: readonly string[]
  readonly #expected: Expected = new Map()
  readonly #busy = new Set<string>()
  #number = 0
  writes = 0
  /** The first failure: the server is expected to take every write. */
  failure: unknown

  constructor(client: Client, clock: Clock, count: number) {
    this.#client = client
    this.#clock = clock
    this.#names = Array.from({ length: count }, (_, index) => `sample-${index}`)
  }

  get expected(): Expected {
    return this.#expected
  }

  /** Makes all objects. */
  async fill(): Promise<void> {
    const names = [...this.#names]
    const make = async (): Promise<void> => {
      for (let name = names.pop(); name; name = names.pop()) await this.#create(name)
    }
    await Promise.all(Array.from({ length: 8 }, make))
  }

  /** Writes `rate` times a second until the signal aborts; resolves when the last write was answered. */
  async run(rate: number, signal: AbortSignal): Promise<void> {
    const begin = this.#clock.monotonic()
    const underWay = new Set<Promise<void>>()
    for (let started = 0; !signal.aborted && this.failure === undefined; started++) {
      const wait = begin + (started * 1000) / rate - this.#clock.monotonic()
      if (wait > 0) await this.#clock.sleep(wait, { signal }).catch(() => {})
      // A server that is held up for a while must not be met by a crowd of connections afterwards.
      if (underWay.size >= MOST_UNDER_WAY) await Promise.race(underWay)
      if (signal.aborted) break
      const name = this.#idleName()
      if (name === undefined) continue
      const write = this.#write(name, started % REBIRTH === 0).finally(() => underWay.delete(write))
      underWay.add(write)
    }
    await Promise.all(underWay)
  }

  #idleName(): string | undefined {
    const first = Math.floor(this.#clock.random() * this.#names.length)
    for (let step = 0; step < this.#names.length; step++) {
      const name = this.#names[(first + step) % this.#names.length]!
      if (!this.#busy.has(name)) return name
    }
    return undefined
  }

  async #write(name: string, rebirth: boolean): Promise<void> {
    this.#busy.add(name)
    try {
      const key = { namespace: NAMESPACE, name }
      if (rebirth) {
        await this.#client.delete(Sample, key)
        await this.#create(name)
      } else {
        const spec = this.#spec()
        await this.#client.patch(Sample, key, { type: 'merge', body: { spec } })
        this.#expected.set(name, spec.number)
      }
      this.writes++
    } catch (error) {
      this.failure ??= isNotFound(error) ? new Error(`${name} is gone, though no client deleted it`) : error
    } finally {
      this.#busy.delete(name)
    }
  }

  async #create(name: string): Promise<void> {
    const spec = this.#spec()
    await this.#client.create(Sample, { metadata: { namespace: NAMESPACE, name }, spec })
    this.#expected.set(name, spec.number)
  }

  #spec() {
    return { number: this.#number++, writtenAt: this.#clock.now(), text: TEXT }
  }
}

/** The objects whose status does not show the last write. */
export async function lost(client: Client, expected: Expected): Promise<string[]> {
  const shown = new Map<string, number | undefined>()
  for await (const page of client.pages(Sample, { namespace: NAMESPACE })) {
    for (const { metadata, status } of page) shown.set(metadata.name, status?.number)
  }
  return [...expected].flatMap(([name, number]) =>
    shown.get(name) === number ? [] : [`${name}: ${number} was written, ${shown.get(name)} is shown`],
  )
}
