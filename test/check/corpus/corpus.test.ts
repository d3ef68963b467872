import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { corpus } from './corpus.ts'
import { judge } from './judge.ts'
import { missed } from './missed.ts'

const all = Object.values(corpus).flat()
const wrong = all.filter(({ classes }) => classes.length > 0)
const right = all.filter(({ classes }) => classes.length === 0)

/** One operator of most classes, each checked in about a second. `npm run bench check -- --corpus` goes through all of them. */
const SAMPLE: readonly string[] = [
  'acts only when the image differs from the one that it handled last',
  'counts its calls in the mutate function of createOrUpdate',
  'creates its child at each call and fails when it exists',
  'decides by the clock of the machine whether a run is due',
  'decides once, after 30 seconds, whether the Pods are ready',
  'drops the update events of its ConfigMap',
  'gives out ports by the place in the list of all objects',
  'is called again by both of its writes, and then sends nothing',
  'keeps the current object in a field that all workers share',
  'makes an object in another namespace and never deletes it',
  'maps a Secret to the object of its name, not to those that name it',
  'reads the Secret of the spec without the right to',
  'remembers by name which objects are set up',
  'replaces all annotations of its Service',
  'replaces the owner of an object that has the name of its child',
  'returns until its Deployment is ready, and nothing calls it again',
  'says ready as soon as the Deployment exists',
  'sets the transition time of its condition at each call',
  'takes every error for a permanent one',
  'updates whole objects with the version that it read',
  'waits for a signal that only its own next reconcile gives',
  'waits inside of the reconcile until its Deployment is ready',
  'writes variables by a merge patch that never removes one',
]
const sampled = all.filter(({ title }) => SAMPLE.includes(title))

function titlesNotIn(rows: readonly (string | undefined)[]): string[] {
  return all.map(({ title }) => title).filter((title) => !rows.includes(title))
}

test('the corpus has at least 60 operators with a planted bug and 20 that are right', () => {
  expect(wrong.length).toBeGreaterThanOrEqual(60)
  expect(right.length).toBeGreaterThanOrEqual(20)
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length)
})

test('the corpus has planted bugs of most classes', () => {
  const planted = new Set(wrong.flatMap(({ classes }) => classes))
  expect(planted.size).toBeGreaterThanOrEqual(25)
})

test('every known gap names an operator of the corpus', () => {
  const titles = new Set(all.map(({ title }) => title))
  expect(missed.filter(({ title }) => !titles.has(title))).toEqual([])
})

test('the page about the corpus has a row for each operator', () => {
  const page = readFileSync(new URL('../../../docs/check-corpus.md', import.meta.url), 'utf8')
  const rows = Array.from(page.matchAll(/^\| (.+?) +\|/gm), ([, cell]) => cell)
  expect(titlesNotIn(rows), 'run npm run bench check -- --corpus --write').toEqual([])
})

test('the sample names operators of the corpus', () => {
  expect(sampled).toHaveLength(SAMPLE.length)
})

test.for(sampled)('judges rightly an operator that $title', async (entry) => {
  const { isRight, findings } = await judge(entry, entry.classes.length > 0 ? { only: entry.classes } : {})
  const reported = findings.map((finding) => finding.class)
  expect(isRight, `it reports ${reported.join(', ')}`).toBe(true)
})
