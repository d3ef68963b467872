import { HomeostatError, milliseconds, timestamp, type ApiRequest } from '@homeostat/api'
import { callJson, type JsonAnswer } from '@homeostat/apiserver/testing'
import type { Change, Recording } from './recorder.ts'
import type { Action, MinuteAction, PodsAction, Scenario } from './scenario.ts'
import type { Stage } from './stage.ts'
import { choosePods, podStatus } from './test-kubelet.ts'

/** The events of one step. */
export interface PlayedStep {
  readonly title: string
  /** The actions that failed. */
  readonly problems: readonly string[]
  readonly changes: readonly Change[]
}

/** The events of a scenario, before anything in it is made comparable. */
export interface Played {
  readonly namespace: string
  /** The node that Pods were on. */
  readonly node: string
  readonly steps: readonly PlayedStep[]
  /** The Event objects that are left at the end. */
  readonly events: readonly any[]
}

/** After so many milliseconds without rest a step counts as one that never comes to rest. */
const LONGEST_STEP = 60_000
const MINUTE = 60_000
/** A machine that is busy starts what is due at a minute some seconds later. */
const AFTER_MINUTE = 8_000

/** Plays a scenario in a namespace that must not be there yet. */
export async function play(stage: Stage, scenario: Scenario, namespace: string): Promise<Played> {
  const recording = stage.recorder.record(namespace, scenario.kinds)
  const player = new Player(stage, scenario, recording)
  try {
    return await player.play()
  } finally {
    stage.recorder.forget(recording)
    await player.cleanUp()
  }
}

class Player {
  readonly #stage: Stage
  readonly #scenario: Scenario
  readonly #recording: Recording

  constructor(stage: Stage, scenario: Scenario, recording: Recording) {
    this.#stage = stage
    this.#scenario = scenario
    this.#recording = recording
  }

