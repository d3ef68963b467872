import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NATIVE_KINDS } from '../../packages/apiserver/src/native/kinds.ts'
import { nativeResources } from '../../packages/apiserver/src/schema/generated/native-resources.ts'

const source = new URL('../../packages/apiserver/src/', import.meta.url)

/** Folders of the API server whose code works for every kind alike. What is special about a kind is in `native/`. */
const GENERAL = ['admission', 'discovery', 'fields', 'http', 'registry', 'schema', 'storage', 'wire']

/** The files there that name a kind all the same, and why they must. */
const ALLOWED: Readonly<Record<string, { readonly kinds: readonly string[]; readonly why: string }>> = {
  'discovery/openapi/custom-paths.ts': {
    kinds: ['Namespace'],
    why: 'the paths of namespaced resources have a segment "namespaces"',
  },
  'http/paths/flow-control-dump.ts': {
    kinds: ['Namespace'],
    why: 'a column of the table of requests has this name',
  },
  'http/request/attributes.ts': {
    kinds: ['Namespace'],
    why: 'access to a namespace is decided by roles in that namespace',
  },
  'http/request/route.ts': {
    kinds: ['Namespace', 'Node', 'Pod', 'Service'],
    why: 'the paths of namespaced resources have a segment "namespaces"; these kinds have proxies, whose paths another server decodes',
  },
  'http/streams/spdy/dictionary.ts': {
    kinds: ['Service'],
    why: 'the dictionary of SPDY holds the texts of HTTP statuses',
  },
  'registry/write/namespace-place.ts': {
    kinds: ['Namespace'],
    why: 'no object is created in a namespace that is not there, or is being deleted',
  },
  'schema/object-meta-validation.ts': {
    kinds: ['Event'],
    why: 'no object of any kind may have an Event as its owner',
  },
}

/** The words of code and of its texts, without comments, which may speak of kinds. */
function wordsIn(file: string): { readonly code: ReadonlySet<string>; readonly texts: ReadonlySet<string> } {
  const text = readFileSync(new URL(file, source), 'utf8')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1')
  const texts = (text.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`|= \/.+\/[a-z]*$/gm) ?? []).join('\n')
  return { code: new Set(text.match(/[A-Za-z]+/g)), texts: new Set(texts.match(/[A-Za-z-]+/g)) }
}

/** A kind is named by its name anywhere in the code, by its plural in a text, or by the name of the file. */
function kindsNamedIn(file: string): string[] {
  const { code, texts } = wordsIn(file)
  const name = basename(file, '.ts')
  const named = nativeResources.filter(({ kind, plural }) => {
    const folder = folderOf(kind)
    return code.has(kind) || texts.has(plural) || name === folder || name.startsWith(`${folder}-`)
  })
  return [...new Set(named.map(({ kind }) => kind))].sort()
}

/** The folder of a kind: `CSIDriver` is in `csi-driver`. */
function folderOf(kind: string): string {
  const words = kind.replace(/([a-z\d])([A-Z])/g, '$1-$2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
  return words.toLowerCase()
}

const files = globSync(
  GENERAL.map((folder) => `${folder}/**/*.ts`),
  { cwd: source.pathname },
)
  .filter((file) => !file.endsWith('.test.ts') && !file.includes('/generated/'))
  .sort()

describe('a native kind', () => {
  it('is named in no folder whose code works for every kind, but where it must be', () => {
    const found = files.flatMap((file) => {
      const kinds = kindsNamedIn(file)
      return kinds.length > 0 ? [[file, kinds] as const] : []
    })
    const allowed = Object.entries(ALLOWED).map(([file, { kinds }]) => [file, kinds])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(allowed))
  })

  it('runs the step in which a change is validated, where it validates changes', () => {
    const skipped = NATIVE_KINDS.filter(
      (kind) => 'validateUpdate' in kind && kind.updateSteps && !kind.updateSteps.includes('change'),
    )
    expect(skipped.map(({ kind }) => kind)).toEqual([])
  })

  it('has a folder of its own; ARCHITECTURE.md names every other folder of native/', () => {
    const kinds = new Set(NATIVE_KINDS.map(({ kind }) => folderOf(kind)))
    const architecture = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
    const row = architecture
      .split('\n')
      .find((line) => line.startsWith('| `native/` | the kinds that Kubernetes'))
    const folders = readdirSync(new URL('native/', source), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !kinds.has(entry.name))
      .map((entry) => entry.name)
    expect(folders.filter((folder) => !row?.includes(`\`${folder}/\``))).toEqual([])
    expect(folders).toContain('pod-spec')
  })

  const served = [...new Map(nativeResources.map((one) => [`${one.group}/${one.kind}`, one])).values()]

  it.each(served)('$group $kind has one record, in the folder of its name', ({ group, kind }) => {
    expect(NATIVE_KINDS.filter((native) => native.group === group && native.kind === kind)).toHaveLength(1)
    const folder = folderOf(kind)
    const file = new URL(`native/${folder}/${folder}.ts`, source)
    expect(existsSync(file) && readFileSync(file, 'utf8')).toContain(`kind: '${kind}'`)
  })
})
