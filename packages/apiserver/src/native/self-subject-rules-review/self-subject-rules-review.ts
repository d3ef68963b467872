import type { NativeKind } from '../kind/native-kind.ts'
import { selfSubjectRulesReviewAction } from '../review/access-reviews.ts'

/** SelfSubjectRulesReviews: what the sender may do in a namespace. They are not stored. */
export const selfSubjectRulesReview: NativeKind = {
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectRulesReview',
  answer: ({ authorization }) => selfSubjectRulesReviewAction(authorization),
}
