import { SystemClock } from '@homeostat/api'
import type { PortOptions } from '../port/index.ts'
import { ApiServer } from '../server.ts'
import type { ApiServerOptions } from '../server-options.ts'
import { onLauncherEnd } from './launcher.ts'
import { complain } from './flags/say.ts'
import { returnMemoryWhenIdle } from './return-memory.ts'

/** The server's options, and the callback for its start. */
export interface ServeOptions {
  readonly server: ApiServerOptions
  readonly port: PortOptions
  /** Called when the server answers requests. An exception ends the server. */
  ready(port: Awaited<ReturnType<ApiServer['listen']>>): void
}

/** Serves until SIGTERM or SIGINT, or until the npx that started it has ended. A second signal ends it at once. */
export async function serveUntilSignal(serving: ServeOptions): Promise<void> {
  const asked = Promise.withResolvers<void>()
  let count = 0
  const ask = (): void => {
    if (++count > 1) process.exit(130)
    asked.resolve()
  }
  process.on('SIGTERM', ask)
  process.on('SIGINT', ask)
  using _launcher = onLauncherEnd(() => asked.resolve())
  try {
    await using server = await ApiServer.start(serving.server)
    const onProblem = ({ message }: Error): void => complain(message)
    serving.ready(await server.listen({ onProblem, ...serving.port }))
    using _idle = returnMemoryWhenIdle(new SystemClock())
    await asked.promise
  } finally {
    process.off('SIGTERM', ask)
    process.off('SIGINT', ask)
  }
}
