/**
 * Server-side apply, seen from the client: whether an apply would change anything, and which fields a write has
 * changed. It compares objects and their managed fields; it sends nothing.
 */
export { applyMatches, type Applier } from './apply-matches.ts'
export { ApplyMemory } from './apply-memory.ts'
export {
  fieldsTaken,
  ownerOf,
  WRITE_LISTENER,
  writeListenerOf,
  type FieldsWritten,
  type ObjectWritten,
  type WriteListener,
  type WrittenField,
} from './fields-written.ts'
