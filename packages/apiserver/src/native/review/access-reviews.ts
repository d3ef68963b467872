import { failure, type ApiResponse } from '@homeostat/api'
import type { Attributes, Authorization, User } from '../../auth/index.ts'
import type { Call } from '../../http/index.ts'
import { Failure, type ServerObject } from '../../registry/index.ts'
import {
  causesOf,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  RawJson,
  textOf,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { reviewAnswer, reviewBody } from './review-body.ts'
import { reviewedFields, reviewedLabels, selectorProblems } from './reviewed-selectors.ts'

const GROUP = 'authorization.k8s.io'

/** POST of a SubjectAccessReview, in the cluster or of one namespace: whether a user may do something. */
export function subjectAccessReviewAction(
  authorization: Authorization,
): (call: Call) => Promise<ApiResponse> {
  return async (call) => {
    const review = reviewBody(call)
    const local = call.resource.kind === 'LocalSubjectAccessReview'
    const problems = [...specProblems(review, true), ...metadataProblems(review, local)]
    if (local) {
      const namespace = review.metadata.namespace ?? ''
      const asked = objectOf(specOf(review)['resourceAttributes'])
      if ('resourceAttributes' in specOf(review) && textOf(asked['namespace']) !== namespace) {
        const field = 'spec.resourceAttributes.namespace'
        problems.push(invalidValue(field, textOf(asked['namespace']), 'must match metadata.namespace'))
      }
      if (isObject(specOf(review)['nonResourceAttributes'])) {
        const value = specOf(review)['nonResourceAttributes']
        problems.push(
          invalidValue('spec.nonResourceAttributes', pathShown(value), 'disallowed on this kind of request'),
        )
      }
    }
    refuse(problems)
    if (local && call.route.namespace !== review.metadata.namespace) {
      const why = `spec.resourceAttributes.namespace must match namespace: ${call.route.namespace}`
      throw new Failure(failure.badRequest(why))
    }
    const { user, groups, uid, extra } = specOf(review)
    const who = {
      name: textOf(user),
      groups: listOf(groups).map(textOf),
      uid: textOf(uid) || undefined,
      extra: Object.fromEntries(
        Object.entries(objectOf(extra)).map(([key, values]) => [key, listOf(values).map(textOf)]),
      ),
    }
    return decide(call, authorization, review, who)
  }
}

/** POST of a SelfSubjectAccessReview: whether the sender may do something. */
export function selfSubjectAccessReviewAction(
  authorization: Authorization,
): (call: Call) => Promise<ApiResponse> {
  return async (call) => {
    const review = reviewBody(call)
    refuse([...specProblems(review, false), ...metadataProblems(review, false)])
    return decide(call, authorization, review, call.user)
  }
}

/** POST of a SelfSubjectRulesReview: the sender's rights in a namespace. */
export function selfSubjectRulesReviewAction(authorization: Authorization): (call: Call) => ApiResponse {
  return (call) => {
    const review = reviewBody(call)
    const namespace = textOf(specOf(review)['namespace'])
    if (namespace === '') throw new Failure(failure.badRequest('no namespace on request'))
    const { rules, problem, isIncomplete } = authorization.rulesFor(call.user, namespace)
    const onResources = rules.filter(({ resources }) => resources.length > 0)
    const onPaths = rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
    return reviewAnswer(call, {
      kind: review.kind,
      apiVersion: review.apiVersion,
      metadata: {},
      spec: {},
      status: {
        resourceRules: onResources.map(({ verbs, apiGroups, resources, resourceNames }) => ({
          verbs,
          apiGroups,
          resources,
          ...(resourceNames.length > 0 && { resourceNames }),
        })),
        nonResourceRules: onPaths.map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
        incomplete: isIncomplete,
        ...(problem && { evaluationError: problem }),
      },
    })
  }
}

async function decide(
  call: Call,
  { authorize }: Authorization,
  review: ServerObject,
  user: User,
): Promise<ApiResponse> {
  const { attributes, problems } = attributesIn(specOf(review))
  const { allowed, denied, reason, error } = await authorize(user, attributes)
  const errors = error === undefined ? problems : [error, ...problems]
  review['status'] = {
    allowed,
    ...(denied && { denied }),
    ...(reason && { reason }),
    ...(errors.length > 0 && { evaluationError: errors.join('; ') }),
  }
  return reviewAnswer(call, review)
}

function attributesIn(spec: JsonObject): { attributes: Attributes; problems: readonly string[] } {
  if (!isObject(spec['resourceAttributes'])) {
    const { path, verb } = objectOf(spec['nonResourceAttributes'])
    return { attributes: { verb: textOf(verb), path: textOf(path) }, problems: [] }
  }
  const { verb, group, version, resource, subresource, namespace, name } = spec['resourceAttributes']
  const fields = reviewedFields(spec['resourceAttributes']['fieldSelector'])
  const labels = reviewedLabels(spec['resourceAttributes']['labelSelector'])
  const attributes: Attributes = {
    verb: textOf(verb),
    path: '',
    resource: { group: textOf(group), version: textOf(version) || '*', plural: textOf(resource) },
    subresource: textOf(subresource),
    namespace: textOf(namespace),
    name: textOf(name),
    fieldSelector: fields.selector,
    labelSelector: labels.selector,
  }
  const problems = [
    ...(fields.ignored ? [`spec.resourceAttributes.fieldSelector ${fields.ignored} due to parse error`] : []),
    ...(labels.ignored ? [`spec.resourceAttributes.labelSelector ${labels.ignored} due to parse error`] : []),
  ]
  return { attributes, problems }
}

function specProblems(review: ServerObject, named: boolean): FieldError[] {
  const { resourceAttributes, nonResourceAttributes, user, groups } = specOf(review)
  const problems: FieldError[] = []
  if (isObject(resourceAttributes) && isObject(nonResourceAttributes)) {
    const detail = 'cannot be specified in combination with resourceAttributes'
    problems.push(invalidValue('spec.nonResourceAttributes', pathShown(nonResourceAttributes), detail))
  }
  if (!isObject(resourceAttributes) && !isObject(nonResourceAttributes)) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    problems.push(invalidValue('spec.resourceAttributes', null, detail))
  }
  if (named && textOf(user) === '' && listOf(groups).length === 0) {
    problems.push(invalidValue('spec.user', '', 'at least one of user or group must be specified'))
  }
  for (const kind of ['fieldSelector', 'labelSelector'] as const) {
    addAll(problems, selectorProblems(objectOf(resourceAttributes)[kind], kind))
  }
  return problems
}

function metadataProblems({ metadata }: ServerObject, local: boolean): FieldError[] {
  const { managedFields, name, generateName, namespace, uid, ...rest } = metadata
  const found = { ...rest, name, generateName, uid, ...(!local && { namespace }) }
  if (Object.values(found).every((value) => !value)) return []
  const shown = { name, generateName, namespace, uid, ...rest, managedFields }
  const detail = local ? 'must be empty except for namespace' : 'must be empty'
  return [invalidValue('metadata', new RawJson(JSON.stringify(shown)), detail)]
}

/** Attributes as Kubernetes' messages show them: with the field names of Go. */
function pathShown(attributes: unknown): RawJson {
  const { path, verb } = objectOf(attributes)
  return RawJson.object(['Path', textOf(path)], ['Verb', textOf(verb)])
}

/** Throws the errors as one failure, in which Kubernetes does not name the kind. */
function refuse(problems: readonly FieldError[]): void {
  if (problems.length === 0) return
  throw new Failure(failure.invalid({ group: GROUP, kind: '' }, '', causesOf(problems)))
}

function specOf(review: ServerObject): JsonObject {
  return objectOf(review['spec'])
}
