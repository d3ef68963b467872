import { AppletFailure, type Applet } from './context/applet-context.ts'
import { parseOptions } from './context/options.ts'

const env: Applet = async (context) => {
  const options = parseOptions(context, {
    letters: 'iu:0',
    strict: true,
    long: { 'ignore-environment': 'i', unset: 'u' },
  })
  const variables: Record<string, string> = options.has('i') ? {} : { ...context.env }
  for (const name of options.values('u')) delete variables[name]
  const words = [...options.operands]
  while (words[0]?.includes('=')) {
    const word = words.shift() ?? ''
    variables[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1)
  }
  const [command, ...args] = words
  if (command !== undefined) return context.spawn([command, ...args], { env: variables })
  for (const [name, value] of Object.entries(variables)) await context.print(`${name}=${value}\n`)
  return 0
}

const printenv: Applet = async (context) => {
  if (context.args.length === 0) {
    for (const [name, value] of Object.entries(context.env)) await context.print(`${name}=${value}\n`)
    return 0
  }
  let status = 0
  for (const name of context.args) {
    const value = context.env[name]
    if (value === undefined) status = 1
    else await context.print(`${value}\n`)
  }
  return status
}

const hostname: Applet = async (context) => {
  if (context.args.some((arg) => !arg.startsWith('-')))
    throw new AppletFailure('sethostname: Operation not permitted')
  await context.print(`${context.system.hostname}\n`)
  return 0
}

const id: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'ugGnr' })
  const number = ['u', 'g', 'G'].some((letter) => options.has(letter))
  await context.print(
    number ? (options.has('n') ? 'root\n' : '0\n') : 'uid=0(root) gid=0(root) groups=0(root)\n',
  )
  return 0
}

const uname: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'asnrvmpio' })
  const values = {
    s: 'Linux',
    n: context.system.hostname,
    r: '6.0.0',
    v: '#1 homeostat',
    m: 'x86_64',
    o: 'GNU/Linux',
  }
  const chosen = Object.entries(values).filter(([letter]) => options.has('a') || options.has(letter))
  await context.print(`${(chosen.length > 0 ? chosen.map(([, value]) => value) : ['Linux']).join(' ')}\n`)
  return 0
}

const ps: Applet = async (context) => {
  await context.print('PID   USER     TIME  COMMAND\n')
  for (const process of context.system.processes) {
    const seconds = Math.floor((context.system.clock.monotonic() - process.startedAt) / 1_000)
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    await context.print(
      `${String(process.pid).padStart(5)} root     ${time.padStart(5)} ${process.command}\n`,
    )
  }
  return 0
}

const stty: Applet = async (context) => {
  if (!context.stdin.isTerminal) throw new AppletFailure('standard input: Not a tty')
  const size = context.system.size ?? { width: 80, height: 24 }
  if (context.args[0] === 'size') await context.print(`${size.height} ${size.width}\n`)
  else if (context.args.length === 0 || context.args[0] === '-a') {
    await context.print(`speed 38400 baud; rows ${size.height}; columns ${size.width};\n`)
  }
  return 0
}

const tty: Applet = async (context) => {
  await context.print(context.stdin.isTerminal ? '/dev/pts/0\n' : 'not a tty\n')
  return context.stdin.isTerminal ? 0 : 1
}

const clear: Applet = async (context) => {
  await context.print('\x1b[H\x1b[J')
  return 0
}

const nproc: Applet = async (context) => {
  await context.print('1\n')
  return 0
}

const nohup: Applet = async (context) => {
  const [command, ...args] = context.args
  if (command === undefined) throw new AppletFailure('missing operand')
  return context.spawn([command, ...args])
}

/** Applets about the user, the host, the environment and the processes. */
export const surroundingApplets: Readonly<Record<string, Applet>> = {
  env,
  printenv,
  hostname,
  id,
  whoami: async (context) => {
    await context.print('root\n')
    return 0
  },
  uname,
  ps,
  stty,
  tty,
  clear,
  reset: clear,
  nproc,
  nohup,
  sync: async () => 0,
}
