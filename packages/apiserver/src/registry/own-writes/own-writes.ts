/** What `lazy-writes.ts` loads: the writes that the server itself makes, by the path that those of clients take. */
export { apply } from '../write/apply.ts'
export { deleteObject } from '../write/delete.ts'
export { manage } from '../write/managed-fields.ts'
export { patch } from '../write/patch.ts'
export { update } from '../write/update.ts'
