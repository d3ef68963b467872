import type {
  Completions,
  Mistake,
  NameInfo,
  TypesAnswer,
  TypesAnswered,
  TypesQuestion,
} from '../types/messages.ts'
import type { Files } from '../worker/messages.ts'

/** Asks a worker about the types of the code. It is loaded after the operator runs, since it is larger than all the rest. */
export class TypesSession {
  /** The type errors of the code. */
  mistakes: readonly Mistake[] = []
  readonly #onChange: () => void
  readonly #asked = new Map<number, (answer: TypesAnswer) => void>()
  #worker: Worker | undefined
  #files: Files | undefined
  #lastId = 0

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Loads the worker, and checks the code that was last given. */
  start(): void {
    if (this.#worker) return
    const worker = new Worker(new URL('types.js', document.baseURI), { type: 'module' })
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<TypesAnswered>) => {
      this.#asked.get(data.id)?.(data.answer)
      this.#asked.delete(data.id)
    })
    // Without it the code still runs, and the editor completes names of the file.
    worker.addEventListener('error', (event) => event.preventDefault())
    if (this.#files) void this.check(this.#files)
  }

  /** Checks the types of these files. What an older check finds is not shown. */
  async check(files: Files): Promise<void> {
    this.#files = files
    const found = await this.#ask<readonly Mistake[]>({ type: 'mistakes', files })
    if (!found || files !== this.#files) return
    this.mistakes = found
    this.#onChange()
  }

  completions(files: Files, file: string, offset: number): Promise<Completions | undefined> {
    return this.#ask({ type: 'completions', files, file, offset })
  }

  /** What one of the names that could stand at a place would mean. */
  completed(files: Files, file: string, offset: number, name: string): Promise<NameInfo | undefined> {
    return this.#ask({ type: 'completed', files, file, offset, name })
  }

  name(files: Files, file: string, offset: number): Promise<NameInfo | undefined> {
    return this.#ask({ type: 'name', files, file, offset })
  }

  async #ask<T extends TypesAnswer>(question: TypesQuestion): Promise<T | undefined> {
    if (!this.#worker) return undefined
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<TypesAnswer>()
    this.#asked.set(id, resolve)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has no origin to name.
    this.#worker.postMessage({ id, question })
    return (await promise) as T | undefined
  }
}
