import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundlePackage } from '../../scripts/build-package.ts'

const folder = mkdtempSync(join(tmpdir(), 'homeostat-parts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The modules of a file of a published package: the bundler names each above its code. */
function modulesIn(part: string): string[] {
  const code = readFileSync(join(folder, 'parts', part), 'utf8')
  return [...code.matchAll(/^\/\/(?:#region)? ?packages\/[a-z-]+\/src\/(.+\.ts)$/gm)].map(
    (match) => match[1]!,
  )
}

beforeAll(async () => {
  await bundlePackage('apiserver', folder)
})

/** Modules, and folders with a slash at the end, that no read needs. */
const OF_WRITES = [
  'admission/admission-chain.ts',
  'fields/',
  'http/actions/write-actions.ts',
  'native/limit-range/limit-ranger.ts',
  'native/pod/pod-security-checks.ts',
  'native/resource-quota/check-quota.ts',
  'policies/configured-policies.ts',
  'registry/decode/decode-write-body.ts',
  'registry/object-rules/validate-object.ts',
  'registry/write/change.ts',
  'registry/write/deletion.ts',
  'registry/write/patch.ts',
  'schema/decode.ts',
  'validation/',
  'webhooks/admission-webhooks.ts',
  'wire/decode-body.ts',
]

it('the first write of the published API server loads one more file, with all that only writes need', () => {
  const main = modulesIn('apiserver.js')
  const writes = modulesIn('writes.js')
  expect(main).toContain('registry/read/read.ts')
  expect(OF_WRITES.filter((name) => main.some((module) => module.startsWith(name)))).toEqual([])
  expect(OF_WRITES.filter((name) => !writes.some((module) => module.startsWith(name)))).toEqual([])
})

it('the main file of the published API server holds nothing that only an option or a document asks for', () => {
  const rare = [
    'audit/',
    'certificates/certificates.ts',
    'discovery/openapi/',
    'discovery/swagger/',
    'discovery/tables/table.ts',
    'encryption/',
    'wire/generated/',
    'wire/protobuf/encode-protobuf.ts',
    'wire/protobuf/read-message.ts',
  ]
  expect(modulesIn('apiserver.js').filter((module) => rare.some((name) => module.startsWith(name)))).toEqual(
    [],
  )
})

it('a port, a data folder and streams need nothing of what only writes need', () => {
  const early = ['data-folder.js', 'homeostat-apiserver.js', 'open-store.js', 'port.js', 'streams.js']
  const importing = early.filter((part) =>
    readFileSync(join(folder, 'parts', part), 'utf8').includes('"./writes.js"'),
  )
  expect(importing).toEqual([])
})

it('the thread of the published checker has the module that plays the trials', async () => {
  await bundlePackage('check', folder)
  const code = readFileSync(join(folder, 'parts', 'worker.js'), 'utf8')
  const [, imported] = /import\("\.\/(.+?)"\)/.exec(code) ?? []
  expect(modulesIn(imported ?? 'worker.js')).toContain('run/trial-worker.ts')
})
