import { createReadStream, existsSync } from 'node:fs'
import { HomeostatError, SystemClock } from '@homeostat/api'
import { usageError, type Command, type CommandCall, type CommandIo } from '../command/index.ts'

const ACTIONS = ['start', 'list', 'stop', 'logs', 'load', 'reset'] as const
const DEFAULT_NAME = 'local'

/** Which options each action has. */
const OPTIONS: Readonly<Record<(typeof ACTIONS)[number], readonly string[]>> = {
  start: ['background', 'merge', 'port', 'nodes'],
  list: ['json'],
  stop: ['all'],
  logs: ['follow'],
  load: [],
  reset: [],
}

export const cluster: Command = {
  name: 'cluster',
  summary: 'starts, lists and stops local clusters',
  description:
    'Named local clusters, each with a folder that keeps its objects while it is stopped. start runs a cluster until Ctrl-C, or with --background without a terminal. list shows the clusters. stop ends one, and its objects stay. logs prints what a cluster in the background has printed, with --follow until it stops. load maps an image to a command of this machine, and restarts the cluster if it runs in the background; paths in the command that begin with ./ or ../ start from the current folder. reset stops a cluster and deletes its objects. Only --merge changes your own kubeconfig; reset removes what --merge has added. The default of NAME is local.',
  arguments: 'start|list|stop|logs|load|reset [NAME] [IMAGE=COMMAND]',
  options: {
    background: {
      type: 'boolean',
      description: 'start: return when the cluster is ready, and leave it running',
    },
    merge: {
      type: 'boolean',
      description: 'start: add the context homeostat-NAME to your kubeconfig; needs --background',
    },
    port: {
      type: 'string',
      value: 'PORT',
      description: 'start: the port of its API (default: the port of its last start, or any free port)',
    },
    nodes: {
      type: 'string',
      value: 'NODES',
      description: 'start: how many nodes there are, or their names joined by commas (default: 1)',
    },
    all: { type: 'boolean', description: 'stop: all clusters' },
    follow: { type: 'boolean', description: 'logs: keep printing new lines until the cluster stops' },
    json: { type: 'boolean', description: 'list: print JSON' },
  },
  examples: [
    ['cluster start', 'one in this terminal'],
    [
      'cluster start shop --background --merge',
      'one without a terminal, which kubectl knows as homeostat-shop',
    ],
    ['cluster load shop "example/web=node ./server.js"', 'a command of this machine for an image'],
    ['cluster stop --all', 'keeps their objects for the next start'],
    ['cluster reset shop', 'deletes it and its objects'],
  ],
  async run({ values, positionals, io }: CommandCall): Promise<number> {
    const [given, first, second, ...rest] = positionals
    const action = ACTIONS.find((each) => each === given)
    if (!action) throw usageError(`name an action: homeostat cluster ${ACTIONS.join('|')}`)
    const wrong = Object.keys(values).find((name) => !OPTIONS[action].includes(name))
    if (wrong !== undefined) throw usageError(`homeostat cluster ${action} has no option --${wrong}`)
    const most = action === 'load' ? 2 : action === 'list' ? 0 : 1
    const extra = [first, second, ...rest].filter((each) => each !== undefined)[most]
    if (extra !== undefined) throw usageError(`homeostat cluster ${action} takes no argument "${extra}"`)
    const { ClusterHome } = await import('../local-clusters/index.ts')
    if (action === 'list') return list(io, values['json'] === true)
    if (action === 'stop' && values['all'] === true) {
      if (first !== undefined) throw usageError('--all cannot be used with the name of a cluster')
      for (const home of ClusterHome.all(io.env)) if (home.state().running) await stop(io, home.name)
      return 0
    }
    if (action === 'load' && first !== undefined && second !== undefined) return load(io, first, second)
    if (action === 'load') return load(io, DEFAULT_NAME, first)
    const name = first ?? DEFAULT_NAME
    if (action === 'start') return start(io, name, values)
    if (action === 'stop') return stop(io, name)
    return action === 'logs' ? logs(io, name, values['follow'] === true) : reset(io, name)
  },
}

