import type { Container, ContainerModule } from '../../images/index.ts'
import { holdClock } from '@homeostat/api'
import { ModuleListeners } from './module-listeners.ts'
import { exitWith, type Exit, type Run } from './run.ts'

const SIGTERM_EXIT = 143
const SIGKILL_EXIT = 137
/** How long simulated time waits, in real time, for a function that was told to stop. */
const END_TIMEOUT = 250

/** The argument of a module. Its mounts are created when it first asks for them. */
interface ModuleContainer extends Omit<Container, 'signal' | 'killed' | 'mounts'> {
  mounts(): Container['mounts']
}

/** Runs a container as a function of this process. */
export function runModule(module: ContainerModule, container: ModuleContainer): Run {
  const stop = new AbortController()
  const kill = new AbortController()
  const killed = Promise.withResolvers<Exit>()
  const running = {
    ...container,
    get mounts() {
      return container.mounts()
    },
    signal: stop.signal,
    killed: kill.signal,
  }
  const listeners = new ModuleListeners()
  const settled = listeners.within(() => settle(module, running))
  const exited = Promise.race([settled, killed.promise]).finally(() => listeners[Symbol.dispose]())
  return {
    exited,
    localAddress: (port) => listeners.localAddress(port),
    terminate: () => {
      stop.abort(new DOMException('The container was told to stop.', 'AbortError'))
      // It may have sockets of this machine to close.
      holdClock(container.clock, `the end of container ${container.name}`, exited, END_TIMEOUT)
    },
    kill: () => {
      const reason = new DOMException('The container was killed.', 'AbortError')
      stop.abort(reason)
      kill.abort(reason)
      // A function cannot be ended from outside. If it ignores its signals, it is only forgotten.
      killed.resolve(exitWith(SIGKILL_EXIT))
    },
  }
}

async function settle(module: ContainerModule, container: Container): Promise<Exit> {
  try {
    const code = await module(container)
    return exitWith(typeof code === 'number' && Number.isInteger(code) ? code & 0xff : 0)
  } catch (error) {
    if (container.signal.aborted && error === container.signal.reason) return exitWith(SIGTERM_EXIT)
    container.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    return exitWith(1)
  }
}
