/**
 * Where the pages of a log are kept, numbered from 0 in the order in which they come. The oldest are dropped when there
 * are too many.
 */
export interface LogStore {
  /** The number of the first page that is kept. */
  readonly first: number
  /** The number that the next page will have. */
  readonly next: number
  /** Keeps a page. */
  append(page: Buffer): void
  /** A page; `undefined` when it is no longer kept. */
  read(number: number): Promise<Buffer | undefined>
  /** No more pages will come. The last one, which stays in memory, is written for processes that open the log later. */
  end(last?: Buffer): void
  /** Drops all pages. */
  remove(): void
}

/** Keeps pages in memory, up to a number of bytes. */
export class LogMemory implements LogStore {
  readonly #limit: number
  readonly #pages: Buffer[] = []
  #first = 0
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get first(): number {
    return this.#first
  }

  get next(): number {
    return this.#first + this.#pages.length
  }

  append(page: Buffer): void {
    this.#pages.push(page)
    this.#bytes += page.length
    while (this.#bytes > this.#limit && this.#pages.length > 1) {
      this.#bytes -= this.#pages.shift()?.length ?? 0
      this.#first++
    }
  }

  read(number: number): Promise<Buffer | undefined> {
    return Promise.resolve(this.#pages[number - this.#first])
  }

  end(): void {}

  remove(): void {
    this.#first = this.next
    this.#pages.length = 0
  }
}