async function start(io: CommandIo, name: string, values: CommandCall['values']): Promise<number> {
  const { ClusterHome, mergeKubeconfig, runCluster, startInBackground, userKubeconfig } =
    await import('../local-clusters/index.ts')
  const background = values['background'] === true
  if (values['merge'] === true && !background)
    throw usageError('--merge needs --background: a cluster in the terminal prints its kubeconfig')
  const home = new ClusterHome(name, io.env)
  const { running, pid } = home.state()
  if (running) {
    throw new HomeostatError(
      'CLUSTER_RUNNING',
      `the cluster ${name} is already running, as process ${pid}: homeostat cluster stop ${name} stops it`,
    )
  }
  const isNew = !home.exists
  home.create()
  const options = {
    env: io.env,
    port: values['port'] as string | undefined,
    nodes: values['nodes'] as string | undefined,
  }
  try {
    if (!background) return await runCluster(home, options)
    await startInBackground(home, options, new SystemClock())
  } catch (error) {
    // A cluster that never ran has nothing to keep.
    if (isNew) home.remove()
    throw error
  }
  io.out(`the cluster ${name} is ready at ${home.state().url}\nexport KUBECONFIG=${home.kubeconfig}\n`)
  if (values['merge'] === true) {
    const { readFileSync } = await import('node:fs')
    const file = userKubeconfig(io.env)
    mergeKubeconfig(file, contextOf(name), readFileSync(home.kubeconfig, 'utf8'))
    io.out(`${file} has the context ${contextOf(name)}: kubectl --context=${contextOf(name)} get pods\n`)
  }
  return 0
}

async function list(io: CommandIo, json: boolean): Promise<number> {
  const { ClusterHome } = await import('../local-clusters/index.ts')
  const states = ClusterHome.all(io.env).map((home) => home.state())
  if (json) io.out(`${JSON.stringify(states, undefined, 2)}\n`)
  else if (states.length === 0) io.out('there is no cluster: homeostat cluster start creates one\n')
  else {
    for (const { name, running, url } of states) {
      io.out(
        `${name.padEnd(20)} ${(running ? 'running' : 'stopped').padEnd(8)} ${url ?? ''}`
          .trimEnd()
          .concat('\n'),
      )
    }
  }
  return 0
}

async function stop(io: CommandIo, name: string): Promise<number> {
  const { stopCluster } = await import('../local-clusters/index.ts')
  const home = await known(io, name)
  const { running } = home.state()
  if (running) await stopCluster(home, new SystemClock())
  io.out(running ? `the cluster ${name} is stopped\n` : `the cluster ${name} is not running\n`)
  return 0
}

async function logs(io: CommandIo, name: string, isFollowed: boolean): Promise<number> {
  const home = await known(io, name)
  if (!existsSync(home.log)) {
    throw new HomeostatError(
      'CLUSTER_WITHOUT_LOG',
      `the cluster ${name} has no log: only one that was started with --background has one`,
    )
  }
  if (isFollowed) {
    const { followLog } = await import('../local-clusters/index.ts')
    await followLog(home, new SystemClock(), (text) => io.out(text))
    return 0
  }
  for await (const chunk of createReadStream(home.log, 'utf8')) io.out(String(chunk))
  return 0
}

async function load(io: CommandIo, name: string, mapping: string | undefined): Promise<number> {
  if (mapping === undefined || !mapping.includes('='))
    throw usageError('name an image and its command: homeostat cluster load [NAME] "IMAGE=COMMAND"')
  const { ClusterHome, startInBackground, stopCluster } = await import('../local-clusters/index.ts')
  const { imageFlag } = await import('@homeostat/cluster')
  const [image, command] = imageFlag(mapping, io.cwd)
  const home = new ClusterHome(name, io.env)
  home.setImages({ ...home.images, [image]: command })
  const { started } = home
  if (!home.state().running)
    io.out(`the cluster ${name} runs ${command.command} for ${image} from its next start\n`)
  else if (started?.background) {
    const clock = new SystemClock()
    await stopCluster(home, clock)
    await startInBackground(home, { env: io.env, nodes: started.nodes }, clock)
    io.out(`the cluster ${name} was restarted, and runs ${command.command} for ${image}\n`)
  } else
    io.out(
      `the cluster ${name} runs in a terminal: start it again there to run ${command.command} for ${image}\n`,
    )
  return 0
}

async function reset(io: CommandIo, name: string): Promise<number> {
  const { stopCluster, unmergeKubeconfig, userKubeconfig } = await import('../local-clusters/index.ts')
  const home = await known(io, name)
  await stopCluster(home, new SystemClock())
  home.remove()
  io.out(`nothing is left of the cluster ${name}\n`)
  const file = userKubeconfig(io.env)
  if (unmergeKubeconfig(file, contextOf(name)))
    io.out(`the context ${contextOf(name)} is removed from ${file}\n`)
  return 0
}

async function known(io: CommandIo, name: string) {
  const { ClusterHome } = await import('../local-clusters/index.ts')
  const home = new ClusterHome(name, io.env)
  if (home.exists) return home
  const names = ClusterHome.all(io.env).map((each) => each.name)
  throw new HomeostatError(
    'CLUSTER_NOT_FOUND',
    `there is no cluster ${name}: ${names.length > 0 ? `there are ${names.join(', ')}` : `homeostat cluster start ${name} creates it`}`,
  )
}

function contextOf(name: string): string {
  return `homeostat-${name}`
}
