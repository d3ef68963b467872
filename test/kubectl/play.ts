import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { comparableLines } from './comparable.ts'
import type { Command, Printed, Script } from './script.ts'

/** A kubectl and the server that it is to talk to. */
export interface Stage {
  /** The path of the program. */
  readonly kubectl: string
  readonly kubeconfig: string
  /** The server's address, which errors show. */
  readonly server: string
}

/** Makes the names of namespaces differ: without controllers, one that is deleted stays. */
let played = 0

/** Plays a script in a namespace of its own, and removes the namespace. */
export async function play(stage: Stage, script: Script): Promise<Printed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-kubectl-'))
  const namespace = `kubectl-${process.pid}-${played++}`
  const call = caller(stage, folder, namespace)
  try {
    for (const [name, content] of Object.entries(script.files ?? {}))
      writeFileSync(join(folder, name), content)
    await call({ args: ['create', 'namespace', namespace] }).ended
    const printed: Promise<Printed>[] = []
    for (const command of script.commands) {
      const { followed, ended } = persistently(call, command)
      printed.push(ended)
      await followed
    }
    return await Promise.all(printed)
  } finally {
    await call({ args: ['delete', 'namespace', namespace, '--wait=false'] }).ended
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Plays all scripts, one after the other, since some see what others have made. */
export async function playAll(stage: Stage, scripts: readonly Script[]): Promise<Record<string, Printed[]>> {
  const printed: Record<string, Printed[]> = {}
  for (const script of scripts) printed[script.name] = await play(stage, script)
  return printed
}

/** A call under way. The next one may begin when it has been followed far enough, or has ended. */
interface Call {
  readonly followed: Promise<unknown>
  readonly ended: Promise<Printed>
}

/** Calls until what was printed matches what is waited for. What never comes shows in what was printed last. */
function persistently(call: (command: Command) => Call, command: Command): Call {
  const { until } = command
  if (!until) return call(command)
  const again = async (): Promise<Printed> => {
    for (let calls = 1; ; calls++) {
      const printed = await call(command).ended
      const lines = [...(printed.out ?? []), ...(printed.errors ?? [])]
      if (until.test(lines.join('\n')) || calls === 500) return printed
    }
  }
  const ended = again()
  return { followed: ended, ended }
}

function caller({ kubectl, kubeconfig, server }: Stage, folder: string, namespace: string) {
  const editor = join(folder, 'editor.sh')
  return (command: Command): Call => {
    writeFileSync(editor, `#!/bin/sh\nsed -i '${command.edit ?? ''}' "$1"\n`, { mode: 0o755 })
    const args = command.args.map((word) => word.replace('@', `${folder}/`))
    const child = spawn(kubectl, ['--namespace', namespace, ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        KUBECONFIG: kubeconfig,
        KUBE_EDITOR: editor,
        KUBECTL_COMMAND_HEADERS: 'false',
      },
    })
    const [out, errors] = [collect(child.stdout), collect(child.stderr)]
    child.stdin.on('error', () => {}) // It may end without having read.
    child.stdin.end(command.input ?? '')
    const ended = once(child, 'close').then(([code]): Printed => {
      const run = { namespace, folder, server }
      const lines = comparableLines(out(), run)
      const complaints = comparableLines(errors(), run)
      return {
        command: command.args.join(' '),
        ...(code !== 0 && !command.follow && { code: code as number }),
        ...(lines.length > 0 && !command.quiet && { out: command.sorted ? lines.toSorted() : lines }),
        ...(complaints.length > 0 && { errors: complaints }),
      }
    })
    const { follow } = command
    if (!follow) return { followed: ended, ended }
    const reached = Promise.withResolvers<void>()
    child.stdout.on('data', () => {
      const lines = out().split('\n').length - 1
      if (lines >= follow.from) reached.resolve()
      if (lines >= follow.to) child.kill()
    })
    return { followed: Promise.race([reached.promise, ended]), ended }
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: string[] = []
  stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  return () => chunks.join('')
}
