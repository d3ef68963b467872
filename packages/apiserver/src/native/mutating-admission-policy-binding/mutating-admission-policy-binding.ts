import { admissionPolicyBinding } from '../admission-configuration/admission-policies.ts'
import { policyBindingPrinter } from '../admission-configuration/tables.ts'
import type { NativeKind } from '../kind/native-kind.ts'

/** MutatingAdmissionPolicyBinding: see `admission-configuration/`, which it shares with its siblings. */
export const mutatingAdmissionPolicyBinding: NativeKind = {
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicyBinding',
  ...admissionPolicyBinding(false),
  table: policyBindingPrinter,
}
