import {
  HomeostatError,
  SystemClock,
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
} from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { httpsHandler } from '../conformance/https-handler.ts'
import { startControlPlane } from '../kubernetes/control-plane.ts'
import type { RawAnswer } from './comparable-answer.ts'
import type { FuzzRequest } from './fuzz-case.ts'
import { textOf } from './json-tree.ts'
import { withoutEffectWarnings } from '../effect-warnings.ts'

/** A server that cases are asked of. */
export interface FuzzedServer extends AsyncDisposable {
  ask(request: FuzzRequest, namespace: string): Promise<RawAnswer>
}

/** The client's user on the real server. */
export const ASKER = { name: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] }

/** How long Events are kept: longer than a run, since each server would remove them at a moment of its own. */
const DAY = 86_400_000

/** Our server, in this process. */
export async function startOurs(): Promise<FuzzedServer> {
  const server = await ApiServer.start({ protectsVolumes: true, taintsNodes: true, eventLifetime: DAY })
  return serverOf(server.handlerFor(ASKER), () => server.close())
}

/** A real kube-apiserver of this machine. */
export async function startReal(): Promise<FuzzedServer> {
  const plane = await startControlPlane({ serverFlags: ['--event-ttl=24h'] })
  await plane.settled()
  const { url, token, certificateAuthority: ca } = plane
  const { send, close } = httpsHandler({ url, token, ca })
  // Node reads headers as Latin-1; kube-apiserver writes warnings as UTF-8.
  const sendInUtf8: ApiHandler = async (request) => {
    const response = await send(request)
    const warning = Buffer.from(response.headers['warning'] ?? '', 'latin1').toString()
    return { ...response, headers: { ...response.headers, warning } }
  }
  return serverOf(sendInUtf8, async () => {
    close()
    await plane.stop()
  })
}

/** Asks a server through its handler; `end` closes it. */
export function serverOf(send: ApiHandler, end: () => Promise<void>): FuzzedServer {
  return {
    async ask(request, namespace) {
      const ask = async (): Promise<RawAnswer> => readAnswer(await send(apiRequest(request, namespace)))
      try {
        return await ask()
      } catch {
        // A connection that was idle for too long is closed by the server.
        return ask().catch(() => ({ code: 0, warning: '', text: '"the server hung up"' }))
      }
    },
    [Symbol.asyncDispose]: end,
  }
}

function apiRequest({ method, path, type, headers, body }: FuzzRequest, namespace: string): ApiRequest {
  const [pathname = '', query = ''] = path.replaceAll('{ns}', namespace).split(/\?(.*)/s)
  const text = body === undefined ? undefined : textOf(body).replaceAll('{ns}', namespace)
  return {
    method,
    path: pathname,
    query: new URLSearchParams(query),
    headers: {
      accept: 'application/json',
      'user-agent': 'fuzz/1.0',
      ...(text !== undefined && { 'content-type': type ?? 'application/json' }),
      ...headers,
    },
    ...(text !== undefined && { body: new TextEncoder().encode(text) }),
  }
}

async function readAnswer({ status, headers, body }: ApiResponse): Promise<RawAnswer> {
  const chunks: Uint8Array[] = []
  if (body instanceof Uint8Array) chunks.push(body)
  else for await (const chunk of body) chunks.push(chunk)
  return {
    code: status,
    warning: withoutEffectWarnings(headers['warning']) ?? '',
    text: Buffer.concat(chunks).toString(),
  }
}

/** Makes a server serve a definition, and waits until it does. */
export async function serve(
  server: FuzzedServer,
  definition: object,
  collection: string,
  namespace: string,
): Promise<void> {
  const clock = new SystemClock()
  const deadline = clock.monotonic() + 60_000
  for (;;) {
    const { code } = await server.ask({ method: 'GET', path: collection }, namespace)
    if (code === 200) break
    if (clock.monotonic() > deadline) {
      throw new HomeostatError(
        'FUZZ_NOT_SERVED',
        `${collection} was not served in a minute: ${textOf(definition)}`,
      )
    }
    await clock.sleep(50)
  }
  // A kind may be served for a moment before its schema has an effect.
  await clock.sleep(700)
}
