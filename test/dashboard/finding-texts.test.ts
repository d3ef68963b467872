import { CLASSES, type Fact, type ToldStep } from '@homeostat/check'
import { expect, it } from 'vitest'
import { FINDING_TEXTS } from '../../packages/dashboard/page/language/findings/index.ts'
import { LANGUAGES } from '../../packages/dashboard/page/language/languages.ts'
import {
  classWords,
  guideAddress,
  objectText,
  stepText,
  summaryText,
} from '../../packages/dashboard/page/model/finding-text.ts'
import type { ShownFinding } from '../../packages/dashboard/src/recording/index.ts'

/** English is what a finding itself says. */
const TAGS = Object.keys(LANGUAGES).filter((tag) => tag !== 'en')

/** Values that a text must contain, with a step of each kind. A kind that is missing here does not compile. */
const STEPS: {
  readonly [S in ToldStep['step']]: readonly (Extract<ToldStep, { step: S }> & { says: readonly string[] })[]
} = {
  create: [
    { step: 'create', object: 'Note a/b', says: ['Note a/b'] },
    { step: 'create', object: 'Note a/b', content: { x: 5 }, says: ['Note a/b', '{"x":5}'] },
    { step: 'create', object: 'Note a/b', owner: 'Job a/c', says: ['Note a/b', 'Job a/c'] },
  ],
  change: [{ step: 'change', object: 'Note a/b', content: { x: 5 }, says: ['Note a/b', '{"x":5}'] }],
  delete: [{ step: 'delete', object: 'Note a/b', says: ['Note a/b'] }],
  remove: [{ step: 'remove', object: 'Note a/b', says: ['Note a/b'] }],
  edit: [
    { step: 'edit', object: 'Note a/b', path: 'spec.x', says: ['Note a/b', 'spec.x'] },
    { step: 'edit', object: 'Note a/b', path: 'spec.x', value: 'v', says: ['Note a/b', 'spec.x', '"v"'] },
  ],
  repeat: [
    {
      step: 'repeat',
      times: 3,
      steps: [{ step: 'delete', object: 'Note a/b' }, { step: 'rest' }],
      says: ['3', 'Note a/b'],
    },
  ],
  rest: [{ step: 'rest', says: [] }],
  wait: [{ step: 'wait', duration: '1h', says: ['1h'] }],
  stop: [{ step: 'stop', says: [] }],
  start: [{ step: 'start', says: [] }],
  crash: [
    { step: 'crash', request: 4, moment: 'before', staysDown: false, says: ['4'] },
    { step: 'crash', request: 4, moment: 'before', staysDown: true, says: ['4'] },
    { step: 'crash', request: 4, moment: 'after', staysDown: true, says: ['4'] },
  ],
  fail: ([409, 429, 500, 503] as const)
    .map((failure) => ({ step: 'fail' as const, request: 4, failure, says: ['4', String(failure)] }))
    .concat([
      { step: 'fail', request: 4, failure: 'not sent' as never, says: ['4'] },
      { step: 'fail', request: 4, failure: 'answer lost' as never, says: ['4'] },
    ]),
  slow: [{ step: 'slow', request: 4, says: ['4'] }],
  hold: [{ step: 'hold', kind: 'Note', says: ['Note'] }],
  stale: [{ step: 'stale', kind: 'Note', says: ['Note'] }],
  release: [{ step: 'release', kind: 'Note', says: ['Note'] }],
  note: [{ step: 'note', says: [] }],
  pods: (['ready', 'late', 'never', 'failing'] as const).map((behaviour) => ({
    step: 'pods',
    behaviour,
    says: ['Pod'],
  })),
}

