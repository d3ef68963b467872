import type { NativeKind } from '../kind/native-kind.ts'
import { subjectAccessReviewAction } from '../review/access-reviews.ts'

/** SubjectAccessReviews: whether a user may do something. They are not stored. */
export const subjectAccessReview: NativeKind = {
  group: 'authorization.k8s.io',
  kind: 'SubjectAccessReview',
  answer: ({ authorization }) => subjectAccessReviewAction(authorization),
}
