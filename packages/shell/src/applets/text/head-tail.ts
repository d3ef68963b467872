import { joinBytes } from '@homeostat/api'
import type { Input } from '../../process/input.ts'
import { encodeText } from '../../text/text.ts'
import type { Applet, AppletContext } from '../context/applet-context.ts'
import { eachFile } from '../context/each-file.ts'
import { countOf, parseOptions, type Options } from '../context/options.ts'

const NEWLINE = encodeText('\n')
const NOTHING = new Uint8Array()
/** How often `tail -f` checks for more output. */
const FOLLOW_EVERY = 1_000
/** The memory of a kept piece besides its bytes. */
const PIECE_WEIGHT = 128

const head: Applet = async (context) => {
  const options = parseOptions({ args: withCount(context.args) }, { letters: 'n:c:qv' })
  const bytes = options.value('c')
  return eachFile(context, options.operands, async (input, path) => {
    await header(context, options, path)
    if (bytes !== undefined) await headBytes(context, input, countOf(bytes))
    else await headLines(context, input, options.value('n') ?? '10')
  })
}

async function headBytes(context: AppletContext, input: Input, count: number): Promise<void> {
  for (let left = count; left > 0;) {
    const chunk = await input.read(context.signal, left)
    if (!chunk) return
    left -= chunk.length
    await context.print(chunk)
  }
}

async function headLines(context: AppletContext, input: Input, text: string): Promise<void> {
  const dropped = text.startsWith('-') ? countOf(text.slice(1)) : 0
  const count = dropped > 0 ? Number.POSITIVE_INFINITY : countOf(text.replace(/^[-+]/, ''))
  const kept = new KeptPieces(context)
  for (let number = 0; number < count; number++) {
    const line = await input.readLine(context.signal)
    if (!line) return
    kept.add(line.ended ? joinBytes([line.bytes, NEWLINE]) : line.bytes)
    if (kept.count > dropped) await context.print(kept.shift())
    else await context.step()
  }
}

/** A queue of pieces of input, whose memory is counted. */
class KeptPieces {
  readonly #context: AppletContext
  #pieces: Uint8Array[] = []
  #first = 0
  length = 0

  constructor(context: AppletContext) {
    this.#context = context
  }

  get count(): number {
    return this.#pieces.length - this.#first
  }

  add(piece: Uint8Array): void {
    this.#context.hold(piece.length + PIECE_WEIGHT)
    this.#pieces.push(piece)
    this.length += piece.length
  }

  get first(): Uint8Array {
    return this.#pieces[this.#first] ?? NOTHING
  }

  shift(): Uint8Array {
    const piece = this.first
    this.#context.release(piece.length + PIECE_WEIGHT)
    this.length -= piece.length
    this.#first++
    // Moving the remaining pieces pays off once half of the array is unused.
    if (this.#first > 1_024 && this.#first * 2 > this.#pieces.length) {
      this.#pieces = this.#pieces.slice(this.#first)
      this.#first = 0
    }
    return piece
  }
}

const tail: Applet = async (context) => {
  const options = parseOptions(
    { args: withCount(context.args) },
    { letters: 'n:c:fFqvs:', long: { follow: 'f' } },
  )
  const follow = options.has('f') || options.has('F')
  const paths = options.operands
  const status = await eachFile(context, paths, async (input, path) => {
    await header(context, options, path)
    const amount = options.value('c') ?? options.value('n') ?? '10'
    await tailOf(context, input, amount, options.has('c'))
  })
  if (!follow || paths.length === 0) return status
  await context.flush()
  return followFiles(
    context,
    paths.filter((path) => path !== '-'),
    options,
  )
}

async function tailOf(context: AppletContext, input: Input, amount: string, bytes: boolean): Promise<void> {
  const count = countOf(amount.replace(/^[-+]/, ''))
  if (amount.startsWith('+')) {
    await tailFrom(context, input, Math.max(0, count - 1), bytes)
    return
  }
  const kept = new KeptPieces(context)
  const next = async (): Promise<Uint8Array | undefined> => {
    if (bytes) return input.read(context.signal)
    const line = await input.readLine(context.signal)
    return line && (line.ended ? joinBytes([line.bytes, NEWLINE]) : line.bytes)
  }
  for (let piece = await next(); piece; piece = await next()) {
    kept.add(piece)
    await context.step(1 + (piece.length >> 10))
    while (kept.count > 0 && (bytes ? kept.length - kept.first.length >= count : kept.count > count))
      kept.shift()
  }
  let surplus = bytes ? Math.max(0, kept.length - count) : 0
  while (kept.count > 0) {
    await context.print(kept.shift().subarray(surplus))
    surplus = 0
  }
}

async function tailFrom(
  context: AppletContext,
  input: Input,
  skipped: number,
  bytes: boolean,
): Promise<void> {
  for (let left = skipped; left > 0;) {
    const piece = bytes
      ? await input.read(context.signal, left)
      : (await input.readLine(context.signal))?.bytes
    if (!piece) return
    left -= bytes ? piece.length : 1
    await context.step()
  }
  for (let chunk = await input.read(context.signal); chunk; chunk = await input.read(context.signal)) {
    await context.print(chunk)
  }
}

/**
 * Prints what is added to files, without end. A file that became shorter, or was replaced, is read from its start.
 */
async function followFiles(
  context: AppletContext,
  paths: readonly string[],
  options: Options,
): Promise<number> {
  const places = new Map<string, { identity: string | undefined; position: number }>()
  for (const path of paths) {
    const stat = context.files.stat(context.absolute(path))
    places.set(path, { identity: stat?.identity, position: stat?.size ?? 0 })
  }
  const interval = Number(options.value('s') ?? 1) * 1_000 || FOLLOW_EVERY
  for (;;) {
    await context.system.clock.sleep(interval, { signal: context.signal })
    for (const [path, place] of places) {
      const stat = context.files.stat(context.absolute(path))
      if (!stat) continue
      const replaced = options.has('F') && place.identity !== undefined && place.identity !== stat.identity
      const from = replaced || stat.size < place.position ? 0 : place.position
      places.set(path, { identity: stat.identity, position: await copyFrom(context, path, from) })
    }
    await context.flush()
  }
}

async function copyFrom(context: AppletContext, path: string, position: number): Promise<number> {
  using file = context.files.open(context.absolute(path))
  file.seek(position)
  for (let chunk = file.read(); chunk.length > 0; chunk = file.read()) await context.print(chunk)
  return file.position
}

async function header(context: AppletContext, options: Options, path: string): Promise<void> {
  const several = options.operands.length > 1 && !options.has('q')
  if (!several && !options.has('v')) return
  const first = path === options.operands[0]
  await context.print(`${first ? '' : '\n'}==> ${path === '-' ? 'standard input' : path} <==\n`)
}

/** `-5` is `-n 5`. */
function withCount(args: readonly string[]): string[] {
  const [first = '', ...rest] = args
  return /^[-+][0-9]+$/.test(first) ? ['-n', first.replace(/^-/, ''), ...rest] : [...args]
}

/** Applets that print the start or the end of files. */
export const headTailApplets: Readonly<Record<string, Applet>> = { head, tail }
