/**
 * JSON as an API server sends it: cut into lines and items, scanned without being parsed, and kept as text until an
 * object is read. Nothing here knows requests or watches.
 */
export { JsonLines } from './json-lines.ts'
export { changedMembers } from './json-members.ts'
export { ListItems } from './list-items.ts'
export { ObjectReader, type ObjectLine } from './object-reader.ts'
export { ServedObject } from './served-object.ts'
