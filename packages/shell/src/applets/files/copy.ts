import { FileError, type FileStat, trimmedPath } from '../../files/index.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { parseOptions } from '../context/options.ts'
import { removeTree } from './remove.ts'
import { charactersOf } from '../../text/text.ts'

const DEEPEST = 200

interface CopyOptions {
  readonly recursive: boolean
  /** Keeps links as links. */
  readonly links: boolean
  /** Keeps permissions and times. */
  readonly keep: boolean
  readonly force: boolean
  readonly noClobber: boolean
  readonly verbose: boolean
}

const cp: Applet = async (context) => {
  const options = parseOptions(context, {
    letters: 'aRrdpPfnvuLHiT',
    long: { recursive: 'r', archive: 'a', force: 'f', 'no-clobber': 'n', verbose: 'v', parents: 'p' },
  })
  const has = (letters: string): boolean => charactersOf(letters).some((letter) => options.has(letter))
  const copy = {
    recursive: has('aRr'),
    links: has('adP') || (has('Rr') && !has('LH')),
    keep: has('ap'),
    force: has('f'),
    noClobber: has('n'),
    verbose: has('v'),
  }
  return eachTarget(context, options.operands, has('T'), (from, to) => copyTree(context, from, to, copy, 0))
}

const mv: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'finvT' })
  return eachTarget(context, options.operands, options.has('T'), async (from, to) => {
    if (options.has('n') && context.files.lstat(context.absolute(to))) return 0
    try {
      context.files.rename(context.absolute(from), context.absolute(to))
      return 0
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      if (error.errno === 'EXDEV') return moveBetween(context, from, to)
      await context.complain(`can't rename '${from}': ${error.reason}`)
      return 1
    }
  })
}

/** Between two mounts a file is copied and then removed. */
async function moveBetween(context: AppletContext, from: string, to: string): Promise<number> {
  const all = { recursive: true, links: true, keep: true, force: true, noClobber: false, verbose: false }
  const status = await copyTree(context, from, to, all, 0)
  return status === 0 ? removeTree(context, from, { force: true }) : status
}

async function eachTarget(
  context: AppletContext,
  operands: readonly string[],
  exact: boolean,
  work: (from: string, to: string) => Promise<number>,
): Promise<number> {
  const target = operands.at(-1)
  const sources = operands.slice(0, -1)
  if (target === undefined || sources.length === 0) throw new AppletFailure('missing file operand')
  const intoFolder = !exact && context.files.stat(context.absolute(target))?.kind === 'folder'
  if (sources.length > 1 && !intoFolder) throw new AppletFailure(`target '${target}' is not a directory`)
  let status = 0
  for (const source of sources) {
    const name = trimmedPath(source)
    const to = intoFolder
      ? `${target.replace(/(?<=.)\/$/, '')}/${name.slice(name.lastIndexOf('/') + 1)}`
      : target
    status = Math.max(status, await work(source, to))
  }
  return status
}

async function copyTree(
  context: AppletContext,
  from: string,
  to: string,
  options: CopyOptions,
  depth: number,
): Promise<number> {
  await context.step()
  const [source, target] = [context.absolute(from), context.absolute(to)]
  const stat = options.links ? context.files.lstat(source) : context.files.stat(source)
  if (!stat) {
    await context.complain(`can't stat '${from}': No such file or directory`)
    return 1
  }
  if (options.noClobber && context.files.lstat(target)) return 0
  try {
    if (stat.kind === 'folder') return await copyFolder(context, from, to, stat, options, depth)
    if (stat.kind === 'link') {
      if (context.files.lstat(target)) context.files.unlink(target)
      context.files.symlink(context.files.readlink(source), target)
    } else await copyFile(context, from, to, stat, options)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const what = error.path === source ? `can't open '${from}'` : `can't create '${to}'`
    await context.complain(`${what}: ${error.reason}`)
    return 1
  }
  if (options.verbose) await context.print(`'${from}' -> '${to}'\n`)
  return 0
}

async function copyFolder(
  context: AppletContext,
  from: string,
  to: string,
  stat: FileStat,
  options: CopyOptions,
  depth: number,
): Promise<number> {
  const [source, target] = [context.absolute(from), context.absolute(to)]
  if (!options.recursive) {
    await context.complain(`omitting directory '${from}'`)
    return 1
  }
  const inside = `${context.files.canonical(target)}/`.startsWith(`${context.files.canonical(source)}/`)
  if (inside) throw new AppletFailure(`recursion detected, omitting directory '${from}'`)
  if (depth > DEEPEST) throw new AppletFailure(`'${from}' is nested too deep`)
  if (!context.files.stat(target)) context.files.mkdir(target, stat.mode | 0o700)
  let status = 0
  for (const name of context.files.list(source)) {
    status = Math.max(status, await copyTree(context, `${from}/${name}`, `${to}/${name}`, options, depth + 1))
  }
  if (options.keep) keep(context, target, stat)
  return status
}

async function copyFile(
  context: AppletContext,
  from: string,
  to: string,
  stat: FileStat,
  options: CopyOptions,
): Promise<void> {
  const target = context.absolute(to)
  if (context.files.stat(target)?.identity === stat.identity) {
    throw new AppletFailure(`'${from}' and '${to}' are the same file`)
  }
  if (to.startsWith('/dev/')) {
    await context.reading(from, async (input) => {
      for (let bytes = await input.read(context.signal); bytes; bytes = await input.read(context.signal)) {
        if (to === '/dev/stdout') await context.print(bytes)
        else await context.step(4)
      }
    })
    return
  }
  using file = context.files.open(target, { write: true, create: true, truncate: true, mode: stat.mode })
  await context.reading(from, async (input) => {
    for (let bytes = await input.read(context.signal); bytes; bytes = await input.read(context.signal)) {
      file.write(bytes)
      await context.step(4)
    }
  })
  if (options.keep) keep(context, target, stat)
}

function keep(context: AppletContext, path: string, stat: FileStat): void {
  context.files.chmod(path, stat.mode)
  context.files.touch(path, stat.modified)
}

/** Applets that copy and move files. */
export const copyApplets: Readonly<Record<string, Applet>> = { cp, mv }
