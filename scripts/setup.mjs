// Makes the workspace ready before any other command: installs when the lockfile has changed since the
// last install. It runs on the host's Node, before the workspace's own Node 24 is there, so it keeps to
// syntax and modules that old versions know, in order to tell their users what to do.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 20
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.homeostat-setup')
const quiet = process.argv.includes('--quiet')

const major = Number(process.versions.node.split('.')[0])
if (major < OLDEST_NODE) {
  console.error(
    `Homeostat's workspace needs Node ${OLDEST_NODE} or newer to set itself up; this is Node ${process.versions.node}.\n` +
      'Install a current Node (nodejs.org, nvm, fnm or your package manager) and run the command again.',
  )
  process.exit(1)
}

function fingerprint() {
  const hash = createHash('sha256')
  const manifests = ['packages', 'examples']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name, 'package.json')))
  for (const file of ['package.json', 'package-lock.json', ...manifests]) {
    if (existsSync(join(root, file))) hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
if (installed !== fingerprint()) {
  console.log('Installing the workspace (only when its dependencies have changed) …')
  const npm = process.env.npm_execpath
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error']
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit' })
  if (result.status !== 0) {
    console.error('npm install failed; its output above says why. Nothing else was run.')
    process.exit(result.status === null ? 1 : result.status)
  }
  writeFileSync(stamp, fingerprint())
  console.log('Installed.')
} else if (!quiet) {
  console.log('The workspace is set up.')
}
