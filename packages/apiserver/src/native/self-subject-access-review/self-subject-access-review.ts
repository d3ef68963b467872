import type { NativeKind } from '../kind/native-kind.ts'
import { selfSubjectAccessReviewAction } from '../review/access-reviews.ts'

/** SelfSubjectAccessReviews: whether the sender may do something. They are not stored. */
export const selfSubjectAccessReview: NativeKind = {
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectAccessReview',
  answer: ({ authorization }) => selfSubjectAccessReviewAction(authorization),
}
