import type { Document, LineCounter, Tags, YAMLParseError } from 'yaml'
import { exactInteger, parseJson } from '@homeostat/api'
import { BodyError, DEPTH_LIMIT } from './body-error.ts'
import { yamlLibrary } from './yaml-library.ts'
import { checkDepth, decodeJson, type DecodedJson } from './decode-json.ts'
import { duplicateKeysByLine } from './json/scan-json.ts'

/** The limits of a body in YAML, which takes far longer to read than JSON. */
const YAML_TOKENS = 250_000
const YAML_ANCHORS = 1_000

const decoder = new TextDecoder()

/** Reads YAML 1.1, which includes JSON, as Kubernetes does: of several documents, the first. */
export function decodeYaml(body: Uint8Array): DecodedJson {
  const text = decoder.decode(body)
  if (text.trimStart().startsWith('{')) {
    refuseBrokenKeys(text)
    const decoded = decodeJson(body)
    return decoded.duplicates.length === 0 ? decoded : { ...decoded, duplicates: duplicateKeysByLine(text) }
  }
  const { LineCounter } = yamlLibrary.get()
  const lineCounter = new LineCounter()
  const { document, problem } = parseFirst(text, lineCounter)
  if (problem) throw new BodyError(`yaml: line ${lineCounter.linePos(problem.pos[0]).line}: ${inGo(problem)}`)
  // Through JSON, which copies the values that aliases share and drops values that JSON does not have.
  const value = parseJson(expanded(document))
  checkDepth(value)
  return { value, duplicates: duplicateKeys(document, lineCounter), oddNumbers: false }
}

/** Line breaks of YAML 1.1 that are plain characters in JSON. */
const BREAK = /[\u0085\u2028\u2029]/
const KEY = /"(?:\\.|[^"\\])*"(\s*:)?/gs

/** Refuses JSON with a key that ends on another line, as YAML 1.1 counts lines. */
function refuseBrokenKeys(text: string): void {
  if (!BREAK.test(text)) return
  for (const { 0: token, 1: colon, index } of text.matchAll(KEY)) {
    if (colon === undefined || !BREAK.test(token)) continue
    const lines = text.slice(0, index + token.length).split(/\r\n|[\n\r\u0085\u2028\u2029]/).length - 1
    throw new BodyError(`yaml: line ${lines}: did not find expected ',' or '}'`)
  }
}

/** The first document of a text, and what is wrong with it. */
function parseFirst(
  text: string,
  lineCounter: LineCounter,
): { document: Document; problem: YAMLParseError | undefined } {
  const { Composer, Parser, YAMLParseError } = yamlLibrary.get()
  const first = firstDocument(text)
  // Finding the tokens is a third of the work, so that it is done once.
  const all = checkedTokens(text)
  const tokens = first === text ? all : checkedTokens(first)
  const parser = new Parser((offset) => lineCounter.addNewLine(offset))
  const composer = new Composer({
    version: '1.1',
    merge: true,
    // So that a number beyond 2^53 is not rounded.
    intAsBigInt: true,
    uniqueKeys: false,
    customTags: withoutTimes,
    lineCounter,
    prettyErrors: false,
  })
  function* parsed(): ReturnType<typeof parser.parse> {
    lineCounter.addNewLine(0)
    for (const token of tokens) yield* parser.next(token)
    yield* parser.end()
  }
  const [document, second] = composer.compose(parsed(), true, first.length)
  const several =
    second &&
    new YAMLParseError(
      [second.range[0], second.range[1]],
      'MULTIPLE_DOCS',
      'Source contains multiple documents; please use YAML.parseAllDocuments()',
    )
  // There is always one: an empty text is an empty document.
  return { document: document!, problem: document!.errors[0] ?? several }
}

/** Times stay text. */
function withoutTimes(tags: Tags): Tags {
  return tags.filter((tag) =>
    typeof tag === 'string' ? tag !== 'timestamp' : tag.tag !== 'tag:yaml.org,2002:timestamp',
  )
}

/** The problem, as the message of Kubernetes' YAML reader where it is known. */
function inGo(problem: YAMLParseError): string {
  switch (problem.code) {
    case 'TAB_AS_INDENT':
      return 'found a tab character that violates indentation'
    case 'BAD_INDENT':
    case 'MISSING_CHAR':
      return problem.message.includes('Flow') ? 'did not find expected node content' : problem.message
    default:
      return problem.message
  }
}

/** The text up to the line that begins another document. */
function firstDocument(text: string): string {
  const next = /\n---(?=\s|$)/.exec(text)
  return next && /\S/.test(text.slice(0, next.index).replace(/^---\s/, ''))
    ? text.slice(0, next.index + 1)
    : text
}

/** The messages of Kubernetes' YAML reader about duplicate keys. */
function duplicateKeys(document: Document, lines: LineCounter): string[] {
  const { isMap, isScalar, visit } = yamlLibrary.get()
  const duplicates: string[] = []
  visit(document, {
    Map(_, map) {
      if (!isMap(map)) return
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) {
          const { line } = lines.linePos(key.range?.[0] ?? 0)
          const shown = typeof key.value === 'string' ? JSON.stringify(key.value) : String(key.value)
          duplicates.push(`line ${line}: key ${shown} already set in map`)
        }
        seen.add(key.value)
      }
    },
  })
  return duplicates
}

/** The document as JSON. A document whose aliases expand it too much is refused. */
function expanded(document: Document): string {
  try {
    return JSON.stringify(document.toJS({ maxAliasCount: 100 }), jsonNumber) ?? 'null'
  } catch (error) {
    if (error instanceof BodyError) throw error
    throw new BodyError(`yaml: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function jsonNumber(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return exactInteger(value)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new BodyError(
      `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`,
    )
  }
  return value
}

/** The tokens of a text. Refuses a text that would block the event loop for long. */
function checkedTokens(text: string): string[] {
  const tokens: string[] = []
  let [anchors, depth] = [0, 0]
  const { Lexer } = yamlLibrary.get()
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    else if (token.startsWith('&')) anchors++
    if (depth > DEPTH_LIMIT) throw new BodyError('yaml: exceeded max depth of 10000')
    if (tokens.push(token) > YAML_TOKENS || anchors > YAML_ANCHORS) {
      const limits = `at most ${YAML_TOKENS} tokens and ${YAML_ANCHORS} anchors`
      throw new BodyError(`yaml: a body in YAML may have ${limits}: send it as JSON instead`)
    }
  }
  return tokens
}
