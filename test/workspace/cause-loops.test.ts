import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** These walk causes with a limit of their own: the logger cuts rings and depth when it renders an error. */
const BOUNDED = new Set([
  'packages/api/src/errors/error-chain.ts',
  'packages/runtime/src/telemetry/create-logger.ts',
  'packages/runtime/src/telemetry/log-fields.ts',
])

/** The lines that take a cause for the next error to look at: in a loop, or by calling their own function again. */
function causeWalks(source: string): string[] {
  const assignment =
    /^(?!.*\bconst\b).*(?:[^=!<>]=(?![=>])[^=;]*\.cause\b|\{[^}]*\bcause(?:\s*:\s*\w+)?\s*\}\s*=[^=>])/
  const lines = source.split('\n').filter((line) => /\bcause\b/.test(line) && assignment.test(line))
  const loops = lines.filter((line) => !/\bcauses?\s*[:=]/.test(line.replace(/\{[^}]*\}\s*=/, '')))
  const functions = source.matchAll(/^(?:export )?(?:async )?function\*? (\w+)[^]*?^\}/gm)
  const recursions = [...functions].flatMap(([body, name]) =>
    body.split('\n').filter((line) => new RegExp(`\\b${name}\\(.*\\.cause\\b`).test(line)),
  )
  return [...loops, ...recursions].map((line) => line.trim())
}

it.each([
  'for (let current = error; current instanceof Error; current = current.cause) {',
  '  current = (current as Error).cause',
  '  ;({ cause: current } = current)',
  'function root(error: Error): Error {\n  return error.cause instanceof Error ? root(error.cause) : error\n}',
])('a walk over causes is found: %s', (source) => {
  expect(causeWalks(source)).toHaveLength(1)
})

it.each(['const { cause } = error', 'if (error.cause !== undefined) return', 'throw explain(error.cause)'])(
  'code that reads one cause is not a walk: %s',
  (source) => {
    expect(causeWalks(source)).toEqual([])
  },
)

it('no file walks the causes of an error but by errorChain', async () => {
  const found: string[] = []
  let files = 0
  for await (const file of glob('{packages/*/{src,bin},examples,scripts,benchmarks}/**/*.{ts,mjs}', {
    cwd: root,
  })) {
    if (file.includes('node_modules') || file.includes('.test.') || BOUNDED.has(file)) continue
    files++
    for (const line of causeWalks(readFileSync(resolve(root, file), 'utf8'))) found.push(`${file}: ${line}`)
  }
  expect(files).toBeGreaterThan(500)
  expect(found).toEqual([])
})
