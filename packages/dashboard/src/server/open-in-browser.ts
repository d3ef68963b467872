import { spawn } from 'node:child_process'

const PROGRAMS = new Map<string, readonly [string, ...string[]]>([
  ['darwin', ['open']],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler']],
])

/** Opens an address in the user's browser. Calls back where the machine has no program for that. */
export function openInBrowser(address: string, onFailure: () => void): void {
  const [program, ...args] = PROGRAMS.get(process.platform) ?? ['xdg-open']
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', onFailure)
  child.on('exit', (code) => code !== 0 && onFailure())
  child.unref()
}
