import { FileError, type FileStat } from '../../files/index.ts'
import type { Applet, AppletContext } from '../context/applet-context.ts'
import { parseOptions, type Options } from '../context/options.ts'
import { charactersOf } from '../../text/text.ts'

interface Entry {
  /** The name as it is shown. */
  readonly name: string
  readonly path: string
  readonly stat: FileStat
}

const ls: Applet = async (context) => {
  const options = parseOptions(context, {
    letters: 'aA1lrtShdRFpinsCxTgGovkLHcu',
    long: { all: 'a', 'almost-all': 'A', color: 'G', recursive: 'R', reverse: 'r', directory: 'd' },
  })
  const operands = options.operands.length > 0 ? options.operands : ['.']
  const files: Entry[] = []
  const folders: Entry[] = []
  let status = 0
  for (const name of operands) {
    const path = context.absolute(name)
    const stat = statOf(context, name, path, options)
    if (!stat) {
      await context.complain(`${name}: No such file or directory`)
      status = 1
    } else if (stat.kind === 'folder' && !options.has('d')) folders.push({ name, path, stat })
    else files.push({ name, path, stat })
  }
  await show(context, ordered(files, options), options)
  for (const [index, folder] of ordered(folders, options).entries()) {
    const titled = operands.length > 1 || options.has('R')
    if (titled) await context.print(`${index > 0 || files.length > 0 ? '\n' : ''}${folder.name}:\n`)
    status = Math.max(status, await showFolder(context, folder, options, 0))
  }
  return status
}

function statOf(context: AppletContext, name: string, path: string, options: Options): FileStat | undefined {
  if (name === '') return undefined
  const link = context.files.lstat(path)
  if (link?.kind !== 'link' || options.has('d') || options.has('l')) return link
  return context.files.stat(path) ?? link
}

async function showFolder(
  context: AppletContext,
  folder: Entry,
  options: Options,
  depth: number,
): Promise<number> {
  let names: string[]
  try {
    names = context.files.list(folder.path)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    await context.complain(`can't open '${folder.name}': ${error.reason}`)
    return 1
  }
  const hidden = options.has('a') || options.has('A')
  const shown = names.filter((name) => hidden || !name.startsWith('.'))
  if (options.has('a')) shown.unshift('.', '..')
  const entries: Entry[] = []
  for (const name of shown) {
    const path = `${folder.path}/${name}`
    // Each part of a path is looked at.
    await context.step(4 + (path.length >> 1))
    const stat = options.has('L') ? context.files.stat(path) : context.files.lstat(path)
    if (stat) entries.push({ name, path, stat })
  }
  if (options.has('l'))
    await context.print(`total ${entries.reduce((sum, { stat }) => sum + blocks(stat), 0)}\n`)
  const sorted = ordered(entries, options)
  await show(context, sorted, options)
  let status = 0
  if (!options.has('R') || depth >= 100) return status
  for (const entry of sorted) {
    if (entry.stat.kind !== 'folder' || entry.name === '.' || entry.name === '..') continue
    const name = `${folder.name.replace(/(?<=.)\/$/, '')}/${entry.name}`
    await context.print(`\n${name}:\n`)
    status = Math.max(status, await showFolder(context, { ...entry, name }, options, depth + 1))
  }
  return status
}

function blocks(stat: FileStat): number {
  return Math.ceil(stat.size / 4_096) * 4
}

function ordered(entries: readonly Entry[], options: Options): Entry[] {
  const by = (a: Entry, b: Entry): number => {
    if (options.has('t') && a.stat.modified !== b.stat.modified) return b.stat.modified - a.stat.modified
    if (options.has('S') && a.stat.size !== b.stat.size) return b.stat.size - a.stat.size
    return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
  }
  const sorted = [...entries].sort(by)
  return options.has('r') ? sorted.reverse() : sorted
}

