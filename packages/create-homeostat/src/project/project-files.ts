import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answers } from '../answers/index.ts'
import { packageManifest } from './package-manifest.ts'

/** Files that the template has under other names, because npm would not pack them. */
const RENAMED = new Map([
  ['gitignore', '.gitignore'],
  ['dockerignore', '.dockerignore'],
])

/** The texts of a project's files, by their paths with slashes. */
export function projectFiles(answers: Answers): ReadonlyMap<string, string> {
  const folders = [
    'project',
    answers.owns ? 'owns' : 'alone',
    ...(answers.webhooks ? ['webhooks'] : ['plain']),
  ]
  const files = new Map([['package.json', packageManifest(answers, packageVersion())]])
  for (const folder of folders) {
    for (const [path, text] of templateFiles(folder)) files.set(path, filledIn(text, answers))
  }
  const readme = files.get('README.md') ?? ''
  return files.set('README.md', withoutMissingFiles(readme, files))
}

/** All packages of Homeostat have one version. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}

function templateFiles(name: string): [path: string, text: string][] {
  const folder = join(packageRoot(), 'template', name)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => {
      const inside = join(parentPath, file)
        .slice(folder.length + 1)
        .replaceAll(sep, '/')
      return [RENAMED.get(inside) ?? inside, readFileSync(join(parentPath, file), 'utf8')]
    })
}

/** Replaces the placeholder names of the templates by those of the project. */
function filledIn(text: string, { name, group, kind }: Answers): string {
  const names = new Map([
    ['my-operator', name],
    ['my.example.com', group],
    ['MyKind', kind],
    ['myKind', kind.charAt(0).toLowerCase() + kind.slice(1)],
    ['mykind', kind.toLowerCase()],
  ])
  return text.replaceAll(
    /my-operator|my\.example\.com|MyKind|myKind|mykind/g,
    (found) => names.get(found) ?? found,
  )
}

/** Leaves out rows of a table that link to a file of another variant. */
function withoutMissingFiles(text: string, files: ReadonlyMap<string, string>): string {
  return text
    .split('\n')
    .filter((line) => {
      const linked = /^\| \[[^\]]*\]\(([^)]*)\)/.exec(line)?.[1]
      return linked === undefined || files.has(linked)
    })
    .join('\n')
}

/** Finds the template both from the source of this module and from its build, which are at different depths of the package. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'template', 'project'))) folder = dirname(folder)
  return folder
}
