import { failure, type Clock } from '@homeostat/api'
import { ApiFailure, type PodLogRequest } from '@homeostat/apiserver'
import type { Kubelet } from './kubelet/index.ts'

/** The log of a container as the API serves it. A container that has none is a failure in the words of a node. */
export function readPodLog(
  kubelet: Pick<Kubelet, 'log' | 'waitingFor'>,
  request: PodLogRequest,
  clock: Clock,
): Promise<AsyncIterable<Uint8Array>> {
  const { namespace, name, container, previous, sinceSeconds, sinceTime, ...rest } = request
  const log = kubelet.log({ namespace, name }, container, { previous })
  if (!log) {
    const message = previous
      ? `previous terminated container ${JSON.stringify(container)} in pod ${JSON.stringify(name)} not found`
      : `container ${JSON.stringify(container)} in pod ${JSON.stringify(name)} is waiting to start: ${kubelet.waitingFor({ namespace, name }, container)}`
    return Promise.reject(new ApiFailure(failure.badRequest(message)))
  }
  const since = sinceTime !== undefined ? Date.parse(sinceTime) : secondsAgo(sinceSeconds, clock)
  return Promise.resolve(log.read({ ...rest, sinceTime: since }))
}

function secondsAgo(seconds: number | undefined, clock: Clock): number | undefined {
  return seconds === undefined ? undefined : clock.now() - seconds * 1_000
}
