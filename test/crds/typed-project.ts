import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { apiVersionOf, customResourceDefinition, type AnyKind } from '@homeostat/api'
import { homeostat } from '../../packages/cli/src/process/homeostat.ts'
import { compile } from '../types/compile.ts'
import { acceptedSamples, NAMESPACE } from './accepted-samples.ts'
import { comparableDefinition } from './comparable-definition.ts'
import { definitionSpec, type Manifest } from './manifests.ts'

/** Definitions of a project, and objects of their kinds. */
export interface TypedManifests {
  readonly definitions: readonly Manifest[]
  readonly samples: readonly Manifest[]
}

/** The module that `homeostat types` makes of a project, and the compiler's errors about it. */
export interface TypedProject {
  readonly kinds: number
  readonly versions: number
  /** How many samples a server accepts. The others are wrong, often by intent, and are left out. */
  readonly samples: number
  readonly refusedSamples: number
  /** The facts that the types do not express, by the comments of the module. */
  readonly lost: readonly string[]
  /**
   * The compiler's errors, each with the sample or the line. Samples with a wrong key are checked as well: they must be
   * refused.
   */
  readonly compilerMessages: readonly string[]
  /** Definitions whose kinds give another definition. */
  readonly changedDefinitions: readonly { readonly before: unknown; readonly after: unknown }[]
}

const root = resolve(import.meta.dirname, '../..')

const COMPILER_OPTIONS = {
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable'],
  module: 'nodenext',
  customConditions: ['source'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
}

/**
 * Makes a module of the definitions with `homeostat types`, compiles it under `strict` with all samples that a server
 * accepts, and makes definitions of its kinds again.
 */
export async function typeProject({ definitions, samples }: TypedManifests): Promise<TypedProject> {
  // Inside the workspace, so that the packages are found; ignored by git.
  mkdirSync(join(root, '.homeostat'), { recursive: true })
  const folder = mkdtempSync(join(root, '.homeostat', 'types-'))
  try {
    const documents = definitions.map(({ object }) => JSON.stringify(object))
    writeFileSync(join(folder, 'definitions.yaml'), documents.join('\n---\n'))
    const text = await printedTypes(folder)
    const module = (await import(pathToFileURL(join(folder, 'kinds.ts')).href)) as Record<string, object>
    const kinds = Object.entries(module).filter((entry): entry is [string, AnyKind] => 'plural' in entry[1])
    const accepted = await acceptedSamples(definitions, samples)
    const lines = sampleLines(kinds, accepted)
    writeFileSync(join(folder, 'samples.ts'), [...IMPORTS, ...lines.map(({ code }) => code), ''].join('\n'))
    const project = { compilerOptions: COMPILER_OPTIONS, files: ['samples.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    return {
      kinds: definitions.length,
      versions: kinds.length,
      samples: accepted.length,
      refusedSamples: samples.length - accepted.length,
      lost: [...text.matchAll(/^\/\/ Not carried over: (.*)$/gm)].map(([, what = '']) => what),
      compilerMessages: compile(folder).map(({ file, line, message }) => {
        const sample = file === 'samples.ts' ? lines[line - 1 - IMPORTS.length] : undefined
        return `${sample?.place ?? `${file}:${line}`}: ${message.join(' ')}`
      }),
      changedDefinitions: changedDefinitions(definitions, kinds, module),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function printedTypes(folder: string): Promise<string> {
  let said = ''
  const write = (text: string): void => void (said += text)
  const io = { cwd: folder, env: {}, isTerminal: false, out: write, err: write }
  const code = await homeostat(['types', 'definitions.yaml', '--out=kinds.ts'], io)
  if (code !== 0) throw new Error(`homeostat types ended with ${code}: ${said}`)
  return readFileSync(join(folder, 'kinds.ts'), 'utf8')
}

const IMPORTS = ["import type * as h from 'homeostat'", "import type * as kinds from './kinds.ts'"]

interface Line {
  readonly code: string
  readonly place: string
}

/**
 * Lines of TypeScript for each sample: the object, its status where that is a subresource, and for the first sample of
 * a kind one more with a key that no kind has.
 */
function sampleLines(kinds: readonly (readonly [string, AnyKind])[], samples: readonly Manifest[]): Line[] {
  const seen = new Set<string>()
  return samples.flatMap(({ object, place }, index) => {
    const [name, kind] =
      kinds.find(([, one]) => apiVersionOf(one) === object.apiVersion && one.kind === object.kind) ?? []
    if (name === undefined || kind === undefined) throw new Error(`${place}: no kind for ${object.kind}`)
    const lineOf = (type: string, what: string, value: unknown): Line => ({
      code: `export const ${what}${index}: ${type}<typeof kinds.${name}> = ${JSON.stringify(withoutNulls(value))}`,
      place,
    })
    const { status, ...rest } = object
    const metadata = {
      ...(kind.scope === 'Namespaced' ? { namespace: NAMESPACE } : {}),
      ...(object.metadata?.['generateName'] === undefined ? { name: 'sample' } : {}),
      ...object.metadata,
    }
    const body = { ...(kind.subresources.status ? rest : object), metadata }
    const lines = [lineOf('h.CreateOf', 'sample', body)]
    if (kind.subresources.status && status) lines.push(lineOf('h.StatusOf', 'status', status))
    if (seen.has(name)) return lines
    seen.add(name)
    const wrong = lineOf('h.CreateOf', 'wrong', { ...body, keyThatNoKindHas: 1 })
    return [...lines, { code: '// @ts-expect-error', place }, wrong]
  })
}

/** Without keys that have no value: a server ignores them, as the documentation of some projects does. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutNulls)
  const fields = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutNulls(field)]))
}

function changedDefinitions(
  definitions: readonly Manifest[],
  kinds: readonly (readonly [string, AnyKind])[],
  module: Readonly<Record<string, object>>,
): { before: unknown; after: unknown }[] {
  return definitions.flatMap(({ object }) => {
    const { group, names } = definitionSpec(object)
    const own = kinds.filter(([, kind]) => kind.group === group && kind.plural === names.plural)
    const whole = Object.values(module).find(
      (value) =>
        'metadata' in value && (value.metadata as { name: string }).name === `${names.plural}.${group}`,
    )
    const [before, after] = [object, whole ?? customResourceDefinition(own.map(([, kind]) => kind))].map(
      comparableDefinition,
    )
    return isDeepStrictEqual(before, after) ? [] : [{ before, after }]
  })
}
