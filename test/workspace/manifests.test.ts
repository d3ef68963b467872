import { globSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { homeostat } from '../../packages/cli/src/process/homeostat.ts'

const root = resolve(import.meta.dirname, '../..')
const examples = globSync('examples/*/operator.ts', { cwd: root }).map((file) => dirname(file))

it('finds all examples', () => {
  expect(examples).toHaveLength(6)
})

it.each(examples)('%s/manifests is what `npm run generate` makes', async (example) => {
  let output = ''
  const write = (text: string): void => void (output += text)
  const io = { cwd: resolve(root, example), env: {}, isTerminal: false, out: write, err: write }
  expect([await homeostat(['manifests', '--check'], io), output]).toEqual([
    0,
    `up to date: ${resolve(root, example, 'manifests')}\n`,
  ])
})
