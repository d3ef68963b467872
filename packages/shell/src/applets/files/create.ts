import { FileError, trimmedPath } from '../../files/index.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { parseTime } from '../context/date-format.ts'
import { parseOptions } from '../context/options.ts'
import { charactersOf } from '../../text/text.ts'

/** The longest path that systems accept. */
const LONGEST_PATH = 4_096

const mkdir: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'pm:v', long: { parents: 'p', mode: 'm' } })
  if (options.operands.length === 0) throw new AppletFailure('missing operand')
  const mode = options.has('m') ? modeOf(options.value('m') ?? '', 0o777) : 0o755
  return each(context, options.operands, "can't create directory", (name) => {
    if (options.has('p')) return makeParents(context, context.absolute(name), mode)
    context.files.mkdir(context.absolute(name), mode)
    return undefined
  })
}

/** Makes a folder and its missing parents. */
export async function makeParents(context: AppletContext, path: string, mode = 0o755): Promise<void> {
  if (path.length > LONGEST_PATH) throw new FileError('ENAMETOOLONG', path)
  const parts = path.split('/').filter((part) => part !== '')
  for (let length = 1; length <= parts.length; length++) {
    const folder = `/${parts.slice(0, length).join('/')}`
    // Each folder resolves all parts of its path again.
    await context.step(length)
    const stat = context.files.stat(folder)
    if (stat === undefined) context.files.mkdir(folder, length === parts.length ? mode : 0o755)
    else if (stat.kind !== 'folder')
      throw new FileError(length === parts.length ? 'EEXIST' : 'ENOTDIR', folder)
  }
}

const touch: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'cd:t:r:amhf' })
  const { clock } = context.system
  const time = options.has('d')
    ? parseTime(options.value('d') ?? '', clock.now())
    : options.has('r')
      ? context.files.stat(context.absolute(options.value('r') ?? ''))?.modified
      : clock.now()
  if (time === undefined)
    throw new AppletFailure(`invalid date '${options.value('d') ?? options.value('r') ?? ''}'`)
  return each(context, options.operands, '', (name) => {
    const path = context.absolute(name)
    if (!context.files.stat(path)) {
      if (options.has('c')) return
      context.files.open(path, { write: true, create: true }).close()
    }
    context.files.touch(path, time)
  })
}

const ln: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'sfnvT' })
  if (!options.has('s')) throw new AppletFailure('only symbolic links are supported: use ln -s')
  const [target, given] = options.operands
  if (target === undefined) throw new AppletFailure('missing operand')
  const base = trimmedPath(target).split('/').at(-1) ?? ''
  const name = given ?? base
  const folder =
    !options.has('n') && !options.has('T') && context.files.stat(context.absolute(name))?.kind === 'folder'
  const link = folder ? `${name.replace(/(?<=.)\/$/, '')}/${base}` : name
  return each(context, [link], '', (link) => {
    const path = context.absolute(link)
    if (options.has('f') && context.files.lstat(path)) context.files.unlink(path)
    context.files.symlink(target, path)
  })
}

const mktemp: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'dqtp:u' })
  const [given = 'tmp.XXXXXX'] = options.operands
  const marks = /X{3,}$/.exec(given)
  if (!marks) throw new AppletFailure(`Invalid argument: ${given} must end with XXXXXX`)
  const inTemp = options.operands.length === 0 || options.has('t') || options.has('p')
  const folder = inTemp ? `${options.value('p') ?? context.env['TMPDIR'] ?? '/tmp'}/` : ''
  for (let attempt = 0; attempt < 100; attempt++) {
    const letters = Array.from({ length: marks[0].length }, () => letterOf(context.system.clock.random()))
    const name = `${folder}${given.slice(0, -marks[0].length)}${letters.join('')}`
    const path = context.absolute(name)
    if (context.files.lstat(path)) continue
    if (options.has('d')) context.files.mkdir(path, 0o700)
    else if (!options.has('u'))
      context.files.open(path, { write: true, create: true, exclusive: true, mode: 0o600 }).close()
    await context.print(`${name}\n`)
    return 0
  }
  throw new AppletFailure('File exists')
}

const chmod: Applet = async (context) => {
  // A mode such as -x looks like an option.
  const recursive = /^-[Rv]+$/.test(context.args[0] ?? '')
  const [mode, ...names] = recursive ? context.args.slice(1) : context.args
  if (mode === undefined || names.length === 0) throw new AppletFailure('missing operand')
  const change = async (name: string, depth: number): Promise<void> => {
    await context.step(4)
    const path = context.absolute(name)
    const stat = context.files.stat(path)
    if (!stat) throw new FileError('ENOENT', path)
    context.files.chmod(path, modeOf(mode, stat.mode))
    if (!recursive || stat.kind !== 'folder' || depth > 100) return
    for (const child of context.files.list(path)) await change(`${name}/${child}`, depth + 1)
  }
  return each(context, names, '', (name) => change(name, 0))
}

/** All files belong to one user here, so that changing the owner has no effect, and is not an error. */
const chown: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'Rhvf' })
  return each(context, options.operands.slice(1), '', (name) => {
    if (!context.files.lstat(context.absolute(name))) throw new FileError('ENOENT', name)
  })
}

const truncate: Applet = async (context) => {
  const options = parseOptions(context, { letters: 's:c' })
  const size = Number(options.value('s'))
  if (!Number.isSafeInteger(size) || size < 0 || size > 1024 ** 3)
    throw new AppletFailure('invalid size: give -s with bytes')
  return each(context, options.operands, "can't open", (name) => {
    using file = context.files.open(context.absolute(name), { write: true, create: !options.has('c') })
    file.truncate(size)
  })
}

async function each(
  context: AppletContext,
  names: readonly string[],
  what: string,
  work: (name: string) => Promise<void> | void,
): Promise<number> {
  let status = 0
  for (const name of names) {
    await context.step(4)
    try {
      await work(name)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      await context.complain(`${what === '' ? name : `${what} '${name}'`}: ${error.reason}`)
      status = 1
    }
  }
  return status
}

function letterOf(chance: number): string {
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[Math.floor(chance * 52)] ?? 'A'
}

/** Applies a mode such as `755` or `u+x,go-w` to permissions. */
function modeOf(text: string, before: number): number {
  if (/^[0-7]{1,4}$/.test(text)) return Number.parseInt(text, 8) & 0o777
  let mode = before
  for (const clause of text.split(',')) {
    const match = /^([ugoa]*)([-+=])([rwxX]*)$/.exec(clause)
    if (!match) throw new AppletFailure(`invalid mode '${text}'`)
    const [, who = '', sign, letters = ''] = match
    let bits = 0
    for (const letter of letters) bits |= { r: 4, w: 2, x: 1, X: 1 }[letter] ?? 0
    for (const [index, owner] of charactersOf('ugo').entries()) {
      if (who !== '' && !who.includes(owner) && !who.includes('a')) continue
      const shift = 6 - 3 * index
      if (sign === '=') mode = (mode & ~(7 << shift)) | (bits << shift)
      else mode = sign === '+' ? mode | (bits << shift) : mode & ~(bits << shift)
    }
  }
  return mode
}

/** Applets that make files and folders, and change their attributes. */
export const createApplets: Readonly<Record<string, Applet>> = {
  mkdir,
  touch,
  ln,
  mktemp,
  chmod,
  chown,
  chgrp: chown,
  truncate,
}
