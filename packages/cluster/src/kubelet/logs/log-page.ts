/** Lines that were written at the same time. */
export interface Block {
  /** When, in milliseconds since 1970. */
  readonly time: number
  /** Whole lines with their newlines, or a part of a line that is too long. */
  readonly text: Uint8Array
}

const NEWLINE = 0x0a
/** Before each block on a page: its time, and how long its text is. */
const HEADER = 12

/** How many bytes a block takes on a page. */
export function sizeOf({ text }: Block): number {
  return HEADER + text.length
}

/** Blocks as one run of bytes. */
export function writePage(blocks: readonly Block[]): Buffer {
  const page = Buffer.allocUnsafe(blocks.reduce((sum, block) => sum + sizeOf(block), 0))
  let at = 0
  for (const { time, text } of blocks) {
    page.writeDoubleBE(time, at)
    page.writeUInt32BE(text.length, at + 8)
    page.set(text, at + HEADER)
    at += HEADER + text.length
  }
  return page
}

/** The blocks of a page. Their texts are parts of it, not copies. */
export function readPage(page: Buffer): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at + HEADER <= page.length;) {
    const end = at + HEADER + page.readUInt32BE(at + 8)
    blocks.push({ time: page.readDoubleBE(at), text: page.subarray(at + HEADER, end) })
    at = end
  }
  return blocks
}

/** The ends of the pages in a file, each of at most `longest` bytes. An incomplete block and what follows it is left out. */
export function pageEnds(file: Buffer, longest: number): number[] {
  const ends: number[] = []
  let start = 0
  let whole = 0
  while (whole + HEADER <= file.length) {
    const end = whole + HEADER + file.readUInt32BE(whole + 8)
    if (end > file.length) break
    if (end - start > longest && whole > start) {
      ends.push(whole)
      start = whole
    }
    whole = end
  }
  if (whole > start) ends.push(whole)
  return ends
}

/** How many lines there are: each begins after the newline of the one before, or with its block. */
export function countLines(blocks: readonly Block[]): number {
  let lines = 0
  for (const { text } of blocks) {
    for (const byte of text) if (byte === NEWLINE) lines++
    if (text.length > 0 && text.at(-1) !== NEWLINE) lines++
  }
  return lines
}

/** The page without its first lines. */
export function withoutLines(blocks: readonly Block[], lines: number): Block[] {
  let left = lines
  const rest: Block[] = []
  for (const block of blocks) {
    let from = 0
    for (; left > 0 && from < block.text.length; left--) {
      const newline = block.text.indexOf(NEWLINE, from)
      from = newline < 0 ? block.text.length : newline + 1
    }
    if (from < block.text.length) rest.push({ time: block.time, text: block.text.subarray(from) })
  }
  return rest
}

/** Calls back for each line, with its newline if it has one. */
export function eachLine(text: Uint8Array, take: (line: Uint8Array) => void): void {
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf(NEWLINE, from)
    const end = newline < 0 ? text.length : newline + 1
    take(text.subarray(from, end))
    from = end
  }
}
