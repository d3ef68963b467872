import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { HomeostatError, SystemClock } from '@homeostat/api'
import type { ApiState, OperatorAction } from '@homeostat/dashboard'
import { connect, createClient, directTransport, loadConfig, type Client, type Transport } from 'homeostat'
import {
  linesBehind,
  styleOf,
  usageError,
  type Command,
  type CommandCall,
  type CommandIo,
} from '../command/index.ts'
import type { DevSession, SessionOptions, SessionPage } from '../dev/index.ts'
import { clusterOptions, operatorOption } from '../project/index.ts'

const KUBECONFIG = '.homeostat/dev.kubeconfig'

export const dev: Command = {
  name: 'dev',
  summary: 'runs the operator on a local cluster, and restarts it at each save',
  description:
    'Starts a cluster in this process, makes the kinds of the operator known there, applies its samples and runs it. A saved file restarts the operator and nothing else: the cluster keeps its objects, and a changed schema is applied, with a warning for stored objects that no longer fit. What does not load is shown, and the last version keeps running. The compiler of the project checks types meanwhile. Keys: p pauses the operator, s runs one reconcile of a paused one, c crashes it, r restarts it, d deletes an object that it made, o opens the page that shows what it does, q or Ctrl-C ends everything.',
  options: {
    operator: operatorOption,
    port: {
      type: 'string',
      value: 'PORT',
      description: 'the port for the API of the cluster (default: any free port)',
    },
    'page-port': {
      type: 'string',
      value: 'PORT',
      description: 'the port for the page that shows what the operator does (default: any free port)',
    },
    'data-dir': {
      type: 'string',
      value: 'FOLDER',
      description:
        'keep the objects of the cluster in this folder (default: they are lost when the command ends)',
    },
    image: {
      type: 'string',
      multiple: true,
      value: 'NAME=COMMAND',
      description:
        'what runs for the image of that name: a command of this machine with its arguments; may be repeated. Commands after semicolons are those that a Pod may name in its own command: "NAME=COMMAND; ./migrate"',
    },
    context: {
      ...clusterOptions.context,
      description: 'run on the cluster of this context instead of a local one',
    },
    kubeconfig: clusterOptions.kubeconfig,
    samples: { type: 'boolean', description: 'with --context: apply the samples as well' },
  },
  examples: [
    ['dev', 'a local cluster'],
    ['dev --data-dir=.homeostat/data', 'a local cluster that keeps its objects'],
    ['dev --image="example/web=node ./server.js"', 'Pods with this image run a program of this machine'],
    ['dev --context=staging', 'the operator on another cluster, with its kinds but not its samples'],
  ],
  async run({ values, io }: CommandCall): Promise<number> {
    const context = values['context'] as string | undefined
    const kubeconfig = values['kubeconfig'] as string | undefined
    const operator = values['operator'] as string | undefined
    for (const name of ['port', 'data-dir', 'image'] as const) {
      if (context !== undefined && values[name] !== undefined)
        throw usageError(`--${name} cannot be used with --context, which runs on a cluster that exists`)
    }
    if (context === undefined && (kubeconfig !== undefined || values['samples'] === true))
      throw usageError(
        '--kubeconfig and --samples need --context=NAME: without it, homeostat dev starts a local cluster',
      )
    const { DevSession, FileWatch, KEYS, TypeCheck } = await import('../dev/index.ts')
    const port = portOf('port', values)
    await using cleanUp = new AsyncDisposableStack()
    const asked = interruption(cleanUp)
    const say = printer(io)
    const clock = new SystemClock()
    const base = { cwd: io.cwd, env: io.env, file: operator, clock, say }
    const target =
      context === undefined
        ? await localCluster(io, cleanUp, {
            port,
            dataDir: values['data-dir'] as string | undefined,
            images: [values['image'] ?? []].flat().filter((image) => typeof image === 'string'),
            say,
          })
        : remoteCluster(cleanUp, clock, {
            context,
            kubeconfig,
            env: io.env,
            samples: values['samples'] === true,
          })
    if (asked.aborted) return ended(say, cleanUp)
    const { transport, ...options } = target
    const page = await startPage(cleanUp, {
      clock,
      transport,
      say,
      port: portOf('page-port', values),
      press: (key) => session.press(key),
      disturbApi: (state) => session.disturbApi(state),
    })
    const session: DevSession = cleanUp.use(new DevSession({ ...base, ...options, page }))
    const folder = operator === undefined ? io.cwd : folderOf(resolve(io.cwd, operator))
    const saved = async (files: readonly string[]): Promise<void> => {
      types?.pause()
      await session.restart(`saved ${files.join(', ')}`)
      types?.resume()
    }
    cleanUp.use(new FileWatch(folder, clock, (files) => void saved(files)))
    const types = TypeCheck.start(folder, clock, (line) =>
      say('types', line, line === 'no errors' ? 'good' : 'bad'),
    )
    if (types) cleanUp.use(types)
    else say('types', 'not checked: there is no typescript or no tsconfig.json in the project')
    await session.restart('started')
    say('keys', KEYS.map(({ key, word }) => `${key} ${word}`).join(', '))
    await untilQuit(session, asked, cleanUp)
    say('dev', 'stopping')
    return ended(say, cleanUp)
  },
}

async function ended(say: Say, cleanUp: AsyncDisposableStack): Promise<number> {
  await cleanUp.disposeAsync()
  say('dev', 'stopped: nothing is left running')
  return 0
}

type Target = Pick<SessionOptions, 'client' | 'kubeconfig' | 'context' | 'samples'> & {
  readonly transport: Transport
}
type Say = SessionOptions['say']

