import { markdownTable } from '../markdown-table.ts'
import { FEW, type InProcess, type Measurement } from './measure.ts'
import type { Options } from './options.ts'
import { TITLES, type ServerName } from './servers.ts'

/** All that a run found out. */
export interface Findings {
  readonly date: string
  readonly machine: { readonly processor: string; readonly cores: number; readonly memoryBytes: number }
  /** How many processes wanted to run, on average over a minute, before it began and when it ended. */
  readonly load: { readonly before: number; readonly after: number }
  readonly versions: Readonly<Record<string, string>>
  readonly options: Omit<Options, 'out'>
  readonly inProcess: InProcess
  readonly servers: readonly Measurement[]
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
const milliseconds = (value: number) => `${value.toFixed(0)} ms`
const seconds = (value: number) => `${value.toFixed(2)} s`
const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`

/** The figures that ours must reach. */
interface Aim {
  readonly what: string
  readonly aim: string
  readonly measured: string
  readonly met: boolean
}

/** The findings as a page of Markdown, which also reads well in a terminal. */
export function report(findings: Findings): string {
  const { machine, load, options, servers, inProcess } = findings
  const lines = [
    '# API servers side by side',
    '',
    `${findings.date}. ${machine.cores} cores (${machine.processor}), ${Math.round(machine.memoryBytes / 2 ** 30)} GiB of memory; ` +
      `load average ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after. The client shares the machine. ` +
      `Creates over ${options.connections} connections, with ${FEW.toLocaleString('en')} objects stored, ` +
      `after each server has created and deleted ${options.warmUp.toLocaleString('en')} others; ` +
      `${options.watchers} watchers at ${options.writesPerSecond} writes a second for ${options.watchSeconds} s.`,
    '',
    Object.entries(findings.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    '',
    ...markdownTable(
      [
        '',
        'first answer',
        'idle memory',
        'creates',
        'CPU a create',
        'CPU of the client',
        `with ${options.stored.toLocaleString('en')} stored`,
        'list',
        'watch lag p50',
        'p99',
        'seen',
        'memory at the end',
      ],
      servers.map((server) => [
        TITLES[server.name],
        milliseconds(server.firstAnswer),
        megabytes(server.idleBytes),
        perSecond(server.createsPerSecond),
        `${server.cpuPerCreate.toFixed(2)} ms`,
        `${server.clientCpuPerCreate.toFixed(2)} ms`,
        optional(server.createsPerSecondStored, perSecond),
        server.listSeconds === undefined
          ? '–'
          : `${seconds(server.listSeconds)} (${megabytes(server.listBytes ?? 0)})`,
        optional(server.watch?.lagP50, milliseconds),
        optional(server.watch?.lagP99, milliseconds),
        server.watch ? `${server.watch.seen} of ${server.watch.expected}` : '–',
        megabytes(server.fullBytes),
      ]),
    ),
    '',
    `Inside another program the first answer was there after ${milliseconds(inProcess.answered)}, ${milliseconds(inProcess.loaded)} of them to load the module. ` +
      `${inProcess.cycles.count} servers, each with a port, were started and stopped in ${seconds(inProcess.cycles.seconds)}; ` +
      `the heap grew by ${(inProcess.cycles.heapGrowth / 1024).toFixed(0)} KiB, and ${inProcess.cycles.handlesLeft} handles were left.`,
    '',
    ...markdownTable(
      ['aim for ours', '', 'measured', ''],
      aims(findings).map(({ what, aim, measured, met }) => [what, aim, measured, met ? 'met' : 'not met']),
    ),
    ...cpuShares(servers),
    ...growthTable(servers),
  ]
  return `${lines.join('\n')}\n`
}

/** How each grows with the objects that it holds. */
function growthTable(servers: readonly Measurement[]): string[] {
  const rows = servers.flatMap(({ name, growth }) =>
    growth.map((one) => [
      TITLES[name],
      one.objects.toLocaleString('en'),
      perSecond(one.createsPerSecond),
      `${one.cpuPerCreate.toFixed(2)} ms`,
      seconds(one.listSeconds),
      `${((one.listSeconds * 1e6) / one.objects).toFixed(1)} µs`,
      megabytes(one.residentBytes),
    ]),
  )
  const header = ['', 'objects', 'creates', 'CPU a create', 'list', 'list of one object', 'memory']
  return rows.length === 0 ? [] : ['', ...markdownTable(header, rows)]
}

/** On a machine with other work this says more than the rates, which depend on who gets how much of it. */
function cpuShares(servers: readonly Measurement[]): string[] {
  const pairs = [
    ['ours', 'kubernetes'],
    ['ours-durable', 'kubernetes-durable'],
  ] as const
  const shares = pairs.flatMap(([name, other]) => {
    const [one, real] = [name, other].map((wanted) => servers.find((server) => server.name === wanted))
    if (!one || !real) return []
    const share = (one.cpuPerCreate / real.cpuPerCreate).toFixed(2)
    return [`${TITLES[name]}, took ${share} of the CPU that ${TITLES[other]} took for a create`]
  })
  return shares.length === 0 ? [] : ['', ...shares.map((text) => `- ${text}.`)]
}

function aims({ servers, inProcess, options }: Findings): Aim[] {
  const of = (name: ServerName): Measurement | undefined => servers.find((server) => server.name === name)
  const [ours, durable, real, realDurable] = [
    of('ours'),
    of('ours-durable'),
    of('kubernetes'),
    of('kubernetes-durable'),
  ]
  const found: Aim[] = [
    atMost('first answer in a process', 60, inProcess.answered, milliseconds),
    atMost(`${inProcess.cycles.count} servers started and stopped`, 20, inProcess.cycles.seconds, seconds),
  ]
  const share = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined || b === undefined ? undefined : a / b
  const ratio = (value: number): string => value.toFixed(2)
  if (ours) found.push(atMost('first answer as a process', 400, ours.firstAnswer, milliseconds))
  const idle = share(ours?.idleBytes, real?.idleBytes)
  if (idle !== undefined) found.push(atMost('idle memory, of the real one', 1 / 5, idle, ratio))
  const creates = share(ours?.createsPerSecond, real?.createsPerSecond)
  if (creates !== undefined)
    found.push(atLeast('creates a second in memory, of the real one', 8, creates, ratio))
  const durableCreates = share(durable?.createsPerSecond, realDurable?.createsPerSecond)
  if (durableCreates !== undefined) {
    found.push(atLeast('creates a second durable, of the real one with fsync', 3, durableCreates, ratio))
  }
  const list = share(ours?.listSeconds, real?.listSeconds)
  if (list !== undefined) {
    const what = `time of a list of ${options.objects.toLocaleString('en')}, of the real one`
    found.push(atMost(what, 1 / 10, list, ratio))
  }
  if (ours?.watch) {
    found.push(atMost('watch lag p99', 1_000, ours.watch.lagP99, milliseconds))
    found.push(atLeast('share of events seen', 1, ours.watch.seen / ours.watch.expected, ratio))
  }
  const scaling = share(ours?.createsPerSecondStored, ours?.createsPerSecond)
  if (scaling !== undefined) {
    const what = `creates a second with ${options.stored.toLocaleString('en')} stored, of those with ${FEW.toLocaleString('en')}`
    found.push(atLeast(what, 0.8, scaling, ratio))
  }
  return found
}

function atMost(what: string, aim: number, value: number, format: (value: number) => string): Aim {
  return { what, aim: `at most ${format(aim)}`, measured: format(value), met: value <= aim }
}

function atLeast(what: string, aim: number, value: number, format: (value: number) => string): Aim {
  return { what, aim: `at least ${format(aim)}`, measured: format(value), met: value >= aim }
}

function optional(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? '–' : format(value)
}
