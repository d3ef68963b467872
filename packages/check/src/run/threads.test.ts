import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { TrialThread } from './threads.ts'

const options = { only: [], seed: undefined, combinations: undefined, keeps: undefined, varies: undefined }

test.for([
  ['a loop that does not end', 'for (;;) {}'],
  ['an await that does not end', 'setInterval(() => {}, 1000); await new Promise(() => {})'],
])('RU15: a module whose top level has %s is reported', async ([, code]) => {
  const module = `data:text/javascript,${encodeURIComponent(code!)}`
  await using thread = new TrialThread({ module, options }, { start: 120_000, load: 2_000, silence: 30_000 })
  await expect(thread.plan()).rejects.toMatchObject({
    code: 'CHECK_BLOCKED',
    message: expect.stringContaining("the operator's module was not loaded within 2 s"),
  })
})

test('RU15: a module that throws, and one without an operator, are named', async () => {
  await using throws = new TrialThread({
    module: 'data:text/javascript,throw new Error("no database")',
    options,
  })
  await expect(throws.plan()).rejects.toMatchObject({
    code: 'OPERATOR_NOT_LOADED',
    message: expect.stringContaining('cannot be loaded: Error: no database'),
  })
  await using empty = new TrialThread({ module: 'data:text/javascript,export default 1', options })
  await expect(empty.plan()).rejects.toMatchObject({ code: 'OPERATOR_INVALID' })
})

test.for([
  ['throws', 'const port = 1\nthrow new Error("no database")\n', 'Error: no database', 'settings.ts:2:7'],
  ['has an error of syntax', 'export const\n  a b\n', 'SyntaxError: ', 'settings.ts:2'],
])(
  'RU15: the place where a module %s is told as a path in the working folder',
  async ([, code, why, place]: readonly string[]) => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'settings.ts'), code!)
    writeFileSync(join(folder.path, 'operator.ts'), "import './settings.ts'\nexport default undefined\n")
    await using thread = new TrialThread({
      module: pathToFileURL(join(folder.path, 'operator.ts')).href,
      options,
    })
    const shown = relative(process.cwd(), folder.path)
    const error: Error = await thread.plan().then(
      () => new Error('it was loaded'),
      (reason: unknown) => reason as Error,
    )
    expect(error.message).toContain(`${shown}/operator.ts cannot be loaded: ${why}`)
    expect(error.message.split('\n').at(-1)).toBe(`  at ${shown}/${place}`)
  },
)

test('RU18: a plan has another fingerprint when code behind the module changes', async () => {
  using folder = temporaryFolder()
  writeFileSync(
    join(folder.path, 'operator.ts'),
    `import { controller, defineKind, operator, sample, schema as s } from 'homeostat'
import { reconcile } from './reconcile.ts'
const Note = defineKind({ group: 'check.example.com', version: 'v1', kind: 'Note', spec: s.object({}) })
const samples = [sample(Note, { metadata: { name: 'one', namespace: 'default' }, spec: {} })]
export default operator('notes', { controllers: [controller('notes').for(Note).reconcile(reconcile)], samples })
`,
  )
  const fingerprint = async (code: string): Promise<string> => {
    writeFileSync(join(folder.path, 'reconcile.ts'), code)
    const module = pathToFileURL(join(folder.path, 'operator.ts')).href
    await using thread = new TrialThread({ module, options })
    return (await thread.plan()).fingerprint
  }
  const first = await fingerprint('export async function reconcile() {}')
  expect(await fingerprint('export async function reconcile() {}')).toBe(first)
  expect(await fingerprint('export async function reconcile() { await null }')).not.toBe(first)
})

/** A folder in the workspace, so that modules in it find the packages. */
function temporaryFolder(): Disposable & { readonly path: string } {
  const inside = resolve(import.meta.dirname, '../../../../.homeostat')
  mkdirSync(inside, { recursive: true })
  const path = mkdtempSync(join(inside, 'threads-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test.for([
  [
    'blocks the event loop',
    'for (;;) {}',
    'CHECK_BLOCKED',
    'the operator blocks the event loop: its thread did nothing',
  ],
  ['ends the process', 'process.exit(3)', 'CHECK_THREAD_ENDED', 'the operator ended its own process'],
])('RU16: a reconcile that %s is reported', async ([, code, expected, message]) => {
  const inside = resolve(import.meta.dirname, '../../../../.homeostat')
  mkdirSync(inside, { recursive: true })
  const folder = mkdtempSync(join(inside, 'threads-'))
  try {
    const file = join(folder, 'operator.ts')
    writeFileSync(
      file,
      `import { controller, defineKind, operator, sample, schema as s } from 'homeostat'
const Note = defineKind({ group: 'check.example.com', version: 'v1', kind: 'Note', spec: s.object({}) })
const samples = [sample(Note, { metadata: { name: 'one', namespace: 'default' }, spec: {} })]
const notes = controller('notes').for(Note).reconcile(async () => { ${code} })
export default operator('notes', { controllers: [notes], samples })
`,
    )
    const limits = { start: 120_000, load: 120_000, silence: 5_000 }
    await using thread = new TrialThread({ module: pathToFileURL(file).href, options }, limits)
    await expect(thread.plan()).rejects.toMatchObject({
      code: expected,
      message: expect.stringContaining(message!),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
