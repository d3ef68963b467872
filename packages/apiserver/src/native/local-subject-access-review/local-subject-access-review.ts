import type { NativeKind } from '../kind/native-kind.ts'
import { subjectAccessReviewAction } from '../review/access-reviews.ts'

/** LocalSubjectAccessReviews: whether a user may do something in a namespace. They are not stored. */
export const localSubjectAccessReview: NativeKind = {
  group: 'authorization.k8s.io',
  kind: 'LocalSubjectAccessReview',
  answer: ({ authorization }) => subjectAccessReviewAction(authorization),
}
