import type { Clock, DeepReadonly } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { PodAddress } from '../../network/index.ts'
import { checkHttp, checkTcp, type CheckResult } from './check.ts'
import { checkGrpc } from './grpc-check.ts'
import type { ProbeKind } from './probe-state.ts'
import { probeTarget } from './probe-target.ts'
import { Prober } from './prober.ts'

export interface ContainerProbesOptions {
  readonly container: DeepReadonly<CoreV1.Container>
  readonly address: PodAddress
  readonly clock: Clock
  readonly exec: (
    command: readonly string[],
    timeoutSeconds: number,
    signal: AbortSignal,
  ) => Promise<CheckResult>
  /** Called when it has become started, ready or alive, or no longer is. */
  readonly onChange: () => void
  /** Called when a probe has failed, or could not run. */
  readonly onTrouble: (kind: ProbeKind, result: CheckResult) => void
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

  /** The probe by which the container must be restarted. */
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
    const { clock, onChange, onTrouble } = this.#options
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
      onTrouble: (result) => onTrouble(kind, result),
    })
  }

  async #check(probe: DeepReadonly<CoreV1.Probe>, signal: AbortSignal): Promise<CheckResult> {
    const { address, container, exec } = this.#options
    try {
      if (probe.exec) return await exec(probe.exec.command ?? [], probe.timeoutSeconds ?? 1, signal)
      if (probe.httpGet) {
        return await checkHttp(probe.httpGet, probeTarget(container, address, probe.httpGet.port), signal)
      }
      if (probe.tcpSocket) {
        return await checkTcp(probeTarget(container, address, probe.tcpSocket.port), signal)
      }
      if (probe.grpc) {
        const target = probeTarget(container, address, probe.grpc.port)
        return await checkGrpc(target, probe.grpc.service ?? '', probe.timeoutSeconds ?? 1, signal)
      }
      throw new Error(`missing probe handler for ${container.name}`)
    } catch (error) {
      return { outcome: 'error', message: error instanceof Error ? error.message : String(error) }
    }
  }
}
