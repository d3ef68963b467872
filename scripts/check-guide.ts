/**
 * Follows the first chapter of the guide as a new user would: its blocks, in order, in an empty folder, with the packages as
 * npm packs them; it ends with the page in a browser. Then it makes the image of the last chapter, as a folder, and runs it.
 * `npm run check:guide`.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { ApiServer } from '@homeostat/apiserver'
import { createClient, customResourceDefinition, directTransport, SystemClock } from 'homeostat'
import { ConfigMap, CustomResourceDefinition } from 'homeostat/kinds'
import { Greeting } from '../docs/guide/code/greeting.ts'
import { openBrowser } from '../test/browser.ts'
import { buildFolder } from './guide/build-folder.ts'
import { stepsOf, type Step } from './guide/steps.ts'
import { packages } from './layers.ts'

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
  const tarballs = pack(Object.keys(packages))
  for (const step of english) await take(step, tarballs)
  await ship(tarballs.filter((file) => /homeostat-(api-)?\d/.test(file)))
} finally {
  rmSync(packed, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

function pack(names: readonly string[]): readonly string[] {
  for (const name of names) {
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

/** The last chapter: the image of its operator holds all that it needs, and stops when it is told to. */
async function ship(tarballs: readonly string[]): Promise<void> {
  const context = join(folder, 'greeting')
  mkdirSync(context)
  for (const file of ['greeting.ts', 'greeting-controller.ts', 'operator.ts', 'main.ts']) {
    copyFileSync(join(root, 'docs', 'guide', 'code', file), join(context, file))
  }
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: context, stdio: 'ignore' })
  npm('init', '--yes')
  npm('pkg', 'set', 'type=module')
  npm('install', '--no-audit', '--no-fund', ...tarballs)
  const image = buildFolder(readFileSync(join(root, 'docs', 'guide', 'code', 'Dockerfile'), 'utf8'), {
    context,
    folder: join(folder, 'image'),
    run(line, cwd) {
      console.log(`RUN ${line}`)
      execFileSync('sh', ['-c', line], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
    },
  })
  console.log(`CMD ${image.command.join(' ')}`)
  await using server = await ApiServer.start()
  const kubeconfig = join(folder, 'server.kubeconfig')
  writeFileSync(kubeconfig, (await server.listen()).kubeconfig(), { mode: 0o600 })
  const clock = new SystemClock()
  const client = createClient({ transport: directTransport(server.handler, { clock }), clock })
  const key = { namespace: 'default', name: 'hello' }
  await client.create(CustomResourceDefinition, customResourceDefinition(Greeting))
  await client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  const child = spawn(process.execPath, image.command.slice(1), {
    cwd: image.folder,
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface(child.stderr)) {
    // A second signal would end it at once.
    if (!child.killed && line.includes('successfully reconciled')) child.kill('SIGTERM')
  }
  await exited
  if (child.exitCode !== 0) throw new Error(`SIGTERM ended the operator with code ${child.exitCode}`)
  const { data } = await client.getOrThrow(ConfigMap, key)
  console.log(`The operator of the image has greeted, "${data?.['text']}", and stopped.`)
}

/** The commands of kubectl that the chapter suggests. */
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
  for (let tries = 0; tries < 600; tries++) {
    if (done()) return
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
  throw new Error(`two minutes later there is not ${what}`)
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
      if (tries === 600) throw error
      await page.waitForTimeout(200)
    }
  }
}
