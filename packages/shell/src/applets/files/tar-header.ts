import { joinBytes } from '@homeostat/api'
import { AppletFailure } from '../context/applet-context.ts'
import { decodeText, encodeText } from '../../text/text.ts'

/** The block size of an archive. */
export const BLOCK = 512

/** The header of a file in an archive. */
export interface TarEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly mode: number
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly target: string
}

/** The blocks before a file's bytes. A name that is too long for its field has additional blocks. */
export function tarHeader(entry: TarEntry): Uint8Array {
  const name = encodeText(entry.name)
  const target = encodeText(entry.target)
  const blocks: Uint8Array[] = []
  if (name.length > 100) blocks.push(longField('L', name))
  if (target.length > 100) blocks.push(longField('K', target))
  const type = { file: '0', folder: '5', link: '2', other: '0' }[entry.kind]
  blocks.push(block(name.subarray(0, 100), entry, type, target.subarray(0, 100)))
  return joinBytes(blocks)
}

function longField(type: string, value: Uint8Array): Uint8Array {
  const entry = { name: '', kind: 'file', mode: 0, size: value.length + 1, modified: 0, target: '' } as const
  const padded = new Uint8Array(Math.ceil((value.length + 1) / BLOCK) * BLOCK)
  padded.set(value)
  return joinBytes([block(encodeText('././@LongLink'), entry, type, new Uint8Array()), padded])
}

function block(name: Uint8Array, entry: TarEntry, type: string, target: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(BLOCK)
  bytes.set(name, 0)
  bytes.set(encodeText(octal(entry.mode, 7)), 100)
  bytes.set(encodeText(octal(0, 7)), 108)
  bytes.set(encodeText(octal(0, 7)), 116)
  bytes.set(encodeText(octal(entry.size, 11)), 124)
  bytes.set(encodeText(octal(Math.max(0, Math.floor(entry.modified / 1_000)), 11)), 136)
  bytes.set(encodeText('        '), 148)
  bytes.set(encodeText(type), 156)
  bytes.set(target, 157)
  bytes.set(encodeText('ustar  '), 257)
  bytes.set(encodeText('root'), 265)
  bytes.set(encodeText('root'), 297)
  bytes.set(
    encodeText(
      `${octal(
        bytes.reduce((sum, byte) => sum + byte, 0),
        6,
      )}\0 `,
    ),
    148,
  )
  return bytes
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0').slice(-digits)
}

/** A parsed header block, without long names and extended headers. */
export interface RawEntry extends TarEntry {
  readonly type: string
}

/** Reads a header block; `undefined` for the empty one at the end. */
export function parseHeader(bytes: Uint8Array): RawEntry | undefined {
  if (bytes.every((byte) => byte === 0)) return undefined
  const sum = bytes.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
  if (numberAt(bytes, 148, 8) !== sum) throw new AppletFailure('invalid tar header checksum')
  const type = String.fromCharCode(bytes[156] ?? 48)
  const prefix = textAt(bytes, 257, 6).startsWith('ustar') && bytes[262] === 0 ? textAt(bytes, 345, 155) : ''
  const name = textAt(bytes, 0, 100)
  const kind = { '0': 'file', '\0': 'file', '7': 'file', '5': 'folder', '2': 'link' }[type] ?? 'other'
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    kind: kind as TarEntry['kind'],
    mode: numberAt(bytes, 100, 8) & 0o777,
    size: numberAt(bytes, 124, 12),
    modified: numberAt(bytes, 136, 12) * 1_000,
    target: textAt(bytes, 157, 100),
    type,
  }
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  const field = bytes.subarray(at, at + length)
  const end = field.indexOf(0)
  return decodeText(end < 0 ? field : field.subarray(0, end))
}

function numberAt(bytes: Uint8Array, at: number, length: number): number {
  if ((bytes[at] ?? 0) & 0x80) {
    // Large numbers are binary.
    let value = 0
    for (const byte of bytes.subarray(at + length - 7, at + length)) value = value * 256 + byte
    return value
  }
  return Number.parseInt(textAt(bytes, at, length).trim() || '0', 8) || 0
}
