import { describe, expect, test } from 'vitest'
import * as failure from './failure.ts'

const deployments = { group: 'apps', plural: 'deployments', kind: 'Deployment' }
const pods = { group: '', plural: 'pods', kind: 'Pod' }

test('A failure is a whole Status document, and plain JSON', () => {
  expect(failure.notFound(deployments, 'web')).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'deployments.apps "web" not found',
    reason: 'NotFound',
    details: { name: 'web', group: 'apps', kind: 'deployments' },
    code: 404,
  })
})

describe('The words of a failure are those of Kubernetes:', () => {
  test.each([
    [failure.notFound(pods, 'a'), 404, 'NotFound', 'pods "a" not found'],
    [failure.pathNotFound(), 404, 'NotFound', 'the server could not find the requested resource'],
    [failure.alreadyExists(pods, 'a'), 409, 'AlreadyExists', 'pods "a" already exists'],
    [
      failure.generateNameConflict(pods, 'a-x'),
      409,
      'AlreadyExists',
      'pods "a-x" already exists, the server was not able to generate a unique name for the object',
    ],
    [
      failure.conflict(deployments, 'a'),
      409,
      'Conflict',
      'Operation cannot be fulfilled on deployments.apps "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [failure.applyConflict([], 'contested'), 409, 'Conflict', 'contested'],
    [failure.badRequest('no'), 400, 'BadRequest', 'no'],
    [failure.unauthorized(), 401, 'Unauthorized', 'Unauthorized'],
    [failure.forbidden(pods, 'a', 'no'), 403, 'Forbidden', 'pods "a" is forbidden: no'],
    [failure.forbidden(deployments, '', 'no'), 403, 'Forbidden', 'deployments.apps is forbidden: no'],
    [failure.forbidden(undefined, '', 'no'), 403, 'Forbidden', 'forbidden: no'],
    [
      failure.methodNotSupported(deployments, 'watch'),
      405,
      'MethodNotAllowed',
      'watch is not supported on resources of kind "deployments.apps"',
    ],
    [
      failure.methodNotAllowed(),
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
    ],
    [
      failure.notAcceptable(['application/json', 'application/yaml']),
      406,
      'NotAcceptable',
      'only the following media types are accepted: application/json, application/yaml',
    ],
    [failure.expired('too old'), 410, 'Expired', 'too old'],
    [failure.gone('away'), 410, 'Gone', 'away'],
    [
      failure.requestEntityTooLarge('limit is 3145728'),
      413,
      'RequestEntityTooLarge',
      'Request entity too large: limit is 3145728',
    ],
    [
      failure.unsupportedMediaType(['application/json']),
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: application/json',
    ],
    [failure.tooManyRequests('slow down', 1), 429, 'TooManyRequests', 'slow down'],
    [failure.internalError('oops'), 500, 'InternalError', 'Internal error occurred: oops'],
    [
      failure.serverTimeout(pods, 'list', 2),
      500,
      'ServerTimeout',
      'The list operation against pods could not be completed at this time, please try again.',
    ],
    [failure.serviceUnavailable('later'), 503, 'ServiceUnavailable', 'later'],
    [
      failure.resourceVersionTooLarge(9, 5),
      504,
      'Timeout',
      'Timeout: Too large resource version: 9, current: 5',
    ],
    [failure.timeout('too slow', 0), 504, 'Timeout', 'Timeout: too slow'],
  ])('$message', (status, code, reason, message) => {
    expect(status).toMatchObject({ code, reason, message, status: 'Failure' })
  })
})

describe('An invalid object', () => {
  const required = { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.a' }
  const bad = { reason: 'FieldValueInvalid', message: 'Invalid value: 0', field: 'spec.b' }

  test('with one cause names it', () => {
    const status = failure.invalid(deployments, 'web', [required])
    expect(status.message).toBe('Deployment.apps "web" is invalid: spec.a: Required value')
    expect(status.details).toEqual({ name: 'web', group: 'apps', kind: 'Deployment', causes: [required] })
    expect(status.code).toBe(422)
  })

  test('with several lists each sentence once, and keeps every cause', () => {
    const status = failure.invalid(pods, 'x', [required, bad, bad])
    expect(status.message).toBe('Pod "x" is invalid: [spec.a: Required value, spec.b: Invalid value: 0]')
    expect(status.details?.causes).toHaveLength(3)
  })

  test('with none says only that it is invalid', () => {
    expect(failure.invalid(pods, '', []).message).toBe('Pod "" is invalid')
    expect(failure.invalid(pods, '', []).details).toEqual({ kind: 'Pod' })
  })
})

describe('The details', () => {
  test('leave out what is empty', () => {
    expect(failure.notFound(pods, 'a').details).toEqual({ name: 'a', kind: 'pods' })
    expect(failure.forbidden(undefined, '', 'no').details).toEqual({})
    expect(failure.badRequest('no')).not.toHaveProperty('details')
    expect(failure.tooManyRequests('no', 0).details).toEqual({})
  })

  test('have the time to retry after, the causes, and the manager that owns a field', () => {
    expect(failure.tooManyRequests('no', 3).details).toEqual({ retryAfterSeconds: 3 })
    expect(failure.serverTimeout(pods, 'list', 2).details).toEqual({
      name: 'list',
      kind: 'pods',
      retryAfterSeconds: 2,
    })
    expect(failure.resourceVersionTooLarge(9, 5).details).toEqual({
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    })
    expect(failure.internalError('oops').details).toEqual({ causes: [{ message: 'oops' }] })
    const cause = { reason: 'FieldManagerConflict', message: 'conflict with "kubectl"', field: '.spec.a' }
    expect(failure.applyConflict([cause], 'x').details).toEqual({ causes: [cause] })
  })
})

test('A response carries the Status with the reason that goes with its code', () => {
  const { status, headers, body } = failure.response(429, 'wait')
  expect([status, headers]).toEqual([429, { 'content-type': 'application/json' }])
  const message = body instanceof Uint8Array && (JSON.parse(new TextDecoder().decode(body)) as unknown)
  expect(message).toMatchObject({ kind: 'Status', reason: 'TooManyRequests', message: 'wait', code: 429 })
})

test('A name is quoted with the escapes of Kubernetes', () => {
  const message = (name: string): string | undefined => failure.notFound(pods, name).message
  expect(message('a"\\\n\u0001é\u007f')).toBe(String.raw`pods "a\"\\\n\x01é\x7f" not found`)
  expect(message('\u0007\u000b\t')).toBe(String.raw`pods "\a\v\t" not found`)
  expect(message(String.raw`\u0007`)).toBe(String.raw`pods "\\u0007" not found`)
})
