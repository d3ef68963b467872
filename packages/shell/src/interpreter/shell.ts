import type { ShellFiles } from '../files/index.ts'
import { LONGEST_VALUE } from '../expansion/expansion-scope.ts'
import { OpenFile, type Descriptors } from '../process/descriptors.ts'
import { BrokenPipe, Killed } from '../process/killed.ts'
import { CapturedOutput } from '../process/output.ts'
import type { PodResources } from '../process/pod-resources.ts'
import type { ShellProcess } from '../process/process.ts'
import type { System } from '../process/system.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import { Parser } from '../syntax/parser.ts'
import { ShellSyntaxError } from '../syntax/syntax-error.ts'
import type { Command, List } from '../syntax/syntax-tree.ts'
import { decodeText, encodeText, withoutNewlines } from '../text/text.ts'
import { executeCase, executeFor, executeGroup, executeIf, executeLoop } from './compound-commands.ts'
import { FunctionReturn, Interrupted, LoopExit, ShellExit } from '../state/flow.ts'
import type { Interpreter } from '../state/interpreter.ts'
import { Jobs } from '../state/jobs.ts'
import { executeAndOr, executeInBackground } from './pipelines.ts'
import { redirected } from './redirections.ts'
import { executeSimple, runByName } from './simple-command.ts'
import { Traps } from '../state/traps.ts'
import { Variables } from '../state/variables.ts'

/** The deepest nesting of functions, `eval` and files read with `.`. */
const DEEPEST = 1_000
const MOST_FUNCTIONS = 2_000
const WORD_WEIGHT = 32
const SIGINT = 2
const SIGPIPE = 13

/** Finds programs by their names, and starts them. */
export interface Programs {
  find(name: string, shell: Interpreter): string | undefined
  start(
    argv: readonly [string, ...string[]],
    env: Readonly<Record<string, string>>,
    shell: Interpreter,
    replace: boolean,
  ): Promise<number>
}

/** Options of a shell. */
export interface ShellOptions {
  readonly system: System
  readonly process: ShellProcess
  /** The shell owns them, and closes them at its end. */
  readonly descriptors: Descriptors
  readonly programs: Programs
  readonly name: string
  readonly directory: string
  readonly positional?: readonly string[] | undefined
  readonly interactive?: boolean | undefined
}

/** A shell or a subshell: its variables, functions, options, traps and jobs. It runs commands. */
export class Shell implements Interpreter {
  readonly system: System
  readonly process: ShellProcess
  readonly descriptors: Descriptors
  readonly interactive: boolean
  readonly name: string
  readonly jobs = new Jobs()
  variables: Variables
  functions = new Map<string, Command>()
  options = new Set<string>()
  traps = new Traps()
  directory: string
  status = 0
  substituted = 0
  tolerant = 0
  loops = 0
  calls = 0
  optionPlace: Interpreter['optionPlace']
  readonly #programs: Programs
  #positional: readonly string[]
  /** The memory of the arguments. Those that a subshell inherits count for its parent. */
  #positionalSize = 0
  #depth = 0
  #main: number
  #interrupted = false
  #inTrap = false
  #lastBackground: string | undefined

  constructor(options: ShellOptions) {
    this.system = options.system
    this.variables = new Variables((bytes) => this.system.pod.allocate(bytes))
    this.process = options.process
    this.descriptors = options.descriptors
    this.#programs = options.programs
    this.name = options.name
    this.directory = options.directory
    this.#positional = options.positional ?? []
    this.interactive = options.interactive ?? false
    this.#main = options.process.pid
    this.process.handler = (signal) => this.#signalled(signal)
  }

