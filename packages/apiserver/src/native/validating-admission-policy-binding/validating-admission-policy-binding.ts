import { admissionPolicyBinding } from '../admission-configuration/admission-policies.ts'
import { policyBindingPrinter } from '../admission-configuration/tables.ts'
import type { NativeKind } from '../kind/native-kind.ts'

/** ValidatingAdmissionPolicyBinding: see `admission-configuration/`, which it shares with its siblings. */
export const validatingAdmissionPolicyBinding: NativeKind = {
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicyBinding',
  ...admissionPolicyBinding(true),
  table: policyBindingPrinter,
}
