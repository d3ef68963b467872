import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
/** Packages that are part of the scripts, as far as they are not ours. */
const PACKAGES = [
  '@codemirror/*',
  '@lezer/*',
  '@marijn/find-cluster-break',
  'crelt',
  'style-mod',
  'w3c-keyname',
  'es-module-lexer',
  'lines-and-columns',
  'preact',
  're2js',
  'sucrase',
  'ts-interface-checker',
  'yaml',
]

/** The licenses of what is part of the scripts. */
export function licenses(): string {
  const files = PACKAGES.flatMap((name) =>
    globSync(join(root, 'node_modules', name, 'LICENSE*'))
      .toSorted()
      .slice(0, name.endsWith('*') ? undefined : 1),
  )
  return files
    .map(
      (file) => `${dirname(file).replace(/.*node_modules\//, '')}\n\n${readFileSync(file, 'utf8').trim()}\n`,
    )
    .join('\n\n')
}
