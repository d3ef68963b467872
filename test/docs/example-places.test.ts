import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { readCatalogue } from '../../docs/playground/build/catalogue.ts'
import { placesOf } from '../../scripts/docs/example-places.ts'

const guide = resolve(import.meta.dirname, '../../docs/guide')
const examples = readCatalogue().examples.flatMap(({ id, chapter, files }) =>
  chapter === undefined ? [] : [{ id, chapter, code: files['controller.ts'] ?? '' }],
)
const chapters = [...new Set(examples.map(({ chapter }) => chapter))]
/** Loops without a playground below them, by the names of their controllers. */
const WITHOUT = new Map([
  ['twice', 'it needs another client that writes between its read and its write'],
  ['counting', 'it is an example of a mistake'],
  ['naive', 'it is an example of a mistake'],
  ['doorbell', 'its events come from outside of the cluster'],
  ['forgetful', 'it is about the rights of a test'],
  ['generous', 'it is about the rights of a test'],
  ['secretive', 'it is about rights'],
  ['cleaning', 'it is about the watches that it starts, which the page does not show'],
  ['naming', 'it is about the watches that it starts, which the page does not show'],
  ['printer', 'the second one is about the types of its functions'],
])

function blocksOf(chapter: string, language: string): readonly string[] {
  const page = readFileSync(join(guide, language, `${chapter}.md`), 'utf8')
  return [...page.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

const controllerIn = (code: string): string | undefined => /controller\('([^']+)'\)/.exec(code)?.[1]
const placesIn = (chapter: string, language: string) =>
  placesOf(
    blocksOf(chapter, language),
    examples.filter((each) => each.chapter === chapter),
  )

it.each(chapters.filter((chapter) => chapter !== '18-check'))(
  'each loop of the chapter %s has its example below it',
  (chapter) => {
    const blocks = blocksOf(chapter, '.')
    const places = placesIn(chapter, '.')
    for (const { id, code } of examples.filter((each) => each.chapter === chapter && each.id !== chapter)) {
      const [index] = [...places].find(([, placed]) => placed === id) ?? []
      expect(index, id).toBeDefined()
      expect(controllerIn(blocks[index ?? 0] ?? ''), id).toBe(controllerIn(code))
    }
    const without = blocks.flatMap((block, index) =>
      block.includes('.reconcile(') && !places.has(index) ? [controllerIn(block) ?? block] : [],
    )
    expect(without.filter((name) => !WITHOUT.has(name))).toEqual([])
  },
)

it.each(['ja', 'zh-Hans', 'zh-Hant'])('the examples stand below the same loops in %s', (language) => {
  const placed = (chapter: string, folder: string) => {
    const blocks = blocksOf(chapter, folder)
    return [...placesIn(chapter, folder)].map(([index, id]) => `${id} ${controllerIn(blocks[index] ?? '')}`)
  }
  for (const chapter of chapters) expect(placed(chapter, language), chapter).toEqual(placed(chapter, '.'))
})

it('places each example below another block', () => {
  const loop = (name: string) => `controller('${name}')\n  .for(Greeting)\n  .reconcile(${name})`
  const example = (id: string, name: string) => ({ id, chapter: 'a', code: loop(name) })
  const both = [example('a', 'one'), example('a.2', 'two')]
  expect([...placesOf(['npm install', loop('two'), loop('one')], both)]).toEqual([
    [1, 'a.2'],
    [2, 'a'],
  ])
  expect([...placesOf([loop('two')], both)]).toEqual([[0, 'a.2']])
  expect([...placesOf([loop('three')], both)]).toEqual([[0, 'a']])
})
