import { runShell } from '@homeostat/shell'
import type { Container } from '../images/index.ts'

const DEFAULT_FOLDERS = ['/bin', '/dev', '/etc', '/home', '/root', '/tmp', '/usr', '/var']

const DEFAULT_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
}

/**
 * A container that runs our own shell and its commands, inside of this process. As with the real image, `args` without a
 * `command` are the command; if they begin with a dash, they are arguments of the shell.
 */
export async function busybox(container: Container): Promise<number> {
  const { files, env, hostname, workingDirectory } = container
  for (const folder of DEFAULT_FOLDERS) if (!files.lstat(folder)) files.mkdir(folder)
  const words = [...container.command, ...container.args]
  const [name = 'sh', ...args] = words[0]?.startsWith('-') ? ['sh', ...words] : words
  const term: Record<string, string> = container.terminal ? { TERM: 'xterm' } : {}
  return runShell({
    limitGroup: container.pod.uid,
    argv: [name, ...args],
    env: { ...DEFAULT_ENVIRONMENT, HOSTNAME: hostname, ...term, ...env },
    workingDirectory: workingDirectory ?? '/',
    files,
    stdin: container.stdin,
    stdout: container.stdout,
    stderr: container.stderr,
    terminal: container.terminal,
    hostname,
    connect: (host, port) => container.connect(host, port),
    signal: container.signal,
    killed: container.killed,
    clock: container.clock,
  })
}
