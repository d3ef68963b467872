import { admissionPolicy } from '../admission-configuration/admission-policies.ts'
import { mutatingAdmissionPolicyPrinter } from '../admission-configuration/tables.ts'
import type { NativeKind } from '../kind/native-kind.ts'

/** MutatingAdmissionPolicy: see `admission-configuration/`, which it shares with its siblings. */
export const mutatingAdmissionPolicy: NativeKind = {
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicy',
  ...admissionPolicy(false),
  table: mutatingAdmissionPolicyPrinter,
}
