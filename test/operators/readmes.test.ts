import { execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Cluster } from '@homeostat/cluster'
import { visitorsImages } from '@homeostat/example-visitors/images'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_NAMES } from '../../scripts/demo/examples.ts'
import { hasKubectl } from '../kubectl/has-kubectl.ts'
import { followOutput } from '../program-output.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const soon = { timeout: 90_000, interval: 200 }
const hasDatabase = ['/usr/sbin/mariadbd', 'mariadb'].every(
  (program) => spawnSync(program, ['--version']).status === 0,
)
if (!hasDatabase && process.env['CI']) throw new Error('CI needs mariadbd and its client')

/** The lines of an example's README that are for a shell, and what it says to them. */
function linesOf(example: string): { command: string; remark: string }[] {
  const readme = readFileSync(join(root, 'examples', example, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].filter(([, language]) => !language)
  return blocks.flatMap(([, , block = '']) =>
    block
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [command = '', remark = ''] = line.split(/ +# /)
        return { command, remark }
      }),
  )
}

/** Those after "Then try:". */
function trials(example: string): { command: string; remark: string }[] {
  const lines = linesOf(example)
  const start = lines.findIndex(({ command }) => command.endsWith('/manifests/samples/sample.yaml')) + 1
  const end = lines.findIndex(({ command }) => command.endsWith('/manifests'))
  return lines.slice(start, end)
}

describe.each(EXAMPLE_NAMES)('the README of %s', (example) => {
  it('names files, examples and workspaces that exist', () => {
    const lines = linesOf(example)
    expect(lines.length).toBeGreaterThan(4)
    for (const { command } of lines) {
      for (const [file] of command.matchAll(/\S+\.yaml/g)) {
        expect(existsSync(join(root, file)), command).toBe(true)
      }
      const [, named] = /--example (\S+)/.exec(command) ?? []
      if (named) expect(EXAMPLE_NAMES).toContain(named)
      const [, workspace] = /npm start -w (\S+)/.exec(command) ?? []
      if (workspace) {
        const manifest = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')) as Manifest
        expect(manifest.scripts).toHaveProperty('start')
      }
    }
  })
})

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
}

