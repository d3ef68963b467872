import { FileError } from '../files/index.ts'
import { setOptions } from '../builtins/index.ts'
import type { Input } from '../process/input.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import { Parser } from '../syntax/parser.ts'
import { ShellSyntaxError } from '../syntax/syntax-error.ts'
import type { List } from '../syntax/syntax-tree.ts'
import { decodeText, encodeText } from '../text/text.ts'
import { Interrupted, ShellExit } from '../state/flow.ts'
import type { Shell, ShellOptions } from './shell.ts'

/** The names of the shell. */
export const SHELL_NAMES: ReadonlySet<string> = new Set(['sh', 'ash'])

const LARGEST_SCRIPT = 16 * 1024 ** 2
/** The longest incomplete command that is read from standard input. */
const LONGEST_COMMAND = 1024 ** 2

/** Creates the shell once its name, its arguments and its options are known. */
type MakeShell = (options: Pick<ShellOptions, 'name' | 'positional' | 'interactive'>) => Shell

/** The parsed arguments of `sh`. */
interface Invocation {
  readonly command: string | undefined
  readonly fromInput: boolean
  readonly interactive: boolean
  readonly settings: readonly string[]
  readonly operands: readonly string[]
}

/** `sh`: runs the command of `-c`, a script by its path, or the commands from standard input. */
export async function runShellProgram(
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  terminal: boolean,
  make: MakeShell,
): Promise<number> {
  const { command, fromInput, interactive, settings, operands } = parse(argv.slice(1))
  const [first, ...rest] = operands
  const script = command === undefined && !fromInput ? first : undefined
  const name = (command !== undefined ? first : script) ?? argv[0]
  const positional = command === undefined && script === undefined ? operands : rest
  const typed = (interactive || terminal) && script === undefined && command === undefined
  const shell = make({ name, positional, interactive: typed })
  return shell.finish(async () => {
    for (const [variable, value] of Object.entries(env)) {
      if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)) shell.variables.set(variable, value, { exported: true })
    }
    shell.variables.set('PWD', shell.directory, { exported: true })
    setOptions(shell, settings)
    if (command !== undefined) return shell.evaluate(command)
    if (script !== undefined) return shell.evaluate(readScript(script, shell))
    return interpret(shell)
  })
}

function parse(args: readonly string[]): Invocation {
  const settings: string[] = []
  let takesCommand = false
  let fromInput = false
  let interactive = false
  let at = 0
  for (; /^[-+]./.test(args[at] ?? ''); at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      at++
      break
    }
    if (arg === '--login') continue
    for (const letter of arg.slice(1)) {
      if (letter === 'c') takesCommand = true
      else if (letter === 's') fromInput = true
      else if (letter === 'i') interactive = true
      else if (letter === 'o') settings.push(`${arg.slice(0, 1)}o`, args[++at] ?? '')
      else if (letter !== 'l') settings.push(arg.slice(0, 1) + letter)
    }
  }
  const left = args.slice(at)
  if (takesCommand && left.length === 0) throw new ShellFailure('-c requires an argument')
  const command = takesCommand ? left[0] : undefined
  return { command, fromInput, interactive, settings, operands: takesCommand ? left.slice(1) : left }
}

function readScript(name: string, shell: Shell): string {
  try {
    return decodeText(
      shell.files.read(name.startsWith('/') ? name : `${shell.directory}/${name}`, LARGEST_SCRIPT),
    )
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new ShellFailure(`can't open '${name}': ${error.reason}`, {
      status: error.errno === 'ENOENT' ? 127 : 126,
    })
  }
}

/** Runs the commands from standard input, line by line, so that a command can itself read the lines after it. */
async function interpret(shell: Shell): Promise<number> {
  const input = shell.descriptors.get(0)?.input
  if (!input) return 0
  let text = ''
  for (;;) {
    const line = await nextLine(shell, input, text !== '')
    if (line === undefined && text === '') return shell.status
    if (line === INTERRUPTED) {
      text = ''
      continue
    }
    text += line ?? ''
    if (text.length > LONGEST_COMMAND) throw new ShellFailure('a command is too long')
    const lists = await parsed(shell, text, line === undefined)
    if (lists === 'incomplete') continue
    text = ''
    for (const list of lists) await perform(shell, list)
    if (line === undefined) return shell.status
  }
}

/** A marker that differs from every line. */
const INTERRUPTED = Symbol('interrupted')

async function nextLine(
  shell: Shell,
  input: Input,
  continued: boolean,
): Promise<string | undefined | typeof INTERRUPTED> {
  if (shell.interactive) await prompt(shell, continued)
  try {
    const line = await input.readLine(shell.process.signal)
    return line && `${decodeText(line.bytes)}${line.ended ? '\n' : ''}`
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    shell.forgetInterruption()
    shell.status = 130
    return INTERRUPTED
  }
}

async function prompt(shell: Shell, continued: boolean): Promise<void> {
  const text = continued ? (shell.get('PS2') ?? '> ') : promptText(shell.get('PS1') ?? '\\w # ', shell)
  const terminal = shell.descriptors.get(0)?.input
  if (terminal?.isTerminal) terminal.prompt(text)
  else await shell.descriptors.get(2)?.output?.write(encodeText(text), shell.process.signal)
}

/** The escapes in prompts, such as `\w`. */
function promptText(pattern: string, shell: Shell): string {
  const home = shell.get('HOME')
  const directory = home !== undefined && home !== '/' && shell.directory === home ? '~' : shell.directory
  const values: Record<string, string> = {
    w: directory,
    W: directory.slice(directory.lastIndexOf('/') + 1) || '/',
    h: shell.system.hostname,
    H: shell.system.hostname,
    u: 'root',
    $: '#',
    n: '\n',
    e: '\x1b',
    '[': '',
    ']': '',
  }
  return pattern.replace(/\\([wWhHu$ne[\]])/g, (_, letter: string) => values[letter] ?? '')
}

async function parsed(shell: Shell, text: string, last: boolean): Promise<List[] | 'incomplete'> {
  try {
    const parser = new Parser(text)
    const lists: List[] = []
    for (let list = parser.next(); list; list = parser.next()) lists.push(list)
    return lists
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error
    if (error.incomplete && !last) return 'incomplete'
    if (!shell.interactive) throw new ShellFailure(error.message)
    await shell.complain(error.message)
    shell.status = 2
    return []
  }
}

async function perform(shell: Shell, list: List): Promise<void> {
  try {
    await shell.execute(list)
    await shell.checkpoint()
  } catch (error) {
    if (!shell.interactive || error instanceof ShellExit) throw error
    if (error instanceof Interrupted) shell.status = 130
    else if (error instanceof ShellFailure) {
      await shell.complain(error.message)
      shell.status = error.status
    } else throw error
  }
}
