import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a program of Go tests on the server of a kubeconfig; gives the result of each test, by its name. */
export async function goTestResults(
  program: string,
  kubeconfig: string,
): Promise<[name: string, result: string][]> {
  const { stdout } = await run(program, ['-test.v'], {
    env: { PATH: process.env['PATH'] ?? '', KUBECONFIG: kubeconfig },
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string }) => error)
  return [...stdout.matchAll(/^\s*--- (PASS|FAIL|SKIP): (.*) \([\d.]+s\)$/gm)]
    .map(([, result = '', name = '']): [string, string] => [name, result])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}
