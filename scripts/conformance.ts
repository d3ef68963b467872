// Plays every scenario of test/conformance on our server and on a real kube-apiserver, and compares. Run by
// `npm run conformance`.
import { parseArgs } from 'node:util'
import { HomeostatError } from '@homeostat/api'
import { loadConfig } from 'homeostat'
import { differences } from '../test/conformance/differences.ts'
import { askedBy, readGoldens, writeGoldens, type Goldens } from '../test/conformance/goldens.ts'
import { keptElsewhere } from '../test/conformance/kept-elsewhere.ts'
import { judge } from '../test/conformance/judge.ts'
import { play } from '../test/conformance/play.ts'
import { prepare } from '../test/conformance/prepare.ts'
import { TAGS, type Scenario, type Topic } from '../test/conformance/scenario.ts'
import { topics } from '../test/conformance/scenarios/index.ts'
import { onNetwork, oursInProcess, oursOnPort, type Subject } from '../test/conformance/subject.ts'
import { KUBERNETES_VERSION } from '../test/kubernetes/binaries.ts'
import { startControlPlane } from '../test/kubernetes/control-plane.ts'
import { compareApply } from '../test/oracles/structured-merge-diff/compare-apply.ts'

const HELP = `Usage: npm run conformance -- [options]

Plays ${topics.reduce((sum, { scenarios }) => sum + scenarios.length, 0)} scenarios on our API server and on a real kube-apiserver ${KUBERNETES_VERSION}, and compares what
they answer. Fails when they differ in what test/conformance/known-differences.ts does not list, when something that it
lists no longer differs, or when the real server's answers are not those that were kept.

Options:
  --only TEXT        only scenarios whose topic, title or tag holds this text; may be given several times
  --ours             plays on our server alone, against the answers that were kept
  --kubeconfig FILE  a running kube-apiserver ${KUBERNETES_VERSION} without controllers; default: one of its own ("npm run kubernetes" builds it)
  --known            shows what is known to differ too
  --list             lists the scenarios
  --apply-oracle     instead holds random conversations of server-side apply with our managed fields and with
                     Kubernetes' own, which stand on structured-merge-diff (needs Go)
  --cases NUMBER     how many of these; default: 3000
  --seed NUMBER      where they begin; default: another one each time
  --help

Tags: ${TAGS.join(', ')}`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    // Given by `npm run record conformance`.
    record: { type: 'boolean' },
    ours: { type: 'boolean' },
    kubeconfig: { type: 'string' },
    known: { type: 'boolean' },
    list: { type: 'boolean' },
    'apply-oracle': { type: 'boolean' },
    cases: { type: 'string', default: '3000' },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

/** Real servers that were started, by whether controllers run. */
const started = new Map<boolean, Promise<Subject>>()
const stamp = Date.now().toString(36).slice(-6)
let count = 0
let failed = 0

function chosen(topic: Topic): readonly Scenario[] {
  const { only } = values
  if (!only) return topic.scenarios
  return topic.scenarios.filter(({ title, tag }) =>
    only.some((text) => `${topic.name}/${title} ${tag}`.toLowerCase().includes(text.toLowerCase())),
  )
}

async function realServer(controllers: boolean): Promise<Subject> {
  if (values.kubeconfig && !controllers) {
    const { server, token = '', tls } = loadConfig({ kubeconfig: values.kubeconfig })
    return onNetwork({ url: server, token, ca: tls.ca ?? '' })
  }
  console.log(`starting a kube-apiserver ${KUBERNETES_VERSION}${controllers ? ' with controllers' : ''}`)
  const plane = await startControlPlane({ controllerManager: controllers })
  const { url, token, certificateAuthority: ca } = plane
  return onNetwork({ url, token, ca }, () => plane.stop())
}

function real(controllers: boolean): Promise<Subject> {
  const server = started.get(controllers) ?? realServer(controllers)
  started.set(controllers, server)
  return server
}

