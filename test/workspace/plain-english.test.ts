import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Words that hide who acts. Name the client, the caller, the controller, the kubelet or the process instead. */
const VAGUE = /\b(whoever|nobody|somebody|someone|anybody|everybody|anew|be it that)\b/gi

/** Answers of other programs are kept as they came: in folders of these names. */
const RECORDED = /(^|\/)(goldens|generated|recorded)\//

/** Texts that recorded answers are filed under, or that were sent when they were recorded: they change only with a new record. */
const RECORDED_TITLES = [
  'of nobody',
  'of metadata that nobody owns',
  'to an object that nobody manages',
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
]

function vagueWords(text: string): string[] {
  const own = RECORDED_TITLES.reduce((rest, title) => rest.replaceAll(title, ''), text)
  return [...own.matchAll(VAGUE)].map(([word]) => word)
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

it('no text of the repository has a vague word', async () => {
  const folders = '{packages,docs,examples,test,scripts,benchmarks,.github,.ci}/**'
  const patterns = [`${folders}/*.{ts,mjs,cjs,md,go,rs,py,java,yaml,yml,txt}`, '*.{ts,md,mjs}']
  const exclude = (path: string): boolean => /(^|\/)(node_modules|dist|\.git)(\/|$)/.test(path)
  const found: string[] = []
  let files = 0
  for await (const file of glob(patterns, { cwd: root, exclude })) {
    if (RECORDED.test(file) || file === 'test/workspace/plain-english.test.ts') continue
    files++
    const words = vagueWords(readFileSync(resolve(root, file), 'utf8'))
    if (words.length > 0) found.push(`${file}: ${words.join(', ')}`)
  }
  expect(files).toBeGreaterThan(1_000)
  expect(found).toEqual([])
})
