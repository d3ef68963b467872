import {
  customResourceDefinition,
  HomeostatError,
  SimulatedClock,
  SystemClock,
  type AnyKind,
  type ApiRequest,
  type Clock,
} from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { connect, createClient, loadConfig, type Client, type ServerFields, type Transport } from 'homeostat'
import { inject } from 'vitest'
import { callJson, type JsonAnswer, type JsonCallOptions } from './json-call.ts'

/**
 * The server that a `*.both.test.ts` runs on: ours in this process and under simulated time in the project
 * `ours`, a real kube-apiserver in the project `kubernetes`.
 */
export interface TestServer extends AsyncDisposable {
  readonly name: 'ours' | 'kubernetes'
  /** Whether Kubernetes' own controllers run: garbage collection, Deployments, endpoints, namespaces. */
  readonly controllers: boolean
  readonly clock: Clock
  /** For a client or a manager. What goes through it is in {@link writes}. */
  readonly transport: Transport
  readonly client: Client<ServerFields>
  /** A namespace of this test alone. */
  readonly namespace: string
  /** The requests to write that went through the transport, in order: `PATCH /api/v1/…`. */
  readonly writes: readonly string[]
  /** Sends one request as it stands. */
  call(method: ApiRequest['method'], path: string, options?: JsonCallOptions): Promise<JsonAnswer>
  /** Makes the server serve kinds, and waits until it does. */
  install(...kinds: readonly AnyKind[]): Promise<void>
  /**
   * Waits until the check gives something: under simulated time until all has settled, then by half seconds; on a real
   * server for at most five minutes: its garbage collector looks for new kinds every half a minute, and starts over if
   * one of them is removed meanwhile.
   */
  until<T>(what: string, check: () => Promise<T | undefined | false>): Promise<T>
  close(): Promise<void>
}

/** Starts a server for one test, or for the tests of one file. Close it afterwards. */
export async function startTestServer(
  options: {
    readonly kinds?: readonly AnyKind[]
    /** Whether ours runs by the clock of this machine: TLS connections go by that one. Default: false. */
    readonly realTime?: boolean
  } = {},
): Promise<TestServer> {
  const server =
    process.env.HOMEOSTAT_TEST_SERVER === 'kubernetes'
      ? kubernetes()
      : await (options.realTime ? oursInRealTime() : ours())
  try {
    await makeNamespace(server)
    await server.install(...(options.kinds ?? []))
    server.forgetWrites()
    return server
  } catch (error) {
    await server.close()
    throw error
  }
}

type Wait = <T>(what: string, check: () => Promise<T | undefined | false>) => Promise<T>
type Starting = TestServer & { forgetWrites(): void }

async function ours(): Promise<Starting> {
  const clock = new SimulatedClock()
  const server = await ApiServer.start({ clock, enforceOwnerReferences: true })
  const transport = connect({ handler: server.handler }, { clock })
  return assemble({
    name: 'ours',
    controllers: false,
    clock,
    transport,
    async until(what, check) {
      for (let tries = 0; tries < 240; tries++) {
        await clock.settle()
        const found = await check()
        if (found !== undefined && found !== false) return found
        await clock.advance('500ms')
      }
      throw new HomeostatError('TEST_TIMEOUT', `${what} did not happen in two simulated minutes`)
    },
    end: () => server.close(),
  })
}

async function oursInRealTime(): Promise<Starting> {
  const clock = new SystemClock()
  const server = await ApiServer.start({ clock, enforceOwnerReferences: true })
  const transport = connect({ handler: server.handler }, { clock })
  const end = (): Promise<void> => server.close()
  return assemble({ name: 'ours', controllers: false, clock, transport, until: untilIn(clock), end })
}

function kubernetes(): Starting {
  const { kubeconfig, controllers } = inject('kubernetes')
  const clock = new SystemClock()
  return assemble({
    name: 'kubernetes',
    controllers,
    clock,
    transport: connect(loadConfig({ kubeconfig }), { clock }),
    until: untilIn(clock),
    end: async () => {},
  })
}

/** Waits in real time. */
function untilIn(clock: Clock): Wait {
  return async (what, check) => {
    const deadline = clock.monotonic() + 300_000
    while (clock.monotonic() < deadline) {
      const found = await check()
      if (found !== undefined && found !== false) return found
      await clock.sleep(100)
    }
    throw new HomeostatError('TEST_TIMEOUT', `${what} did not happen in five minutes`)
  }
}

function assemble(
  parts: Pick<TestServer, 'name' | 'controllers' | 'clock' | 'transport'> & {
    until: Wait
    /** Ends the server itself, if it is this test's own. */
    end(): Promise<void>
  },
): Starting {
  const { name, controllers, clock, until } = parts
  const namespace = `test-${crypto.randomUUID().slice(0, 13)}`
  const writes: string[] = []
  const transport: Transport = {
    ...parts.transport,
    send(request) {
      if (request.method !== 'GET') writes.push(`${request.method} ${request.path}`)
      return parts.transport.send(request)
    },
  }
  const call: TestServer['call'] = (method, path, options) =>
    callJson((request) => transport.send(request), method, path, options)

  async function close(): Promise<void> {
    if (name === 'kubernetes') {
      await call('DELETE', `/api/v1/namespaces/${namespace}`).catch(() => undefined)
    }
    await transport.close()
    await parts.end()
  }

  return {
    name,
    controllers,
    clock,
    transport,
    client: createClient({ transport, clock, fieldManager: 'test' }),
    namespace,
    writes,
    call,
    install: async (...kinds) => {
      for (const kind of kinds) await installKind(call, until, kind)
    },
    until,
    close,
    [Symbol.asyncDispose]: close,
    forgetWrites: () => void (writes.length = 0),
  }
}

async function makeNamespace(server: TestServer): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: server.namespace } }
  const { status, body: answer } = await server.call('POST', '/api/v1/namespaces', { body })
  if (status === 201) return
  throw new HomeostatError('TEST_NAMESPACE', `the namespace of the test was not made: ${answer.message}`)
}

/** Several tests may install one kind: the last one's definition wins. */
async function installKind(call: TestServer['call'], until: Wait, kind: AnyKind): Promise<void> {
  const definition = customResourceDefinition(kind)
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const path = `${definitions}/${definition.metadata.name}`
  let answer = await call('POST', definitions, { body: definition })
  if (answer.status === 409) answer = await call('PATCH', path, { body: { spec: definition.spec } })
  if (answer.status >= 300) {
    throw new HomeostatError('TEST_KIND', `${kind.kind} was refused: ${answer.body.message}`)
  }
  await until(`serving ${definition.metadata.name}`, async () => {
    const { body } = await call('GET', path)
    const established = body.status?.conditions?.some(
      (condition: { type: string; status: string }) =>
        condition.type === 'Established' && condition.status === 'True',
    )
    if (!established) return false
    return (await call('GET', `/apis/${kind.group}/${kind.version}/${kind.plural}`)).status === 200
  })
}
