// Prepares and publishes a release of all packages. Run by `npm run release`.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { HomeostatError } from '@homeostat/api'
import { packagesInOrder } from './package-order.ts'
import { publishArguments } from './release/publish-arguments.ts'
import { datedChangelog, withVersion, type Manifest } from './release/versions.ts'
import { runScript } from './run-program.ts'

const HELP = `Usage: npm run release                              what would be published: npm publish --dry-run for every package
       npm run release <version>                    sets the version, dates the changelog, commits and tags; pushes nothing
       npm run release -- --publish --tag v<version>  builds and publishes; what is published already is left out

All packages have one version. A pushed tag starts .github/workflows/release.yml, which publishes.`

const root = resolve(import.meta.dirname, '..')

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

function requireCleanTree(): void {
  const changes = git('status', '--porcelain')
  if (changes !== '')
    throw new HomeostatError('RELEASE_UNCLEAN', `Commit or stash these changes first:\n${changes}`)
}

function folders(): string[] {
  return packagesInOrder().map((folder) => join('packages', folder))
}

/** Sets the version of all packages, and of what they and the examples depend on. */
function prepare(version: string): void {
  requireCleanTree()
  const names = new Set(folders().map((folder) => readManifest(folder).name))
  const examples = JSON.parse(
    execFileSync('npm', ['query', '.workspace'], { cwd: root, encoding: 'utf8' }),
  ) as readonly { readonly location: string }[]
  for (const { location } of examples) {
    const changed = withVersion(readManifest(location), version, names)
    writeFileSync(join(root, location, 'package.json'), `${JSON.stringify(changed, undefined, 2)}\n`)
  }
  const changelog = join(root, 'CHANGELOG.md')
  writeFileSync(
    changelog,
    datedChangelog(readFileSync(changelog, 'utf8'), version, git('log', '-1', '--format=%as')),
  )
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
  })
  git(
    'commit',
    '--all',
    '--quiet',
    '--message',
    `Release ${version}`,
    '--message',
    'CHANGELOG.md says what changes for users.',
  )
  git('tag', `v${version}`)
  console.log(`Committed and tagged v${version}. Push both to publish: git push --follow-tags`)
}

async function publish(tag: string | undefined, isDryRun: boolean): Promise<void> {
  if (!isDryRun) requireCleanTree()
  const manifests = folders().map((folder) => ({ folder, ...readManifest(folder) }))
  const others = manifests.filter(({ version }) => tag !== undefined && `v${version}` !== tag)
  if (others.length > 0) {
    const list = others.map(({ name, version }) => `${name} ${version}`).join(', ')
    throw new HomeostatError(
      'RELEASE_VERSION',
      `The tag is ${tag}, but there are ${list}: run "npm run release <version>"`,
    )
  }
  const code = await runScript('build.ts')
  if (code !== 0) throw new HomeostatError('RELEASE_BUILD', 'The build failed; nothing was published')
  for (const { folder, name, version } of manifests) {
    if (!isDryRun && isPublished(name, version)) {
      console.log(`${name}@${version} is published already`)
      continue
    }
    const args = publishArguments(isDryRun)
    const { status, stderr } = spawnSync('npm', args, {
      cwd: join(root, folder),
      stdio: ['ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
    })
    if (status !== 0) throw new HomeostatError('RELEASE_REFUSED', `npm refused ${name}:\n${stderr}`)
    const corrected = stderr.split('\n').filter((line) => line.includes('was invalid'))
    if (corrected.length > 0) {
      throw new HomeostatError(
        'RELEASE_MANIFEST',
        `npm changes the package.json of ${name}:\n${corrected.join('\n')}`,
      )
    }
    const facts = stderr.split('\n').filter((line) => /(?:package|unpacked) size|total files/.test(line))
    console.log(facts.map((line) => `  ${line.replace('npm notice ', '')}`).join('\n'))
  }
}

function isPublished(name: string, version: string): boolean {
  try {
    return (
      execFileSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' }).trim() === version
    )
  } catch {
    // npm fails where the package is not there at all.
    return false
  }
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      publish: { type: 'boolean', default: false },
      tag: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [version] = positionals
  if (values.help) console.log(HELP)
  else if (version === undefined) await publish(values.tag, !values.publish)
  else prepare(version)
} catch (error) {
  console.error(error instanceof HomeostatError ? error.message : error)
  process.exitCode = 1
}
