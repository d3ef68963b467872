import type { PrintedObject } from '../../registry/index.ts'

/** The names and the images of a template's containers, as the two cells of wide tables. */
export function containers(podSpec: PrintedObject | undefined): [names: string, images: string] {
  const all: PrintedObject[] = podSpec?.containers ?? []
  return [
    all.map((container) => container.name ?? '').join(','),
    all.map((container) => container.image ?? '').join(','),
  ]
}
