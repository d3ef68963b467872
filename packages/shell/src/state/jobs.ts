/** A command that runs in the background. */
export interface Job {
  readonly number: number
  readonly pid: number
  readonly command: string
  /** The status it ends with. */
  readonly ended: Promise<number>
  status: number | undefined
}

/** How many ended jobs are remembered until `wait` asks for them. */
const MOST_ENDED = 100

/** The background commands of a shell. */
export class Jobs {
  readonly #jobs = new Map<number, Job>()
  #number = 0
  last: Job | undefined

  add(pid: number, command: string, ended: Promise<number>): Job {
    for (const job of this.#jobs.values()) {
      if (this.#jobs.size < MOST_ENDED) break
      if (job.status !== undefined) this.#jobs.delete(job.pid)
    }
    if (this.running.length === 0) this.#number = 0
    const job: Job = { number: ++this.#number, pid, command, ended, status: undefined }
    void ended.then((status) => {
      job.status = status
      return undefined
    })
    this.#jobs.set(pid, job)
    this.last = job
    return job
  }

  get all(): Job[] {
    return [...this.#jobs.values()]
  }

  get running(): Job[] {
    return this.all.filter(({ status }) => status === undefined)
  }

  /** The job of a process id, or of `%1`, `%%` and `%+`. */
  find(text: string): Job | undefined {
    if (!text.startsWith('%')) return this.#jobs.get(Number(text))
    if (['%', '%%', '%+'].includes(text)) return this.last
    return this.all.find(({ number }) => `%${number}` === text)
  }

  forget(job: Job): void {
    this.#jobs.delete(job.pid)
  }
}