/** The same for each kind of fact. */
const FACTS: {
  readonly [F in Fact['fact']]: readonly (Extract<Fact, { fact: F }> & { says: readonly string[] })[]
} = {
  difference: [
    { fact: 'difference', object: 'Note a/b', path: '', expected: {}, says: ['Note a/b'] },
    { fact: 'difference', object: 'Note a/b', path: '', found: {}, says: ['Note a/b'] },
    { fact: 'difference', object: 'Note a/b', path: 'spec.x', expected: 1, says: ['Note a/b', 'spec.x'] },
    {
      fact: 'difference',
      object: 'Note a/b',
      path: 'spec.x',
      expected: 11,
      found: 22,
      says: ['Note a/b', 'spec.x', '11', '22'],
    },
  ],
  deletes: [{ fact: 'deletes', object: 'Note a/b', says: ['Note a/b'] }],
  'not deleted': [{ fact: 'not deleted', object: 'Note a/b', says: ['Note a/b'] }],
  'left behind': [
    { fact: 'left behind', object: 'Note a/b', left: ['Job a/c', 'Job a/d'], says: ['Job a/c', 'Job a/d'] },
  ],
  'left outside': [{ fact: 'left outside', object: 'external buckets', says: ['buckets'] }],
  'finalizer removed': [
    { fact: 'finalizer removed', object: 'Note a/b', finalizer: 'x/y', says: ['Note a/b', 'x/y'] },
  ],
  'many writes': [{ fact: 'many writes', path: '/api/v1/a', count: 37, says: ['/api/v1/a', '37'] }],
  'long reconcile': [
    { fact: 'long reconcile', controller: 'notes', name: 'a', minutes: 12, says: ['notes', 'a', '12'] },
  ],
  'reconcile fails': [
    { fact: 'reconcile fails', controller: 'notes', name: 'a', message: 'no', says: ['notes', 'a', 'no'] },
    {
      fact: 'reconcile fails',
      controller: 'notes',
      name: 'a',
      message: 'no',
      throws: 'TypeError',
      says: ['notes', 'TypeError: no'],
    },
  ],
  'changed by restart': [{ fact: 'changed by restart', object: 'Note a/b', says: ['Note a/b'] }],
  'called by restart': [{ fact: 'called by restart', object: 'Note a/b', says: ['Note a/b'] }],
  'updated by restart': [{ fact: 'updated by restart', path: '/api/v1/a', says: ['/api/v1/a'] }],
  'says ready': (['condition', 'phase'] as const).map((by) => ({
    fact: 'says ready',
    object: 'Note a/b',
    by,
    value: 'Running',
    workload: 'Job a/c',
    says: ['Note a/b', 'Running', 'Job a/c'],
  })),
  'more objects': [
    { fact: 'more objects', size: 48, half: 24, example: 'Note a/b', says: ['48', '24', 'Note a/b'] },
  ],
  larger: (['items', 'entries', 'characters'] as const).map((unit) => ({
    fact: 'larger',
    object: 'Note a/b',
    path: 'data.x',
    size: 48,
    half: 24,
    unit,
    says: ['Note a/b', 'data.x', '48', '24'],
  })),
  'uses machine': [{ fact: 'uses machine', what: 'Date.now', says: ['Date.now'] }],
  'sample refused': [{ fact: 'sample refused', object: 'Note a/b', message: 'no', says: ['Note a/b', 'no'] }],
  invariant: [{ fact: 'invariant', name: 'one page', message: 'two', says: ['one page', 'two'] }],
  message: [{ fact: 'message', message: 'no', says: ['no'] }],
}

/** The author of the operator wrote these words. */
const OWN_WORDS: readonly string[] = ['invariant']

const isTranslated = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)

const finding: ShownFinding = {
  class: 'crash',
  title: 'the title',
  summary: 'the summary',
  remedy: 'the remedy',
  differences: [],
  page: 'https://example.com/docs/guide/18-check.md#crash',
}

it.each(TAGS)('every class of findings has a title and a remedy in %s, and no other has', (tag) => {
  const classes = FINDING_TEXTS[tag]?.classes ?? {}
  expect(Object.keys(classes).toSorted()).toEqual(Object.keys(CLASSES).toSorted())
  for (const name of Object.keys(CLASSES)) {
    const { title, remedy } = classWords({ ...finding, class: name }, tag)
    expect([name, isTranslated(title), isTranslated(remedy)]).toEqual([name, true, true])
    // Code is the same in all languages, and balanced.
    expect([name, remedy.split('`').length % 2]).toEqual([name, 1])
  }
})

it.each(TAGS)('every kind of step has a text in %s, with what it is about', (tag) => {
  for (const { says, ...told } of Object.values(STEPS).flat()) {
    const text = stepText({ text: 'in English', told }, tag)
    expect([told.step, isTranslated(text), text.includes('undefined')]).toEqual([told.step, true, false])
    for (const part of says) expect(text).toContain(part)
  }
  const texts = Object.values(STEPS)
    .flat()
    .map((told) => stepText({ text: '', told }, tag))
  expect(new Set(texts).size).toBe(texts.length)
})

it.each(TAGS)('every fact has a text in %s, with what it is about', (tag) => {
  for (const { says, ...fact } of Object.values(FACTS).flat()) {
    const text = summaryText({ ...finding, fact }, tag)
    const isInLanguage = isTranslated(text) || OWN_WORDS.includes(fact.fact)
    expect([fact.fact, isInLanguage, text.includes('undefined')]).toEqual([fact.fact, true, false])
    for (const part of says) expect(text).toContain(part)
  }
})

it.each(TAGS)('names external systems and the page of the guide in %s', (tag) => {
  expect(objectText('external buckets', tag)).not.toContain('external')
  expect(objectText('Note a/b', tag)).toBe('Note a/b')
  expect(guideAddress(finding.page, tag)).toBe(`https://example.com/docs/guide/${tag}/18-check.md#crash`)
})

it.each(['en', ...TAGS])('keeps the words of a finding that it does not know in %s', (tag) => {
  const later = { fact: 'of a later version' } as unknown as Fact
  expect(summaryText({ ...finding, fact: later }, tag)).toBe('the summary')
  expect(summaryText(finding, tag)).toBe('the summary')
  const step = { step: 'of a later version' } as unknown as ToldStep
  expect(stepText({ text: 'a step', told: step }, tag)).toBe('a step')
  expect(stepText({ text: 'a step' }, tag)).toBe('a step')
  expect(classWords({ ...finding, class: 'later' }, tag)).toMatchObject({ title: 'the title' })
})

it('says in English what the finding says', () => {
  expect(classWords(finding, 'en')).toMatchObject({ title: 'the title', remedy: 'the remedy' })
  expect(summaryText({ ...finding, fact: { fact: 'message', message: 'no' } }, 'en')).toBe('the summary')
  expect(stepText({ text: 'a step', told: { step: 'rest' } }, 'en')).toBe('a step')
  expect(guideAddress(finding.page, 'en')).toBe(finding.page)
})
