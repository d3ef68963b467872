/**
 * The chain of plugins that may modify or reject a write, besides the strategy of its kind. They run after the object
 * was decoded and has its defaults, and before it is validated and stored. The plugins for native kinds are in
 * `native/`.
 */
export {
  AdmissionChain,
  type AdmissionHook,
  type AdmissionPlugin,
  type CountedPlugin,
} from './admission-chain.ts'
export type { AdmissionRequest, Reinvocation, ReinvokedHooks } from './admission-request.ts'
export { ownerReferencesPermission } from './owner-references-permission.ts'
