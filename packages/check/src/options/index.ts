/** The options of a check. */
export {
  CHECK_DECLARATIONS,
  CHECK_MODULE_OPTIONS,
  CHECK_OPTIONS,
  type CheckDeclarations,
  type CheckMemory,
  type CheckModuleOptions,
  type CheckOptions,
  type CheckProgress,
  type FinalState,
  type VaryingField,
} from './check-options.ts'
