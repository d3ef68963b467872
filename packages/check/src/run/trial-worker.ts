import { parentPort, workerData } from 'node:worker_threads'
import { checkOptionNames, HomeostatError, SystemClock } from '@homeostat/api'
import { CHECK_DECLARATIONS, type CheckDeclarations } from '../options/index.ts'
import { LoadedCode, loadModule } from './load-module.ts'
import { LocalTrialHost } from './trial-host.ts'
import { HEARTBEAT, type ThreadData, type ThreadMessage, type ThreadOrder } from './threads.ts'

/** The thread that plays trials: it loads the operator itself, since a function cannot be sent to it. */
if (!parentPort) throw new Error('this module is started as a thread')
const port = parentPort
const { module, options } = workerData as ThreadData
const code = new LoadedCode()
send({ loading: true })
const prepared = load()
prepared.catch(() => {})

async function load(): Promise<LocalTrialHost> {
  const { source, declared } = await loadModule(module)
  checkOptionNames(declared, CHECK_DECLARATIONS)
  return new LocalTrialHost(
    source,
    { ...options, ...merged(declared) },
    {
      onTrial: (trial) => send({ trial }),
      code: code.digest(),
    },
  )
}

port.on('message', (order: ThreadOrder) => void carryOut(order))

async function carryOut({ id, task, input }: ThreadOrder): Promise<void> {
  try {
    const host = await prepared
    send({ id, result: await host[task](input) })
  } catch (error) {
    const problem = error instanceof HomeostatError ? error.code : 'CHECK_FAILED'
    send({ id, problem: { code: problem, message: error instanceof Error ? error.message : String(error) } })
  }
}

const clock = new SystemClock()
function beat(): void {
  send({ alive: true })
  clock.schedule(HEARTBEAT, beat)
}
// Not before it is loaded, so that loading without an end is noticed.
void prepared.then(beat, beat)

function send(message: ThreadMessage): void {
  port.postMessage(message, [])
}

function merged({ keeps = [], varies = [], final = [], ...rest }: CheckDeclarations): CheckDeclarations {
  return {
    ...rest,
    keeps: [...(options.keeps ?? []), ...keeps],
    varies: [...(options.varies ?? []), ...varies],
    final: [...(options.final ?? []), ...final],
  }
}
