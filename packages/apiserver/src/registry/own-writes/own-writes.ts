/**
 * The writes that the server itself makes, by the same path as those of clients. `lazy-writes.ts` loads this module.
 */
export { apply } from '../write/apply.ts'
export { deleteObject } from '../write/delete.ts'
export { manage } from '../write/managed-fields.ts'
export { patch } from '../write/patch.ts'
export { update } from '../write/update.ts'
