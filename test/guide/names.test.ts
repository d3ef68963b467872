import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { GUIDE_FOLDER } from '../../scripts/guide/pages.ts'

const packages = {
  homeostat: () => import('homeostat'),
  '@homeostat/api': () => import('@homeostat/api'),
  '@homeostat/api/certificates': () => import('@homeostat/api/certificates'),
  '@homeostat/apiserver': () => import('@homeostat/apiserver'),
  '@homeostat/apiserver/flags': () => import('@homeostat/apiserver/flags'),
  '@homeostat/apiserver/launcher': () => import('@homeostat/apiserver/launcher'),
  '@homeostat/apiserver/testing': () => import('@homeostat/apiserver/testing'),
  '@homeostat/cel': () => import('@homeostat/cel'),
  '@homeostat/check': () => import('@homeostat/check'),
  '@homeostat/cli': () => import('@homeostat/cli'),
  '@homeostat/dashboard': () => import('@homeostat/dashboard'),
  '@homeostat/shell': () => import('@homeostat/shell'),
  '@homeostat/cluster': () => import('@homeostat/cluster'),
  '@homeostat/cluster/testing': () => import('@homeostat/cluster/testing'),
}
const languages = ['ja', 'zh-Hans', 'zh-Hant']
const pages = readdirSync(GUIDE_FOLDER).filter((file) => file.endsWith('.md'))
const guide = pages.map((page) => readFileSync(join(GUIDE_FOLDER, page), 'utf8')).join('\n')

/** The exported values, and those inside of exported namespaces such as `predicates`. */
function namesOf(module: object): string[] {
  return Object.entries(module).flatMap(([name, value]) =>
    isNamespace(value) ? [name, ...Object.keys(value).map((member) => `${name}.${member}`)] : [name],
  )
}

function isNamespace(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Module]'
}

function isMentioned(name: string, text: string): boolean {
  return new RegExp(`(?<![\\w.])${name.replace('.', '\\.')}(?!\\w)`).test(text)
}

it.each(Object.entries(packages))('the guide mentions every value that %s exports', async (_, load) => {
  const names = namesOf(await load())
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !isMentioned(name, guide))).toEqual([])
})

/** The entry files that export types. */
const entries = {
  homeostat: 'runtime/src/index.ts',
  '@homeostat/api': 'api/src/index.ts',
  '@homeostat/api/certificates': 'api/src/certificates/index.ts',
  '@homeostat/apiserver': 'apiserver/src/index.ts',
  '@homeostat/apiserver/flags': 'apiserver/src/process/server-flags.ts',
  '@homeostat/apiserver/testing': 'apiserver/src/testing/index.ts',
  '@homeostat/cel': 'cel/src/index.ts',
  '@homeostat/check': 'check/src/index.ts',
  '@homeostat/cli': 'cli/src/index.ts',
  '@homeostat/cluster': 'cluster/src/index.ts',
  '@homeostat/cluster/testing': 'cluster/src/testing/index.ts',
  '@homeostat/dashboard': 'dashboard/src/index.ts',
  '@homeostat/shell': 'shell/src/index.ts',
}

/** The types that a module exports by name, and those of modules that it exports as a whole. */
function typesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const named = [...text.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, allTypes, list = '']) =>
    list
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '' && (allTypes !== undefined || item.startsWith('type ')))
      .map((item) => item.replace(/^type /, '').replace(/^.* as /, '')),
  )
  const declared = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name)
  const whole = [...text.matchAll(/export \* from '(.*)'/g)].map(([, path = '']) => path)
  return [...named, ...declared, ...whole.flatMap((path) => typesOf(join(dirname(file), path)))]
}

it.each(Object.entries(entries))(
  'the guide mentions every type that %s exports, in each language',
  (_, entry) => {
    const types = typesOf(join(GUIDE_FOLDER, '../../packages', entry))
    expect(types.length).toBeGreaterThan(1)
    const translated = languages.map((language) =>
      readFileSync(join(GUIDE_FOLDER, language, '15-names.md'), 'utf8'),
    )
    expect(types.filter((name) => !isMentioned(name, guide))).toEqual([])
    // A translation may leave out chapters that explain a type, but not what the list of names has.
    const list = readFileSync(join(GUIDE_FOLDER, '15-names.md'), 'utf8')
    const listed = types.filter((name) => isMentioned(name, list))
    for (const text of translated) expect(listed.filter((name) => !isMentioned(name, text))).toEqual([])
  },
)

