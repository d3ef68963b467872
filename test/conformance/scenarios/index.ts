import type { Topic } from '../scenario.ts'
import { access } from './access.ts'
import { certificateRequests } from './certificate-requests.ts'
import { applies } from './apply.ts'
import { definitionTopic } from './definitions.ts'
import { deletions } from './delete.ts'
import { discovery } from './discovery.ts'
import { errors } from './errors.ts'
import { fieldValidation } from './field-validation.ts'
import { health } from './health.ts'
import { jsonPatchSuite } from './json-patch-suite.ts'
import { limitTopic } from './limit-ranges.ts'
import { list } from './list.ts'
import { liveNamespaces, namespaceTopic } from './namespaces.ts'
import { nativeActions } from './native-actions.ts'
import { native } from './native.ts'
import { patches } from './patch.ts'
import { protobuf } from './protobuf.ts'
import { quotaTopic } from './quotas.ts'
import { logs, podStreams, transport } from './streams.ts'
import { reviews } from './reviews.ts'
import { ruleNames } from './rule-names.ts'
import { tokens } from './tokens.ts'
import { updates } from './update.ts'
import { mutatingPolicyTopic } from './mutating-policies.ts'
import { validatingPolicyTopic } from './validating-policies.ts'
import { warnings } from './warnings.ts'
import { watches } from './watch.ts'

/** All scenarios, by topic. */
export const topics: readonly Topic[] = [
  errors,
  protobuf,
  discovery,
  list,
  watches,
  updates,
  deletions,
  patches,
  jsonPatchSuite,
  applies,
  fieldValidation,
  definitionTopic,
  ruleNames,
  namespaceTopic,
  liveNamespaces,
  native,
  nativeActions,
  warnings,
  quotaTopic,
  limitTopic,
  validatingPolicyTopic,
  mutatingPolicyTopic,
  access,
  reviews,
  tokens,
  certificateRequests,
  logs,
  podStreams,
  transport,
  health,
]
