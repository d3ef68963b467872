import { FileError, type FileStat, trimmedPath } from '../../files/index.ts'
import { Pattern } from '../../expansion/pattern.ts'
import { OpenFile } from '../../process/descriptors.ts'
import { FileOutput } from '../../process/file-ends.ts'
import type { Input } from '../../process/input.ts'
import { charactersOf, decodeText } from '../../text/text.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { makeParents } from './create.ts'
import { modeText } from './list-folder.ts'
import { parseOptions, type Options } from '../context/options.ts'
import { BLOCK, parseHeader, tarHeader, type RawEntry, type TarEntry } from './tar-header.ts'

const DEEPEST = 200
const LONGEST_NAME = 65_536

const tar: Applet = async (context) => {
  const [first = '', ...rest] = context.args
  // The letters may come first without a dash.
  const args = /^[ctx]/.test(first) ? oldStyle(first, rest) : context.args
  const options = parseOptions(
    { args },
    {
      letters: 'cxtf:C:vmpOkzjJhX:T:o',
      long: {
        create: 'c',
        extract: 'x',
        list: 't',
        file: 'f',
        directory: 'C',
        verbose: 'v',
        exclude: 'X',
        'no-same-owner': 'o',
        'no-same-permissions': 'o',
        touch: 'm',
        overwrite: 'o',
      },
    },
  )
  if (['z', 'j', 'J'].some((letter) => options.has(letter)))
    throw new AppletFailure('compressed archives are not supported')
  const folder = context.absolute(options.value('C') ?? '.')
  if (context.files.stat(folder)?.kind !== 'folder')
    throw new AppletFailure(`can't change directory to '${options.value('C')}': No such file or directory`)
  if (options.has('c')) return new Archiver(context, options, folder).run()
  if (!options.has('x') && !options.has('t')) throw new AppletFailure('give one of c, x and t')
  return context.reading(options.value('f') ?? '-', (input) =>
    new Extractor(context, options, folder, input).run(),
  )
}

/** `tar cf file a`: the values of the letters follow in their order. */
function oldStyle(letters: string, rest: readonly string[]): string[] {
  const left = [...rest]
  const args = charactersOf(letters).flatMap((letter) =>
    'fCXT'.includes(letter) ? [`-${letter}`, left.shift() ?? ''] : [`-${letter}`],
  )
  return [...args, ...left]
}

class Archiver {
  readonly #context: AppletContext
  readonly #options: Options
  readonly #folder: string
  readonly #excluded: readonly Pattern[]
  #output: OpenFile | undefined
  #status = 0

  constructor(context: AppletContext, options: Options, folder: string) {
    this.#context = context
    this.#options = options
    this.#folder = folder
    this.#excluded = options.values('X').map((pattern) => new Pattern(pattern))
  }

  async run(): Promise<number> {
    if (this.#options.operands.length === 0) throw new AppletFailure('empty archive')
    const target = this.#options.value('f') ?? '-'
    if (target !== '-') {
      const file = this.#context.files.open(this.#context.absolute(target), {
        write: true,
        create: true,
        truncate: true,
      })
      this.#output = new OpenFile({ output: new FileOutput(file) }).hold()
    }
    try {
      for (const name of this.#options.operands) await this.#add(name, 0)
      await this.#write(new Uint8Array(2 * BLOCK))
      return this.#status
    } finally {
      this.#output?.release()
    }
  }

