/** The module that `lazy-object-rules.ts` loads with the first write. */
export { unknownFormats } from '../../validation/index.ts'
export {
  completesAsWritten,
  dropDisabledFields,
  dropUnknownFields,
  fillDefaults,
  fillSchemaDefaults,
  nullLists,
  unreadable,
} from './prune-and-default.ts'
export { createProblems, partOf, updateProblems } from './validate-object.ts'
