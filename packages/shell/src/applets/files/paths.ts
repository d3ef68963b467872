import { type FileStat, trimmedPath } from '../../files/index.ts'
import { AppletFailure, type Applet } from '../context/applet-context.ts'
import { human, modeText } from './list-folder.ts'
import { countOf, parseOptions } from '../context/options.ts'

const DEEPEST = 200

const basename: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'as:', strict: true })
  const [first, suffix] = options.operands
  if (first === undefined) throw new AppletFailure('missing operand')
  const names = options.has('a') || options.has('s') ? options.operands : [first]
  for (const name of names)
    await context.print(`${base(name, options.value('s') ?? (names.length === 1 ? suffix : undefined))}\n`)
  return 0
}

function base(path: string, suffix: string | undefined): string {
  const name = /^\/+$/.test(path) ? '/' : (trimmedPath(path, '').split('/').at(-1) ?? '')
  return suffix && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}

const dirname: Applet = async (context) => {
  if (context.args.length === 0) throw new AppletFailure('missing operand')
  for (const path of context.args) {
    const trimmed = trimmedPath(path, '')
    const at = trimmed.lastIndexOf('/')
    const folder =
      path !== '' && trimmed === '' ? '/' : at < 0 ? '.' : trimmedPath(trimmed.slice(0, at)) || '/'
    await context.print(`${folder}\n`)
  }
  return 0
}

const readlink: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'fnevms' })
  let status = 0
  for (const name of options.operands) {
    const path = context.absolute(name)
    const resolves = options.has('f') || options.has('e')
    const isLink = context.files.lstat(path)?.kind === 'link'
    if (!resolves && !isLink) status = 1
    else
      await context.print(
        `${resolves ? context.files.canonical(path) : context.files.readlink(path)}${options.has('n') ? '' : '\n'}`,
      )
  }
  return status
}

const realpath: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'emsqz' })
  let status = 0
  for (const name of options.operands) {
    try {
      await context.print(`${context.files.canonical(context.absolute(name))}\n`)
    } catch {
      await context.complain(`${name}: No such file or directory`)
      status = 1
    }
  }
  return status
}

const which: Applet = async (context) => {
  let status = 0
  for (const name of parseOptions(context, { letters: 'a' }).operands) {
    const found = context.find(name)
    if (found === undefined) status = 1
    else await context.print(`${found}\n`)
  }
  return status
}

const stat: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'c:Lft', long: { format: 'c' } })
  let status = 0
  for (const name of options.operands) {
    const path = context.absolute(name)
    const found = options.has('L') ? context.files.stat(path) : context.files.lstat(path)
    if (!found) {
      await context.complain(`can't stat '${name}': No such file or directory`)
      status = 1
    } else {
      const pattern =
        options.value('c') ??
        '  File: %n\n  Size: %s\tBlocks: %b\t%F\nAccess: (0%a/%A)\tUid: (%u/%U)\tGid: (%g/%G)\nModify: %y'
      await context.print(`${statText(pattern, name, found)}\n`)
    }
  }
  return status
}

function statText(pattern: string, name: string, stat: FileStat): string {
  const kinds = {
    file: stat.size === 0 ? 'regular empty file' : 'regular file',
    folder: 'directory',
    link: 'symbolic link',
    other: 'special file',
  }
  const values: Readonly<Record<string, string>> = {
    n: name,
    N: name,
    s: String(stat.size),
    a: stat.mode.toString(8),
    A: modeText(stat),
    b: String(Math.ceil(stat.size / 512)),
    F: kinds[stat.kind],
    u: String(stat.uid),
    U: stat.uid === 0 ? 'root' : 'UNKNOWN',
    g: String(stat.gid),
    G: stat.gid === 0 ? 'root' : 'UNKNOWN',
    h: String(stat.links),
    i: stat.identity.split(':')[1] ?? '0',
    Y: String(Math.floor(stat.modified / 1_000)),
    y: new Date(stat.modified).toISOString().replace('T', ' ').replace('Z', ' +0000'),
    '%': '%',
  }
  return pattern.replace(/%([a-zA-Z%])/g, (whole, letter: string) => values[letter] ?? whole)
}

const du: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'sahkmbcd:x' })
  const most = options.has('s') ? 0 : options.has('d') ? countOf(options.value('d') ?? '') : DEEPEST
  const show = async (size: number, path: string): Promise<void> => {
    const unit = options.has('m') ? 1_024 ** 2 : 1_024
    await context.print(`${options.has('h') ? human(size) : Math.ceil(size / unit)}\t${path}\n`)
  }
  const measure = async (path: string, depth: number): Promise<number> => {
    await context.step()
    const stat = context.files.lstat(context.absolute(path))
    if (!stat) return 0
    let size = Math.ceil(stat.size / 4_096) * 4_096
    if (stat.kind === 'folder' && depth < DEEPEST) {
      for (const name of context.files.list(context.absolute(path)))
        size += await measure(`${path.replace(/\/$/, '')}/${name}`, depth + 1)
    }
    if (depth <= most && (stat.kind === 'folder' || options.has('a') || depth === 0)) await show(size, path)
    return size
  }
  for (const path of options.operands.length > 0 ? options.operands : ['.']) {
    if (!context.files.lstat(context.absolute(path))) {
      await context.complain(`${path}: No such file or directory`)
      return 1
    }
    await measure(path, 0)
  }
  return 0
}

/** Applets about the names and the attributes of files. */
export const pathApplets: Readonly<Record<string, Applet>> = {
  basename,
  dirname,
  readlink,
  realpath,
  which,
  stat,
  du,
}
