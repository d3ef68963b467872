import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A program that reports each of its checks as a line of JSON: `{"check": "…"}`, with a `problem` if it failed. */
export interface ClientProgram {
  readonly file: string
  readonly args: readonly string[]
}

/** Runs a program on a server and gives what it says about each check. */
export async function reportOf({ file, args }: ClientProgram, kubeconfig: string): Promise<unknown[]> {
  const child = spawn(file, args, {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  try {
    const lines: unknown[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('{"check"')) lines.push(JSON.parse(line))
    }
    return lines
  } finally {
    child.kill()
    await ended
  }
}