  async #add(name: string, depth: number): Promise<void> {
    const path = name.startsWith('/') ? name : `${this.#folder}/${name}`
    const shown = trimmedPath(name.replace(/^(?:\.{0,2}\/)+/, ''), '') || '.'
    if (
      this.#excluded.some(
        (pattern) => pattern.matches(shown) || pattern.matches(shown.split('/').at(-1) ?? ''),
      )
    )
      return
    const stat = this.#options.has('h') ? this.#context.files.stat(path) : this.#context.files.lstat(path)
    if (!stat) {
      await this.#context.complain(`${name}: No such file or directory`)
      this.#status = 1
      return
    }
    if (stat.kind === 'other') return
    if (this.#options.has('v')) await this.#context.complain(shown)
    if (stat.kind === 'file') {
      await this.#file(path, shown, stat)
      return
    }
    const target = stat.kind === 'link' ? this.#context.files.readlink(path) : ''
    await this.#write(tarHeader(entryOf(stat, stat.kind === 'folder' ? `${shown}/` : shown, target)))
    if (stat.kind !== 'folder' || depth > DEEPEST) return
    for (const child of this.#context.files.list(path))
      await this.#add(`${trimmedPath(name, '')}/${child}`, depth + 1)
  }

  /**
   * The header states a length: bytes that are added to the file meanwhile are left out, and missing ones are
   * filled with zeros.
   */
  async #file(path: string, name: string, stat: FileStat): Promise<void> {
    let file
    try {
      file = this.#context.files.open(path)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      await this.#context.complain(`can't open '${name}': ${error.reason}`)
      this.#status = 1
      return
    }
    using open = file
    const { size } = open.stat()
    await this.#write(tarHeader({ ...entryOf(stat, name, ''), size }))
    let left = size
    while (left > 0) {
      const bytes = open.read(Math.min(left, 65_536))
      if (bytes.length === 0) break
      left -= bytes.length
      await this.#write(bytes)
    }
    for (; left > 0; left -= BLOCK) await this.#write(new Uint8Array(Math.min(left, BLOCK)))
    await this.#write(new Uint8Array(padding(size)))
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (!this.#output) await this.#context.print(bytes)
    else {
      await this.#output.output?.write(bytes, this.#context.signal)
      await this.#context.step()
    }
  }
}

