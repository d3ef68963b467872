import { decodeText } from '../../text/text.ts'
import { AppletFailure, type Applet } from '../context/applet-context.ts'
import { parseOptions } from '../context/options.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const CLASSES: Readonly<Record<string, string>> = {
  lower: LOWER,
  upper: LOWER.toUpperCase(),
  alpha: LOWER.toUpperCase() + LOWER,
  digit: '0123456789',
  alnum: `0123456789${LOWER.toUpperCase()}${LOWER}`,
  space: '\t\n\v\f\r ',
  blank: '\t ',
  punct: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  xdigit: '0123456789ABCDEFabcdef',
  cntrl: Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('') + '\x7f',
}

const tr: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'cCdst', strict: true })
  const [first, second] = options.operands
  if (first === undefined) throw new AppletFailure('missing operand')
  const complement = options.has('c') || options.has('C')
  const from = setOf(first)
  const to = second === undefined ? [] : setOf(second)
  const members = new Set(from)
  const inFirst = (character: string): boolean => members.has(character) !== complement
  const last = to.at(-1) ?? ''
  const table = new Map(from.map((character, index) => [character, to[index] ?? last]))
  const squeezed = new Set(options.has('d') || second !== undefined ? to : from)
  const squeezes = (character: string): boolean =>
    options.has('s') && (second === undefined && complement ? inFirst(character) : squeezed.has(character))
  if (!options.has('d') && !options.has('s') && second === undefined)
    throw new AppletFailure('missing operand')
  let before: string | undefined
  for (
    let bytes = await context.stdin.read(context.signal);
    bytes;
    bytes = await context.stdin.read(context.signal)
  ) {
    let result = ''
    for (const character of decodeText(bytes)) {
      let mapped = character
      if (inFirst(character)) {
        if (options.has('d')) continue
        if (second !== undefined) mapped = complement ? last : (table.get(character) ?? character)
      }
      if (mapped === before && squeezes(mapped)) continue
      before = mapped
      result += mapped
    }
    await context.print(result)
    await context.flush()
  }
  return 0
}

/** The characters of a set such as `a-z[:digit:]\n`. */
function setOf(text: string): string[] {
  const named = text.replace(/\[:([a-z]+):\]/g, (whole, name: string) =>
    Object.hasOwn(CLASSES, name) ? CLASSES[name]! : whole,
  )
  const units: { text: string; escaped: boolean }[] = []
  const pattern = /\\([0-7]{1,3}|[^])|[^]/gu
  for (const match of named.matchAll(pattern)) {
    const escape = match[1]
    if (escape === undefined) units.push({ text: match[0], escaped: false })
    else if (/^[0-7]/.test(escape))
      units.push({ text: String.fromCharCode(Number.parseInt(escape, 8) & 0xff), escaped: true })
    else units.push({ text: ESCAPES[escape] ?? escape, escaped: true })
  }
  const characters: string[] = []
  for (let at = 0; at < units.length; at++) {
    const [unit, dash, end] = [units[at], units[at + 1], units[at + 2]]
    if (!unit) break
    if (dash?.text !== '-' || dash.escaped || !end) {
      characters.push(unit.text)
      continue
    }
    const [low, high] = [unit.text.codePointAt(0) ?? 0, end.text.codePointAt(0) ?? 0]
    if (high < low) throw new AppletFailure(`range '${unit.text}-${end.text}' is reversed`)
    if (high - low > 70_000) throw new AppletFailure('the range is too large')
    for (let code = low; code <= high; code++) characters.push(String.fromCodePoint(code))
    at += 2
  }
  return characters
}

/** The applet `tr`. */
export const trApplets: Readonly<Record<string, Applet>> = { tr }
