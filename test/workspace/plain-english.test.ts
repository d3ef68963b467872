import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Words that hide who acts. Name the client, the caller, the controller, the kubelet or the process instead. */
const VAGUE = /\b(whoever|nobody|somebody|someone|anybody|everybody|anew|be it that)\b/gi

/** Wording that a reader must decode, and what to write instead. */
const UNUSUAL: readonly (readonly [wording: RegExp, instead: string])[] = [
  [/(?<!\bthere )\bis no (?!longer\b|more\b|other\b|such\b|wider\b)(?=[a-z`])/gi, 'is not a'],
  [/\bcannot be had\b/gi, 'is not available; cannot be allocated, pulled, opened'],
  [/\bleads? nowhere\b/gi, 'is not served; is dead; matches nothing'],
  [/\bby chance\b|\bas chance has it\b|\b(?:or|the|whose) chance of\b/gi, 'at random'],
  [/patien(?:ce|t)/gi, 'timeout'],
  [/\bheed(?:s|ed)?\b/gi, 'uses, accepts; has an effect'],
  [/\bsmall letters\b/gi, 'lower-case letters'],
  [/\bin the making\b/gi, 'builds …'],
  [/\b(?:all|those) who\b/gi, 'readers, callers, users'],
  [/\b(?:does not|did not|will not) come about\b/gi, 'does not happen'],
  [/\b(?:are|is|be|not) let go\b/gi, 'is released, dropped, freed'],
  [/\bfor want of\b/gi, 'because … is missing'],
  [/\blikewise\b/gi, 'also; the same word again'],
  [/\bgives? back\b/gi, 'returns'],
  [/\bof one['’]s own\b/gi, 'given, custom, another'],
  [/\bspoken here\b/gi, 'supported'],
  [/\bhears of\b/gi, 'is called for'],
  [/\/\*\* What is wrong with\b/g, 'Validates …; The problems of …'],
  [/\bWhat Kubernetes fills in(?:to)?\b/g, 'Sets the defaults of …'],
  [/\bin words that end\b/gi, 'as the end of a sentence'],
  [/\bon (?:its|their) way out\b/gi, 'terminating, being deleted'],
  [/\bis let be\b/gi, 'is not checked'],
  [/\bas good as none\b/gi, 'is ignored'],
  [/\bThe same (?:in parts|the other way|of one)\b/g, 'a verb: Does the same in parts; Converts … back'],
  [/\bhas (?:no|a) say in\b/gi, 'can (not) change'],
  [/\boverwritten unseen\b/gi, 'must name the resourceVersion'],
  [/\bdoes no longer\.|\bis not taken here\b|\bfell silent\b/gi, 'a whole clause'],
]

/** Wording that titles of recorded answers still have. Other texts must not have it. */
const RECORDED_WORDING: typeof UNUSUAL = [
  [/\b(?:that|it|which|key|text|value) (?:is|are) none\b(?! of\b)/gi, 'an invalid …; is not a …'],
  [/\bmakes? no sense\b/gi, 'is invalid'],
  [/\b(?:that|which) are no (?!longer\b|more\b|other\b|such\b)(?=[a-z`])/gi, 'are not'],
  [/\bin good order\b/gi, 'gracefully'],
  [/\bnot known here\b/gi, 'is not supported; any'],
  [/\/\*\* Told\b/g, 'Called when …'],
  [/\breckon(?:s|ed)?\b/gi, 'computes'],
  [/\bcomes? to an end\b/gi, 'ends'],
  [/\bwhat (?:lies|stands) (?:behind|there)\b/gi, 'the cause; the value; the next …'],
]

/**
 * A comment that begins with a relative clause or with a genitive: its reader learns the subject last. Write "The fields
 * that …", not "What … owns"; "If there are several, …", not "Of several, …".
 */
const LATE_SUBJECT = /(?:\/\*\*|^\s*\*|\/\/) (?:What|Of) [^?\n]*$/gm

/** The same in a sentence of a page. Questions and headings are allowed. */
const LATE_SUBJECT_IN_PROSE = /(?:^|[.:!] )(?:What|Of) [^.?!\n]*[.:](?=\s|$)/gm

