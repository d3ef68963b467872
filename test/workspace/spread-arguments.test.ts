import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Files in which a list that is spread into a call is short, and why. */
const SHORT: Readonly<Record<string, string>> = {
  'packages/cel/src/libraries/kubernetes/address.ts': 'an address has eight groups',
  'packages/apiserver/src/discovery/storage-version-hash.ts': 'the first eight bytes of a hash',
  'packages/apiserver/src/process/flags/flags.ts': 'the flags of the program',
  'packages/apiserver/src/wire/protobuf/base64.ts': 'as many bytes as one chunk has',
}

/**
 * Calls with a list spread into their arguments. Arguments lie on the stack, which overflows at some 100,000: one request
 * can send more.
 */
function spreadCalls(source: string): string[] {
  const calls =
    /(?:\.(?:push|unshift|splice)|Math\.(?:max|min)|\.from(?:CharCode|CodePoint))\((?:[^()\n]*,)?\s*\.\.\./g
  return [...source.matchAll(calls)].map(([text]) => text)
}

it.each([
  'errors.push(...problems)',
  'errors.push(\n  ...problems,\n)',
  'list.splice(0, 0, ...items)',
  'Math.max(0, ...lengths)',
  'String.fromCharCode(...bytes)',
])('a list that is spread into a call is found: %s', (source) => {
  expect(spreadCalls(source)).toHaveLength(1)
})

it.each(['addAll(errors, problems)', '[...found, ...problems]', 'errors.push([...problems])', 'run(...of)'])(
  'other spreads are not found: %s',
  (source) => {
    expect(spreadCalls(source)).toEqual([])
  },
)

it('no list of any length is spread into a call where the server answers requests: addAll adds it', async () => {
  const found: string[] = []
  let files = 0
  for await (const file of glob('packages/{apiserver,cel}/src/**/*.ts', { cwd: root })) {
    if (file.includes('.test.') || file.endsWith('work/add-all.ts') || Object.hasOwn(SHORT, file)) continue
    files++
    const source = readFileSync(resolve(root, file), 'utf8')
    found.push(...spreadCalls(source).map((call) => `${file}: ${call}`))
  }
  expect(files).toBeGreaterThan(400)
  expect(found).toEqual([])
})

it('the files with short lists still spread one', () => {
  const without = Object.keys(SHORT).filter(
    (file) => spreadCalls(readFileSync(resolve(root, file), 'utf8')).length === 0,
  )
  expect(without).toEqual([])
})