  get #pods(): string {
    return `/api/v1/namespaces/${this.#recording.namespace}/pods`
  }

  async play(): Promise<Played> {
    const { namespace } = this.#recording
    const steps = [await this.#step('make the namespace', () => this.#open())]
    for (const { title, actions } of this.#scenario.steps) {
      steps.push(
        await this.#step(title, async () => {
          const problems: string[] = []
          for (const action of actions) problems.push(...(await this.#take(action)))
          return problems
        }),
      )
    }
    const { body } = await this.#call('GET', `/api/v1/namespaces/${namespace}/events`)
    return { namespace, node: this.#stage.node, steps, events: (body.items ?? []) as any[] }
  }

  /** The namespace's deletion is not waited for: Pods that no node would end are ended here. */
  async cleanUp(): Promise<void> {
    const { namespace } = this.#recording
    await this.#call('DELETE', `/api/v1/namespaces/${namespace}`)
    await this.#call('DELETE', this.#pods, { gracePeriodSeconds: 0 })
    for (const { metadata } of this.#recording.objects('PersistentVolume')) {
      await this.#call('DELETE', `/api/v1/persistentvolumes/${metadata.name}`)
    }
    for (const { metadata } of this.#recording.objects('StorageClass')) {
      await this.#call('DELETE', `/apis/storage.k8s.io/v1/storageclasses/${metadata.name}`)
    }
  }

  async #step(title: string, act: () => Promise<readonly string[]>): Promise<PlayedStep> {
    const problems = [...(await act())]
    this.#recording.touch()
    if (!(await this.#settle())) problems.push('the objects do not come to rest')
    return { title, problems, changes: this.#recording.take() }
  }

  /** Waits until nothing has happened for some time; whether that was so before long. */
  async #settle(): Promise<boolean> {
    const stage = this.#stage
    const quiet = milliseconds(this.#scenario.quiet)
    const end = stage.clock.monotonic() + LONGEST_STEP
    for (let left = quiet; left > 0; left = quiet - this.#recording.quietFor) {
      if (stage.clock.monotonic() > end) return false
      await stage.pass(left)
      // A controller that has not seen the object as it is has more to do, however long it takes.
      if (this.#recording.isBehind) this.#recording.touch()
    }
    return true
  }

  async #open(): Promise<readonly string[]> {
    const { namespace } = this.#recording
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
    const made = await this.#call('POST', '/api/v1/namespaces', body)
    if (made.code !== 201) throw new HomeostatError('NO_STAGE', `no namespace: ${made.body.message}`)
    // Without its account no Pod can be made.
    for (let tries = 0; tries < 200; tries++) {
      if (this.#recording.objects('ServiceAccount').length > 0) return []
      await this.#stage.pass(100)
    }
    throw new HomeostatError('NO_STAGE', `the namespace ${namespace} was given no ServiceAccount`)
  }

  async #take(action: Action): Promise<readonly string[]> {
    switch (action.act) {
      case 'request': {
        const path = this.#filled(action.path)
        const body =
          action.body === undefined ? undefined : JSON.parse(this.#filled(JSON.stringify(action.body)))
        return problemsOf(await this.#call(action.method, path, body), action.method, action.path)
      }
      case 'pods':
        return this.#changePods(action)
      case 'pass':
        await this.#stage.pass(milliseconds(action.duration))
        return []
      case 'minute':
        await this.#toMinute(action)
        return []
    }
  }

  async #toMinute({ ifLeft = MINUTE }: MinuteAction): Promise<void> {
    const left = MINUTE - (this.#stage.clock.now() % MINUTE)
    if (left <= ifLeft) await this.#stage.pass(left + AFTER_MINUTE)
  }

  async #changePods({ which, become }: PodsAction): Promise<readonly string[]> {
    const pods = choosePods(this.#recording.objects('Pod'), which, become)
    const problems: string[] = []
    if (which.count !== undefined && pods.length < which.count) {
      problems.push(`there are ${pods.length} such Pods, not ${which.count}`)
    }
    for (const { metadata } of pods) {
      const path = `${this.#pods}/${metadata.name}`
      const verb = typeof become === 'string' ? become : 'patched'
      if (become === 'gone') {
        const answer = await this.#call('DELETE', path, { gracePeriodSeconds: 0 })
        problems.push(...problemsOf(answer, 'DELETE', verb))
      } else if (become === 'deleted') {
        problems.push(...problemsOf(await this.#call('DELETE', path), 'DELETE', verb))
      } else if (typeof become === 'object') {
        problems.push(...problemsOf(await this.#call('PATCH', path, become.patch), 'PATCH', verb))
      } else {
        const pod = await this.#placed(path)
        if (!pod) {
          problems.push('a Pod is gone that was to be changed')
          continue
        }
        const facts = {
          now: timestamp(this.#stage.clock.now()),
          podIP: pod.status.podIP ?? this.#stage.nextPodIP(),
          exitCode: which.exitCode ?? 1,
        }
        const body = { status: podStatus(pod, become, facts) }
        problems.push(...problemsOf(await this.#call('PATCH', `${path}/status`, body), 'PATCH', verb))
      }
    }
    return problems
  }

  /** The Pod, which is put on the node if it is on none; `undefined` where it is gone. */
  async #placed(path: string): Promise<any> {
    const { code, body } = await this.#call('GET', path)
    if (code !== 200) return undefined
    if (body.spec.nodeName) return body
    const { name } = body.metadata
    const target = { apiVersion: 'v1', kind: 'Node', name: this.#stage.node }
    await this.#call('POST', `${path}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name },
      target,
    })
    return (await this.#call('GET', path)).body
  }

  #filled(text: string): string {
    return text
      .replaceAll('{ns}', this.#recording.namespace)
      .replaceAll(/\{uid (\w+)\/([\w.-]+)\}/g, (_, kind: string, name: string) => {
        const found = this.#recording.objects(kind).find(({ metadata }) => metadata.name === name)
        return found?.metadata.uid ?? '00000000-0000-4000-8000-000000000000'
      })
  }

  #call(method: ApiRequest['method'], path: string, body?: unknown): Promise<JsonAnswer> {
    return callJson(this.#stage.send, method, path, {
      body,
      headers: {
        accept: 'application/json',
        ...(method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}),
      },
    })
  }
}

function problemsOf({ code, body }: JsonAnswer, method: string, what: string): string[] {
  return code < 400 ? [] : [`${method} ${what}: ${code} ${body.reason}`]
}
