import { HomeostatError } from '@homeostat/api'

/** The fields of a package.json that a release reads and writes. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/

/** The manifest at another version, with the same version of the packages in `names` that it depends on. */
export function withVersion(manifest: Manifest, version: string, names: ReadonlySet<string>): Manifest {
  if (!VERSION.test(version)) {
    throw new HomeostatError('RELEASE_VERSION', `${version} is not a version such as 0.2.0 or 1.0.0-rc.1`)
  }
  const changed = { ...manifest, ...(names.has(manifest.name) && { version }) }
  for (const field of ['dependencies', 'devDependencies', 'peerDependencies'] as const) {
    const dependencies = manifest[field]
    if (!dependencies) continue
    changed[field] = Object.fromEntries(
      Object.entries(dependencies).map(([name, range]) => [name, names.has(name) ? version : range]),
    )
  }
  return changed
}

/** Gives what is unreleased its version and date, and starts a new section above it. */
export function datedChangelog(text: string, version: string, date: string): string {
  const heading = '## Unreleased\n'
  const start = text.indexOf(heading)
  if (start < 0) throw new HomeostatError('RELEASE_CHANGELOG', 'CHANGELOG.md has no section "Unreleased"')
  const section = text.slice(start + heading.length).split(/^## /m)[0] ?? ''
  if (section.trim() === '')
    throw new HomeostatError('RELEASE_CHANGELOG', 'CHANGELOG.md has nothing under "Unreleased"')
  return text.replace(heading, `${heading}\n## ${version} (${date})\n`)
}
