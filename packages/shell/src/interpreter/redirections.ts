import { FileError } from '../files/index.ts'
import { expandText } from '../expansion/expand.ts'
import { OpenFile } from '../process/descriptors.ts'
import { openPath } from '../process/devices.ts'
import { BytesInput } from '../process/input.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import type { Redirect } from '../syntax/syntax-tree.ts'
import { encodeText } from '../text/text.ts'
import type { Interpreter } from '../state/interpreter.ts'

const HIGHEST_DESCRIPTOR = 1_023

/** Runs something with redirections, and undoes them afterwards. */
export async function redirected(
  shell: Interpreter,
  redirects: readonly Redirect[],
  work: () => Promise<number>,
): Promise<number> {
  if (redirects.length === 0) return work()
  const before = new Map<number, OpenFile | undefined>()
  try {
    for (const redirect of redirects) {
      const { descriptor } = redirect
      if (!before.has(descriptor)) before.set(descriptor, shell.descriptors.get(descriptor)?.hold())
      await applyRedirect(shell, redirect)
    }
    return await work()
  } finally {
    for (const [descriptor, file] of before) {
      shell.descriptors.set(descriptor, file)
      file?.release()
    }
  }
}

/** Redirects permanently: `exec >file`. */
export async function redirectPermanently(shell: Interpreter, redirects: readonly Redirect[]): Promise<void> {
  for (const redirect of redirects) await applyRedirect(shell, redirect)
}

async function applyRedirect(shell: Interpreter, redirect: Redirect): Promise<void> {
  const { descriptor } = redirect
  if (descriptor > HIGHEST_DESCRIPTOR) throw failure(`${descriptor}: bad file descriptor`)
  if (redirect.operator === '<<') {
    const body = await expandText(redirect.body.word, shell)
    shell.descriptors.set(descriptor, new OpenFile({ input: new BytesInput(encodeText(body)) }))
    return
  }
  const target = await expandText(redirect.target, shell)
  if (redirect.operator === '<&' || redirect.operator === '>&') {
    if (target === '-') shell.descriptors.set(descriptor, undefined)
    else if (/^[0-9]+$/.test(target)) {
      const file = shell.descriptors.get(Number(target))
      if (!file) throw failure(`${target}: Bad file descriptor`)
      shell.descriptors.set(descriptor, file)
    } else throw failure(`${target}: bad redirection`)
    return
  }
  shell.descriptors.set(descriptor, open(shell, redirect.operator, target))
}

function open(shell: Interpreter, operator: '<' | '>' | '>>' | '<>' | '>|', target: string): OpenFile {
  const path = target.startsWith('/') ? target : `${shell.directory}/${target}`
  const openers = { files: shell.system.files, clock: shell.system.clock, descriptors: shell.descriptors }
  try {
    if (target === '') throw new FileError('ENOENT', path)
    if (operator === '<') return openPath(path, {}, openers)
    const exists =
      operator === '>' && shell.option('noclobber') && shell.system.files.stat(path)?.kind === 'file'
    if (exists) throw new FileError('EEXIST', path)
    return openPath(
      path,
      {
        write: true,
        create: true,
        append: operator === '>>',
        truncate: operator.startsWith('>') && operator !== '>>',
      },
      openers,
    )
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const reason = error.errno === 'ENOENT' && operator !== '<' ? 'nonexistent directory' : shown(error)
    throw failure(`can't ${operator === '<' ? 'open' : 'create'} ${target}: ${reason}`)
  }
}

function shown(error: FileError): string {
  return error.errno === 'ENOENT' ? 'no such file' : error.reason
}

function failure(message: string): ShellFailure {
  return new ShellFailure(message, { status: 1, fatal: false })
}
