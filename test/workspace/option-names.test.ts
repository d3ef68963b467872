import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

/**
 * Every type of options that the packages export is checked at run time against its names: an option that does not
 * exist would have no effect. `test/unknown-options.test.ts` calls what takes them.
 */
const ROOT = join(import.meta.dirname, '../..')
const ENTRIES = [
  'packages/api/src/index.ts',
  'packages/runtime/src/index.ts',
  'packages/apiserver/src/index.ts',
  'packages/apiserver/src/testing/index.ts',
  'packages/cluster/src/index.ts',
  'packages/cluster/src/testing/index.ts',
]

/** Types whose options are checked under another name, or that no function of ours takes. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  SpanOptions: 'our own call of a tracer, which the user implements',
  DriveOptions: 'has a signal alone, which an AbortSignal given in its place would not pass',
  ControllerDefaults: 'checkDefaults checks its rest as ControllerOptions',
  TestEnvironmentOptions: 'all but kinds is passed to ApiServer.start',
  OperatorManagerOptions: 'checkManagerOptions checks them as ManagerOptions',
  LogOptions: 'a part of ClusterLogOptions',
  AdmissionWithDefaults: 'a step of a builder, which takes no options',
}

/** Options of webhooks, which are a draft: they are not checked yet. */
const DRAFTS = new Set([
  'AdmissionOptions',
  'AuthenticationOptions',
  'DeniedOptions',
  'FieldErrorOptions',
  'RawOptions',
  'RoundTripOptions',
  'SharedAdmissionOptions',
  'WebhookConfigurationOptions',
])

/** The names that a module exports, as far as they are options. */
function exportedOptions(file: string, seen = new Set<string>()): Set<string> {
  const found = new Set<string>()
  if (seen.has(file) || !existsSync(file)) return found
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  for (const [, from = ''] of text.matchAll(/export \* (?:as \w+ )?from '(\.[^']+)'/g)) {
    for (const name of exportedOptions(join(dirname(file), from), seen)) found.add(name)
  }
  for (const [, names = ''] of text.matchAll(/export (?:type )?\{([^}]*)\}/g)) {
    for (const name of names.split(',').map((each) => each.trim().replace(/^type /, ''))) found.add(name)
  }
  for (const [, name = ''] of text.matchAll(/export (?:interface|type) (\w+)/g)) found.add(name)
  return new Set([...found].filter((name) => /^[A-Z][a-z]\w*(?:Options|Limits)$/.test(name)))
}

const sources = globSync('packages/*/src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
const checked = new Set(
  sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/optionNames<\(?(?:NonNullable<)?(\w+)/g)].map(
      ([, name = '']) => name,
    ),
  ),
)

it.each(ENTRIES)('checks the names of all options that %s exports', (entry) => {
  const missing = [...exportedOptions(join(ROOT, entry))].filter(
    (name) => !checked.has(name) && !Object.hasOwn(ELSEWHERE, name) && !DRAFTS.has(name),
  )
  expect(missing, `add optionNames<…> and checkOptionNames to ${relative(ROOT, entry)}`).toEqual([])
})

it('finds options at all', () => {
  expect(exportedOptions(join(ROOT, ENTRIES[1]!))).toContain('ListOptions')
  expect(exportedOptions(join(ROOT, ENTRIES[1]!)).size).toBeGreaterThan(15)
})
