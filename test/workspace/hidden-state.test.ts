import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** The state that a module may keep for the whole process, and why. See docs/decisions/0053-results-kept-for-an-object.md. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'packages/api/src/names/cron-schedule.ts: latest':
    'schedules that were parsed lately, which depend on their text alone',
  'packages/api/src/names/timestamp.ts: latest':
    'the text of the latest second, which depends on the second alone',
  'packages/api/src/selectors/label-syntax.ts: known':
    'keys that were checked lately, which depend on their text alone',
  'packages/apiserver/src/auth/rbac/bootstrap.ts: sharedPolicy':
    'constants, parsed when a server starts, and held weakly',
  'packages/apiserver/src/background/tasks.ts: schemas':
    'schemas that were parsed lately, which depend on their text alone',
  'packages/apiserver/src/discovery/openapi/native-documents.ts: loaded':
    'constants, unpacked when first used',
  'packages/apiserver/src/discovery/tables/native.ts: described': 'constants, made when first used',
  'packages/apiserver/src/discovery/tables/native.ts: descriptions': 'constants, parsed when first used',
  'packages/apiserver/src/fields/path-element.ts: recent':
    'paths that were read lately, which depend on their text alone',
  'packages/apiserver/src/native/workload/template-labels.ts: following':
    'which labels were copied from a template, while the object is created',
  'packages/apiserver/src/registry/stored/served.ts: forms':
    'the last form of a stored entry, of which there may be many',
  'packages/apiserver/src/schema/go-names.ts: known': 'constants, read when first used',
  'packages/apiserver/src/schema/go-names.ts: lines': 'constants, split when first used',
  'packages/apiserver/src/schema/native-types.ts: loaded': 'constants, imported when first used',
  'packages/apiserver/src/schema/values/sent-empty.ts: dropped':
    'which lists of an object came empty, of which few objects have any',
  'packages/apiserver/src/validation/rules/compile-rule.ts: language': 'constants, made when first used',
  'packages/apiserver/src/wire/protobuf/message-type.ts: packages': 'constants, read when first used',
  'packages/apiserver/src/work/work.ts: left':
    'the budget of the one computation that runs, which only ends or throws',
  'packages/dashboard/page/language/index.ts: current': 'the language of the one page in this window',
  'packages/dashboard/page/model/tree.ts: structures': 'the latest structure of what a store shows',
  'packages/dashboard/page/model/tree.ts: told':
    'the health of an object, told in the latest language of the page',
  'packages/runtime/src/activity/calling-line.ts: files': 'numbers of files, for the places beside it',
  'packages/runtime/src/activity/calling-line.ts: known': 'lines of the code that runs, by their place',
  'packages/runtime/src/client/apply-object.ts: matches':
    'documents that change nothing in an object of the cache, as long as the object lasts',
  'packages/shell/src/process/scheduler.ts: schedulers':
    'shells of one clock take turns; docs/decisions/0036',
}

/** The variables of a module that hold state: what can be assigned again, and maps and sets that begin empty. */
function stateOf(source: string): string[] {
  const declared = source.matchAll(
    /^(?:export )?(?:let (\w+)|const (\w+)\b(?!: Readonly)[^=\n]*= new (?:Weak(?:Map|Set|Ref)\b|(?:Map|Set)\b(?:<.+>)?\(\)$))/gm,
  )
  return [...declared].map((match) => match[1] ?? match[2] ?? '')
}

it.each([
  ['const cache = new WeakMap<object, string>()', 'cache'],
  ['export const cache: WeakMap<object, string> = new WeakMap()', 'cache'],
  ['const known = new Map<string, { readonly text: string }>()', 'known'],
  ['let latest = 0', 'latest'],
])('state is found: %s', (source, name) => {
  expect(stateOf(source)).toEqual([name])
})

it.each(['const NONE: ReadonlyMap<string, string> = new Map()', "const NAMES = new Set(['a'])"])(
  'constants are not state: %s',
  (source) => {
    expect(stateOf(source)).toEqual([])
  },
)

it('no module keeps state but what is explained here', () => {
  const files = globSync('packages/*/{src,page}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.test\.tsx?$/.test(file),
  )
  expect(files.length).toBeGreaterThan(1_000)
  const found = files.flatMap((file) =>
    stateOf(readFileSync(resolve(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  expect(found.toSorted()).toEqual(Object.keys(EXPLAINED).toSorted())
})
