/**
 * Goes the way of a new user, from an empty folder with packed packages to an operator in production: create, install, test,
 * dev, edit, check, manifests, Pods on our cluster, kubectl apply on a real API server. Prints what each step takes.
 * `npm test journey`.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { hasBrowser, openBrowser } from '../test/browser.ts'
import { findBinaries } from '../test/kubernetes/binaries.ts'
import { startControlPlane } from '../test/kubernetes/control-plane.ts'
import { JourneyProject } from './journey/journey-project.ts'
import { LocalRegistry } from './journey/local-registry.ts'
import { Stopwatch } from './journey/stopwatch.ts'
import { packages } from './layers.ts'

/** The times that a user waits after pressing Enter, in seconds: tests green, operator and page running. */
const AIM = 60
const IMAGE = 'example.com/pages:0.1.0'
const SAMPLE = `apiVersion: example.com/v1alpha1
kind: Page
metadata: { name: hello, namespace: default }
spec: { text: Hello from the loop }
`

const root = resolve(import.meta.dirname, '..')
await using cleanUp = new AsyncDisposableStack()
const scratch = mkdtempSync(join(tmpdir(), 'homeostat-journey-'))
cleanUp.defer(() => rmSync(scratch, { recursive: true, force: true }))

const upstream = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim()
const registry = cleanUp.use(await LocalRegistry.start(pack(), upstream))
const kubectl = join(findBinaries().directory, 'kubectl')
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  npm_config_registry: registry.url,
  // A cache of its own: what the user downloads is part of what the user waits for.
  npm_config_cache: join(scratch, 'cache'),
  XDG_STATE_HOME: join(scratch, 'state'),
  XDG_CACHE_HOME: join(scratch, 'xdg-cache'),
  NO_COLOR: '1',
}
const empty = new JourneyProject(scratch, env, kubectl)
const project = new JourneyProject(join(scratch, 'pages'), env, kubectl)
const browser = hasBrowser ? cleanUp.use(await openBrowser()) : undefined
if (!browser) console.log('There is no Chromium on the PATH, so the page is not opened.')

const watch = new Stopwatch()
await watch.step('npm create homeostat@latest pages', () =>
  empty.run('npm', 'create', '--yes', 'homeostat@latest', 'pages', '--', '--yes', '--kind=Page'),
)
await watch.step('npm install, with an empty cache', () => project.run('npm', 'install'))
await watch.step('npm test', () => project.run('npm', 'test'))
await develop()
await watch.step('npm test, after the edits', () => project.run('npm', 'test'))
await watch.step('npm run check', () => project.run('npm', 'run', 'check'))
await watch.step('npm run manifests, and --check', async () => {
  await project.run('npm', 'run', 'manifests', '--', `--image=${IMAGE}`)
  await project.run('npm', 'run', 'manifests', '--', `--image=${IMAGE}`, '--check')
})
await deployAsPods()
await applyOnKubernetes()

/** The packed packages. */
function pack(): readonly string[] {
  const packed = join(scratch, 'packed')
  mkdirSync(packed)
  for (const name of Object.keys(packages)) {
    const cwd = join(root, 'packages', name)
    execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', packed], { cwd, stdio: 'ignore' })
  }
  return globSync('*.tgz', { cwd: packed }).map((file) => join(packed, file))
}

