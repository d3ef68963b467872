import type { Admission } from '../request/admission.ts'
import type { Registry } from '../state/registry.ts'
import type { Target } from '../request/target.ts'
import { Deletion, type DeleteOptions } from './deletion.ts'
import { write } from './write.ts'
import type { Written } from './written.ts'

/** Deletes an object, if the admission plugins agree. They are asked again when another write came first. */
export function remove(
  registry: Registry,
  target: Target,
  options: DeleteOptions,
  admission: Admission | undefined,
): Promise<Written> {
  return write(() => Deletion.begin(registry, target, options, admission))
}

/** Deletes an object for the server itself, in one turn of the event loop and without admission. */
export function deleteObject(registry: Registry, target: Target, options: DeleteOptions): Written {
  for (;;) {
    const attempt = Deletion.ofStored(registry, target, options)
    attempt.prepare()
    const written = attempt.unchanged() ?? attempt.store()
    if (written) return written
  }
}
