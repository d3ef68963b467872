import { checkOptionNames, optionNames, SystemClock } from '@homeostat/api'
import { podOptions, type ManagerOptions } from '../manager/index.ts'
import { operatorManager } from './operator-manager.ts'
import { resolveOperator, type OperatorSource } from './operator.ts'

/** How an operator is run. */
export interface RunOptions {
  /**
   * Stops the operator in an orderly way. With a signal, `run` does not end the process: it rejects if the operator
   * fails. Default: none.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Further options of the manager, such as a `transport`; they take precedence over those of the operator.
   * Default: none.
   */
  readonly manager?: ManagerOptions | undefined
  /** The environment variables that show whether this process runs in a Pod. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

const OPTIONS = optionNames<RunOptions>('run', { signal: true, manager: true, env: true })

/**
 * Runs an operator as a process; a `main.ts` needs nothing else. In a Pod, the processes elect a leader with a Lease of
 * the operator's name; metrics are on port 8080, probes on port 8081 and webhooks on port 9443. In a terminal it uses
 * the current context of the kubeconfig, and opens a port only for webhooks.
 *
 * Resolves after an orderly stop by SIGINT or SIGTERM. A failure is logged and ends the process with exit code 1.
 * If the caller gives a `signal`, `run` does not listen for SIGINT and SIGTERM, and rejects on a failure.
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

/** Modules that need Node are loaded when they are used. */
async function adapters() {
  const [{ endProcess }, { processLogger }] = await Promise.all([
    import('../process/end-process.ts'),
    import('../process/process-logger.ts'),
  ])
  return { endProcess, processLogger }
}
