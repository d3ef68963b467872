import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { TypeCheck } from './type-check.ts'

/** Reports an error once it runs with the expected priority, and what a compiler prints around it. */
const COMPILER = `
import { getPriority } from 'node:os'
setInterval(() => {
  if (getPriority() < ${constants.priority.PRIORITY_BELOW_NORMAL}) return
  console.log('10:00:00 - Starting incremental compilation...')
  console.log("kind.ts(1,1): error TS2322: Type 'string' is not assignable to type 'number'.")
}, 5)
`

it('yields the processor to the operator, which restarts at the same moment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-types-'))
  const files = {
    'tsconfig.json': '{}',
    'node_modules/typescript/package.json': '{ "bin": { "tsc": "./tsc.mjs" } }',
    'node_modules/typescript/tsc.mjs': COMPILER,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const said = Promise.withResolvers<string>()
  const types = TypeCheck.start(folder, said.resolve)
  expect(await said.promise).toBe(
    "kind.ts(1,1): error TS2322: Type 'string' is not assignable to type 'number'.",
  )
  await types?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})
