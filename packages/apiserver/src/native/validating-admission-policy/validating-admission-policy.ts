import { admissionPolicy } from '../admission-configuration/admission-policies.ts'
import { validatingAdmissionPolicyPrinter } from '../admission-configuration/tables.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { clearStatus, keepWritableMetadata, keptMetadata } from '../status/clear-status.ts'

/** ValidatingAdmissionPolicy: see `admission-configuration/`, which it shares with its siblings. */
export const validatingAdmissionPolicy: NativeKind = {
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicy',
  ...admissionPolicy(true),
  prepareCreate: clearStatus,
  prepareStatus: keepWritableMetadata,
  resetFields: keptMetadata,
  table: validatingAdmissionPolicyPrinter,
}
