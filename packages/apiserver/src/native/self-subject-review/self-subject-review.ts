import type { NativeKind } from '../kind/native-kind.ts'
import { selfSubjectReviewAction } from '../review/identity-reviews.ts'

/** SelfSubjectReviews: who the sender is. They are not stored. */
export const selfSubjectReview: NativeKind = {
  group: 'authentication.k8s.io',
  kind: 'SelfSubjectReview',
  answer: () => selfSubjectReviewAction,
}
