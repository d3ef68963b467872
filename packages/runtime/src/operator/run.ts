import { checkOptionNames, optionNames, SystemClock } from '@homeostat/api'
import { podOptions, type ManagerOptions } from '../manager/index.ts'
import { operatorManager } from './operator-manager.ts'
import { resolveOperator, type OperatorSource } from './operator.ts'

/** How an operator is run. */
export interface RunOptions {
  /** Ends it in good order. With a signal, `run` leaves the process alone: it rejects where the operator failed. Default: none. */
  readonly signal?: AbortSignal | undefined
  /** Further options of the manager, such as a `transport`; they count before those of the operator. Default: none. */
  readonly manager?: ManagerOptions | undefined
  /** The variables that tell whether this is a Pod. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

const OPTIONS = optionNames<RunOptions>('run', { signal: true, manager: true, env: true })

/**
 * Runs an operator as a process: all of a `main.ts`. In a Pod, one of several processes leads, by a Lease with the operator's
 * name; metrics are on port 8080, probes on port 8081 and webhooks on port 9443. In a terminal it works with the current context of
 * the kubeconfig, and opens a port for webhooks alone.
 *
 * Resolves after an orderly stop by SIGINT or SIGTERM. A failure is logged and ends the process with exit code 1. A caller that
 * gives a `signal` keeps the process: signals of the process are ignored, and a failure rejects.
 */
export async function run(source: OperatorSource, options: RunOptions = {}): Promise<void> {
  checkOptionNames(options, OPTIONS)
  const { signal, manager } = options
  if (signal) return start(source, options)
  try {
    await start(source, options)
  } catch (error) {
    const { endProcess, processLogger } = await adapters()
    const logger = manager?.logger ?? processLogger(manager?.clock ?? new SystemClock())
    logger.error({ error }, 'the operator failed')
    endProcess(1)
  }
}

async function start(source: OperatorSource, { signal, manager, env }: RunOptions): Promise<void> {
  const operator = await resolveOperator(source)
  const options = { ...podOptions(operator.name, env), ...operator.manager, ...manager }
  await operatorManager(operator, options).start({ signal })
}

/** What only Node has is loaded when it is used. */
async function adapters() {
  const [{ endProcess }, { processLogger }] = await Promise.all([
    import('../process/end-process.ts'),
    import('../process/process-logger.ts'),
  ])
  return { endProcess, processLogger }
}