async function compareTopic(topic: Topic, scenarios: readonly Scenario[]): Promise<void> {
  const goldens = readGoldens(topic.name)
  const kept: Goldens = {}
  await using ours = topic.port ? await oursOnPort() : await oursInProcess()
  const reference = values.ours ? undefined : await real(topic.controllers)
  const ends = [await prepare(ours, topic)]
  if (reference) ends.push(await prepare(reference, topic))
  try {
    for (const scenario of scenarios) {
      const problems = await compareScenario(topic, scenario, ours, reference, goldens, kept)
      console.log(`${problems.length > 0 ? '✗' : '✓'} ${topic.name}/${scenario.title} (${scenario.tag})`)
      for (const problem of problems) console.log(`    ${problem}`)
      if (problems.length > 0) failed++
    }
  } finally {
    for (const end of ends) await end()
  }
  if (values.record) {
    const titles = new Set(topic.scenarios.map(({ title }) => title))
    const all = { ...goldens, ...kept }
    writeGoldens(topic.name, Object.fromEntries(Object.entries(all).filter(([title]) => titles.has(title))))
  }
}

async function compareScenario(
  topic: Topic,
  scenario: Scenario,
  ours: Subject,
  reference: Subject | undefined,
  goldens: Goldens,
  kept: Goldens,
): Promise<string[]> {
  const name = `${topic.name}/${scenario.title}`
  const namespace = `conformance-${stamp}${(++count).toString(36).padStart(2, '0')}`
  const golden = goldens[scenario.title]
  const problems: string[] = []
  const expected = reference ? await play(reference, scenario, namespace) : golden?.answers
  if (!expected)
    return [
      `there are no recorded answers of the real server: npm run record conformance "${scenario.title}"`,
    ]
  if (reference && values.record) kept[scenario.title] = { asked: askedBy(scenario), answers: expected }
  else if (golden?.asked !== askedBy(scenario)) problems.push('it was changed since it was recorded')
  else if (reference) {
    for (const { at, lines } of differences(name, golden.answers, expected)) {
      problems.push(`${at}: what was recorded is not what the real server answers now`, ...lines)
    }
  }
  const answers = await play(ours, scenario, namespace)
  return [...problems, ...judge(name, differences(name, answers, expected), values.known ? {} : undefined)]
}

/** Conversations are made and compared in parts, so that there is progress to see. */
async function compareWithOracle(): Promise<void> {
  const first = number(values.seed ?? String(Date.now() % 1_000_000_000))
  const count = number(values.cases)
  console.log(`${count} conversations from --seed ${first} on`)
  for (let done = 0; done < count; done += 500) {
    const partings = await compareApply(first + done, Math.min(500, count - done))
    for (const { seed, conversation, step, ours, kubernetes } of partings) {
      failed++
      console.log(`✗ seed ${seed}, step ${step + 1}`)
      console.log(JSON.stringify({ conversation, ours, kubernetes }, undefined, 2))
    }
    console.log(`${Math.min(count, done + 500)} of ${count}, ${failed} differ`)
  }
  if (failed > 0) process.exitCode = 1
}

function number(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  throw new HomeostatError('NO_NUMBER', `${text} is not a whole number`)
}

async function main(): Promise<void> {
  if (values.help) {
    console.log(HELP)
    return
  }
  if (values['apply-oracle']) return compareWithOracle()
  const selection = topics
    .map((topic) => ({ topic, scenarios: chosen(topic) }))
    .filter(({ scenarios }) => scenarios.length > 0)
  const total = selection.reduce((sum, { scenarios }) => sum + scenarios.length, 0)
  if (total === 0) throw new HomeostatError('NOTHING_CHOSEN', 'No scenario is called so: see --list')
  if (values.list) {
    for (const { topic, scenarios } of selection) {
      for (const { title, tag } of scenarios) console.log(`${topic.name}/${title} (${tag})`)
    }
    return
  }
  for (const { topic, scenarios } of selection) await compareTopic(topic, scenarios)
  console.log(`${total - failed} of ${total} scenarios are as they should be`)
  if (!values.only) {
    const kept = [...keptElsewhere()]
    const sum = kept.reduce((all, [, count]) => all + count, 0)
    const where = kept.map(([folder, count]) => `${folder} ${count}`).join(', ')
    console.log(
      `${sum} more answers of the real server are kept by tests on both servers, which this command does not play: ${where}`,
    )
  }
  if (failed > 0) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  console.error(error instanceof HomeostatError ? error.message : error)
  process.exitCode = 1
} finally {
  for (const server of started.values()) await (await server)[Symbol.asyncDispose]()
}
