import { exactInteger, failure, type ApiRequest } from '@homeostat/api'
import { Failure, type DeleteOptions } from '../../registry/index.ts'
import { causesOf } from '../../schema/index.ts'
import { deleteOptionsBody } from './delete-options-body.ts'
import { dryRunProblems, int64, isTrue } from './request-options.ts'

/** The options of a DELETE: in its body, or in the query of a request without one. */
export function deleteOptions(request: ApiRequest): DeleteOptions {
  const { query } = request
  if (request.body && request.body.length > 0) {
    const { dryRun, ...options } = deleteOptionsBody(request)
    return { ...options, dryRun: Array.isArray(dryRun) && dryRun.includes('All') }
  }
  const problems = dryRunProblems(query)
  if (problems.length > 0) {
    throw new Failure(
      failure.invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causesOf(problems)),
    )
  }
  const options: Record<string, unknown> = {}
  const grace = query.get('gracePeriodSeconds')
  if (grace !== null) options['gracePeriodSeconds'] = exactInteger(int64(grace))
  const propagation = query.get('propagationPolicy')
  if (propagation !== null) options['propagationPolicy'] = propagation
  const orphan = query.get('orphanDependents')
  if (orphan !== null) options['orphanDependents'] = isTrue(orphan)
  return { ...options, dryRun: query.has('dryRun') }
}
