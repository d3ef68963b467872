import { parentPort, workerData } from 'node:worker_threads'
import { checkOptionNames, HomeostatError, SystemClock } from '@homeostat/api'
import type { OperatorSource } from 'homeostat'
import { CHECK_DECLARATIONS, type CheckDeclarations } from '../options/index.ts'
import { LocalTrialHost } from './trial-host.ts'
import { HEARTBEAT, type ThreadData, type ThreadMessage, type ThreadOrder } from './threads.ts'

/** The thread that plays trials: it loads the operator itself, since a function cannot be sent to it. */
if (!parentPort) throw new Error('this module is started as a thread')
const port = parentPort
const { module, options } = workerData as ThreadData
const loaded = (await import(module)) as { default: OperatorSource; check?: CheckDeclarations }
const declared = loaded.check ?? {}
checkOptionNames(declared, CHECK_DECLARATIONS)

const host = new LocalTrialHost(loaded.default, { ...options, ...merged(declared) }, (trial) =>
  send({ trial }),
)

port.on('message', (order: ThreadOrder) => void carryOut(order))

async function carryOut({ id, task, input }: ThreadOrder): Promise<void> {
  try {
    send({ id, result: await host[task](input) })
  } catch (error) {
    const code = error instanceof HomeostatError ? error.code : 'CHECK_FAILED'
    send({ id, problem: { code, message: error instanceof Error ? error.message : String(error) } })
  }
}

const clock = new SystemClock()
function beat(): void {
  send({ alive: true })
  clock.schedule(HEARTBEAT, beat)
}
beat()

function send(message: ThreadMessage): void {
  port.postMessage(message, [])
}

function merged({ keeps = [], varies = [] }: CheckDeclarations): CheckDeclarations {
  return { keeps: [...(options.keeps ?? []), ...keeps], varies: [...(options.varies ?? []), ...varies] }
}