/** Wording that the packages, the guide and the decisions do not have; tests and scripts still do. */
const STIFF: typeof UNUSUAL = [
  [/\bof (?:its|their|our) own(?=[.,;:)]|$| (?:and|for|in|that|to|with)\b)/gim, 'its own …, a separate …'],
  [/\bfor good\b(?! \w)/gi, 'permanently'],
  [/\bon purpose\b/gi, 'intentionally'],
  [/\bgoes on (?!to\b)/gi, 'continues'],
  [/\bwhat is there\b(?! to)/gi, 'the existing …'],
  [/\bso (?:many|much) (?!that\b)(?=\w)/gi, 'the number: 5 seconds, `times` times'],
  [/\b(?:is|are) made of\b/gi, 'consists of, is derived from, is built from'],
  [/\b(?:is|are) told\b/gi, 'is described, reported; receives'],
]

/** The sources of the packages without those of the page, and the documentation. */
const PUBLISHED =
  /^(?:packages\/(?!dashboard\/)[^/]+\/src\/|docs\/(?:guide\/[^/]*|decisions\/.*|recipes\/.*|glossary|stream)\.md$|(?!CHANGELOG)[^/]*\.md$)/

/** Folders whose titles name recorded answers. */
const WITH_RECORDED_TITLES = /^test\/(?:conformance|compare|fuzz)\//

/** Answers of other programs are kept as they came: in folders of these names. */
const RECORDED = /(^|\/)(goldens|generated|recorded)\//

/** Texts that recorded answers are filed under, or that were sent when they were recorded: they change only with a new record. */
const RECORDED_TITLES = [
  "about('nobody',",
  "token: 'nobody'",
  'of nobody',
  'continuations that nobody gave',
  'a path, to nobody in particular',
  'pods, to nobody in particular',
  'health, to anybody',
  'a token of nobody',
  'create token nobody',
  'makes all Pods anew at once',
  'are mirrored in a slice where someone else writes them',
  'makes a Pod anew that was deleted',
  'waits for what someone still holds',
  'makes Pods anew that are deleted or fail',
  'updates a Pod only when someone deletes it',
  'makes a Pod anew that failed, or that was deleted',
  'of text that is no object',
  'that is no object',
  'a message that is no text',
  'an embedded resource that is no object',
  'a list that becomes empty instead of absent is no change',
  'a label selector that is no selector',
  'of a value that is no map, an optional field is absent',
  'is no host with a port',
  'a write long ago is no cause',
  'of what is on its way out, again with preconditions',
  'stay for a Pod that is on its way out',
  '`patience` of a port',
  '`patience` of a `SimulatedClock`',
]

function withoutRecorded(text: string): string {
  return RECORDED_TITLES.reduce((rest, title) => rest.replaceAll(title, ''), text)
}

function vagueWords(text: string): string[] {
  return [...withoutRecorded(text).matchAll(VAGUE)].map(([word]) => word)
}

function unusualWordings(text: string, file = ''): string[] {
  const own = withoutRecorded(text)
  return wordingsOf(WITH_RECORDED_TITLES.test(file) ? UNUSUAL : [...UNUSUAL, ...RECORDED_WORDING], own)
}

function wordingsOf(wordings: typeof UNUSUAL, text: string): string[] {
  const joined = text.replaceAll(/\n[ \t]*(?:(?:\*|\/\/) )?(?=[a-z])/g, ' ')
  return wordings.flatMap(([wording, instead]) =>
    [...joined.matchAll(wording)].map(([found]) => `"${found}" (write: ${instead})`),
  )
}

it.each(['Whoever calls it closes it.', 'nobody’s', 'It begins anew.', 'closes, be it that the client left'])(
  'a vague word is found: %s',
  (text) => {
    expect(vagueWords(text)).toHaveLength(1)
  },
)

it.each(['The caller closes it.', 'anewline', "scenario('B access', 'of nobody')"])(
  'no vague word is found: %s',
  (text) => {
    expect(vagueWords(text)).toEqual([])
  },
)

it.each([
  'x is no port',
  'The image cannot be had.',
  'A port that leads nowhere.',
  'Longer by chance.',
  'const PATIENCE = 1',
  'function patientReader() {}',
  'a token that is not heeded',
  'for all who wait',
  'It gives back the rest.',
  '/** What is wrong with a Pod. */',
  'A Pod on its way out.',
  'a default that is none',
  'options that make no sense',
  'texts that are no numbers',
])('an unusual wording is found: %s', (text) => {
  expect(unusualWordings(text)).toHaveLength(1)
})