describe.skipIf(!hasKubectl)('what a README lets its reader try', { timeout: 240_000 }, () => {
  it.each([
    ['markdownview', /^markdownview-sample +1 +Healthy/m],
    ['at', /^at-sample +\S+ +(?:Pending|Running|Done)/m],
  ])('%s', async (example, reached) => {
    await using stage = await start(example)
    const applied = await stage.sh(`kubectl apply -f examples/${example}/manifests/samples/sample.yaml`)
    expect(applied).toContain(`${example}-sample created`)
    await stage.shows(`kubectl get ${example}`, reached)
  })

  it('tenant', async () => {
    await using stage = await start('tenant')
    await stage.shows('kubectl get tenants', /^tenant-sample .* True /m)
    const dataNamespace = await stage.uid('kubectl get namespace sample-data')
    const checked = await stage.play({
      yes: ({ out }) => expect(out).toBe('yes\n'),
      "bob's are gone, carol's are there": ({ command }) => stage.shows(command, /^(?!.*bob)(?=.*carol)/s),
      'and it comes back': () => stage.replaced('kubectl get namespace sample-data', dataNamespace, /Active/),
      'and everything goes': () => stage.shows('kubectl get namespaces,clusterroles', /^(?!.*sample)/s),
    })
    expect(checked).toHaveLength(4)
  })

  it('vcap', async () => {
    await using stage = await start('vcap')
    await stage.shows('kubectl get vcap', /^vcap-sample +True/m)
    const checked = await stage.play({
      async 'the converter says what it waits for; the document stays'() {
        await stage.shows('kubectl get vcap', /^vcap-sample +False +.*orders-queue/m)
        await stage.shows('kubectl get secrets', /^vcap-sample-vcap-services /m)
      },
      async 'and it comes back, once orders-queue is there again'() {
        await stage.sh('kubectl apply -f examples/vcap/manifests/samples/sample.yaml')
        await stage.shows('kubectl get secrets', /^vcap-sample-vcap-services /m)
      },
    })
    expect(checked).toHaveLength(2)
    const document = trials('vcap').find(({ command }) => command.includes('base64'))?.command ?? ''
    await stage.shows(document, /"postgresql":\[\{"name":"orders-database"/)
  })

  it.skipIf(!hasDatabase)('visitors', async () => {
    await using stage = await start('visitors')
    await stage.shows('kubectl get visitorsapps', /^visitors-sample .* True /m)
    const checked = await stage.play({
      'they come one after the other': async () => {
        const by = '--sort-by=.metadata.creationTimestamp -o name'
        const names = await stage.sh(`kubectl get deployments ${by}`)
        expect(names).toMatch(/^(?:.*\n){2}deployment.apps\/visitors-sample-frontend\n$/)
      },
      async 'the page counts'({ port }) {
        const page = async () => (await fetch(`http://127.0.0.1:${port}/`)).text()
        expect(await page()).toContain('Visitors of the sample')
        // Each of the two back ends counts for itself: with the third visit one of them has two.
        expect(`${await page()}${await page()}`).toContain('Visits: 2')
      },
      'the front end goes first': () => stage.shows('kubectl get deployments,services', /^(?!.*visitors)/s),
    })
    expect(checked).toHaveLength(3)
  })

  it.skipIf(!hasDatabase)('mariadb', async () => {
    await using stage = await start('mariadb')
    await stage.shows('kubectl get mariadb', /^mariadb-sample +1 +1 /m)
    /** The Pod is ready, and what the reader created is there. */
    const hasShop = async () => {
      await stage.shows('kubectl get pods', /^mariadb-sample-0 +1\/1/m)
      const { port } = await stage.run('kubectl port-forward svc/mariadb-sample 3306')
      const line = `mariadb -h 127.0.0.1 -P ${port} -u root -pexample -e 'SHOW DATABASES'`
      await stage.shows(line, /^shop$/m)
    }
    const firstPod = await stage.uid('kubectl get pod mariadb-sample-0')
    const checked = await stage.play({
      async 'it comes back, and so does the data'() {
        await stage.replaced('kubectl get pod mariadb-sample-0', firstPod, /Running/)
        await hasShop()
      },
      'the server goes': () => stage.shows('kubectl get pods', /^(?!.*mariadb-sample-0)/s),
      'the data stays': ({ out }) => expect(out).toMatch(/^data-mariadb-sample-0 +Bound/m),
      'and is there again': hasShop,
    })
    expect(checked).toHaveLength(4)
  })
})

/** A command of a README that was run. */
interface Played {
  readonly command: string
  readonly out: string
  /** Where a port was forwarded to. */
  readonly port: string
}

/** A cluster, with the example on it as its README says. */
async function start(example: string) {
  const cleanUp = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-readme-'))
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }))
  const cluster = cleanUp.use(await Cluster.start({ images: visitorsImages }))
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
  const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder }
  /** A command that never ends fails by itself, so that the test says which. */
  const sh = async (line: string) =>
    (await run('sh', ['-c', line], { cwd: root, env, timeout: soon.timeout, killSignal: 'SIGKILL' })).stdout
  let port = ''
  /** A command that goes on until the end. */
  const follow = async (command: string, pattern: RegExp) => {
    const child = spawn('sh', ['-c', `exec ${command}`], {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const followed = followOutput(child, command)
    cleanUp.defer(async () => {
      if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGTERM')
      await followed.exited
    })
    return followed.printed(pattern)
  }
  const uid = (get: string) => sh(`${get} -o jsonpath={.metadata.uid}`)
  const play = async (command: string): Promise<Played> => {
    let out = ''
    if (command.includes('port-forward')) {
      // At any port that is free, since the one that the README names may be taken.
      const line = command.replace(/ (\d+)(?: &)?$/, ' :$1')
      port = (await follow(line, /127\.0\.0\.1:(\d+) ->/))[1] ?? ''
    } else if (command.endsWith(' -w')) await follow(command, /^\S+ .*\n\S+ /m)
    else out = await sh(command.replace('mariadb -h 127.0.0.1', `mariadb -h 127.0.0.1 -P ${port}`))
    return { command, out, port }
  }
  const [, begin = '', ...prepare] = linesOf(example).map(({ command }) => command)
  try {
    for (const command of prepare.filter((each) => /-f \S+\/(?:crd|sample)\.yaml$/.test(each)))
      await sh(command)
    await follow(begin, /the manager starts/)
  } catch (error) {
    await cleanUp.disposeAsync()
    throw error
  }
  return {
    sh,
    run: play,
    /** Waits until a command prints this. */
    async shows(command: string, pattern: RegExp): Promise<void> {
      await expect.poll(() => sh(command), { ...soon, message: command }).toMatch(pattern)
    },
    /** The uid of the object that this command gets. */
    uid,
    /** Waits until another object has the name of the one with this uid, and prints this. */
    async replaced(get: string, old: string, pattern: RegExp): Promise<void> {
      await expect.poll(() => uid(get), { ...soon, message: get }).not.toBe(old)
      await expect.poll(() => sh(get), { ...soon, message: get }).toMatch(pattern)
    },
    /** Plays what the README lets its reader try; each remark must be one that is checked here. Gives the remarks. */
    async play(checks: Readonly<Record<string, (played: Played) => unknown>>): Promise<string[]> {
      const checked: string[] = []
      for (const { command, remark } of trials(example)) {
        const played = await play(command)
        if (!remark) continue
        const check = checks[remark]
        if (!check) throw new Error(`nothing here shows that "${remark}", after ${command}`)
        await check(played)
        checked.push(remark)
      }
      return checked
    },
    [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
  }
}
