/**
 * Who has a say in a write besides the rules of its kind: plugins of the server, and a hook of whoever starts it. They
 * come after the object was decoded and has its defaults, and before it is checked and stored.
 */
export { AdmissionChain, type AdmissionHook } from './admission-chain.ts'
export type { AdmissionRequest } from './admission-request.ts'
export { certificateRequester } from './certificate-requester.ts'
export { claimResize } from './claim-resize.ts'
export { defaultClass } from './default-class.ts'
export { limitRanger } from './limit-ranger.ts'
export { namespaceLifecycle } from './namespace-lifecycle.ts'
export { ownerReferencesPermission } from './owner-references-permission.ts'
export { podSecurity } from './pod-security.ts'
export { priority } from './priority.ts'
export { roleEscalation } from './role-escalation.ts'
export { runtimeClass } from './runtime-class.ts'
export { serviceAccount } from './service-account.ts'
export { signerPermission } from './signer-permission.ts'
export { volumeProtection } from './volume-protection.ts'
