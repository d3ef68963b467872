import { resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const entry = resolve(root, 'test/workspace/program.js')

/** A program with all that it imports of ours, as a bundler makes it. */
async function bundled(program: string): Promise<string> {
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    resolve: { conditionNames: ['source', 'import'] },
    tsconfig: false,
    external: ['yaml', /^node:/],
    logLevel: 'silent',
    plugins: [
      {
        name: 'program',
        load: (id) => (id === entry ? program : null),
        resolveId: (id) => (id === entry ? id : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return output.map((part) => (part.type === 'chunk' ? part.code : '')).join('')
}

const define = (schema: string, imports = '') => `
  import { defineKind, schema as s } from 'homeostat'
  import { Pod } from 'homeostat/kinds'
  ${imports}
  export const Thing = defineKind({ group: 'a.example.com', version: 'v1', kind: 'Thing', spec: s.object({ part: ${schema} }) })
  export { Pod }
`

it('a program carries the schemas of the native types that it uses, and no others', async () => {
  const without = await bundled(define('s.string()'))
  const small = await bundled(
    define('s.native(ResourceRequirements)', `import { ResourceRequirements } from 'homeostat/schemas'`),
  )
  const large = await bundled(
    define('s.native(PodTemplateSpec)', `import { PodTemplateSpec } from 'homeostat/schemas'`),
  )
  const nativeTypes = (code: string) => [...code.matchAll(/= \/\* @__PURE__ \*\/ nativeType\(/g)].length
  expect([nativeTypes(without), nativeTypes(small)]).toEqual([0, 2])
  expect(nativeTypes(large)).toBeGreaterThan(80)
  expect(nativeTypes(large)).toBeLessThan(150)
  expect(small.length - without.length).toBeLessThan(5_000)
  expect(large.length - without.length).toBeLessThan(80_000)
})
