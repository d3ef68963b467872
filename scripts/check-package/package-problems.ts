import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, globSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

interface Manifest {
  readonly name: string
  readonly license?: string
  readonly description?: string
  readonly repository?: { readonly url?: string; readonly directory?: string }
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly bin?: Readonly<Record<string, string>>
}

/** The problems of a packed package, each as a sentence. `scratch` is an empty folder to unpack it into. */
export function packageProblems(tarball: string, scratch: string, root: string): string[] {
  mkdirSync(scratch, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', scratch])
  const folder = join(scratch, 'package')
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  return [
    ...manifestProblems(manifest, folder, root),
    ...readmeProblems(folder, root, manifest),
    ...mapProblems(folder),
    // The tests of a template are those of the projects that are made from it.
    ...globSync('**/{*.test.ts,recorded,expected,conformance}', { cwd: folder, exclude: ['template'] }).map(
      (file) => `${file} is packed`,
    ),
  ].map((problem) => `${manifest.name}: ${problem}`)
}

function manifestProblems(manifest: Manifest, folder: string, root: string): string[] {
  const problems: string[] = []
  if (!existsSync(join(folder, 'LICENSE'))) problems.push('it has no LICENSE')
  if (manifest.license !== 'Apache-2.0') problems.push('package.json names no license')
  if (!manifest.description) problems.push('package.json has no description')
  const workspace = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  const { url, directory } = manifest.repository ?? {}
  if (!url || url !== workspace.repository?.url)
    problems.push('the repository in package.json is not that of the workspace')
  if (!directory || !existsSync(join(root, directory, 'package.json')))
    problems.push(`package.json names no folder of the repository: ${directory}`)
  const targets = [
    ...Object.values(manifest.exports).flatMap((one) => (typeof one === 'string' ? one : Object.values(one))),
    ...Object.values(manifest.bin ?? {}),
  ]
  for (const target of targets)
    if (globSync(target, { cwd: folder }).length === 0) problems.push(`${target} is not packed`)
  return problems
}

/** Links of a README must lead somewhere when a registry shows it, and to what the repository has. */
function readmeProblems(folder: string, root: string, { repository }: Manifest): string[] {
  const address = repository?.url?.replace(/^git\+|\.git$/g, '') ?? ''
  const text = readFileSync(join(folder, 'README.md'), 'utf8')
  return Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link!).flatMap((link) => {
    if (link.startsWith('#')) return []
    if (!link.startsWith('https://')) return [`README.md links to ${link}, which is not absolute`]
    const path =
      link.startsWith(`${address}/`) &&
      /^\/(?:blob|tree)\/main\/([^#]*)/.exec(link.slice(address.length))?.[1]
    return path && !existsSync(join(root, path))
      ? [`README.md links to ${link}, which does not exist in the repository`]
      : []
  })
}

/** A generated declaration must not name a map that is not there. */
function mapsLeft(folder: string, file: string): string[] {
  const text = readFileSync(join(folder, file), 'utf8')
  return text.includes('sourceMappingURL') || existsSync(join(folder, `${file}.map`))
    ? [`${file} is generated, and has a map`]
    : []
}

/** Each declaration leads to its source: what an editor opens when a person follows a name. */
function mapProblems(folder: string): string[] {
  const declarations = globSync('dist/**/*.d.ts', { cwd: folder })
  if (declarations.length === 0) return ['it has no declarations']
  return declarations.flatMap((file) => {
    // The module that starts the program stands apart, so that the program does not take itself for the repository's.
    if (file.endsWith('process/main.d.ts')) return []
    const map = join(folder, `${file}.map`)
    // A generated declaration says all that its source does, which is not packed.
    if (/(?:^|\/)generated\//.test(file)) return mapsLeft(folder, file)
    if (!existsSync(map)) return [`${file} has no map`]
    const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }
    return sources
      .map((source) => relative(folder, resolve(dirname(map), source)))
      .filter((source) => !existsSync(join(folder, source)))
      .map((source) => `the map of ${file} leads to ${source}, which is not packed`)
  })
}
