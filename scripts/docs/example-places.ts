import { mostAlike } from './most-alike.ts'

/** An example of the playground that a chapter of the guide shows. */
export interface ChapterExample {
  readonly id: string
  readonly chapter: string
  /** The code of its controller. */
  readonly code: string
}

/**
 * Below which block of a chapter each of its examples belongs, by the index of the block: the block that defines the same
 * controller. The chapter's first example may also continue another block, which shares most lines with it.
 */
export function placesOf(
  blocks: readonly string[],
  examples: readonly ChapterExample[],
): ReadonlyMap<number, string> {
  const places = new Map<number, string>()
  const further = examples.filter(({ id, chapter }) => id !== chapter)
  const first = examples.filter(({ id, chapter }) => id === chapter)
  for (const { id, chapter, code } of [...further, ...first]) {
    const isFree = (index: number): boolean => !places.has(index)
    const same = blocks.findIndex(
      (block, index) => isFree(index) && controllerIn(block) === controllerIn(code),
    )
    // An empty block is like no example.
    const alike = (): number | undefined =>
      mostAlike(
        blocks.map((block, index) => (isFree(index) ? block : '')),
        code,
      )
    const index = same >= 0 ? same : id === chapter ? alike() : undefined
    if (index !== undefined) places.set(index, id)
  }
  return places
}

/** The name of the controller that a block of code defines. */
function controllerIn(code: string): string | undefined {
  return /\bcontroller\('([^']+)'\)/.exec(code)?.[1]
}
