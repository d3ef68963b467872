import { type Clock, type DeepReadonly, holdClock } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { PodAddress } from '../../network/index.ts'
import { execIn, type ContainerPlace } from '../process/index.ts'
import { PodProblem } from '../sources/index.ts'
import { httpGet, probeTarget } from '../probes/index.ts'

export interface LifecycleHookOptions {
  readonly hook: DeepReadonly<CoreV1.LifecycleHandler>
  readonly container: DeepReadonly<CoreV1.Container>
  readonly address: PodAddress
  readonly place: ContainerPlace
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Runs a hook of a container to its end. Rejects when it fails; an answer of a web server is never a failure. */
export async function runLifecycleHook(options: LifecycleHookOptions): Promise<void> {
  const { hook, container, address, place, clock, signal } = options
  if (hook.sleep) {
    await clock.sleep(hook.sleep.seconds * 1_000, { signal })
  } else if (hook.httpGet) {
    const asked = httpGet(
      hook.httpGet,
      probeTarget(container, address, hook.httpGet.port),
      'lifecycle',
      signal,
    )
    holdClock(clock, 'a lifecycle hook', asked)
    await asked
  } else if (hook.exec) {
    // Its output may contain a secret, and is not shown.
    const nowhere = { write: () => undefined }
    const { exitCode } = await execIn(place, {
      command: hook.exec.command ?? [],
      stdout: nowhere,
      stderr: nowhere,
      signal,
    })
    if (exitCode !== 0) throw new PodProblem(`the command ended with exit code ${exitCode}`)
  } else {
    throw new PodProblem('this node supports only exec, httpGet and sleep hooks')
  }
}
