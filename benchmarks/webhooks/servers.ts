import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { buildGoWebhooks } from '../../test/oracles/controller-runtime-webhooks/record-webhooks.ts'

/** A webhook server in a process of its own. */
export interface WebhookProgram extends AsyncDisposable {
  readonly name: 'ours' | 'go'
  readonly pid: number
  readonly url: string
}

/** Starts both servers, with the certificate of a folder. */
export async function startServers(folder: string, signal: AbortSignal): Promise<WebhookProgram[]> {
  const program = await buildGoWebhooks(signal)
  const ours = ['--conditions=source', join(import.meta.dirname, 'ours.ts'), folder]
  return [await start('ours', process.execPath, ours), await start('go', program, ['serve', folder])]
}

async function start(
  name: WebhookProgram['name'],
  file: string,
  args: readonly string[],
): Promise<WebhookProgram> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { name, pid: child.pid!, url, [Symbol.asyncDispose]: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
