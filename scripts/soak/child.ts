import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A process of the soak, spoken with by messages. It ends when this one does, however that happens. */
export class Child<Out extends object, In extends object> implements AsyncDisposable {
  readonly #name: string
  readonly #process: ChildProcess

  constructor(name: string, args: readonly string[] = []) {
    this.#name = name
    this.#process = fork(fileURLToPath(new URL(`${name}.ts`, import.meta.url)), args, {
      execArgv: ['--conditions=source', '--expose-gc'],
    })
  }

  /** Says something, if there is something to say, and gives the next message; rejects if the process ends instead. */
  async next(question?: Out): Promise<In> {
    const listening = new AbortController()
    const { signal } = listening
    const ended = once(this.#process, 'exit', { signal }).then(([code, by]) => {
      throw new Error(`the ${this.#name} ended by itself, with ${by ?? code}`)
    })
    ended.catch(() => {})
    const message = once(this.#process, 'message', { signal })
    message.catch(() => {})
    if (question) this.tell(question)
    try {
      const [answer] = await Promise.race([message, ended])
      return answer as In
    } finally {
      listening.abort()
    }
  }

  tell(message: Out): void {
    this.#process.send(message)
  }

  /** The process's exit code, once it has ended. */
  async ended(): Promise<number | null> {
    if (this.#process.exitCode === null && this.#process.signalCode === null)
      await once(this.#process, 'exit')
    return this.#process.exitCode
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.connected) this.#process.disconnect()
    const kill = setTimeout(() => this.#process.kill('SIGKILL'), 10_000)
    await this.ended()
    clearTimeout(kill)
  }
}
