/**
 * Finds how a change of a kind affects stored objects and clients, by comparing two definitions. Nothing is read or sent. The levels:
 * - `breaking`: a stored object can no longer be updated, loses data or reads differently; or requests that worked are refused or have another effect.
 * - `ratcheting`: an object may be invalid by the new schema. Servers accept its updates while the field stays as it is (validation ratcheting),
 *   and refuse creates and changes with such a value.
 * - `safe`: all objects stay valid, and all requests that worked have the same effect.
 */
export { compareDefinitions } from './compare-definitions.ts'
export type { ComparedDefinition } from './compared-definition.ts'
export { compatibilityText } from './print-findings.ts'
export {
  COMPATIBILITY_RULES,
  type CompatibilityFinding,
  type CompatibilityLevel,
  type CompatibilityRule,
} from './rules.ts'