/** The loop of a developer: the cluster, kubectl, the page, and what a save changes in each. */
async function develop(): Promise<void> {
  const kubeconfig = '.homeostat/dev.kubeconfig'
  const dev = project.start('npm', ['run', 'dev'])
  cleanUp.defer(() => dev.kill())
  await watch.step('npm run dev: the operator runs', () => dev.printed(/pages runs \(started\)/))
  await watch.step('the sample is ready, by kubectl', () =>
    project.until(kubeconfig, 'get page hello', /hello +1 +True/),
  )
  const page = await browser?.context.newPage()
  page?.setDefaultTimeout(120_000)
  const details = page?.getByRole('region', { name: 'Details' })
  await watch.step('the page is in the browser', async () => {
    await page?.goto((await dev.printed(/see it work: (\S+)/))[1] ?? '')
    await page?.getByRole('treeitem', { name: /ConfigMap hello/ }).click()
  })
  const total = watch.total
  console.log(`From Enter to all of it: ${total.toFixed(1)} s (aim: ${AIM} s)`)
  if (total > AIM) process.exitCode = 1

  await watch.step('a saved controller.ts: the cluster follows', async () => {
    project.edit('controller.ts', '<h1>${escaped}</h1>', '<h1>${escaped}, edited</h1>')
    await project.until(kubeconfig, 'get configmap hello -o yaml', /Hello from the loop, edited/)
  })
  await watch.step('… and the page', async () => details?.getByText('the loop, edited').first().waitFor())
  await watch.step('a saved kind.ts: kubectl knows the new field', async () => {
    project.edit(
      'kind.ts',
      'replicas: s',
      "colour: s.string().optional().describe('Of the text.'),\n    replicas: s",
    )
    await project.until(kubeconfig, 'explain page.spec.colour', /Of the text/)
  })
  project.edit('controller.ts', ', edited</h1>', '</h1>')
  await project.until(kubeconfig, 'get configmap hello -o yaml', /Hello from the loop<.h1>/)
  await watch.step('q: everything is stopped', async () => {
    dev.press('q')
    await dev.ends(0)
  })
}

/** The operator in Pods of a cluster in the background, whose image is the command of its Dockerfile. */
async function deployAsPods(): Promise<void> {
  const homeostat = (...args: string[]) => project.run('npx', 'homeostat', 'cluster', ...args)
  await watch.step('homeostat cluster start --background', async () => {
    await homeostat('load', 'journey', `example.com/pages=${process.execPath} ./main.ts`)
    cleanUp.defer(async () => void (await homeostat('reset', 'journey')))
    await homeostat('start', 'journey', '--background')
  })
  copyFileSync(
    join(scratch, 'state/homeostat/clusters/journey/kubeconfig'),
    join(project.folder, 'pods.kubeconfig'),
  )
  project.write('sample.yaml', SAMPLE)
  await watch.step('kubectl apply -f manifests/: two Pods of the operator', async () => {
    await project.kubectl('pods.kubeconfig', 'apply -f manifests/')
    await project.until('pods.kubeconfig', 'get deployments -A', /pages-system +\S+ +2\/2/)
  })
  await watch.step('kubectl apply -f sample.yaml: the object is ready', async () => {
    await project.kubectl('pods.kubeconfig', 'apply -f sample.yaml')
    await project.until('pods.kubeconfig', 'get page hello', /hello +1 +True/)
  })
}

/** The same files on a real API server, and the operator as a process beside it. */
async function applyOnKubernetes(): Promise<void> {
  await using kubernetes = await watch.step('a real kube-apiserver starts', () =>
    startControlPlane({ controllerManager: 'available' }),
  )
  await kubernetes.settled()
  copyFileSync(kubernetes.kubeconfig, join(project.folder, 'real.kubeconfig'))
  await watch.step('kubectl apply -f manifests/ there, and kubectl diff', async () => {
    await project.kubectl('real.kubeconfig', 'apply -f manifests/')
    await project.kubectl('real.kubeconfig', 'diff -f manifests/')
  })
  await watch.step('npm start: the operator brings the objects', async () => {
    const operator = project.start('npm', ['start'], { KUBECONFIG: join(project.folder, 'real.kubeconfig') })
    cleanUp.defer(() => operator.kill())
    await project.until('real.kubeconfig', 'apply -f sample.yaml', /page\S+ (created|unchanged|configured)/)
    await project.until('real.kubeconfig', 'get configmap,deployment,service', /deployment\S*\/hello/)
    operator.interrupt()
    await operator.exited
  })
}
