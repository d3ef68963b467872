/**
 * Follows the first chapter of the guide as a new user would: its blocks, in order, in an empty folder, with the packages as
 * npm packs them; it ends with the page in a browser. `npm run check:guide`.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { openBrowser } from '../test/browser.ts'
import { stepsOf, type Step } from './guide/steps.ts'

const root = resolve(import.meta.dirname, '..')
const chapters = ['', 'zh-Hant/', 'zh-Hans/', 'ja/'].map((language) =>
  stepsOf(readFileSync(join(root, 'docs', 'guide', `${language}1-the-loop.md`), 'utf8')),
)
const [english = [], ...others] = chapters
if (others.some((steps) => JSON.stringify(steps) !== JSON.stringify(english))) {
  throw new Error('the first chapter shows other code in another language: run "npm run guide"')
}

const packed = mkdtempSync(join(tmpdir(), 'homeostat-packed-'))
const folder = mkdtempSync(join(tmpdir(), 'homeostat-guide-'))
try {
  const tarballs = pack(['api', 'runtime', 'apiserver', 'cluster'])
  for (const step of english) await take(step, tarballs)
} finally {
  rmSync(packed, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

function pack(packages: readonly string[]): readonly string[] {
  for (const name of packages) {
    const cwd = join(root, 'packages', name)
    execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', packed], { cwd, stdio: 'ignore' })
  }
  return globSync('*.tgz', { cwd: packed }).map((file) => join(packed, file))
}

async function take(step: Step, tarballs: readonly string[]): Promise<void> {
  if (step.type === 'file') {
    writeFileSync(join(folder, step.name), step.text)
    return
  }
  console.log(`$ ${step.line}`)
  const [program = '', ...args] = step.line.split(' ')
  if (program === 'node') return follow(args)
  // The packages are not published from here: the folder gets the packed ones under their names.
  const local = args[0] === 'install' ? ['install', '--no-audit', '--no-fund', ...tarballs] : args
  execFileSync(program, local, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Runs the program until its page is in the browser. */
async function follow(args: readonly string[]): Promise<void> {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    const url = await addressIn(child.stdout)
    const heading = await headingAt(url)
    if (heading !== 'Hello from the loop') throw new Error(`the page at ${url} is headed ${heading}`)
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    console.log(`The page is in the browser ${seconds} s after the start: "${heading}"`)
    disturb()
  } finally {
    child.kill('SIGINT')
    await exited
  }
  if (child.exitCode !== 0) throw new Error(`Ctrl-C ended the program with code ${child.exitCode}`)
}

/** What the chapter lets the reader try with kubectl. */
function disturb(): void {
  if (spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status !== 0) {
    console.log('There is no kubectl here, so nothing was disturbed.')
    return
  }
  for (const what of ['deployment', 'service,configmap']) {
    console.log(`$ kubectl delete ${what} hello`)
    kubectl(`delete ${what} hello`)
    until(`${what} back`, () => kubectl('get deployment,service,configmap').match(/\/hello /g)?.length === 3)
  }
  until('the Pod ready', () => / 1\/1 /.test(kubectl('get deployment hello')))
  console.log('$ kubectl delete markdownview hello')
  kubectl('delete markdownview hello')
  until('nothing left', () => !/\/hello/.test(kubectl('get deployment,replicaset,pod,service,configmap')))
}

function kubectl(line: string): string {
  const env = { ...process.env, KUBECONFIG: join(folder, 'kubeconfig'), HOME: folder }
  const { stdout } = spawnSync('kubectl', line.split(' '), { env, encoding: 'utf8' })
  return stdout
}

function until(what: string, done: () => boolean): void {
  for (let tries = 0; tries < 150; tries++) {
    if (done()) return
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
  throw new Error(`half a minute later there is not ${what}`)
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const url = /^The page: (\S+)$/.exec(line)?.[1]
    if (url) return url
  }
  throw new Error('the program ended before it gave an address')
}

/** The Pod needs a moment: until it is there the page cannot be loaded. */
async function headingAt(url: string): Promise<string | null> {
  await using browser = await openBrowser()
  const page = await browser.context.newPage()
  for (let tries = 0; ; tries++) {
    try {
      await page.goto(url)
      return await page.locator('main h1').first().textContent()
    } catch (error) {
      if (tries === 50) throw error
      await page.waitForTimeout(200)
    }
  }
}
