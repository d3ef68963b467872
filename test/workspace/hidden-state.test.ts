import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** The state that a module may keep for the whole process, and why. See docs/decisions/0053-results-kept-for-an-object.md. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'packages/api/src/names/timestamp.ts: latest':
    'the text of the latest second, which depends on the second alone',
  'packages/apiserver/src/auth/rbac/bootstrap.ts: sharedPolicy':
    'constants, parsed when a server starts, and held weakly',
  'packages/apiserver/src/discovery/tables/native.ts: descriptions': 'constants, parsed when first used',
  'packages/apiserver/src/registry/stored/served.ts: forms':
    'the last form of a stored entry, of which there may be many',
  'packages/apiserver/src/registry/stored/served.ts: headLengths': 'beside it',
  'packages/apiserver/src/registry/stored/served.ts: unchanged': 'beside it',
  'packages/apiserver/src/schema/go-names.ts: lines': 'constants, split when first used',
  'packages/apiserver/src/schema/values/sent-empty.ts: dropped':
    'which lists of an object came empty, of which few objects have any',
  'packages/apiserver/src/validation/rules/compile-rule.ts: language': 'constants, made when first used',
  'packages/apiserver/src/work/work.ts: left':
    'the budget of the one computation that runs, which only ends or throws',
  'packages/runtime/src/client/apply-object.ts: matches':
    'documents that change nothing in an object of the cache, as long as the object lasts',
  'packages/shell/src/process/scheduler.ts: schedulers':
    'shells of one clock take turns; docs/decisions/0036',
}

/** The variables of a module that hold state: what can be assigned again, and weak maps and sets. */
function stateOf(source: string): string[] {
  const declared = source.matchAll(
    /^(?:export )?(?:let (\w+)|const (\w+)[^=\n]*= new Weak(?:Map|Set|Ref)\b)/gm,
  )
  return [...declared].map((match) => match[1] ?? match[2] ?? '')
}

it.each([
  ['const cache = new WeakMap<object, string>()', 'cache'],
  ['export const cache: WeakMap<object, string> = new WeakMap()', 'cache'],
  ['let latest = 0', 'latest'],
])('state is found: %s', (source, name) => {
  expect(stateOf(source)).toEqual([name])
})

it('no module keeps state but what is explained here', () => {
  const files = globSync('packages/*/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(1_000)
  const found = files.flatMap((file) =>
    stateOf(readFileSync(resolve(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  expect(found.toSorted()).toEqual(Object.keys(EXPLAINED).toSorted())
})