  get #pod(): PodResources {
    return this.system.pod
  }

  get positional(): readonly string[] {
    return this.#positional
  }

  set positional(values: readonly string[]) {
    const size = sizeOf(values)
    this.#pod.allocate(size - this.#positionalSize)
    this.#positionalSize = size
    this.#positional = values
  }

  async withArguments<T>(values: readonly string[], work: () => Promise<T>): Promise<T> {
    const [before, size] = [this.#positional, this.#positionalSize]
    this.#positionalSize = 0
    try {
      this.positional = values
      return await work()
    } finally {
      this.#pod.allocate(-this.#positionalSize)
      this.#positional = before
      this.#positionalSize = size
    }
  }

  get files(): ShellFiles {
    return this.system.files
  }

  get(name: string): string | undefined {
    const value = this.variables.get(name)
    if (name === 'RANDOM' && value === undefined)
      return String(Math.floor(this.system.clock.random() * 32_768))
    return value
  }

  set(name: string, value: string): void {
    this.variables.set(name, value, this.options.has('allexport') ? { exported: true } : {})
  }

  option(name: string): boolean {
    return this.options.has(name)
  }

  special(name: string): string | undefined {
    if (name === '?') return String(this.status)
    if (name === '$') return String(this.#main)
    if (name === '!') return this.jobs.last ? String(this.jobs.last.pid) : this.#lastBackground
    if (name === '0') return this.name
    return name === '-' ? flags(this.options, this.interactive) : undefined
  }

  async substitute(list: List): Promise<string> {
    using output = new CapturedOutput(LONGEST_VALUE, (bytes) => this.#pod.allocate(bytes))
    const copy = this.fork('sh')
    copy.descriptors.set(1, new OpenFile({ output }))
    this.substituted = await copy.finish((subshell) => subshell.execute(list))
    const { bytes } = output
    await this.step(1 + (bytes.length >> 10))
    return withoutNewlines(decodeText(bytes).replaceAll('\0', ''))
  }

  async execute(list: List): Promise<number> {
    let status = 0
    for (const { command, background } of list.items) {
      await this.checkpoint()
      status = background ? await executeInBackground(command, this) : await executeAndOr(command, this)
      this.status = status
    }
    if (this.traps.pending) await this.checkpoint()
    return list.items.length === 0 ? 0 : status
  }

  async executeCommand(command: Command): Promise<number> {
    if (command.type === 'simple') return executeSimple(command, this)
    if (command.type === 'function') {
      if (this.functions.size >= MOST_FUNCTIONS && !this.functions.has(command.name))
        throw new ShellFailure('too many functions')
      this.functions.set(command.name, command.body)
      return 0
    }
    return this.#reported(() => redirected(this, command.redirects, () => this.#compound(command)))
  }

  #compound(command: Exclude<Command, { type: 'simple' | 'function' }>): Promise<number> {
    switch (command.type) {
      case 'if':
        return executeIf(command, this)
      case 'loop':
        return executeLoop(command, this)
      case 'for':
        return executeFor(command, this)
      case 'case':
        return executeCase(command, this)
      default:
        return executeGroup(command, this)
    }
  }

  /** Reports a failed redirection, and continues with its status. */
  async #reported(work: () => Promise<number>): Promise<number> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ShellFailure) || error.fatal) throw error
      await this.complain(error.message)
      return error.status
    }
  }

  async evaluate(script: string): Promise<number> {
    const parser = new Parser(script)
    let status = 0
    for (;;) {
      const list = await this.#parsed(() => parser.next())
      if (!list) return status
      status = await this.execute(list)
    }
  }

  async #parsed(parse: () => List | undefined): Promise<List | undefined> {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error
      throw new ShellFailure(error.message)
    }
  }

  run(argv: readonly string[], options: { readonly functions?: boolean | undefined } = {}): Promise<number> {
    return runByName(argv, this, options.functions ?? true)
  }

  start(
    argv: readonly [string, ...string[]],
    env: Readonly<Record<string, string>>,
    options: { readonly replace?: boolean | undefined } = {},
  ): Promise<number> {
    return this.#programs.start(argv, env, this, options.replace ?? false)
  }

  find(name: string): string | undefined {
    return this.#programs.find(name, this)
  }

  fork(command: string): Shell {
    const process = this.system.start(command, this.process.pid)
    const copy = new Shell({
      system: this.system,
      process,
      descriptors: this.descriptors.clone(),
      programs: this.#programs,
      name: this.name,
      directory: this.directory,
      positional: this.positional,
    })
    copy.variables = this.variables.clone()
    copy.functions = new Map(this.functions)
    copy.options = new Set(this.options)
    copy.traps = this.traps.forSubshell()
    copy.status = this.status
    copy.tolerant = this.tolerant
    copy.loops = this.loops
    copy.calls = this.calls
    copy.#depth = this.#depth
    copy.#main = this.#main
    copy.#lastBackground = this.special('!')
    return copy
  }

  async finish(work: (shell: Interpreter) => Promise<number>): Promise<number> {
    try {
      this.status = await this.#settle(() => work(this))
      const action = this.traps.get(0)
      if (action !== undefined && !this.process.signal.aborted) {
        this.traps.set(0, undefined)
        const before = this.status
        this.status = await this.#settle(async () => {
          await this.evaluate(action)
          return before
        })
      }
      return this.status
    } finally {
      this.descriptors[Symbol.dispose]()
      this.variables.release()
      this.#pod.allocate(-this.#positionalSize)
      this.#positionalSize = 0
      this.system.end(this.process)
    }
  }

  /** Runs commands and returns their status, however they end. */
  async #settle(work: () => Promise<number>): Promise<number> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ShellExit || error instanceof FunctionReturn) return error.status
      if (error instanceof Killed) return error.status
      if (error instanceof LoopExit) return 0
      if (error instanceof Interrupted) return 128 + SIGINT
      if (error instanceof BrokenPipe) return 128 + SIGPIPE
      if (error instanceof ShellFailure || error instanceof RangeError) {
        await this.complain(error.message).catch(() => undefined)
        return error instanceof ShellFailure ? error.status : 1
      }
      throw error
    }
  }

  async deeper<T>(work: () => Promise<T>): Promise<T> {
    if (this.#depth >= DEEPEST) throw new ShellFailure('commands are nested too deep')
    this.#depth++
    try {
      // Continues on an empty stack.
      await Promise.resolve()
      return await work()
    } finally {
      this.#depth--
    }
  }

  async checkpoint(): Promise<void> {
    this.process.signal.throwIfAborted()
    if (this.#interrupted) {
      this.#interrupted = false
      throw new Interrupted()
    }
    if (!this.#inTrap) await this.#runTraps()
    const rest = this.system.pace.step(this.process)
    if (rest) await rest
  }

  /** A signal that arrives while an action runs waits until the action has ended. */
  async #runTraps(): Promise<void> {
    for (let signal = this.traps.next(); signal !== undefined; signal = this.traps.next()) {
      const status = this.status
      this.#inTrap = true
      try {
        await this.evaluate(this.traps.get(signal) ?? '')
      } finally {
        this.#inTrap = false
      }
      this.status = status
    }
  }

  step(cost: number): Promise<void> | undefined {
    this.process.signal.throwIfAborted()
    return this.system.pace.step(this.process, cost)
  }

  /** ^C has taken effect, and must not end the next command. */
  forgetInterruption(): void {
    this.#interrupted = false
  }

  async print(text: string): Promise<void> {
    const output = this.descriptors.get(1)?.output
    if (!output) throw new ShellFailure('write error: Bad file descriptor', { status: 1, fatal: false })
    await output.write(encodeText(text), this.process.signal)
    const rest = this.step(1 + (text.length >> 10))
    if (rest) await rest
  }

  async complain(message: string): Promise<void> {
    await this.descriptors
      .get(2)
      ?.output?.write(encodeText(`${this.name}: ${message}\n`), this.process.signal)
  }

  #signalled(signal: number): boolean {
    if (this.traps.take(signal)) return true
    if (!this.interactive) return false
    // At a terminal, SIGINT returns to the prompt, and SIGQUIT and SIGTERM are ignored.
    if (signal === SIGINT) this.#interrupted = true
    return signal === SIGINT || signal === 3 || signal === 15
  }
}

/** The memory of arguments: their text, and a fixed amount for each. */
function sizeOf(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + value.length + WORD_WEIGHT, 0)
}

const FLAGS: readonly [string, string][] = [
  ['errexit', 'e'],
  ['noglob', 'f'],
  ['nounset', 'u'],
  ['xtrace', 'x'],
  ['allexport', 'a'],
  ['noclobber', 'C'],
]

function flags(options: ReadonlySet<string>, interactive: boolean): string {
  const set = FLAGS.filter(([name]) => options.has(name)).map(([, letter]) => letter)
  return `${set.join('')}${interactive ? 'i' : ''}`
}