async function show(context: AppletContext, entries: readonly Entry[], options: Options): Promise<void> {
  if (entries.length === 0) return
  if (options.has('l')) {
    for (const line of longLines(context, entries, options)) await context.print(`${line}\n`)
    return
  }
  const names = entries.map(({ name, stat }) => `${inode(stat, options)}${name}${mark(stat, options)}`)
  const terminal = context.descriptors.get(1)?.output?.isTerminal === true
  if (options.has('1') || !(terminal || options.has('C') || options.has('x'))) {
    for (const name of names) await context.print(`${name}\n`)
    return
  }
  const widest = names.reduce((most, name) => Math.max(most, name.length), 0) + 2
  const columns = Math.max(1, Math.floor((context.system.size?.width ?? 80) / widest))
  const rows = Math.ceil(names.length / columns)
  for (let row = 0; row < rows; row++) {
    const line: string[] = []
    for (let at = row; at < names.length; at += rows) line.push((names[at] ?? '').padEnd(widest))
    await context.print(`${line.join('').trimEnd()}\n`)
  }
}

function longLines(context: AppletContext, entries: readonly Entry[], options: Options): string[] {
  const now = context.system.clock.now()
  const rows = entries.map(({ name, path, stat }) => ({
    mode: modeText(stat),
    links: String(stat.links),
    owner: options.has('n') ? String(stat.uid) : userName(stat.uid),
    group: options.has('n') ? String(stat.gid) : userName(stat.gid),
    size: options.has('h') ? human(stat.size) : String(stat.size),
    time: listTime(stat.modified, now),
    name: `${name}${mark(stat, options)}${stat.kind === 'link' ? ` -> ${linkTarget(context, path)}` : ''}`,
    inode: inode(stat, options),
  }))
  const width = (key: 'links' | 'owner' | 'group' | 'size'): number =>
    rows.reduce((most, row) => Math.max(most, row[key].length), 0)
  const [links, owner, group, size] = [width('links'), width('owner'), width('group'), width('size')]
  return rows.map((row) =>
    [
      `${row.inode}${row.mode}`,
      row.links.padStart(Math.max(5, links)),
      row.owner.padEnd(Math.max(8, owner)),
      row.group.padEnd(Math.max(8, group)),
      row.size.padStart(Math.max(9, size)),
      row.time,
      row.name,
    ].join(' '),
  )
}

function linkTarget(context: AppletContext, path: string): string {
  try {
    return context.files.readlink(path)
  } catch {
    return '?'
  }
}

function inode(stat: FileStat, options: Options): string {
  return options.has('i') ? `${stat.identity.split(':')[1]?.padStart(7)} ` : ''
}

function mark(stat: FileStat, options: Options): string {
  if (stat.kind === 'folder' && (options.has('F') || options.has('p'))) return '/'
  if (!options.has('F')) return ''
  return stat.kind === 'link' ? '@' : stat.kind === 'file' && (stat.mode & 0o111) !== 0 ? '*' : ''
}

/** Permissions as `ls` shows them: `drwxr-xr-x`. */
export function modeText({ kind, mode }: FileStat): string {
  const letters = 'rwxrwxrwx'
  const bits = charactersOf(letters).map((letter, index) => ((mode >> (8 - index)) & 1 ? letter : '-'))
  return `${{ folder: 'd', link: 'l', file: '-', other: '?' }[kind]}${bits.join('')}`
}

function userName(id: number): string {
  return id === 0 ? 'root' : String(id)
}

/** In bytes, or with a letter for 1024s. */
export function human(size: number): string {
  let value = size
  for (const unit of ['', 'K', 'M', 'G', 'T']) {
    if (value < 1_024 || unit === 'T') return unit === '' ? String(value) : `${value.toFixed(1)}${unit}`
    value /= 1_024
  }
  return String(size)
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const HALF_A_YEAR = 182 * 86_400_000

function listTime(time: number, now: number): string {
  const date = new Date(time)
  const day = `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)}`
  if (Math.abs(now - time) > HALF_A_YEAR) return `${day}  ${date.getUTCFullYear()}`
  return `${day} ${String(date.getUTCHours()).padStart(2, '0')}:${String(date.getUTCMinutes()).padStart(2, '0')}`
}

/** The applet that lists folders. */
export const listApplets: Readonly<Record<string, Applet>> = { ls }
