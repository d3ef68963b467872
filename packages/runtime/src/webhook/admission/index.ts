/**
 * Admission: an operator changes or refuses writes before an API server stores them. Handlers are functions of typed
 * objects; this folder decodes the review, and makes the patches and Status documents of the response.
 */
export type { AdmissionEndpoint, AdmissionWebhook } from './admission-endpoint.ts'
export type {
  AdmissionOperation,
  AdmissionRequest,
  AdmittedKind,
  AdmittedResource,
  UserInfo,
} from './admission-request.ts'
export {
  admission,
  type AdmissionBuilder,
  type AdmissionWithDefaults,
  type AdmissionWithValidation,
} from './admission.ts'
export type { NewObjectOf, UnstructuredObject } from './admitted-object.ts'
export type { AdmissionContext } from './context.ts'
export type { Defaults, DefaultsResult } from './defaults.ts'
export {
  duplicate,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
  tooLong,
  tooMany,
  tooShort,
  type FieldError,
  type FieldErrorOptions,
  type FieldErrorReason,
} from './field-error.ts'
export type { FieldPath, ObjectPath } from './field-path.ts'
export { rawAdmission, type RawAdmissionBuilder, type RawHandler, type RawOptions } from './raw-admission.ts'
export {
  allowed,
  denied,
  patched,
  type Allowed,
  type Denied,
  type DeniedOptions,
  type Patched,
  type ReviewStatus,
} from './result.ts'
export type { Validation, ValidationResult } from './validation.ts'
export {
  webhookConfigurations,
  type WebhookClientConfig,
  type WebhookConfigurationOptions,
  type WebhookConfigurations,
} from './webhook-configurations.ts'
export type {
  AdmissionOptions,
  AdmissionRule,
  MatchCondition,
  MutatingOptions,
  SharedAdmissionOptions,
} from './webhook-options.ts'