async function localCluster(
  io: CommandIo,
  cleanUp: AsyncDisposableStack,
  options: { port: number; dataDir: string | undefined; images: readonly string[]; say: Say },
): Promise<Target> {
  const { port, dataDir, images, say } = options
  const { Cluster, imageFlag } = await import('@homeostat/cluster')
  const file = join(io.cwd, KUBECONFIG)
  const cluster = cleanUp.use(
    await Cluster.start({
      port,
      dataDir: dataDir === undefined ? undefined : resolve(io.cwd, dataDir),
      images: Object.fromEntries(images.map((image) => imageFlag(image, io.cwd))),
      secretFiles: [file],
      onListening: (text) => {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        writeFileSync(file, text, { mode: 0o600 })
      },
    }),
  )
  cleanUp.defer(() => rmSync(file, { force: true }))
  say('dev', `a Kubernetes is ready at ${cluster.url}. In another terminal:`)
  say(
    'dev',
    process.platform === 'win32' ? `  $env:KUBECONFIG = "${file}"` : `  export KUBECONFIG=${shellWord(file)}`,
  )
  const transport = directTransport(cluster.handler, { clock: cluster.clock })
  return { client: cluster.client, kubeconfig: file, context: undefined, samples: true, transport }
}

function remoteCluster(
  cleanUp: AsyncDisposableStack,
  clock: SystemClock,
  options: {
    context: string
    kubeconfig: string | undefined
    env: CommandIo['env']
    samples: boolean
  },
): Target {
  const { context, kubeconfig, env, samples } = options
  const transport = cleanUp.use(connect(loadConfig({ context, kubeconfig, env }), { clock }))
  const client: Client = createClient({ transport, clock, fieldManager: 'homeostat-dev' })
  return { client, kubeconfig, context, samples, transport }
}

/** The key for each action of the page. */
const ACTION_KEYS = { crash: 'c', restart: 'r', pause: 'p', resume: 'p', step: 's' } as const
const API_ACTIONS = { 'api-normal': 'normal', 'api-slow': 'slow', 'api-failing': 'failing' } as const

function isApiAction(action: OperatorAction): action is keyof typeof API_ACTIONS {
  return action in API_ACTIONS
}

async function startPage(
  cleanUp: AsyncDisposableStack,
  options: {
    readonly clock: SystemClock
    readonly transport: Transport
    readonly port: number
    readonly say: Say
    readonly press: (key: string) => unknown
    readonly disturbApi: (state: ApiState) => unknown
  },
): Promise<SessionPage> {
  const { clock, transport, port, say, press, disturbApi } = options
  const { Dashboard, OPERATOR_ACTIONS } = await import('@homeostat/dashboard')
  const dashboard = cleanUp.use(
    await Dashboard.start({
      clock,
      transport,
      port,
      onOperatorAction: (action) =>
        isApiAction(action) ? disturbApi(API_ACTIONS[action]) : press(ACTION_KEYS[action]),
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
      throw new HomeostatError(
        'PORT_IN_USE',
        `port ${port} is in use by another program: stop it, or choose another port by --page-port`,
        { cause: error },
      )
    }),
  )
  say('dev', `see it work: ${dashboard.address}`)
  return {
    operatorStarted: ({ name, kinds, owned, controllers }) =>
      dashboard.operatorStarted({ name, kinds, owned, controllers, actions: OPERATOR_ACTIONS }),
    operatorEnded: () => dashboard.operatorEnded(),
    record: (event) => dashboard.record(event),
    disturbed: (disturbance) => dashboard.operatorDisturbed(disturbance),
    open: () => dashboard.openInBrowser(() => say('dev', `open ${dashboard.address} in a browser`)),
  }
}

/** Aborts at the first SIGINT or SIGTERM. A second one ends the process and its children at once. */
function interruption(cleanUp: AsyncDisposableStack): AbortSignal {
  const asked = new AbortController()
  const ask = (): void => {
    if (asked.signal.aborted) process.exit(130)
    asked.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, ask)
    cleanUp.defer(() => void process.off(signal, ask))
  }
  return asked.signal
}

/** Passes keys on until q, Ctrl-C or a signal. Keys may also come from a pipe; the end of the pipe does not end the program. */
async function untilQuit(
  session: DevSession,
  asked: AbortSignal,
  cleanUp: AsyncDisposableStack,
): Promise<void> {
  const { stdin } = process
  const isTerminal = stdin.isTTY
  if (isTerminal) stdin.setRawMode(true)
  cleanUp.defer(() => {
    if (isTerminal) stdin.setRawMode(false)
    stdin.pause()
    // An open pipe would keep the process alive. A file or /dev/null does not, and has no such method.
    if ('unref' in stdin) stdin.unref()
  })
  await new Promise<void>((quit) => {
    if (asked.aborted) quit()
    asked.addEventListener('abort', () => quit(), { once: true })
    stdin.setEncoding('utf8').on('data', (keys: string) => {
      for (const key of keys) {
        if (key === 'q' || key === '\u0003') quit()
        else void session.press(key)
      }
    })
  })
}

function printer(io: CommandIo): Say {
  const style = styleOf(io)
  return (subject, line, tone) => {
    const lines = linesBehind(6, line, io).map((part) => (tone === undefined ? part : style[tone](part)))
    io.out(`${style.faint(subject.padEnd(5))} ${lines.join('\n      ')}\n`)
  }
}

function portOf(name: string, values: CommandCall['values']): number {
  const text = values[name]
  if (typeof text !== 'string') return 0
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw usageError(`--${name}=${text} is not a port: give a number from 0 to 65535`)
}

function folderOf(path: string): string {
  return existsSync(join(path, 'operator.ts')) ? path : dirname(path)
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