it('the guide mentions every group of types that homeostat/kinds exports, in each language', () => {
  const kinds = join(GUIDE_FOLDER, '../../packages/api/src/native/generated/native.ts')
  const groups = [...readFileSync(kinds, 'utf8').matchAll(/^export type \* as (\w+)/gm)].map(
    ([, name = '']) => name,
  )
  expect(groups).toContain('CoreV1')
  for (const folder of ['', ...languages]) {
    const list = readFileSync(join(GUIDE_FOLDER, folder, '15-names.md'), 'utf8')
    expect(groups.filter((name) => !isMentioned(name, list))).toEqual([])
  }
})

it('every entry of a package is checked', () => {
  const folder = join(GUIDE_FOLDER, '../../packages')
  const exported = readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name, 'package.json'), 'utf8')
    const { name: own, exports = {} } = JSON.parse(text) as {
      name: string
      exports?: Record<string, unknown>
    }
    return Object.keys(exports).map((path) => own + path.slice(1))
  })
  // Generated: each kind and schema of Kubernetes. A template has no exports for users.
  const others = ['/kinds', '/kinds/*', '/schemas', '/package.json']
  const expected = exported.filter(
    (entry) => entry !== 'create-homeostat' && !others.some((end) => entry.endsWith(end)),
  )
  expect(Object.keys(packages).toSorted()).toEqual(expected.toSorted())
  const withTypes = expected.filter((entry) => entry !== '@homeostat/apiserver/launcher')
  expect(Object.keys(entries).toSorted()).toEqual(withTypes.toSorted())
})

it('finds the types of a module, also of modules that it exports as a whole', () => {
  const types = typesOf(join(GUIDE_FOLDER, '../../packages/runtime/src/index.ts'))
  expect(types).toContain('ReconcileContext')
  expect(types).toContain('CreateOrUpdateResult')
  expect(types).not.toContain('Manager')
})

it('a name that is not there is found', () => {
  expect(isMentioned('recordRules', 'with `recordRules(transport)`')).toBe(true)
  expect(isMentioned('predicates.and', 'with `predicates.and(a, b)`')).toBe(true)
  for (const text of ['recordRulesOf', 'x.recordRules', 'recordRule']) {
    expect(isMentioned('recordRules', text)).toBe(false)
  }
})

const compared = ['13-coming-from-controller-runtime.md', '14-coming-from-kopf.md']
const tables = [...compared, ...languages.flatMap((language) => compared.map((page) => join(language, page)))]

it.each([...tables, '15-names.md'])(
  'what %s calls ours is exported, or a method or an option of what is',
  async (page) => {
    const known = new Set(['requests', 'rule', 'default'])
    for (const load of Object.values(packages)) {
      for (const [name, value] of Object.entries(await load())) {
        known.add(name)
        if (isNamespace(value)) for (const member of Object.keys(value)) known.add(member)
        if (typeof value === 'function') addMethods(known, value.prototype as object | undefined)
      }
    }
    const { admission, controller, conversion } = await packages.homeostat()
    const { ConfigMap } = await import('@homeostat/api/kinds')
    for (const builder of [controller('any'), admission(ConfigMap), conversion(ConfigMap)]) {
      addMethods(known, Object.getPrototypeOf(builder) as object)
    }
    const text = readFileSync(join(GUIDE_FOLDER, page), 'utf8')
    const ours = text.split('\n').flatMap((line) => (line.startsWith('|') ? [line.split('|')[2] ?? ''] : []))
    // `name(` is a call of a function or a method.
    const called = [...ours.join('\n').matchAll(/`[^`]+`/g)].flatMap(([code]) =>
      [...code.matchAll(/(?<![\w'"])([A-Za-z]\w+)(?=\()/g)].map(([, name]) => name ?? ''),
    )
    const context = new Set([
      'normal',
      'warning',
      'get',
      'apply',
      'subresource',
      'defineKind',
      'warn',
      'converts',
    ])
    expect(called.filter((name) => !known.has(name) && !context.has(name))).toEqual([])
  },
)

function addMethods(known: Set<string>, prototype: object | undefined): void {
  if (prototype) for (const name of Object.getOwnPropertyNames(prototype)) known.add(name)
}
