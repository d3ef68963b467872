import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { GUIDE_FOLDER } from '../../scripts/guide/pages.ts'
import { stepsOf } from '../../scripts/guide/steps.ts'
import { hasKubectl } from '../kubectl/has-kubectl.ts'
import { followOutput } from '../program-output.ts'

const run = promisify(execFile)
const packages = resolve(import.meta.dirname, '../../packages')
const soon = { timeout: 60_000, interval: 100 }
const page = (language: string): string => readFileSync(join(GUIDE_FOLDER, language, '1-the-loop.md'), 'utf8')

/** The last command that a reader types, and the output on the page. */
function disturbances(text: string): { command: string; remark: string }[] {
  const block = /^```\n(export KUBECONFIG=[\s\S]*?)^```$/m.exec(text)?.[1] ?? ''
  return block
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [command = '', remark = ''] = line.split(/ +# /)
      return { command, remark }
    })
}

/** The folder as it is when the reader has saved every file, with this workspace's packages. */
function saveFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-first-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const step of stepsOf(page(''))) {
    if (step.type === 'file') writeFileSync(join(folder, step.name), step.text)
  }
  mkdirSync(join(folder, 'node_modules', '@homeostat'), { recursive: true })
  symlinkSync(join(packages, 'runtime'), join(folder, 'node_modules', 'homeostat'), 'dir')
  symlinkSync(join(packages, 'cluster'), join(folder, 'node_modules', '@homeostat', 'cluster'), 'dir')
  return folder
}

it.each(['zh-Hant', 'zh-Hans', 'ja'])('the first chapter in %s has the same commands', (language) => {
  const commands = (text: string): string[] => disturbances(text).map(({ command }) => command)
  expect(commands(page(language))).toEqual(commands(page('')))
})

describe.skipIf(!hasKubectl)('the first chapter', { timeout: 240_000 }, () => {
  it('heals what its reader disturbs, and follows what its reader edits', async () => {
    const folder = saveFiles()
    const env = {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      NODE_OPTIONS: '--conditions=source',
      PORT: '0',
      HOME: folder,
      KUBE_EDITOR: join(folder, 'editor.sh'),
      KUBECONFIG: join(folder, 'kubeconfig'),
    }
    writeFileSync(env.KUBE_EDITOR, '#!/bin/sh\nsed -i "s/Hello from the loop/Hello again/" "$1"\n')
    chmodSync(env.KUBE_EDITOR, 0o755)
    const child = spawn('node', ['main.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const program = followOutput(child, 'main.ts')
    const sh = async (line: string) => (await run('sh', ['-c', line], { cwd: folder, env })).stdout
    const kubectl = (line: string) => sh(`kubectl ${line}`)
    const uids = async (what: string) =>
      (await kubectl(`get ${what} --ignore-not-found -o jsonpath='{..metadata.uid}'`)).split(' ')
    try {
      const [, url = ''] = await program.printed(/^The page: (\S+)$/m)
      // Until the Pod is ready nothing answers.
      const shown = async () => {
        const answer = await fetch(url).catch(() => undefined)
        return (await answer?.text()) ?? ''
      }
      await expect.poll(shown, soon).toContain('>Hello from the loop</h1>')

      const owner = (what: string) => kubectl(`get ${what} -o jsonpath='{..ownerReferences[*].kind}'`)
      expect(await owner('pod')).toBe('ReplicaSet')
      expect(await owner('replicaset')).toBe('Deployment')
      expect(await owner('deployment,service')).toBe('MarkdownView MarkdownView')

      const comesBack = async (command: string, what: string) => {
        const before = await uids(what)
        await sh(command)
        const isBack = async () => {
          const after = await uids(what)
          return after.length === before.length && after.every((uid) => uid && !before.includes(uid))
        }
        await expect.poll(isBack, { ...soon, message: command }).toBe(true)
      }
      const played: Record<string, (command: string) => Promise<void>> = {
        'it comes back': (command) => comesBack(command, 'deployment hello'),
        'so do they': (command) => comesBack(command, 'service/hello configmap/hello'),
        async 'the operator scales it back'(command) {
          await sh(command)
          const replicas = () => kubectl(`get deployment hello -o jsonpath='{.spec.replicas}'`)
          await expect.poll(replicas, { ...soon, message: command }).toBe('1')
        },
        async 'the page follows the text'(command) {
          await sh(command)
          await expect.poll(shown, soon).toContain('>Hello again</h1>')
        },
        async 'everything that it owned is deleted'(command) {
          await sh(command)
          const left = () => kubectl('get deployment,replicaset,pod,service,configmap -o name')
          await expect.poll(left, soon).not.toContain('/hello')
        },
        async ''(command) {
          if (command.startsWith('export ')) return
          // The columns of the kind; the status follows the Deployment's.
          await expect.poll(() => sh(command), soon).toMatch(/^NAME +REPLICAS +READY\n\S+\/hello +1 +1$/m)
        },
      }
      for (const { command, remark } of disturbances(page(''))) {
        const play = played[remark]
        if (!play) throw new Error(`nothing here shows that "${remark}", after ${command}`)
        await play(command)
      }
      child.kill('SIGINT')
      expect(await program.exited).toBe(0)
    } finally {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
