import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { checkNodeVersion } from './node-version.ts'

it.each(['22.19.0', '24.0.0', '26.1.2'])('runs on Node %s', (version) => {
  expect(() => checkNodeVersion(version)).not.toThrow()
})

it.each(['18.20.1', '20.20.2', '22.18.9'])('names Node %s as too old, with the remedy', (version) => {
  expect(() => checkNodeVersion(version)).toThrow(
    `Homeostat needs Node 22.19 or newer; this is Node ${version}. Install a current Node and run it again.`,
  )
})

it('requires the same version as package.json', () => {
  const file = resolve(import.meta.dirname, '../../package.json')
  const { engines } = JSON.parse(readFileSync(file, 'utf8')) as { engines: { node: string } }
  expect(() => checkNodeVersion(engines.node.replace('>=', ''))).not.toThrow()
  expect(() => checkNodeVersion('22.18')).toThrow(`Node ${engines.node.replace('>=', '')} or newer`)
})
