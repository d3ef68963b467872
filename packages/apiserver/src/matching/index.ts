/**
 * Which requests a webhook or an admission policy matches, in which version it sees their objects, and how its
 * changes get back into the write.
 */
export { completeChanged, replaceContent } from './complete-changed.ts'
export { describedRequest } from './described-request.ts'
export { isNamespaces, matchRuleOf, type MatchRule, type RequestedResource } from './matching-rule.ts'
export { allowCalled, newReinvocation } from './reinvocation.ts'
export { RequestMatcher, type ExcludingCriteria } from './request-matcher.ts'
export { unfittingOperation } from './unfitting-operation.ts'
export { inRequestVersion, inVersion, type VersionedRequest } from './versioned-request.ts'
