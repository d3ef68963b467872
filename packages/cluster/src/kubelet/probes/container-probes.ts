import type { Clock, DeepReadonly } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { PodAddress } from '../../network/index.ts'
import { checkHttp, checkTcp, type CheckResult } from './check.ts'
import type { ProbeKind } from './probe-state.ts'
import { Prober } from './prober.ts'

export interface ContainerProbesOptions {
  readonly container: DeepReadonly<CoreV1.Container>
  readonly address: PodAddress
  readonly clock: Clock
  readonly exec: (command: readonly string[], signal: AbortSignal) => Promise<CheckResult>
  /** Whether it is started, ready or alive has changed. */
  readonly onChange: () => void
  readonly onFailure: (kind: ProbeKind, message: string) => void
}

/** The probes of one run of a container. The others wait until the startup probe has succeeded. */
export class ContainerProbes implements Disposable {
  readonly #options: ContainerProbesOptions
  readonly #startup: Prober | undefined
  #readiness: Prober | undefined
  #liveness: Prober | undefined
  #closed = false

  constructor(options: ContainerProbesOptions) {
    this.#options = options
    this.#startup = this.#prober('startup', options.container.startupProbe)
    if (!this.#startup) this.#startOthers()
  }

  get started(): boolean {
    return !this.#startup || this.#startup.ok === true
  }

  get ready(): boolean {
    return this.started && (!this.#options.container.readinessProbe || this.#readiness?.ok === true)
  }

  /** The probe that says that the container must be started again. */
  get failed(): ProbeKind | undefined {
    if (this.#startup?.ok === false) return 'startup'
    return this.#liveness?.ok === false ? 'liveness' : undefined
  }

  close(): void {
    this.#closed = true
    this.#startup?.close()
    this.#readiness?.close()
    this.#liveness?.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #startOthers(): void {
    if (this.#closed || this.#readiness || this.#liveness) return
    this.#readiness = this.#prober('readiness', this.#options.container.readinessProbe)
    this.#liveness = this.#prober('liveness', this.#options.container.livenessProbe)
  }

  #prober(kind: ProbeKind, probe: DeepReadonly<CoreV1.Probe> | undefined): Prober | undefined {
    if (!probe) return undefined
    const { clock, onChange, onFailure } = this.#options
    return new Prober({
      kind,
      probe,
      clock,
      check: (signal) => this.#check(probe, signal),
      onChange: () => {
        if (kind === 'startup' && this.#startup?.ok) {
          this.#startup.close()
          this.#startOthers()
        }
        onChange()
      },
      onFailure: (message) => onFailure(kind, message),
    })
  }

  #check(probe: DeepReadonly<CoreV1.Probe>, signal: AbortSignal): Promise<CheckResult> {
    if (probe.httpGet)
      return this.#at(probe.httpGet.port, (at) => checkHttp(probe.httpGet ?? { port: 0 }, at, signal))
    if (probe.tcpSocket) return this.#at(probe.tcpSocket.port, (at) => checkTcp(at, signal))
    if (probe.exec) return this.#options.exec(probe.exec.command ?? [], signal)
    return Promise.resolve({ ok: false, message: 'this node knows httpGet, tcpSocket and exec probes only' })
  }

  #at(
    port: number | string,
    check: (at: { host: string; port: number; shown: string }) => Promise<CheckResult>,
  ): Promise<CheckResult> {
    const { address, container } = this.#options
    const number =
      typeof port === 'number' ? port : container.ports?.find((entry) => entry.name === port)?.containerPort
    if (number === undefined) {
      return Promise.resolve({
        ok: false,
        message: `the container has no port named ${JSON.stringify(port)}`,
      })
    }
    return check({ host: address.host, port: address.port(number), shown: `${address.podIP}:${number}` })
  }
}
