import type { NativeKind } from '../kind/native-kind.ts'
import { tokenReviewAction } from '../review/identity-reviews.ts'

/** TokenReviews: which user a token belongs to. They are not stored. */
export const tokenReview: NativeKind = {
  group: 'authentication.k8s.io',
  kind: 'TokenReview',
  answer: ({ reviewToken }) => tokenReviewAction(reviewToken),
}