function entryOf(stat: FileStat, name: string, target: string): TarEntry {
  return {
    name,
    kind: stat.kind,
    mode: stat.mode,
    size: stat.kind === 'file' ? stat.size : 0,
    modified: stat.modified,
    target,
  }
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

class Extractor {
  readonly #context: AppletContext
  readonly #options: Options
  readonly #folder: string
  readonly #input: Input
  readonly #wanted: readonly string[]
  #status = 0

  constructor(context: AppletContext, options: Options, folder: string, input: Input) {
    this.#context = context
    this.#options = options
    this.#folder = folder
    this.#input = input
    this.#wanted = options.operands.map((name) => trimmedPath(name))
  }

  async run(): Promise<number> {
    let longName: string | undefined
    let longTarget: string | undefined
    let extended: Readonly<Record<string, string>> = {}
    for (;;) {
      await this.#context.step(8)
      const header = await this.#take(BLOCK)
      if (!header) break
      const raw = parseHeader(header)
      if (!raw) break
      if (raw.type === 'L') longName = await this.#text(raw)
      else if (raw.type === 'K') longTarget = await this.#text(raw)
      else if (raw.type === 'x') extended = records(await this.#text(raw))
      else if (raw.type === 'g') await this.#text(raw)
      else {
        const name = extended['path'] ?? longName ?? raw.name
        const target = extended['linkpath'] ?? longTarget ?? raw.target
        const size = extended['size'] === undefined ? raw.size : Number(extended['size'])
        await this.#entry({ ...raw, name, target, size })
        ;[longName, longTarget, extended] = [undefined, undefined, {}]
      }
    }
    // Reads on, so that the sender can write the archive's last empty blocks.
    while (await this.#input.read(this.#context.signal)) await this.#context.step()
    return this.#status
  }

  async #entry(entry: RawEntry): Promise<void> {
    const safe = entry.name.split('/').filter((part) => part !== '' && part !== '.')
    const shown = entry.name.replace(/^\/+/, '')
    const wanted =
      this.#wanted.length === 0 ||
      this.#wanted.some((name) => shown === name || shown.startsWith(`${name}/`) || shown === `${name}/`)
    if (safe.includes('..')) {
      await this.#context.complain(`name with '..' skipped: '${entry.name}'`)
      this.#status = 1
    }
    if (!wanted || safe.includes('..')) {
      await this.#skip(entry.size)
      return
    }
    if (this.#options.has('t')) await this.#listed(entry, shown)
    else if (this.#options.has('O')) await this.#shown(entry)
    else await this.#extract(entry, `${this.#folder}/${safe.join('/')}`, shown)
  }

  async #listed(entry: RawEntry, shown: string): Promise<void> {
    if (this.#options.has('v')) {
      const stat = { ...entry, links: 1, uid: 0, gid: 0, identity: '' }
      const time = new Date(entry.modified).toISOString().slice(0, 19).replace('T', ' ')
      await this.#context.print(`${modeText(stat)} root/root ${String(entry.size).padStart(9)} ${time} `)
    }
    await this.#context.print(`${shown}\n`)
    await this.#skip(entry.size)
  }

  async #shown(entry: RawEntry): Promise<void> {
    let left = entry.size
    while (left > 0) {
      const bytes = await this.#input.read(this.#context.signal, left)
      if (!bytes) throw new AppletFailure('short read')
      left -= bytes.length
      await this.#context.print(bytes)
    }
    await this.#skipBytes(padding(entry.size))
  }

  async #extract(entry: RawEntry, path: string, shown: string): Promise<void> {
    const { files } = this.#context
    if (this.#options.has('v')) await this.#context.print(`${shown}\n`)
    let left = entry.size + padding(entry.size)
    try {
      if (entry.kind === 'folder') await makeParents(this.#context, path, entry.mode | 0o700)
      else if (entry.kind === 'link') {
        await makeParents(this.#context, path.slice(0, path.lastIndexOf('/')))
        if (files.lstat(path)) files.unlink(path)
        files.symlink(entry.target, path)
      } else if (entry.kind === 'file') {
        await makeParents(this.#context, path.slice(0, path.lastIndexOf('/')))
        // An existing file is replaced, so that a link is not followed.
        if (files.lstat(path)?.kind === 'link') files.unlink(path)
        using file = files.open(path, { write: true, create: true, truncate: true, mode: entry.mode })
        let size = entry.size
        while (size > 0) {
          const bytes = await this.#input.read(this.#context.signal, Math.min(size, 65_536))
          if (!bytes) throw new AppletFailure('short read')
          size -= bytes.length
          left -= bytes.length
          file.write(bytes)
          await this.#context.step(4)
        }
        file.chmod(entry.mode)
      }
      if (entry.kind !== 'link' && entry.kind !== 'other' && !this.#options.has('m'))
        files.touch(path, entry.modified)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      await this.#context.complain(`can't create '${shown}': ${error.reason}`)
      this.#status = 1
    }
    await this.#skipBytes(left)
  }

  #skip(size: number): Promise<void> {
    return this.#skipBytes(size + padding(size))
  }

  async #skipBytes(count: number): Promise<void> {
    for (let left = count; left > 0;) {
      const bytes = await this.#input.read(this.#context.signal, left)
      if (!bytes) throw new AppletFailure('short read')
      left -= bytes.length
      await this.#context.step(1 + (bytes.length >> 12))
    }
  }

  async #text(entry: RawEntry): Promise<string> {
    if (entry.size > LONGEST_NAME) throw new AppletFailure('a name is too long')
    const bytes = await this.#take(entry.size)
    await this.#skipBytes(padding(entry.size))
    // A name ends at its zero byte; the records of an extended header have none.
    return decodeText(bytes ?? new Uint8Array()).replace(/\0.*$/s, '')
  }

  /** Exactly this number of bytes; `undefined` at the end. */
  async #take(count: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(count)
    for (let at = 0; at < count;) {
      const chunk = await this.#input.read(this.#context.signal, count - at)
      if (!chunk) {
        if (at === 0) return undefined
        throw new AppletFailure('short read')
      }
      bytes.set(chunk, at)
      at += chunk.length
    }
    return bytes
  }
}

/** The records `length key=value` of an extended header. */
function records(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const match = /^[0-9]+ ([A-Za-z.]+)=(.*)$/s.exec(line)
    if (match?.[1] !== undefined) found[match[1]] = match[2] ?? ''
  }
  return found
}

/** The applet for archives. */
export const tarApplets: Readonly<Record<string, Applet>> = { tar }
