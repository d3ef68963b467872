import * as nodeModule from 'node:module'

/** Marks the modules of one process. */
const PROCESS = 'process='
/** The beginning of the URL of a module that stands for another one, which is loaded already. */
const LOADED = 'homeostat-loaded:'
/** Our own packages. Their exports keep their values, so that a module with the same values may stand for one of them. */
const OUR_PACKAGE = /^(homeostat|@homeostat\/[^/]+)(\/|$)/

type Names = readonly string[]

/**
 * Gives URLs under which a module and what it imports by relative paths are loaded again; `undefined` where Node.js cannot do that
 * (before 22.15, and for modules that are not files). Packages are loaded once. Where the files are, and their code, is kept from
 * the first process on: hundreds of processes start in a check.
 */
export function freshModules(url: string): (() => Promise<string>) | undefined {
  if (!('registerHooks' in nodeModule) || !url.startsWith('file:')) return undefined
  const modules = new FreshModules()
  nodeModule.registerHooks({ resolve: modules.resolve, load: modules.load })
  let count = 0
  return async () => {
    await modules.noteExports()
    return `${url}?${PROCESS}${++count}`
  }
}

class FreshModules {
  readonly #resolved = new Map<string, nodeModule.ResolveFnOutput>()
  readonly #loaded = new Map<string, nodeModule.LoadFnOutput>()
  /** The modules of our packages that the operator imports, with the names of their exports as soon as those are known. */
  readonly #ours = new Map<string, Names | undefined>()

  /**
   * Before it runs a module, Node.js visits all modules that it depends on, also those that have run. Our packages have hundreds. So
   * from the second process on, modules without dependencies stand for them.
   */
  async noteExports(): Promise<void> {
    for (const [url, known] of this.#ours) {
      if (known) continue
      const loaded: unknown = await import(url)
      this.#ours.set(url, Object.keys(loaded ?? {}))
    }
  }

  readonly resolve: nodeModule.ResolveHookSync = (specifier, context, next) => {
    if (context.parentURL?.startsWith(LOADED)) return { url: specifier, shortCircuit: true }
    const [parent, process] = context.parentURL?.split(`?${PROCESS}`) ?? []
    if (process === undefined) return next(specifier, context)
    const key = JSON.stringify([parent, specifier, context.importAttributes])
    const result = this.#resolved.get(key) ?? next(specifier, context)
    this.#resolved.set(key, result)
    const { url } = result
    const isOwn = specifier.startsWith('.') && url.startsWith('file:')
    const found = isOwn ? `${url}?${PROCESS}${process}` : this.#loadedModule(specifier, url)
    return { ...result, url: found, shortCircuit: true }
  }

  readonly load: nodeModule.LoadHookSync = (whole, context, next) => {
    if (whole.startsWith(LOADED)) {
      const url = whole.slice(LOADED.length)
      return { format: 'module', source: standIn(url, this.#ours.get(url) ?? []), shortCircuit: true }
    }
    const [file = whole, process] = whole.split(`?${PROCESS}`)
    if (process === undefined) return next(whole, context)
    const known = this.#loaded.get(file)
    if (known) return known
    const result = inJavaScript(next(whole, context))
    this.#loaded.set(file, { ...result, shortCircuit: true })
    return result
  }

  /** The URL of the module that stands for a module of our packages, as soon as its exports are known. */
  #loadedModule(specifier: string, url: string): string {
    if (!OUR_PACKAGE.test(specifier)) return url
    const names = this.#ours.get(url)
    this.#ours.set(url, names)
    return names ? LOADED + url : url
  }
}

/** The code of a module with the exports of another one. An import at run time is not a dependency. */
function standIn(url: string, names: Names): string {
  const values = names.map((name, index) => `const v${index} = loaded[${JSON.stringify(name)}]`)
  const exported = names.map((name, index) => `v${index} as ${JSON.stringify(name)}`).join(', ')
  const loaded = `const loaded = await import(${JSON.stringify(url)})`
  return [loaded, ...values, `export { ${exported} }`].join('\n')
}

/** Without its types, at the same places, so that Node.js need not remove them for each process. */
function inJavaScript(result: nodeModule.LoadFnOutput): nodeModule.LoadFnOutput {
  const { format, source } = result
  if (format !== 'module-typescript' || !source) return result
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
  return { ...result, format: 'module', source: withoutTypes(text) }
}

/** Node.js warns of the first use of this function, which is not the user's. */
function withoutTypes(text: string): string {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => {}
  try {
    return nodeModule.stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}
