import { FileError, trimmedPath } from '../../files/index.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { parseOptions } from '../context/options.ts'

const DEEPEST = 200

const rm: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'rRfiv', long: { recursive: 'r', force: 'f' } })
  const force = options.has('f')
  if (options.operands.length === 0 && !force) throw new AppletFailure('missing operand')
  let status = 0
  for (const name of options.operands) {
    if (/(?:^|\/)\.{1,2}\/*$/.test(name)) {
      await context.complain(`can't remove '.' or '..'`)
      status = 1
      continue
    }
    const kind = context.files.lstat(context.absolute(name))?.kind
    if (kind === 'folder' && !options.has('r') && !options.has('R')) {
      await context.complain(`'${name}' is a directory`)
      status = 1
    } else status = Math.max(status, await removeTree(context, name, { force }))
  }
  return status
}

const rmdir: Applet = async (context) => {
  const options = parseOptions(context, {
    letters: 'p',
    long: { parents: 'p', 'ignore-fail-on-non-empty': 'p' },
  })
  let status = 0
  for (const name of options.operands) {
    try {
      context.files.rmdir(context.absolute(name))
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      await context.complain(`'${name}': ${error.reason}`)
      status = 1
    }
  }
  return status
}

/** Removes a file, or a folder with all that is in it. Links are removed, never followed. */
export async function removeTree(
  context: AppletContext,
  name: string,
  options: { readonly force: boolean },
  depth = 0,
): Promise<number> {
  await context.step()
  const path = context.absolute(name)
  try {
    const stat = context.files.lstat(trimmedPath(path))
    if (!stat) {
      if (options.force) return 0
      throw new FileError('ENOENT', path)
    }
    if (stat.kind !== 'folder') {
      context.files.unlink(path)
      return 0
    }
    if (depth > DEEPEST) throw new AppletFailure(`'${name}' is nested too deep`)
    let status = 0
    for (const child of context.files.list(path)) {
      status = Math.max(status, await removeTree(context, `${name}/${child}`, options, depth + 1))
    }
    if (status === 0) context.files.rmdir(path)
    return status
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    await context.complain(`can't remove '${name}': ${error.reason}`)
    return 1
  }
}

/** Applets that remove files and folders. */
export const removeApplets: Readonly<Record<string, Applet>> = { rm, rmdir }
