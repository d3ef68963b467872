import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { checkOptionNames, HomeostatError, SystemClock } from '@homeostat/api'
import { CHECK_DECLARATIONS, type CheckDeclarations } from '../options/index.ts'
import { LoadedCode, loadModule } from './load-module.ts'
import { LocalTrialHost } from './trial-host.ts'
import { HEARTBEAT, type ThreadData, type ThreadMessage, type ThreadOrder } from './threads.ts'

/** The other end of a `TrialThread`, in the thread. */
class TrialWorker {
  readonly #port: MessagePort
  readonly #clock = new SystemClock()

  constructor(port: MessagePort) {
    this.#port = port
  }

  start({ module, options }: ThreadData): void {
    this.#send({ loading: true })
    const loaded = this.#load(module, options)
    // Not before the operator is loaded, so that loading without an end is noticed. An order rejects with a failure to load.
    const beat = () => this.#beat()
    void loaded.then(beat, beat)
    this.#port.on('message', (order: ThreadOrder) => void this.#carryOut(order, loaded))
  }

  async #load(module: string, options: ThreadData['options']): Promise<LocalTrialHost> {
    const code = new LoadedCode()
    const { source, declared } = await loadModule(module)
    checkOptionNames(declared, CHECK_DECLARATIONS)
    return new LocalTrialHost(
      source,
      { ...options, ...merged(options, declared) },
      { onTrial: (trial) => this.#send({ trial }), code: code.digest() },
    )
  }

  async #carryOut({ id, task, input }: ThreadOrder, loaded: Promise<LocalTrialHost>): Promise<void> {
    try {
      const host = await loaded
      this.#send({ id, result: await host[task](input) })
    } catch (error) {
      const code = error instanceof HomeostatError ? error.code : 'CHECK_FAILED'
      this.#send({ id, problem: { code, message: error instanceof Error ? error.message : String(error) } })
    }
  }

  #beat(): void {
    this.#send({ alive: true })
    this.#clock.schedule(HEARTBEAT, () => this.#beat())
  }

  #send(message: ThreadMessage): void {
    this.#port.postMessage(message, [])
  }
}

/** Plays the trials that the starter of this thread asks for. The thread loads the operator itself, since a function cannot be sent to it. */
export function playTrials(): void {
  if (!parentPort) throw new Error('this module is started as a thread')
  new TrialWorker(parentPort).start(workerData as ThreadData)
}

function merged(
  options: ThreadData['options'],
  { keeps = [], varies = [], final = [], ...rest }: CheckDeclarations,
): CheckDeclarations {
  return {
    ...rest,
    keeps: [...(options.keeps ?? []), ...keeps],
    varies: [...(options.varies ?? []), ...varies],
    final: [...(options.final ?? []), ...final],
  }
}
