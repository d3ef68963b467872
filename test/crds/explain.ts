import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBinaries } from '../kubernetes/binaries.ts'
import type { DefinitionSpec } from './manifests.ts'

const run = promisify(execFile)

/** Where `kubectl explain` prints something else of our server than of the real one: of a kind as a whole, and of its spec. */
export async function explain(
  ours: string,
  real: string,
  { group, names }: DefinitionSpec,
  version: string,
): Promise<string[]> {
  const lines: string[] = []
  for (const args of [[names.plural, '--recursive'], [`${names.plural}.spec`]]) {
    const all = ['explain', ...args, `--api-version=${group}/${version}`]
    const [a, b] = await Promise.all([kubectl(ours, all), kubectl(real, all)])
    if (a !== b) lines.push(`explain ${args.join(' ')}: ${firstDifference(a, b)}`)
  }
  return lines
}

/** The output of kubectl, its errors included. */
async function kubectl(kubeconfig: string, args: readonly string[]): Promise<string> {
  const program = join(findBinaries().directory, 'kubectl')
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', KUBECONFIG: kubeconfig }
  const { stdout, stderr } = await run(program, args, { env, maxBuffer: 1 << 28 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return `${stdout}${stderr}`
}

function firstDifference(ours: string, real: string): string {
  const [a, b] = [ours.split('\n'), real.split('\n')]
  const index = a.findIndex((line, at) => line !== b[at])
  const at = index < 0 ? a.length : index
  return `line ${at}: ${JSON.stringify(a[at])}, not ${JSON.stringify(b[at])}`
}