it.each([
  'x is not a port',
  'There is no port.',
  'It is no longer open.',
  'Events come about every minute.',
  'What is wrong with it?',
  'undefined where there is none',
  'Pods that are no longer there',
])('no unusual wording is found: %s', (text) => {
  expect(unusualWordings(text)).toEqual([])
})

it.each(['/** What a cache keeps. */', '  // Of several, the first.', ' * Of its metadata only the name.'])(
  'a late subject is found: %s',
  (text) => {
    expect(text.match(LATE_SUBJECT)).toHaveLength(1)
  },
)

it.each(['/** The content of a cache. */', '// What is left? Nothing.', "const text = 'What now'"])(
  'no late subject is found: %s',
  (text) => {
    expect(text.match(LATE_SUBJECT)).toBeNull()
  },
)

async function findings(find: (text: string, file: string) => string[]): Promise<string[]> {
  const folders = '{packages,docs,examples,test,scripts,benchmarks,.github,.ci}/**'
  const patterns = [`${folders}/*.{ts,mjs,cjs,md,go,rs,py,java,yaml,yml,txt}`, '*.{ts,md,mjs}']
  const exclude = (path: string): boolean =>
    /(^|\/)(node_modules|dist|\.git)(\/|$)|^benchmarks\/results/.test(path)
  const found: string[] = []
  let files = 0
  for await (const file of glob(patterns, { cwd: root, exclude })) {
    if (RECORDED.test(file) || file === 'test/workspace/plain-english.test.ts') continue
    files++
    const words = find(readFileSync(resolve(root, file), 'utf8'), file.replaceAll('\\', '/'))
    if (words.length > 0) found.push(`${file}: ${words.join(', ')}`)
  }
  expect(files).toBeGreaterThan(1_000)
  return found
}

it('no text of the repository has a vague word', async () => {
  expect(await findings(vagueWords)).toEqual([])
})

it('no text of the repository has an unusual wording', async () => {
  expect(await findings(unusualWordings)).toEqual([])
})

it.each([
  'A world of its own.',
  ' * A world of its\n   * own.',
  'It fails for good.',
  'it goes on until',
  'replace what is there',
])('a stiff wording is found: %s', (text) => {
  expect(wordingsOf(STIFF, text)).toHaveLength(1)
})

it.each(['the first of its own rules', 'goes on to explain'])('no stiff wording is found: %s', (text) => {
  expect(wordingsOf(STIFF, text)).toEqual([])
})

it('the texts of the packages, the guide and the decisions have no stiff wording', async () => {
  const found = await findings((text, file) =>
    PUBLISHED.test(file) && !file.endsWith('.test.ts') ? wordingsOf(STIFF, text) : [],
  )
  expect(found).toEqual([])
})

function lateSubjectsOfPage(text: string): string[] {
  const prose = text.replaceAll(/^(?:#.*|```[\s\S]*?^```)$/gm, '').replaceAll(/\n(?=[a-z`(])/g, ' ')
  return prose.match(LATE_SUBJECT_IN_PROSE) ?? []
}

it.each(['It fails. What is left\nis deleted.', 'Of the two: the first.'])(
  'a late subject of a page is found: %s',
  (text) => {
    expect(lateSubjectsOfPage(text)).toHaveLength(1)
  },
)

it.each([
  '# What a reconcile returns.',
  'What is it? A queue.',
  '```ts\nWhat it is.\n```',
  'See what it is.',
])('no late subject of a page is found: %s', (text) => {
  expect(lateSubjectsOfPage(text)).toEqual([])
})

it('the sentences of the guide and the decisions name their subject first', async () => {
  const found = await findings((text, file) =>
    /^docs\/(?:guide|decisions)\/[^/]*\.md$|^(?:README|ARCHITECTURE|CONTRIBUTING)\.md$/.test(file)
      ? lateSubjectsOfPage(text)
      : [],
  )
  expect(found).toEqual([])
})

it('the comments of the code name their subject first', async () => {
  const found = await findings((text, file) =>
    /\.(?:ts|mjs)$/.test(file) && !/^(?:packages|test)\/dashboard\/|^docs\/playground\//.test(file)
      ? (text.match(LATE_SUBJECT) ?? [])
      : [],
  )
  expect(found).toEqual([])
})
