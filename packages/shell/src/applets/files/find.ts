import type { FileStat } from '../../files/index.ts'
import { Pattern } from '../../expansion/pattern.ts'
import { decodeText } from '../../text/text.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { removeTree } from './remove.ts'

const DEEPEST = 200

/** A file that is looked at. */
interface Found {
  readonly path: string
  readonly stat: FileStat
  readonly depth: number
}

type Test = (found: Found) => Promise<boolean> | boolean

const find: Applet = async (context) => {
  const start = context.args.findIndex((arg) => /^[-(!]/.test(arg))
  const roots = start < 0 ? context.args : context.args.slice(0, start)
  const expression = new Expression(context, start < 0 ? [] : context.args.slice(start))
  const test = expression.parse()
  let status = 0
  for (const root of roots.length > 0 ? roots : ['.']) {
    const stat = context.files.lstat(context.absolute(root))
    if (!stat) {
      await context.complain(`${root}: No such file or directory`)
      status = 1
    } else await walk(context, { path: root, stat, depth: 0 }, test, expression)
  }
  return Math.max(status, await expression.finish())
}

async function walk(context: AppletContext, found: Found, test: Test, expression: Expression): Promise<void> {
  // Each part of a path is looked at.
  await context.step(4 + (found.path.length >> 1))
  const inRange = found.depth >= expression.minDepth
  expression.pruned = false
  if (!expression.depthFirst && inRange) await test(found)
  const enters =
    found.stat.kind === 'folder' && found.depth < Math.min(expression.maxDepth, DEEPEST) && !expression.pruned
  if (enters) {
    for (const name of listed(context, found.path)) {
      const path = `${found.path.replace(/\/$/, '')}/${name}`
      const stat = context.files.lstat(context.absolute(path))
      if (stat) await walk(context, { path, stat, depth: found.depth + 1 }, test, expression)
    }
  }
  if (expression.depthFirst && inRange) await test(found)
}

function listed(context: AppletContext, path: string): string[] {
  try {
    return context.files.list(context.absolute(path))
  } catch {
    return []
  }
}

/** The tests and actions of a search, read from left to right. */
class Expression {
  readonly #context: AppletContext
  readonly #args: readonly string[]
  readonly #batches: { argv: [string, ...string[]]; paths: string[] }[] = []
  #at = 0
  #acts = false
  #status = 0
  maxDepth = DEEPEST
  minDepth = 0
  depthFirst = false
  pruned = false

  constructor(context: AppletContext, args: readonly string[]) {
    this.#context = context
    this.#args = args
  }

  parse(): Test {
    if (this.#args.length > 1_000) throw new AppletFailure('too many arguments')
    const test = this.#args.length === 0 ? () => true : this.#or()
    if (this.#at < this.#args.length) throw new AppletFailure(`unexpected '${this.#args[this.#at]}'`)
    if (this.#acts) return test
    return async (found) => (await test(found)) && this.#print(found.path, '\n')
  }

  /** Runs the commands that were collected for `-exec … +`. */
  async finish(): Promise<number> {
    for (const { argv, paths } of this.#batches) {
      for (let at = 0; at < paths.length; at += 1_000) {
        const status = await this.#spawn([...argv, ...paths.slice(at, at + 1_000)])
        if (status !== 0) this.#status = 1
      }
    }
    return this.#status
  }

  #or(): Test {
    const tests = [this.#and()]
    while (['-o', '-or'].includes(this.#args[this.#at] ?? '')) {
      this.#at++
      tests.push(this.#and())
    }
    return async (found) => {
      for (const test of tests) if (await test(found)) return true
      return false
    }
  }

  #and(): Test {
    const tests = [this.#not()]
    while (this.#at < this.#args.length && !['-o', '-or', ')'].includes(this.#args[this.#at] ?? '')) {
      if (['-a', '-and'].includes(this.#args[this.#at] ?? '')) this.#at++
      tests.push(this.#not())
    }
    return async (found) => {
      for (const test of tests) if (!(await test(found))) return false
      return true
    }
  }

  #not(): Test {
    if (!['!', '-not'].includes(this.#args[this.#at] ?? '')) return this.#primary()
    this.#at++
    const test = this.#not()
    return async (found) => !(await test(found))
  }

  #primary(): Test {
    const name = this.#args[this.#at++] ?? ''
    switch (name) {
      case '(': {
        const test = this.#or()
        if (this.#args[this.#at++] !== ')') throw new AppletFailure("missing ')'")
        return test
      }
      case '-name':
      case '-iname':
        return this.#pattern(
          name === '-iname',
          ({ path }) =>
            path
              .replace(/(?<=.)\/+$/, '')
              .split('/')
              .at(-1) ?? path,
        )
      case '-path':
      case '-wholename':
        return this.#pattern(false, ({ path }) => path)
      case '-type': {
        const kind = { f: 'file', d: 'folder', l: 'link' }[this.#value(name)]
        return ({ stat }) => stat.kind === kind
      }
      case '-size':
        return this.#size(this.#value(name))
      case '-empty':
        return ({ stat, path }) =>
          stat.kind === 'folder' ? listed(this.#context, path).length === 0 : stat.size === 0
      case '-newer': {
        const modified = this.#context.files.stat(this.#context.absolute(this.#value(name)))?.modified ?? 0
        return ({ stat }) => stat.modified > modified
      }
      case '-mtime':
        return this.#age(this.#value(name), 86_400_000)
      case '-mmin':
        return this.#age(this.#value(name), 60_000)
      case '-perm': {
        const mode = Number.parseInt(this.#value(name).replace(/^[-/]/, ''), 8)
        return ({ stat }) => (stat.mode & mode) === mode
      }
      case '-true':
        return () => true
      default:
        return this.#action(name)
    }
  }

  #action(name: string): Test {
    switch (name) {
      case '-maxdepth':
        this.maxDepth = this.#number(name)
        return () => true
      case '-mindepth':
        this.minDepth = this.#number(name)
        return () => true
      case '-depth':
        this.depthFirst = true
        return () => true
      case '-xdev':
      case '-follow':
        return () => true
      case '-prune':
        return () => (this.pruned = true)
      case '-print':
      case '-print0':
        this.#acts = true
        return ({ path }) => this.#print(path, name === '-print' ? '\n' : '\0')
      case '-delete':
        this.#acts = true
        this.depthFirst = true
        return async ({ path }) => (await removeTree(this.#context, path, { force: true })) === 0
      case '-quit':
        this.#acts = true
        return () => {
          throw new AppletFailure('', 0)
        }
      case '-exec':
      case '-ok':
        this.#acts = true
        return this.#exec()
      default:
        throw new AppletFailure(`unrecognized: ${name}`)
    }
  }

  #exec(): Test {
    const words: string[] = []
    for (;;) {
      const word = this.#args[this.#at++]
      if (word === undefined) throw new AppletFailure('-exec needs a ; or a + at its end')
      if (word === ';') break
      if (word === '+' && words.at(-1) === '{}') {
        const [command, ...rest] = words.slice(0, -1)
        if (command === undefined) throw new AppletFailure('-exec needs a command')
        const batch = { argv: [command, ...rest] as [string, ...string[]], paths: [] as string[] }
        this.#batches.push(batch)
        return ({ path }) => {
          this.#context.hold(path.length + WORD_WEIGHT)
          return batch.paths.push(path) > 0
        }
      }
      words.push(word)
    }
    return async ({ path }) => (await this.#spawn(words.map((word) => word.replaceAll('{}', path)))) === 0
  }

  async #spawn(words: readonly string[]): Promise<number> {
    const [command, ...rest] = words
    if (command === undefined) throw new AppletFailure('-exec needs a command')
    await this.#context.flush()
    return this.#context.spawn([command, ...rest])
  }

  #pattern(ignoreCase: boolean, text: (found: Found) => string): Test {
    const given = this.#value('-name')
    const pattern = new Pattern(ignoreCase ? given.toLowerCase() : given)
    return (found) => pattern.matches(ignoreCase ? text(found).toLowerCase() : text(found))
  }

  #size(text: string): Test {
    const match = /^([-+]?)([0-9]+)([ckMGb]?)$/.exec(text)
    if (!match) throw new AppletFailure(`invalid number '${text}'`)
    const unit = { c: 1, k: 1_024, M: 1_024 ** 2, G: 1_024 ** 3, b: 512, '': 512 }[match[3] ?? ''] ?? 512
    return ({ stat }) => compared(Math.ceil(stat.size / unit), match[1] ?? '', Number(match[2]))
  }

  #age(text: string, unit: number): Test {
    const match = /^([-+]?)([0-9]+)$/.exec(text)
    if (!match) throw new AppletFailure(`invalid number '${text}'`)
    const now = this.#context.system.clock.now()
    return ({ stat }) => compared(Math.floor((now - stat.modified) / unit), match[1] ?? '', Number(match[2]))
  }

  async #print(path: string, end: string): Promise<boolean> {
    await this.#context.print(`${path}${end}`)
    return true
  }

  #value(name: string): string {
    const value = this.#args[this.#at++]
    if (value === undefined) throw new AppletFailure(`${name} needs an argument`)
    return value
  }

  #number(name: string): number {
    const value = Number(this.#value(name))
    if (!Number.isInteger(value) || value < 0) throw new AppletFailure(`${name} needs a number`)
    return value
  }
}

function compared(value: number, sign: string, limit: number): boolean {
  return sign === '+' ? value > limit : sign === '-' ? value < limit : value === limit
}

const xargs: Applet = async (context) => {
  const { letters, operands } = xargsOptions(context.args)
  const words = await xargsWords(context, letters)
  const [command = 'echo', ...fixed] = operands
  const replace = letters.get('I')
  const most = replace === undefined ? Number(letters.get('n') ?? letters.get('L') ?? 5_000) : 1
  if (!(most >= 1)) throw new AppletFailure('invalid number of arguments')
  if (words.length === 0 && letters.has('r')) return 0
  let status = 0
  const batches = Math.max(1, Math.ceil(words.length / most))
  for (let batch = 0; batch < batches; batch++) {
    const some = words.slice(batch * most, (batch + 1) * most)
    if (replace !== undefined && some.length === 0) break
    const args =
      replace === undefined
        ? [...fixed, ...some]
        : fixed.map((word) => word.replaceAll(replace, some[0] ?? ''))
    await context.flush()
    if (letters.has('t')) await context.complain([command, ...args].join(' '))
    const exit = await context.spawn([command, ...args])
    if (exit >= 126) return exit
    if (exit !== 0) status = 123
  }
  return status
}

function xargsOptions(args: readonly string[]): { letters: Map<string, string>; operands: string[] } {
  const letters = new Map<string, string>()
  let at = 0
  for (; /^-./.test(args[at] ?? ''); at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      at++
      break
    }
    const letter = arg[1] ?? ''
    if ('nILPsd'.includes(letter)) letters.set(letter, arg.length > 2 ? arg.slice(2) : (args[++at] ?? ''))
    else if (/^-[0rtp]+$/.test(arg)) for (const flag of arg.slice(1)) letters.set(flag, '')
    else throw new AppletFailure(`unrecognized option: ${letter}`)
  }
  return { letters, operands: args.slice(at) }
}

/** The memory of a word of `xargs` besides its text. */
const WORD_WEIGHT = 64

async function xargsWords(context: AppletContext, letters: ReadonlyMap<string, string>): Promise<string[]> {
  const text = decodeText(await context.stdin.readAll(context.signal, 4 * 1024 ** 2))
  context.hold(text.length)
  const words: string[] = []
  for (const word of separated(text, letters)) {
    context.hold(WORD_WEIGHT)
    words.push(word)
    if (words.length % 256 === 0) await context.step(256)
  }
  return words
}

function* separated(text: string, letters: ReadonlyMap<string, string>): Generator<string> {
  if (text === '') return
  if (letters.has('0')) yield* pieces(text, '\0')
  else if (letters.has('d')) {
    yield* pieces(text, (letters.get('d') ?? '').replace('\\n', '\n').replace('\\t', '\t'))
  } else if (letters.has('I')) {
    for (const line of pieces(text, '\n')) if (line.trimStart() !== '') yield line.trimStart()
  } else {
    for (const [word] of text.matchAll(/(?:"[^"\n]*"|'[^'\n]*'|\\[^]|[^\s"'\\])+/g)) {
      yield word.replace(/"([^"\n]*)"|'([^'\n]*)'|\\([^])/g, '$1$2$3')
    }
  }
}

/** The words between separators. The text may end with a separator. */
function* pieces(text: string, separator: string): Generator<string> {
  if (separator === '') {
    yield text
    return
  }
  let start = 0
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, start)) {
    yield text.slice(start, at)
    start = at + separator.length
  }
  if (start < text.length) yield text.slice(start)
}

/** Applets that find files, and run commands for many of them. */
export const findApplets: Readonly<Record<string, Applet>> = { find, xargs }
