import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
/** TypeScript stands in the second one, since the workspace has a newer version. */
const FOLDERS = [join(root, 'node_modules'), join(root, 'docs', 'playground', 'node_modules')]
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
  'typescript',
  'yaml',
]

/** The licenses of what is part of the scripts. */
export function licenses(): string {
  const files = PACKAGES.flatMap((name) =>
    FOLDERS.flatMap((folder) => globSync(join(folder, name, 'LICENSE*')).toSorted()).slice(
      0,
      name.endsWith('*') ? undefined : 1,
    ),
  )
  return files
    .map(
      (file) => `${dirname(file).replace(/.*node_modules\//, '')}\n\n${readFileSync(file, 'utf8').trim()}\n`,
    )
    .join('\n\n')
}
