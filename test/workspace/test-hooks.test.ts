import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Whether a module registers a hook when it is imported. */
function registersHook(source: string): boolean {
  return /^(?:before|after)(?:Each|All)\(/m.test(source)
}

it('finds a hook of a module, but not one inside of a function', () => {
  expect(registersHook('afterEach(() => server.close())')).toBe(true)
  expect(registersHook('function closeAfter() {\n  afterEach(() => server.close())\n}')).toBe(false)
})

/**
 * Test files share the modules that they import (`isolate: false` in `vitest.config.ts`), so that a hook of such a module
 * runs only for the first file that imports it. Such a module calls `onTestFinished` in its functions.
 */
it('no module that test files share registers a hook', async () => {
  const found: string[] = []
  for await (const file of glob('{packages/*/{src,test},test,examples}/**/*.ts', {
    cwd: root,
    exclude: (name) => name.includes('node_modules') || name.endsWith('.test.ts'),
  })) {
    if (registersHook(readFileSync(resolve(root, file), 'utf8'))) found.push(file)
  }
  expect(found).toEqual([])
})
