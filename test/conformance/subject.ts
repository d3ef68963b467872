import { milliseconds, SimulatedClock, SystemClock, type ApiHandler, type Duration } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { ANONYMOUS } from './anonymous.ts'
import { httpsHandler } from './https-handler.ts'

/** A server that scenarios are played on. */
export interface Subject extends AsyncDisposable {
  /** Sends a request as a user who may do everything, as the bearer of the token that it carries, or anonymously. */
  readonly send: ApiHandler
  /** Lets time pass. */
  pass(duration: Duration): Promise<void>
  /** Waits until something is so, at most for half a minute of the server's time; whether it came to be. */
  until(check: () => Promise<boolean> | boolean): Promise<boolean>
  /** Waits until what is on its way has come. */
  settle(): Promise<void>
}

/** Our server, in this process and under simulated time. */
export async function oursInProcess(): Promise<Subject> {
  const clock = new SimulatedClock()
  const server = await ApiServer.start({ clock, protectsVolumes: true, taintsNodes: true })
  const anonymous = server.handlerFor({ name: 'system:anonymous', groups: ['system:unauthenticated'] })
  return {
    send(request) {
      const { authorization, ...headers } = request.headers
      return authorization === ANONYMOUS ? anonymous({ ...request, headers }) : server.handler(request)
    },
    pass: (duration) => clock.advance(duration),
    async until(check) {
      for (let tries = 0; tries < 120; tries++) {
        await clock.settle()
        if (await check()) return true
        await clock.advance('250ms')
      }
      return false
    },
    settle: () => clock.settle(),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

/** Our server behind a port, under the machine's time. */
export async function oursOnPort(): Promise<Subject> {
  const server = await ApiServer.start({ protectsVolumes: true, taintsNodes: true })
  const port = await server.listen()
  const { url, token, certificateAuthority } = port
  return onNetwork({ url, token, ca: certificateAuthority }, () => server.close())
}

/** A server on the network. `end` ends it, where it is ours to end. */
export function onNetwork(
  access: { url: string; token: string; ca: string },
  end: () => Promise<void> = async () => {},
): Subject {
  const clock = new SystemClock()
  const { send, close } = httpsHandler(access)
  return {
    send,
    pass: (duration) => clock.sleep(milliseconds(duration)),
    async until(check) {
      const deadline = clock.monotonic() + 30_000
      while (!(await check())) {
        if (clock.monotonic() > deadline) return false
        await clock.sleep(40)
      }
      return true
    },
    settle: () => clock.sleep(150),
    async [Symbol.asyncDispose]() {
      close()
      await end()
    },
  }
}
