import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

it('no module that a server loads has a class of characters in the literal of a pattern', () => {
  // V8 checks literals when it reads the code, half a millisecond each: a text that becomes a pattern on first use costs nothing.
  const sources = globSync('packages/{api,apiserver}/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  expect(sources.length).toBeGreaterThan(500)
  const literals = sources.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        /\\[pP]\{/.test(line) && !line.includes('String.raw') && !/^\s*(?:\*|\/[/*])/.test(line)
          ? [`${file}:${index + 1}`]
          : [],
      ),
  )
  expect(literals, 'use latePattern').toEqual([])
})
