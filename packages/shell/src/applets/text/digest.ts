import { createHash } from 'node:crypto'
import { decodeText } from '../../text/text.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { eachFile } from '../context/each-file.ts'
import { countOf, parseOptions } from '../context/options.ts'

function digest(algorithm: string): Applet {
  return async (context) => {
    const options = parseOptions(context, {
      letters: 'bctsw',
      long: { check: 'c', status: 's', text: 't', binary: 'b' },
    })
    if (options.has('c')) return check(context, algorithm, options.operands, options.has('s'))
    return eachFile(context, options.operands, async (input, path) => {
      const hash = createHash(algorithm)
      for (let bytes = await input.read(context.signal); bytes; bytes = await input.read(context.signal)) {
        hash.update(bytes)
        await context.step(8)
      }
      await context.print(`${hash.digest('hex')}  ${path}\n`)
    })
  }
}

/** Compares files with a list of their digests. */
async function check(
  context: AppletContext,
  algorithm: string,
  lists: readonly string[],
  silent: boolean,
): Promise<number> {
  let failed = 0
  const status = await eachFile(context, lists, async (input) => {
    for await (const { bytes } of context.lines(input)) {
      const match = /^([0-9a-f]+) [ *](.+)$/i.exec(decodeText(bytes))
      if (!match) throw new AppletFailure('invalid line in the list of digests')
      const [, expected = '', path = ''] = match
      const hash = createHash(algorithm)
      const read = await eachFile(context, [path], async (file) => {
        for (let chunk = await file.read(context.signal); chunk; chunk = await file.read(context.signal)) {
          hash.update(chunk)
          await context.step(8)
        }
      })
      const good = read === 0 && hash.digest('hex') === expected.toLowerCase()
      if (!good) failed++
      if (!silent) await context.print(`${path}: ${good ? 'OK' : 'FAILED'}\n`)
    }
  })
  if (failed > 0 && !silent) await context.complain(`WARNING: ${failed} computed checksums did NOT match`)
  return failed > 0 ? 1 : status
}

const base64: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'dw:i', long: { decode: 'd', wrap: 'w' } })
  const width = countOf(options.value('w') ?? '76')
  return eachFile(context, options.operands.slice(0, 1), (input) =>
    options.has('d') ? decode(context, input) : encode(context, input, width),
  )
}

type Reading = Parameters<Parameters<typeof eachFile>[2]>[0]

async function encode(context: AppletContext, input: Reading, width: number): Promise<void> {
  let rest = Buffer.alloc(0)
  let line = ''
  const emit = async (text: string, last: boolean): Promise<void> => {
    line += text
    const whole = last || width === 0 ? line.length : line.length - (line.length % width)
    const step = width === 0 ? whole : width
    for (let at = 0; at < whole; at += step) {
      await context.print(`${line.slice(at, Math.min(at + step, whole))}${width === 0 ? '' : '\n'}`)
    }
    line = line.slice(whole)
  }
  for (let bytes = await input.read(context.signal); bytes; bytes = await input.read(context.signal)) {
    const all = Buffer.concat([rest, bytes])
    const whole = all.length - (all.length % 3)
    rest = all.subarray(whole)
    await emit(all.subarray(0, whole).toString('base64'), false)
  }
  await emit(rest.toString('base64'), true)
}

async function decode(context: AppletContext, input: Reading): Promise<void> {
  let rest = ''
  for (let bytes = await input.read(context.signal); bytes; bytes = await input.read(context.signal)) {
    const text = rest + decodeText(bytes).replace(/\s/g, '')
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new AppletFailure('invalid input')
    const whole = text.length - (text.length % 4)
    rest = text.slice(whole)
    await context.print(Buffer.from(text.slice(0, whole), 'base64'))
  }
  if (rest !== '') throw new AppletFailure('truncated input')
}

const od: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'A:t:cxvn:Nj:b' })
  const characters = options.has('c') || options.value('t') === 'c'
  let offset = 0
  const status = await eachFile(context, options.operands, async (input) => {
    const bytes = await input.readAll(context.signal, 16 * 1024 ** 2)
    context.hold(bytes.length)
    for (let at = 0; at < bytes.length; at += 16) {
      const row = [...bytes.subarray(at, at + 16)].map((byte) =>
        characters ? shown(byte) : byte.toString(16).padStart(2, '0').padStart(3),
      )
      const address = options.value('A') === 'n' ? '' : offset.toString(8).padStart(7, '0')
      await context.print(`${address}${row.join('')}\n`)
      offset += Math.min(16, bytes.length - at)
    }
  })
  if (options.value('A') !== 'n') await context.print(`${offset.toString(8).padStart(7, '0')}\n`)
  return status
}

function shown(byte: number): string {
  const escape = { 0: '\\0', 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r' }[byte]
  const text =
    escape ?? (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : byte.toString(8).padStart(3, '0'))
  return text.padStart(4)
}

/** Applets for digests and encodings. */
export const digestApplets: Readonly<Record<string, Applet>> = {
  md5sum: digest('md5'),
  sha1sum: digest('sha1'),
  sha256sum: digest('sha256'),
  sha512sum: digest('sha512'),
  base64,
  od,
}
