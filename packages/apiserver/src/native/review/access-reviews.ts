import { failure, type ApiResponse } from '@homeostat/api'
import type { Attributes, Rbac, User } from '../../auth/index.ts'
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
  requiredValue,
  textOf,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { reviewAnswer, reviewBody } from './review-body.ts'

const GROUP = 'authorization.k8s.io'

/** POST of a SubjectAccessReview, in the cluster or of one namespace: whether a user may do something. */
export function subjectAccessReviewAction(rbac: Rbac): (call: Call) => ApiResponse {
  return (call) => {
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
    const { user, groups, uid } = specOf(review)
    const who = { name: textOf(user), groups: listOf(groups).map(textOf), uid: textOf(uid) || undefined }
    return decide(call, rbac, review, who)
  }
}

/** POST of a SelfSubjectAccessReview: whether the sender may do something. */
export function selfSubjectAccessReviewAction(rbac: Rbac): (call: Call) => ApiResponse {
  return (call) => {
    const review = reviewBody(call)
    refuse([...specProblems(review, false), ...metadataProblems(review, false)])
    return decide(call, rbac, review, call.user)
  }
}

/** POST of a SelfSubjectRulesReview: what the sender may do in a namespace. */
export function selfSubjectRulesReviewAction(rbac: Rbac): (call: Call) => ApiResponse {
  return (call) => {
    const review = reviewBody(call)
    const namespace = textOf(specOf(review)['namespace'])
    if (namespace === '') throw new Failure(failure.badRequest('no namespace on request'))
    const { rules, problem } = rbac.rulesFor(call.user, namespace)
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
        incomplete: false,
        ...(problem && { evaluationError: problem }),
      },
    })
  }
}

function decide(call: Call, rbac: Rbac, review: ServerObject, user: User): ApiResponse {
  const { allowed, reason } = rbac.authorize(user, attributesIn(specOf(review)))
  review['status'] = { allowed, ...(reason && { reason }) }
  return reviewAnswer(call, review)
}

function attributesIn(spec: JsonObject): Attributes {
  if (!isObject(spec['resourceAttributes'])) {
    const { path, verb } = objectOf(spec['nonResourceAttributes'])
    return { verb: textOf(verb), path: textOf(path) }
  }
  const { verb, group, version, resource, subresource, namespace, name } = spec['resourceAttributes']
  return {
    verb: textOf(verb),
    path: '',
    resource: { group: textOf(group), version: textOf(version) || '*', plural: textOf(resource) },
    subresource: textOf(subresource),
    namespace: textOf(namespace),
    name: textOf(name),
  }
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
  for (const kind of ['fieldSelector', 'labelSelector']) {
    addAll(problems, selectorProblems(objectOf(resourceAttributes)[kind], `spec.resourceAttributes.${kind}`))
  }
  return problems
}

function selectorProblems(selector: unknown, field: string): FieldError[] {
  if (!isObject(selector)) return []
  const raw = textOf(selector['rawSelector'])
  const some = listOf(selector['requirements']).length > 0
  if (raw !== '' && some) {
    return [invalidValue(`${field}.rawSelector`, raw, 'may not specified at the same time as requirements')]
  }
  if (raw !== '' || some) return []
  const detail = `when ${field} is specified, requirements or rawSelector is required`
  return [requiredValue(`${field}.requirements`, detail)]
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
