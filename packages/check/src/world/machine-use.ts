import { codePlaceOf } from '@homeostat/api'

/** A use of the machine instead of the simulated world. */
export interface MachineUse {
  /** `Date.now`. */
  readonly what: string
  /** Where the operator's code does it. */
  readonly line: string
}

type Holder = Record<string, any>

/** The functions outside of the simulated world: time, timers, randomness and the network. */
const FUNCTIONS: readonly (readonly [holder: string, name: string])[] = [
  ['Date', 'now'],
  ['performance', 'now'],
  ['Math', 'random'],
  ['crypto', 'randomUUID'],
  ['globalThis', 'setTimeout'],
  ['globalThis', 'setInterval'],
  ['globalThis', 'fetch'],
]

/**
 * The same as parts of Node.js, which a module imports as named imports. Random bytes are left out, since a password
 * must not depend on a simulated clock.
 */
const BUILT_IN: readonly (readonly [module: string, ...names: string[]])[] = [
  ['node:crypto', 'randomUUID', 'randomInt'],
  ['node:timers', 'setTimeout', 'setInterval'],
  ['node:timers/promises', 'setTimeout', 'setInterval'],
  ['node:http', 'request', 'get'],
  ['node:https', 'request', 'get'],
]

/** Records uses of the machine by the operator's own code, until it is disposed of. Code of packages is ignored. */
export class MachineWatch implements Disposable {
  readonly #uses = new Map<string, MachineUse>()
  readonly #restore: (() => void)[] = []

  constructor() {
    const globals = globalThis as Holder
    for (const [holder, name] of FUNCTIONS) {
      const object: Holder = holder === 'globalThis' ? globals : globals[holder]
      this.#watch(object, name, holder === 'globalThis' ? name : `${holder}.${name}`)
    }
    for (const [module, ...names] of BUILT_IN) {
      const exported = builtIn(module)
      for (const name of exported ? names : []) this.#watch(exported!, name, `${name} of ${module}`)
    }
    syncImports()
    this.#restore.unshift(syncImports)
    const construct = (target: DateConstructor, parameters: unknown[], derived: NewableFunction): object => {
      if (parameters.length === 0) this.#note('new Date without a time', construct)
      return Reflect.construct(target, parameters, derived) as object
    }
    const dates = new Proxy(globals['Date'] as DateConstructor, { construct })
    this.#replace(globals, 'Date', dates)
  }

  get uses(): readonly MachineUse[] {
    return [...this.#uses.values()]
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore.toReversed()) restore()
  }

  #watch(object: Holder, name: string, what: string): void {
    const original = object[name] as (...parameters: unknown[]) => unknown
    const watched = (...parameters: unknown[]): unknown => {
      this.#note(what, watched)
      return original.apply(object, parameters)
    }
    this.#replace(object, name, watched)
  }

  #replace(object: Holder, name: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(object, name)
    Object.defineProperty(object, name, { value, configurable: true, writable: true })
    this.#restore.push(() => {
      if (before) Object.defineProperty(object, name, before)
      else delete object[name]
    })
  }

  /** Records the use where the operator's code is the caller. */
  #note(what: string, called: (...parameters: never[]) => unknown): void {
    const trace = { stack: '' }
    // In an engine without it, no use is recorded.
    if ('captureStackTrace' in Error) Error.captureStackTrace(trace, called)
    const [, caller = ''] = trace.stack.split('\n')
    const line = codePlaceOf(caller)
    if (line !== undefined) this.#uses.set(`${what} ${line}`, { what, line })
  }
}

/** A module of Node.js; `undefined` where there is none. */
function builtIn(name: string): Holder | undefined {
  return globalThis.process?.getBuiltinModule?.(name)
}

/** Replaces functions also in modules that imported them as named imports. */
function syncImports(): void {
  const { syncBuiltinESMExports } = builtIn('node:module') ?? {}
  syncBuiltinESMExports?.()
}
